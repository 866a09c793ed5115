//! The speed of parsing, checking and formatting. Two sizes, one twice the other, show that the time is linear.

use std::time::Instant;

use map_check::{CheckOptions, check};
use map_diagnostics::SourceFile;
use map_syntax::{format, parse};

use crate::measured::Size;

/// Lengths of the generated texts in bytes.
const SIZES: &[usize] = &[1 << 20, 2 << 20];

pub(crate) fn run(size: Size) -> Result<(), String> {
    let (sizes, rounds) = if size == Size::Smoke { (&[1 << 14][..], 1) } else { (SIZES, 3) };
    println!("\nfront end: a generated scene, best of {rounds}; MB/s");
    println!("{:>10} {:>8} {:>8} {:>8}", "bytes", "parse", "check", "fmt");
    for &bytes in sizes {
        let source = SourceFile::new("generated.map", generated(bytes));
        let parsed = parse(&source);
        let (checked, errors) = check(&parsed.file, &CheckOptions::default());
        if checked.is_none() || !parsed.diagnostics.is_empty() {
            return Err(format!("the generated scene has errors: {:?} {errors:?}", parsed.diagnostics));
        }
        let speed = |work: &dyn Fn() -> bool| {
            let seconds = (0..rounds).map(|_| {
                let started = Instant::now();
                std::hint::black_box(work());
                started.elapsed().as_secs_f64()
            });
            source.text().len() as f64 / 1e6 / seconds.fold(f64::INFINITY, f64::min)
        };
        println!(
            "{:>10} {:>8.1} {:>8.1} {:>8.1}",
            source.text().len(),
            speed(&|| parse(&source).diagnostics.is_empty()),
            speed(&|| check(&parsed.file, &CheckOptions::default()).0.is_some()),
            speed(&|| format(&source).is_ok()),
        );
    }
    Ok(())
}

/// A correct scene of about `bytes` bytes.
fn generated(bytes: usize) -> String {
    let mut text = String::from("decision answer($x)\n\nroom[\n    agent(!Host, %host) = agent(step0, 1)\n");
    let mut step = 0;
    while text.len() < bytes {
        let next = step + 1;
        text.push_str(&format!(
            "
    // What the host does in step {step}: it asks, and waits for whatever comes.
    agent(!Host, %host, step{step}, $x) =
        question{step}($x, \"text\", {step}) => agent(_, %guest)
        then (
            waitfor (
                (reply{step}($y) <= agent($guest, %guest) then agent(step{next}, $y))
                or done(_, _) <= agent(_, %guest)
            )
            timeout (
                $z = answer($x)
                then agent(step{next}, $z)
            )
        )
"
        ));
        step = next;
    }
    text.push_str(&format!("\n    agent(!Host, %host, step{step}, _) = skip\n"));
    text.push_str("\n    agent($me, %guest) = waitfor question0(_, _, _) <= agent(!Host, %host)\n]\n");
    text
}

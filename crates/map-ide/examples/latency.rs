//! How long answers take: median and 99th percentile over random places, for texts of 200, 2,000 and 20,000 lines made
//! of the protocols of the library. `cargo run --profile dist -p map-ide --example latency`
#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "it measures and prints")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use map_ide::Analysis;

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn main() {
    for lines in [200, 2_000, 20_000] {
        let text = text(lines);
        let new = measured(if lines > 2_000 { 5 } else { 20 }, |_| {
            black_box(Analysis::new(text.as_str()).diagnostics());
        });
        let analysis = Analysis::new(text.as_str());
        let problems = analysis.diagnostics();
        println!(
            "{} lines, {} bytes, {} problems, the first {:?}",
            text.lines().count(),
            text.len(),
            problems.len(),
            problems.first().map(|it| (it.code.as_str(), &it.message))
        );
        show("all diagnostics", &new);
        let middle = text[..text.len() / 2].rfind(" then ").unwrap_or(0);
        let mistaken = format!("{} thn {}", &text[..middle], &text[middle + " then ".len()..]);
        let runs = if lines > 2_000 { 5 } else { 20 };
        show(
            "  with a mistake",
            &measured(runs, |_| {
                black_box(Analysis::new(mistaken.as_str()).diagnostics());
            }),
        );
        let mut numbers = Numbers(3);
        let places: Vec<usize> = (0..200).map(|_| numbers.below(text.len())).collect();
        // A text that is being written: it breaks off in a clause.
        let cut = Analysis::new(&text[..text.len() / 2]);
        type Question = fn(&Analysis, usize);
        let questions: &[(&str, Question)] = &[
            ("hover", |it, at| _ = black_box(it.hover(at))),
            ("definition", |it, at| _ = black_box(it.definition(at))),
            ("references", |it, at| _ = black_box(it.references(at, true))),
            ("rename range", |it, at| _ = black_box(it.rename_range(at))),
            ("completion", |it, at| _ = black_box(it.completion(at))),
            ("signature", |it, at| _ = black_box(it.signature(at))),
            ("selection", |it, at| _ = black_box(it.selection(at))),
            ("actions", |it, at| _ = black_box(it.actions(at..at))),
            ("hints of 60 lines", |it, at| _ = black_box(it.inlay_hints(at..at + 3_000))),
            ("colours of 60 lines", |it, at| _ = black_box(it.tokens(Some(at..at + 3_000)))),
        ];
        for (name, question) in questions {
            show(name, &measured(places.len(), |run| question(&analysis, places[run])));
            show("  broken", &measured(places.len(), |run| question(&cut, places[run] / 2)));
        }
        let few = if lines > 2_000 { 5 } else { 20 };
        show("symbols", &measured(few, |_| _ = black_box(analysis.symbols())));
        show("folds", &measured(few, |_| _ = black_box(analysis.folds())));
        show("all colours", &measured(few, |_| _ = black_box(analysis.tokens(None))));
        show("format", &measured(few, |_| _ = black_box(analysis.format())));
        show("rename", &measured(few, |run| _ = black_box(analysis.rename(places[run], "other_name"))));
    }
}

fn measured(runs: usize, mut run: impl FnMut(usize)) -> Vec<Duration> {
    let mut times = Vec::new();
    for number in 0..runs {
        let start = Instant::now();
        run(number);
        times.push(start.elapsed());
    }
    times.sort();
    times
}

fn show(what: &str, times: &[Duration]) {
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    println!("  {what:24} median {:8.2} ms   99th percentile {:8.2} ms", at(50), at(99));
}

/// A text of about so many lines: the scenes of the library again and again, each with roles and names of its own.
fn text(lines: usize) -> String {
    let mut text = String::new();
    let mut count = 0;
    let mut round = 0;
    while count < lines {
        for protocol in map_library::PROTOCOLS {
            let copy = numbered(&protocol.right.start(), &format!("{}{round}", letters(protocol.name)));
            count += copy.lines().count();
            text.push_str(&copy);
            if count >= lines {
                break;
            }
        }
        round += 1;
    }
    text
}

fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphabetic).collect()
}

/// A copy of a text whose names all end in `_suffix`, so that it can stand beside others.
fn numbered(text: &str, suffix: &str) -> String {
    let analysis = Analysis::new(text);
    let mut copy = String::new();
    let mut at = 0;
    for token in analysis.tokens(None) {
        let Ok(range) = analysis.rename_range(token.range.start) else {
            // An agent that is called after its role.
            if token.kind == map_ide::TokenKind::Agent {
                let end = token.range.start
                    + text[token.range.clone()].trim_end_matches(|c: char| c.is_ascii_digit()).len();
                copy.push_str(&text[at..end]);
                copy.push_str(&format!("_{suffix}x"));
                at = end;
            }
            continue;
        };
        if token.kind == map_ide::TokenKind::Constant || range.start < at {
            continue;
        }
        copy.push_str(&text[at..range.end]);
        copy.push_str(&format!("_{suffix}x"));
        at = range.end;
    }
    copy.push_str(&text[at..]);
    copy.push('\n');
    copy
}

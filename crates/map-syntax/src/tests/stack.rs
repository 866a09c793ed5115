//! The deepest text that is allowed is read with the smallest stack that is usual: 1 MiB, as in a browser.

use map_diagnostics::SourceFile;

use crate::{MAX_NESTING, format, parse, parse_formula};

/// Texts that nest `n` levels deep, in every way there is.
fn nested(n: usize) -> Vec<String> {
    let around =
        |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(n), close.repeat(n));
    let clause = |body: String| format!("s[ agent(!A, %r) = {body} ]");
    let procedure =
        |value: String| format!("procedure p($x)\n  | {value} == 1 = 2\n  = 3\ns[ agent(!A, %r) = skip ]");
    let property = |formula: String| format!("property p : {formula}\ns[ agent(!A, %r) = skip ]");
    let mut all = Vec::new();
    for (open, inner, close) in [
        ("(", "skip", ")"),
        ("waitfor ", "skip", ""),
        ("waitfor ", "skip", " timeout fail"),
        ("waitfor skip timeout ", "skip", ""),
        ("fail par fail or skip then (", "skip", ")"),
    ] {
        all.push(clause(around(open, inner, close)));
    }
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("not ", "1", ""),
        ("min(", "1", ", 2)"),
        ("if $x < 1 then 2 else ", "1", ""),
        ("if $x < 1 then ", "1", " else 2"),
        ("if ", "1 < 2", " then 3 < 4 else 5 < 6"),
        ("1 * 2 + (", "1", ") - 3 mod 4"),
    ] {
        all.push(procedure(around(open, inner, close)));
        all.push(clause(format!("p({})", around(open, inner, close))));
    }
    for (open, close) in [
        ("(", ")"),
        ("not ", ""),
        ("always ", ""),
        ("ended and next ", ""),
        ("exists $x in %r : ", ""),
        ("possible ", ""),
        ("count($x in %r : ", ") == 1"),
        ("before ", ""),
        ("count(", ") == 1"),
        ("total($c : ", ") == 1"),
        ("ended unless (", ")"),
    ] {
        all.push(property(around(open, "ended", close)));
    }
    all
}

/// Works on a thread with a stack of 1 MiB. An overflow would end the whole process.
fn with_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn_scoped(scope, work);
        thread.expect("a thread").join().expect("no panic")
    })
}

#[test]
fn the_deepest_texts_fit_a_small_stack() {
    with_small_stack(|| {
        for text in nested(MAX_NESTING) {
            let source = SourceFile::new("test.map", text);
            assert_eq!(parse(&source).diagnostics, [], "{}", source.text());
            format(&source).expect("a correct text");
        }
        let formula = SourceFile::new("test", "not ".repeat(MAX_NESTING) + "ended");
        parse_formula(&formula).expect("a correct formula");
    });
}

#[test]
fn broken_texts_fit_a_small_stack() {
    with_small_stack(|| {
        for text in nested(MAX_NESTING).into_iter().chain(nested(10 * MAX_NESTING)) {
            for end in [text.len() / 4, text.len() / 2, text.len() - 4] {
                let broken = format!("{} ] t[ agent(!A, %r) = skip ]", &text[..end]);
                assert!(!parse(&SourceFile::new("test.map", broken)).diagnostics.is_empty());
            }
        }
    });
}

//! The limits of the language, and linear parsing time.

use super::{codes, parse_text};
use crate::ast::OpKind;
use crate::{MAX_NESTING, MAX_SOURCE_BYTES, parse};
use map_diagnostics::SourceFile;

fn clause(body: &str) -> String {
    format!("s[ agent(!A, %r) = {body} ]")
}

/// Ways to nest `n` levels deep.
fn nested(n: usize) -> [String; 6] {
    [
        format!("{}skip{}", "(".repeat(n), ")".repeat(n)),
        format!("{}skip", "waitfor ".repeat(n)),
        format!("{}skip{}", "waitfor ".repeat(n), " timeout fail".repeat(n)),
        format!("{}skip", "waitfor skip timeout ".repeat(n)),
        format!("{}skip{}", "(waitfor ".repeat(n / 2) + &"(".repeat(n % 2), ")".repeat(n / 2 + n % 2)),
        format!("{}skip{}", "fail par fail or skip then (".repeat(n), ")".repeat(n)),
    ]
}

#[test]
fn two_hundred_levels_and_no_more() {
    for body in nested(MAX_NESTING) {
        assert_eq!(codes(&clause(&body)), [""; 0], "{body}");
    }
    for body in nested(MAX_NESTING + 1) {
        assert_eq!(codes(&clause(&body)), ["MAP002"], "{body}");
    }
}

#[test]
fn the_opener_beyond_the_limit_is_marked() {
    let text = clause(&nested(1000)[0]);
    let diagnostic = &parse_text(&text).diagnostics[0];
    let span = diagnostic.span().expect("a place");
    assert_eq!(span.start as usize, text.find("((").expect("parentheses") + MAX_NESTING);
    assert_eq!(span.end, span.start + 1);
}

#[test]
fn absurd_nesting_is_one_diagnostic() {
    for n in [100_000, 100_001] {
        for body in nested(n) {
            assert_eq!(codes(&clause(&body)), ["MAP002"]);
            // The limit is detected without the closing brackets, even that of the scene.
            assert_eq!(codes(&format!("s[ agent(!A, %r) = {body}"))[..1], ["MAP001"]);
        }
        assert_eq!(codes(&clause(&"(".repeat(n))), ["MAP002"]);
        assert_eq!(codes(&"(".repeat(n)), ["MAP001"]);
        assert_eq!(codes(&format!("s{}", "[".repeat(n))).len(), 2);
    }
}

#[test]
fn what_follows_a_clause_nested_too_deeply_is_read() {
    let text = format!("s[ agent(!A, %r) = {} agent(!A, %r, x) = skip ]", nested(300)[0]);
    let parsed = parse_text(&text);
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(parsed.file.scenes().next().map(|scene| scene.clauses.len()), Some(1));
}

#[test]
fn side_by_side_is_not_nested() {
    for part in ["(skip)", "(waitfor skip timeout fail)", "waitfor skip timeout (fail)"] {
        let body = vec![part; 1000].join(" then ");
        assert_eq!(codes(&clause(&body)), [""; 0], "{part}");
    }
}

#[test]
fn chains_may_be_of_any_length() {
    for word in [" then ", " or ", " par "] {
        let n = 200_000;
        let parsed = parse_text(&clause(&vec!["skip"; n].join(word)));
        assert!(parsed.diagnostics.is_empty());
        let scene = parsed.file.scenes().next().expect("a scene");
        let (OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops)) = &scene.clauses[0].body.kind else {
            panic!("a chain")
        };
        assert_eq!(ops.len(), n);
    }
}

#[test]
fn large_sources_are_refused() {
    let text = format!("s[ agent(!A, %r) = skip ]{}", " ".repeat(MAX_SOURCE_BYTES));
    assert_eq!(codes(&text), ["MAP003"]);
    assert_eq!(codes(&text[..MAX_SOURCE_BYTES]), [""; 0]);
}

#[test]
fn a_file_needs_a_scene() {
    for text in ["", " \n", "\u{feff}", "// only\n", "cast %r = 3", "procedure p()"] {
        assert_eq!(codes(text), ["MAP009"], "{text:?}");
    }
}

/// Half a megabyte of a single repeated construct must be parsed quickly, whatever the construct is.
#[test]
fn garbage_is_refused_at_once() {
    let size = 1 << 19;
    for seed in [
        "(",
        ")",
        "[",
        "]",
        "a[",
        "s[ ",
        "agent(",
        "agent(a,",
        "agent(a, %b) = ",
        "waitfor ",
        "timeout ",
        "$",
        "\"",
        "\"\n",
        "/*",
        "?",
        "then ",
        "cast %x [ ",
        "cast %x = 1\n[ ",
        "cast %x = 1\nx{ agent ",
        "«",
        "<<<<<<<\n",
        "m(a)\nagent(!A, %r) ",
        "cast ",
        "m(",
        "ab ",
        "1",
        "a{agent(",
        "procedure p(",
        "\u{1f980}",
        "'",
        "'a",
        "\0",
        "=> ",
        "-",
        "_",
        "agent(!A, %r)\n",
        "x\nagent(!A, %r)\n",
        "s[]",
        "memory %r { ",
        "memory %r { @c = ",
        "procedure p() = (",
        "procedure p() = ((1)+",
        "procedure p() = 1\n| (",
        "procedure p() = if ",
        "procedure p() = 1 then else not ",
        "decision d() in { ",
        "= ( ",
        "| 1 == ",
        "1 < 2 < ",
        "with @c := ",
        "in\n[",
        "`\n",
        "{",
        "}",
        "skip)",
        "\\",
        "m(.) then ",
        "x (y[ then ",
        "waitfor (x.y ",
    ] {
        let text = seed.repeat(size / seed.len());
        for text in
            [text.clone(), format!("s[ agent(!A, %r) = {text}"), format!("s[ agent(!A, %r) = m({text}")]
        {
            assert!(!parse(&SourceFile::new("test.map", text)).diagnostics.is_empty(), "{seed:?}");
        }
    }
}

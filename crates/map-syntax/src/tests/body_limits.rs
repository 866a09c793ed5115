//! The limit on nesting in expressions, which does not apply to chains.

use super::{codes, parse_text};
use crate::MAX_NESTING;

fn procedure(expression: &str) -> String {
    format!("procedure p($x)\n  | {expression} == 1 = 2\n  = 3\ns[ agent(!A, %r) = skip ]")
}

/// Ways to nest `n` levels deep.
fn nested(n: usize) -> [String; 9] {
    [
        format!("{}1{}", "(".repeat(n), ")".repeat(n)),
        format!("{}1", "not ".repeat(n)),
        format!("{}1{}", "min(".repeat(n), ", 2)".repeat(n)),
        format!("{}1{}", "max(2, ".repeat(n), ")".repeat(n)),
        format!("{}1", "if $x < 1 then 2 else ".repeat(n)),
        format!("{}1{}", "if $x < 1 then ".repeat(n), " else 2".repeat(n)),
        format!("{}1 < 2{}", "if ".repeat(n), " then 3 < 4 else 5 < 6".repeat(n)),
        format!("{}1{}", "not (".repeat(n / 2) + &"(".repeat(n % 2), ")".repeat(n / 2 + n % 2)),
        format!("{}1{}", "1 * 2 + (".repeat(n), ") - 3 mod 4".repeat(n)),
    ]
}

#[test]
fn two_hundred_levels_and_no_more() {
    for expression in nested(MAX_NESTING) {
        assert_eq!(codes(&procedure(&expression)), [""; 0], "{expression}");
    }
    for expression in nested(MAX_NESTING + 1) {
        assert_eq!(codes(&procedure(&expression)), ["MAP002"], "{expression}");
    }
}

#[test]
fn the_opener_beyond_the_limit_is_marked() {
    let text = procedure(&nested(1000)[0]);
    let span = parse_text(&text).diagnostics[0].span().expect("a place");
    assert_eq!(span.start as usize, text.find("((").expect("parentheses") + MAX_NESTING);
}

#[test]
fn absurd_nesting_is_one_diagnostic() {
    for n in [100_000, 100_001] {
        for expression in nested(n) {
            assert_eq!(codes(&procedure(&expression)), ["MAP002"]);
        }
        assert_eq!(codes(&procedure(&"(".repeat(n))), ["MAP002"]);
        let update =
            format!("procedure p() = 1 with @c := 2, @d := {}\ns[ agent(!A, %r) = skip ]", nested(n)[0]);
        assert_eq!(codes(&update), ["MAP002"]);
    }
}

#[test]
fn other_items_are_read_besides() {
    let text = format!("procedure q() = 1\n{}\nmemory %r {{ @c = 1 }}", procedure(&nested(300)[0]));
    let parsed = parse_text(&text);
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(parsed.file.items.len(), 3);
}

#[test]
fn side_by_side_is_not_nested() {
    for part in ["(1)", "min(1, max(2, 3))", "(if 1 < 2 then 3 else 4)"] {
        assert_eq!(codes(&procedure(&vec![part; 1000].join(" + "))), [""; 0], "{part}");
    }
    assert_eq!(codes(&procedure(&(vec!["not 1 == 2"; 1000].join(" and ") + " and 1"))), [""; 0]);
    let alternatives =
        "| not (if 1 < 2 then 3 < 4 else not 5 < 6) = 7 with @c := if 1 < 2 then 3 else 4\n".repeat(1000);
    assert_eq!(codes(&format!("decision d() {alternatives} s[ agent(!A, %r) = skip ]")), [""; 0]);
    // A preceding `waitfor` without `timeout` ends with its clause.
    let clauses = format!("s[ agent(!A, %r) = waitfor skip ] {}", procedure(&nested(MAX_NESTING)[0]));
    assert_eq!(codes(&clauses), [""; 0]);
}

//! Expressions among the values of acts and calls: how they are read, their limits, and snapshots of the errors about
//! broken ones.

use super::broken::{assert_sheet, bodies};
use super::parse_text;
use crate::MAX_NESTING;
use crate::ast::{ExpressionKind, Op, OpKind, Term, TermKind};

/// The arguments of the only operation of a clause.
fn arguments(text: &str) -> Vec<Term> {
    let parsed = parse_text(&format!("s[ agent(!A, %r) = {text} ]"));
    assert_eq!(parsed.diagnostics, [], "{text}");
    let op: &Op = &parsed.file.scenes().next().expect("one scene").clauses[0].body;
    match &op.kind {
        OpKind::Send { message, .. } => message.arguments.clone(),
        OpKind::Call { arguments } | OpKind::Ask { arguments, .. } => arguments.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_single_term_is_a_term() {
    let name = |text: &str| TermKind::Name(text.to_owned());
    let kinds = |text: &str| arguments(text).into_iter().map(|term| term.kind).collect::<Vec<_>>();
    assert_eq!(
        kinds("agent(self, min, if, -1)"),
        [name("self"), name("min"), name("if"), TermKind::Integer(-1)]
    );
    assert_eq!(kinds("p(($x), ((yes)))"), [TermKind::Variable("x".to_owned()), name("yes")]);
    assert!(
        matches!(&kinds("m((self)) => agent(_, %r)")[0], TermKind::Expression(it) if it.kind == ExpressionKind::Own)
    );
    assert!(
        matches!(&kinds("$v = p(@c)")[0], TermKind::Expression(it) if matches!(it.kind, ExpressionKind::Cell(_)))
    );
    assert!(
        matches!(&kinds("p($x -1)")[0], TermKind::Expression(it) if matches!(it.kind, ExpressionKind::Arithmetic { .. }))
    );
}

#[test]
fn values_nest_with_the_operations_around_them() {
    let deep = |groups: usize, levels: usize, open: &str, close: &str| {
        let value = format!("{}1 + 2{}", open.repeat(levels), close.repeat(levels));
        format!("s[ agent(!A, %r) = {}p({value}){} ]", "(".repeat(groups), ")".repeat(groups))
    };
    for (open, close) in [("(", ")"), ("min(1, ", ")"), ("if not 1 < 2 then ", " else 3")] {
        // The innermost `not` opens a level of its own.
        let most = MAX_NESTING - 50 - usize::from(open.contains("not"));
        assert_eq!(parse_text(&deep(50, most, open, close)).diagnostics, [], "{open}");
        for (groups, levels) in [(51, most + 1), (0, 5_000), (150, 5_000)] {
            let diagnostics = parse_text(&deep(groups, levels, open, close)).diagnostics;
            assert_eq!(diagnostics.len(), 1, "{open} {groups} {levels}");
            assert_eq!(diagnostics[0].code.as_str(), "MAP002", "{open} {groups} {levels}");
        }
    }
}

#[test]
fn broken_values() {
    assert_sheet(
        "values",
        &bodies(&[
            "m($x + ) => agent($a, %b)",
            "m(1 + => agent($a, %b)",
            "m($x +, 1) => agent($a, %b)",
            "m(min($x)) => agent($a, %b)",
            "m(max(1, 2, 3)) => agent($a, %b)",
            "m(if $x < 1 then 1) => agent($a, %b)",
            "m(if $x < 1 then 2 else) => agent($a, %b)",
            "m((1 + 2) => agent($a, %b)",
            "m($x % 2) => agent($a, %b)",
            "m($x ** 2) => agent($a, %b)",
            "m(1 < $x < 3) => agent($a, %b)",
            "m(-$x) => agent($a, %b)",
            "agent(round, $n -)",
            "$x = p(@ + 1)",
            "m(f($x) + 1) => agent($a, %b)",
            "m(_ + 1) => agent($a, %b)",
            "m(@x := 2) => agent($a, %b)",
            "m(1) => agent($a +, %b)",
            "m(1) => agent(@a, %b, 1)",
            "m(1 2 + 3) => agent($a, %b)",
            "skip\n  agent(!A, %r, $n + 1) = skip",
            "skip\n  agent(!A, %r, @n) = skip",
        ]),
    );
}

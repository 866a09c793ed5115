//! A mistake costs one operation: the others of its clause are in the tree, with the places they have in the source.

use map_diagnostics::Span;

use super::grammar::show;
use super::{SAMPLE, parse_text};
use crate::ast::{Op, OpKind, Term, TermKind, Who};

/// The body of the only clause.
fn shape(body: &str) -> String {
    let parsed = parse_text(&format!("s[ agent(!A, %r) = {body} ]"));
    assert!(!parsed.diagnostics.is_empty(), "{body}");
    let clause = parsed.file.scenes().next().and_then(|scene| scene.clauses.first()).expect("one clause");
    show(&clause.body)
}

#[test]
fn the_other_operations_are_in_the_tree() {
    for (body, expected) in [
        ("m() => agent($a, %b) then x = p() then skip", r#"(m=>Role("b") then hole then skip)"#),
        ("skip then m(1 2) => agent($a, %b) or fail", "((skip then hole) or fail)"),
        ("waitfor (m($x) <= agent($a) or skip) timeout fail", "wait[(hole or skip) else fail]"),
        ("skip then", "(skip then hole)"),
        ("", "hole"),
        ("skip then $x = p(1, ) par agent(go) par )", "((skip then hole) par GO par hole)"),
        // Behind a connective that is missing.
        ("skip fail", "(skip then fail)"),
        // What the scanner has reported.
        ("skip then m('a) then fail", "(skip then hole then fail)"),
        ("skip then ? then fail", "(skip then hole then fail)"),
        // Where the extent of a mistake is in doubt.
        ("skip then (m($x => agent($a, %b) then fail", "(skip then (hole then fail))"),
        ("(skip then m() => agent($a, %b)", "(skip then m=>Role(\"b\"))"),
        ("skip) then fail", "(hole then fail)"),
    ] {
        assert_eq!(shape(body), expected, "{body}");
    }
}

#[test]
fn a_clause_of_which_nothing_can_be_read_has_its_head() {
    let many = vec!["x = p()"; 100].join(" then ");
    assert_eq!(shape(&many), "hole");
}

/// The texts at the spans of all names in an operation must be these names.
fn names(text: &str, op: &Op) {
    let slice = |span: Span| text.get(span.start as usize..span.end as usize).expect("a place in the text");
    let term = |term: &Term| {
        let written = slice(term.span);
        match &term.kind {
            TermKind::Variable(name) => assert_eq!(written, format!("${name}")),
            TermKind::Agent(name) => assert_eq!(written, format!("!{name}")),
            TermKind::Role(name) => assert_eq!(written, format!("%{name}")),
            TermKind::Name(name) => assert_eq!(written, name),
            TermKind::Integer(value) => assert_eq!(written.parse(), Ok(*value)),
            _ => {}
        }
    };
    match &op.kind {
        OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => ops.iter().for_each(|op| names(text, op)),
        OpKind::Wait { body, timeout } => {
            names(text, body);
            timeout.iter().for_each(|op| names(text, op));
        }
        OpKind::Call { arguments } => arguments.iter().for_each(term),
        OpKind::Skip => assert!(matches!(slice(op.span), "skip" | "ε")),
        OpKind::Fail => assert_eq!(slice(op.span), "fail"),
        OpKind::Hole => _ = slice(op.span),
        OpKind::Ask { variable, procedure, arguments } => {
            variable.iter().for_each(|it| assert_eq!(slice(it.span), format!("${}", it.text)));
            assert_eq!(slice(procedure.span), procedure.text);
            arguments.iter().for_each(term);
        }
        OpKind::Send { message, to: other } | OpKind::Receive { message, from: other } => {
            assert_eq!(slice(message.performative.span), message.performative.text);
            message.arguments.iter().chain([&other.agent, &other.role]).for_each(term);
        }
    }
}

#[test]
fn what_is_read_around_holes_has_its_places() {
    let words: Vec<(usize, &str)> = SAMPLE.match_indices(char::is_whitespace).collect();
    let mut holes = 0;
    for &(at, space) in &words {
        for inserted in [" ) ", " ? ", " skip ", " $ ", " then ", " 1 "] {
            let text = format!("{}{inserted}{}", &SAMPLE[..at], &SAMPLE[at + space.len()..]);
            for clause in parse_text(&text).file.scenes().flat_map(|scene| &scene.clauses) {
                let (Who::Variable(name) | Who::Agent(name)) = &clause.who;
                assert!(text[name.span.start as usize..name.span.end as usize].ends_with(&name.text));
                names(&text, &clause.body);
                holes += show(&clause.body).matches("hole").count();
            }
        }
    }
    assert!(holes > words.len(), "{holes} holes");
}

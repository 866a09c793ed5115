//! Correct memories and bodies: one case for each rule of the grammar.

use map_diagnostics::{SourceFile, Span};

use super::{BODIES, codes, parse_text};
use crate::ast::{
    Answer, Body, Decimal, Distribution, DomainKind, ExpressionKind, InitialValue, Item, TermKind, Weights,
};
use crate::parse;

const SCENE: &str = "\ns[ agent(!A, %r) = skip ]";

fn body(text: &str) -> Option<Body> {
    let parsed = parse_text(&format!("{text}{SCENE}"));
    assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    parsed.file.procedures().next().and_then(|procedure| procedure.body.clone())
}

#[test]
fn the_sample_is_correct() {
    let parsed = parse_text(BODIES);
    assert!(parsed.diagnostics.is_empty(), "{:#?}", parsed.diagnostics);
    assert_eq!(parsed.file.items.len(), 11);
}

#[test]
fn memories() {
    let parsed = parse_text(BODIES);
    let memory = parsed.file.memories().next().expect("a memory");
    assert_eq!(memory.role.text, "auctioneer");
    let constant_of = |value: &_| match value {
        InitialValue::Value(value) => value.kind.clone(),
        other => panic!("{other:?}"),
    };
    let cells: Vec<_> =
        memory.cells.iter().map(|cell| (cell.cell.text.as_str(), constant_of(&cell.value))).collect();
    let constant = ExpressionKind::Constant;
    let expected = [
        ("price", constant(TermKind::Integer(10))),
        ("leader", constant(TermKind::Name("nobody".to_owned()))),
        ("me", ExpressionKind::Own),
        ("low", constant(TermKind::Integer(-3))),
        ("who", constant(TermKind::Agent("Bidder".to_owned()))),
        ("whose", constant(TermKind::Role("bidder".to_owned()))),
        ("text", constant(TermKind::Text("a\tb".to_owned()))),
    ];
    assert_eq!(cells, expected);
    for broken in [
        "{}",
        "{ @a }",
        "{ @a in }",
        "{ @a in {} }",
        "{ @a in 1 }",
        "{ @a in self }",
        "{ @a = $x }",
        "{ @a = @b }",
        "{ @a = 1 + 2 }",
        "{ @a = _ }",
        "{ @a = 1, }",
        "{ @a = count() }",
        "{ @a = count(r) }",
        "{ @a = count(%r, %r) }",
        "{ @a = count(%r) + 1 }",
        "{ @a in count(%r) }",
        "{ @a in 1..count(%r) }",
    ] {
        assert_eq!(codes(&format!("memory %r {broken}{SCENE}")), ["MAP001"], "{broken}");
    }
}

#[test]
fn spans_of_memories() {
    let source = SourceFile::new("test.map", format!("memory %r {{ @a = 1 , @b = self }} {SCENE}"));
    let parsed = parse(&source);
    let memory = parsed.file.memories().next().expect("a memory");
    assert_eq!(source.slice(memory.span), "memory %r { @a = 1 , @b = self }");
    assert_eq!(source.slice(memory.role.span), "%r");
    assert_eq!(source.slice(memory.cells[0].span), "@a = 1");
    assert_eq!(source.slice(memory.cells[1].cell.span), "@b");
    let InitialValue::Value(own) = &memory.cells[1].value else { panic!("a value") };
    assert_eq!(source.slice(own.span), "self");
}

#[test]
fn first_values_from_a_domain() {
    let text = "memory %r { @a in 4..8, @b in { hard, soft }, @c in %r, @d = 1 }";
    let source = SourceFile::new("test.map", format!("{text}{SCENE}"));
    let parsed = parse(&source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let memory = parsed.file.memories().next().expect("a memory");
    assert_eq!(source.slice(memory.span), text);
    let domains: Vec<_> = memory
        .cells
        .iter()
        .map(|cell| match &cell.value {
            InitialValue::Domain(domain) => Some((source.slice(cell.span), source.slice(domain.span))),
            InitialValue::Value(_) | InitialValue::Count(_) => None,
        })
        .collect();
    let expected = [
        Some(("@a in 4..8", "4..8")),
        Some(("@b in { hard, soft }", "{ hard, soft }")),
        Some(("@c in %r", "%r")),
        None,
    ];
    assert_eq!(domains, expected);
}

#[test]
fn weights_and_probabilities() {
    let text = "decision p() with probability 0.70 in 0..3 by (4 - value) * 2 ";
    let source = SourceFile::new("test.map", format!("{text}{SCENE}"));
    let parsed = parse(&source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let procedure = parsed.file.procedures().next().expect("a decision");
    assert_eq!(source.slice(procedure.span), text.trim_end());
    let probability = procedure.probability.as_ref().expect("a probability");
    assert_eq!((source.slice(probability.span), probability.billionths()), ("0.70", Some(700_000_000)));
    let Some(Body::Domain(domain)) = &procedure.body else { panic!("a domain") };
    assert_eq!(source.slice(domain.span), "0..3 by (4 - value) * 2");
    assert!(matches!(&domain.weights, Some(Weights::By(it)) if source.slice(it.span) == "(4 - value) * 2"));

    let weights = |text: &str| match body(text) {
        Some(Body::Domain(domain)) => domain.weights,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(weights("decision p() in { a, b }"), None);
    let Some(Weights::Each(each)) = weights("decision p() in { a : 3, b, -1 : -2 }") else {
        panic!("weights")
    };
    let each: Vec<Option<i64>> = each.iter().map(|it| it.map(|weight| weight.value)).collect();
    assert_eq!(each, [Some(3), None, Some(-2)]);
    for (word, expected) in [("geometric", Distribution::Geometric), ("binomial", Distribution::Binomial)] {
        let found = weights(&format!("decision p() in 0..3 by {word}(0.5)"));
        assert!(matches!(found, Some(Weights::Distribution(it, _)) if it == expected), "{word}");
    }
}

#[test]
fn the_words_of_weights_are_names_elsewhere() {
    let all = "memory %by { @by in { by, value, geometric, binomial, probability, with_ } }
        decision probability() = by
        decision by() in 0..3
        by[ agent(!A, %by) = $x = probability() then value(by, geometric) => agent(!A, %by) ]
        decision value()
        with[ agent(!A, %by) = skip ]";
    let parsed = parse(&SourceFile::new("test.map", all));
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let names: Vec<&str> = parsed.file.scenes().map(|it| &*it.name.text).collect();
    assert_eq!(names, ["by", "with"]);
}

#[test]
fn decimal_numbers_are_exact_up_to_nine_places() {
    let decimal = |text: &str| Decimal { text: text.to_owned(), span: Span::default() }.billionths();
    assert_eq!(decimal("0.000000001"), Some(1));
    assert_eq!(decimal("00.25"), Some(250_000_000));
    assert_eq!(decimal("1.000000000"), Some(1_000_000_000));
    for wrong in ["1.000000001", "1.5", "0.0000000000", "99999999999999999999.0"] {
        assert_eq!(decimal(wrong), None, "{wrong}");
    }
}

#[test]
fn the_number_of_agents_of_a_role() {
    let text = "memory %r { @a = count( %r ), @b = count, @counts = count(%other) }";
    let source = SourceFile::new("test.map", format!("{text}{SCENE}"));
    let parsed = parse(&source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let cells = &parsed.file.memories().next().expect("a memory").cells;
    assert_eq!(source.slice(cells[0].span), "@a = count( %r )");
    assert!(matches!(&cells[0].value, InitialValue::Count(role) if source.slice(role.span) == "%r"));
    let constant = ExpressionKind::Constant(TermKind::Name("count".to_owned()));
    assert!(
        matches!(&cells[1].value, InitialValue::Value(value) if value.kind == constant),
        "a plain constant"
    );
    assert!(matches!(&cells[2].value, InitialValue::Count(role) if role.text == "other"));
}

#[test]
fn a_body_may_be_absent() {
    assert_eq!(body("procedure p($a)"), None);
    assert_eq!(body("decision d()"), None);
}

#[test]
fn domains() {
    let domain = |text: &str| match body(text) {
        Some(Body::Domain(domain)) => domain.kind,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(domain("procedure p() in 1..5"), DomainKind::Range(1, 5));
    assert_eq!(domain("procedure p() in -3 .. -1"), DomainKind::Range(-3, -1));
    assert_eq!(domain("procedure p() in 1..-1"), DomainKind::Range(1, -1));
    assert!(matches!(domain("decision p() in %r"), DomainKind::Role(role) if role.text == "r"));
    let DomainKind::Values(values) = domain("decision p() in { a, -1, \"s\", !A, %r }") else {
        panic!("values")
    };
    assert_eq!(values.len(), 5);
    assert_eq!(codes("decision p() in { } s[ agent(!A, %r) = skip ]"), ["MAP001"]);
}

#[test]
fn a_scene_may_be_named_like_a_word_of_bodies() {
    for word in ["fresh", "in", "with", "and", "mod", "if", "self"] {
        for head in ["procedure p()", "procedure p() = 1", "decision p() in %r", "procedure p() fresh"] {
            let parsed = parse_text(&format!("{head} {word}[ agent(!A, %r) = skip ]"));
            assert!(parsed.diagnostics.is_empty(), "{head} {word}: {:?}", parsed.diagnostics);
            assert_eq!(parsed.file.scenes().next().map(|scene| scene.name.text.as_str()), Some(word));
        }
    }
}

#[test]
fn fresh_answers() {
    let source = SourceFile::new("test.map", format!("procedure p() fresh  {SCENE}"));
    let parsed = parse(&source);
    let procedure = parsed.file.procedures().next().expect("a procedure");
    let Some(Body::Fresh(span)) = procedure.body else { panic!("fresh") };
    assert_eq!((source.slice(span), source.slice(procedure.span)), ("fresh", "procedure p() fresh"));
}

#[test]
fn alternatives() {
    let text =
        "decision d($a) | $a == 1 = 2 with @c := 3, @d := self | $a > 1 and $a < 9 = in 1..3 = a = in {b}";
    let Some(Body::Alternatives(all)) = body(text) else { panic!("alternatives") };
    let outline: Vec<_> = all
        .iter()
        .map(|it| (it.guard.is_some(), matches!(it.answer, Answer::Domain(_)), it.updates.len()))
        .collect();
    assert_eq!(outline, [(true, false, 2), (true, true, 0), (false, false, 0), (false, true, 0)]);
    assert_eq!(all[0].updates[1].cell.text, "d");
    assert_eq!(all[0].updates[1].value.kind, ExpressionKind::Own);
}

#[test]
fn items_follow_one_another_without_punctuation() {
    let text = "procedure p() = a procedure q() = b cast %r = 1 memory %r { @c = d } decision e() in %r \
        memory[ agent(!A, %r) = skip ] decision f() = procedure decision[ agent(!A, %r) = skip ] cast !A = 1";
    let parsed = parse_text(text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let kinds: String = parsed
        .file
        .items
        .iter()
        .map(|item| match item {
            Item::Scene(_) => 's',
            Item::Cast(_) => 'c',
            Item::Procedure(_) => 'p',
            Item::Memory(_) => 'm',
            Item::Property(_) => 'q',
            Item::Cost(_) => 'k',
            Item::Measure(_) => 'v',
            Item::Truth(_) => 't',
        })
        .collect();
    assert_eq!(kinds, "ppcmpspsc");
}

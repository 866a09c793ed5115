//! One mistake costs one operation or item, and is reported once.

use map_diagnostics::Diagnostic;

use super::{BODIES, SAMPLE, codes, parse_text};
use crate::ast::File;
use crate::build::Builder;
use crate::pest_grammar::{self, Rule};
use crate::{recover, sketch};

/// The scenes, each with the number of its clauses.
fn outline(file: &File) -> Vec<(String, usize)> {
    file.scenes().map(|scene| (scene.name.text.clone(), scene.clauses.len())).collect()
}

#[test]
fn a_broken_head_costs_its_clause() {
    let parsed = parse_text(
        "s[
           agent(!A, %r) = skip
           agent(!A, %r, b) = m($x $y) => agent($a, %b)
           agent(!A, %r, c) = (skip then
           agent(!A, %r, d) = waitfor m() <=
           agent(!A, %r, e) = fail
           agent(!A, %r f) = fail
           agent(!A, %r, g) := fail
           agent(!A, %r, h = fail
           agent(!A, %r, i) = fail
         ]
         t[ agent(!B, %q) = skip skip ]
         u[ agent(!C, %p) = skip ]",
    );
    let lines: Vec<usize> = parsed.diagnostics.iter().map(|d| d.labels[0].span.start as usize).collect();
    assert!(lines.is_sorted());
    assert_eq!(parsed.diagnostics.len(), 7, "{:#?}", parsed.diagnostics);
    let expected = [("s", 7), ("t", 1), ("u", 1)].map(|(name, clauses)| (name.to_owned(), clauses));
    assert_eq!(outline(&parsed.file), expected);
}

#[test]
fn a_broken_item_costs_itself() {
    let parsed = parse_text(
        "cast bidder = 3
         cast %r = 2
         nonsense here
         procedure p($a, b)
         decision d()
         memory %r { @x = 1, @y = two }
         s[ agent(!A, %r) = skip ]
         property q : always (ended implies done(!A))
         t[ agent(!A, %r) = skip ]",
    );
    let codes: Vec<&str> = parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect();
    assert_eq!(codes, ["MAP001", "MAP001", "MAP001"]);
    assert_eq!(parsed.file.items.len(), 6, "one cast, one decision, one memory, one property, two scenes");
}

#[test]
fn a_broken_body_costs_its_declaration_only() {
    let parsed = parse_text(
        "procedure p($a) = $a * \n
         procedure q($a) = $a +
         memory %r { @a = , @b = 2 }
         decision d($x)
           | $x == 1 = 2 with @c = 3
         procedure ok() = 1
         decision e($x) = cast
         cast %r = 1
         s[ agent(!A, %r) = skip ]",
    );
    assert_eq!(parsed.diagnostics.len(), 4, "{:#?}", parsed.diagnostics);
    let names: Vec<&str> = parsed.file.procedures().map(|procedure| procedure.name.text.as_str()).collect();
    assert_eq!(names, ["ok", "e"]);
    assert_eq!((parsed.file.casts().count(), parsed.file.scenes().count()), (1, 1));
}

#[test]
fn a_constant_on_its_own_line_is_no_item() {
    let text = "procedure p() = max(\n1\n,\n2\n) +\nmemory\ndecision d()\n=\nproperty\ns[ agent(!A, %r) = skip skip ]";
    assert_eq!(codes(text), ["MAP001"]);
    let file = parse_text(text).file;
    assert_eq!(file.procedures().count(), 2);
}

#[test]
fn numbers_and_escapes_do_not_cost_their_clause() {
    let parsed =
        parse_text(r#"s[ agent(!A, %r) = agent(99999999999999999999, "\q") agent(!A, %r, 1) = skip ]"#);
    let parsed_codes: Vec<&str> =
        parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect();
    assert_eq!(parsed_codes, ["MAP006", "MAP007"]);
    assert_eq!(outline(&parsed.file), [("s".to_owned(), 2)]);
}

#[test]
fn stray_characters_excuse_their_clause_only() {
    let text =
        "s[ agent(!A, %r) = skip ? fail = => \n agent(!A, %r, 1) = skip skip \n agent(!A, %r, 2) = skip ]";
    assert_eq!(codes(text), ["MAP008", "MAP001"]);
    assert_eq!(outline(&parse_text(text).file), [("s".to_owned(), 3)]);
}

#[test]
fn an_unclosed_comment_is_the_only_complaint() {
    assert_eq!(codes("s[ agent(!A, %r) = skip /* fail ]"), ["MAP005"]);
    assert_eq!(codes("/* s[ agent(!A, %r) = skip ]"), ["MAP005"]);
}

#[test]
fn an_unclosed_string_ends_with_its_line() {
    let text = "s[ agent(!A, %r) = agent(\"a)\n agent(!A, %r, 1) = skip skip ]";
    assert_eq!(codes(text), ["MAP005", "MAP001"]);
}

#[test]
fn unclosed_scenes_end_where_the_next_item_begins() {
    let parsed = parse_text(
        "s[ agent(!A, %r) = skip\nt[ agent(!A, %r) = skip\ncast %r = 1\nu[ agent(!A, %r) = skip ]",
    );
    assert_eq!(parsed.diagnostics.len(), 2);
    assert_eq!(outline(&parsed.file), ["s", "t", "u"].map(|name| (name.to_owned(), 1)));
    assert_eq!(parsed.file.casts().count(), 1);
}

#[test]
fn diagnostics_are_limited() {
    let clause = "agent(!A, %r) = skip skip\n".repeat(10_000);
    assert_eq!(parse_text(&format!("s[ {clause} ]")).diagnostics.len(), crate::MAX_DIAGNOSTICS);
    assert_eq!(parse_text(&"? ".repeat(10_000)).diagnostics.len(), crate::MAX_DIAGNOSTICS);
}

/// Parsing unit by unit must agree with the grammar on every correct text.
#[test]
fn units_and_whole_file_agree_on_correct_texts() {
    for sample in [SAMPLE, BODIES] {
        units_and_whole_file_agree_on(sample.split_once('\n').map_or("", |(_, rest)| rest));
    }
}

fn units_and_whole_file_agree_on(sample: &str) {
    for text in [
        sample.to_owned(),
        sample.replace('\n', " "),
        sample.replace('\n', "\r\n"),
        sample.replace(' ', "\n"),
        sample.replace(' ', " // agent(!A, %r) = ] \"\n").replace("/* again", "/* *//* again"),
    ] {
        let mut diagnostics = Vec::new();
        let pairs = pest_grammar::read(Rule::file, &text).expect("a correct text");
        let strict = Builder::new(0, &mut diagnostics).file(pairs);
        let recovered = recover::read(&text, &sketch(&text), &mut diagnostics);
        assert_eq!(strict, Some(recovered));
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
    }
}

/// The lines, from 1, on which a clause with this body has errors. The body begins on line 2.
fn lines_with_errors(body: &str) -> Vec<usize> {
    let text = format!("s[ agent(!A, %r) =\n{body}\n]");
    let diagnostics = parse_text(&text).diagnostics;
    let start = |diagnostic: &Diagnostic| diagnostic.span().map_or(0, |span| span.start as usize);
    diagnostics.iter().map(|diagnostic| text[..start(diagnostic)].matches('\n').count() + 1).collect()
}

#[test]
fn mistakes_in_different_operations_of_a_clause_are_all_told() {
    for (body, lines) in [
        ("m() -> agent($a, %b)\nthen x = p()\nor m(1 2) => agent($a, %b)", &[2, 3, 4][..]),
        ("waitfor (\nm($x = 3) <= agent($a, %b)\nor n() <- agent($a, %b)\n) timeout\n5", &[3, 4, 6]),
        ("(m(1.5) => agent($a, %b)\npar skip and fail\n) then\n\nthen skip", &[2, 3, 6]),
        // Behind a connective that is missing or wrong.
        ("m() => agent($a, %b)\nn() => agent($a, %b);\nskip\nx = p()", &[3, 3, 5]),
        ("m(1.5) => agent($a, %b)\nn(2.5) => agent($a, %b)", &[2, 3, 3]),
        // Behind what the scanner has reported.
        ("m('a') => agent($a, %b)\nthen skip ? fail\nthen x = p()", &[2, 3, 4]),
        // Connectives in parentheses that belong to the operation with the mistake.
        ("x = (skip\nthen skip skip) then\ny = p()", &[2, 4]),
        ("then() => agent($a, %b)\nthen m(or) => agent($a, %b)\nor x", &[2, 3, 4]),
    ] {
        assert_eq!(lines_with_errors(body), lines, "{body}");
    }
    // Behind a head with a mistake.
    assert_eq!(codes("s[ agent(A, %r) := skip then x = p() ]"), ["MAP001"; 2]);
}

#[test]
fn what_follows_from_a_mistake_is_not_reported() {
    for body in [
        // Parentheses that do not match.
        "(m($x => agent($a, %b) then skip) then skip",
        "waitfor (m($x <= agent($a, %b) or skip) timeout skip",
        "waitfor (m$x) <= agent($a, %b) or skip) timeout skip",
        "waitfor (m($x) <= agent $a, %b) or skip) timeout skip",
        "waitfor (skip then ($x) <= agent($a, %b) or skip) timeout skip",
        "skip then (skip) par) then skip",
        // A `waitfor` that was not recognised, or is hidden by a parenthesis.
        "skip waitfor_ m() <= agent($a, %b) timeout skip",
        "waitfor (m() <= agent($a, %b) timeout skip",
        // Statements of other languages.
        "if ($x == 1) then (skip) else fail",
        "if ($x) { skip; skip } else { skip }",
        "while ($x)\nm() => agent($a, %b)\nskip",
        "for $x in $y do skip; skip od",
        "do :: skip -> fail :: else -> break od",
        // What looks like another clause.
        "skip\nbidder($x) = fail",
        "skip\nagent($self, %bidder, 3)\nskip",
    ] {
        assert_eq!(lines_with_errors(body).len(), 1, "{body}");
    }
}

#[test]
fn errors_in_one_clause_are_limited() {
    let body = vec!["x = p()"; 1000].join(" then ");
    assert_eq!(lines_with_errors(&body).len(), 8);
    assert_eq!(lines_with_errors(&body.replace('p', "p(?)")).len(), 1000.min(crate::MAX_DIAGNOSTICS));
}

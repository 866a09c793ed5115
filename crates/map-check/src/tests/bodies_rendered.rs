//! Snapshots of the rendered errors about memories and bodies.

use super::parsed;
use super::rendered::{plain, shown};
use map_syntax::ast::Body;

const SCENE: &str = "\ns[\n  agent($me, %seller) = $x = p()\n  agent($me, %buyer) = skip\n]";

fn sheet(cases: &[&str]) -> String {
    cases.iter().map(|items| shown("", &format!("{items}{SCENE}"))).collect::<Vec<_>>().join("\n")
}

#[test]
fn map113() {
    insta::assert_snapshot!(
        "map113",
        sheet(&[
            "memory %seller { @price = 1 }\nmemory %seller { @stock = 1 }",
            "memory %seller { @price = 1, @price = 2 }",
            "memory %seller { @price = 1 }\nprocedure p() = 1 with @price := 1, @price := 2",
        ])
    );
}

#[test]
fn map114() {
    insta::assert_snapshot!(
        "map114",
        sheet(&[
            "memory %seller { @price = 1 }\nprocedure p() = @prise",
            "procedure p() = @price",
            "memory %buyer { @price = 1 }\nprocedure p() = @price",
            "memory %buyer { @price = 1, @limit = 2 }\nmemory %seller { @prices = 1 }\nprocedure p() = @price + @limit",
        ])
    );
}

#[test]
fn map115() {
    insta::assert_snapshot!(
        "map115",
        sheet(&[
            "procedure q($bidder, $bid) = $bider",
            "procedure q($bidder, $bid) = $price",
            "procedure p() = $price",
            "procedure q($bid, $bid)",
        ])
    );
}

#[test]
fn map116() {
    insta::assert_snapshot!("map116", sheet(&["procedure q($a)\n  | $a == 1 = 2\n  | $a > 1 = 3"]));
}

#[test]
fn map117() {
    insta::assert_snapshot!(
        "map117",
        sheet(&[
            "procedure q($a) = a + 1",
            "procedure q($a) = $a * \"12\"",
            "procedure q($a) = $a - self",
            "procedure q($a) | $a = 5 = 6",
            "procedure q($a) | $a == 1 = 2 | true = 3 = 4",
            "procedure q($a) | $a + 1 = 2 = 3",
            "procedure q($a) = $a > 1",
            "procedure q($a) = 1 + ($a > 1)",
            "procedure q($a) | not $a == 1 and %seller = 2 = 3",
        ])
    );
}

#[test]
fn map118() {
    insta::assert_snapshot!(
        "map118",
        sheet(&["procedure q() in 5..1", "decision q() in 0..65536", "procedure q($a) = in 1..100000"])
    );
}

#[test]
fn map132() {
    insta::assert_snapshot!(
        "map132",
        sheet(&[
            "procedure q() in { a : -1, b }",
            "procedure q() in { a : 8589934592, b }",
            "procedure q() in { a : 2, b, a }",
            "procedure q() = in 0..6 by 4 - value",
            "memory %seller { @price in 0..3 by (value + 1) * 4294967296 }",
            "procedure q($x) = in 0..3 by $x",
            "procedure q() in 0..3 by geometric",
            "procedure q() in 0..3 by value > 2",
            "procedure q() in 0..3 by if value then 1 else 2",
            "procedure q() in 0..3 by 6 / value",
            "procedure q() in 0..3 by value * 9223372036854775807",
            "property p : forall $x in { a : 3, b } : ended",
            "property p : forall $x in 0..3 by value : ended",
        ])
    );
}

#[test]
fn map132_without_values() {
    insta::assert_snapshot!(
        "map132_without_values",
        sheet(&[
            "procedure q() in { a : 0, b : 0 }",
            "decision q() in 0..3 by 0 * value",
            "memory %seller { @price in 0..3 by max(0, value - 7) }",
            "procedure q() in 3..0 by value",
        ])
    );
}

#[test]
fn map133() {
    insta::assert_snapshot!(
        "map133",
        sheet(&[
            "decision q() with probability 1.5",
            "decision q() with probability 0.0123456789",
            "procedure q() with probability 0.5",
            "procedure q() with probability 0.5 in 1..3",
            "decision q($a) with probability 0.5 | $a > 1 = 2",
            "procedure q() in 0..3 by geometric(1.000000001)",
            "memory %seller { @price in 0..3 by binomial(0.0123456789) }",
        ])
    );
}

/// The weights of the first procedure of a text that has no errors.
fn weights_of(domain: &str) -> Vec<Option<u64>> {
    let text = format!("procedure q() in {domain}{SCENE}");
    super::assert_errors(&text, &[]);
    let (_, file) = parsed(&text);
    let Some(Body::Domain(domain)) = &file.procedures().next().expect("declared").body else {
        panic!("a domain")
    };
    crate::weights(domain).expect("the weights are right").expect("there are some")
}

#[test]
fn weights_are_computed() {
    assert_eq!(weights_of("{ a : 3, b, c : 0 }"), [Some(3), Some(1), None]);
    assert_eq!(weights_of("0..3 by 4 - value"), [4, 3, 2, 1].map(Some));
    assert_eq!(
        weights_of("-1..1 by if value == 0 or value < 0 then max(0, value) else 7 mod 4"),
        [None, None, Some(3)]
    );
    let whole = 1_u64 << 32;
    assert_eq!(weights_of("0..3 by binomial(0.5)"), [1, 3, 3, 1].map(|it| Some(whole / 8 * it)));
    assert_eq!(weights_of("7..9 by binomial(1.0)"), [None, None, Some(whole)]);
    assert_eq!(weights_of("7..9 by geometric(0.0)"), [Some(whole), None, None]);
    // Of three equal shares, the first is a unit larger.
    let third = whole / 3;
    assert_eq!(weights_of("7..9 by geometric(1.0)"), [Some(third + 1), Some(third), Some(third)]);
    // A share that is rounded to 0 leaves its value in the domain.
    assert_eq!(weights_of("0..40 by geometric(0.5)").last(), Some(&Some(0)));
    assert_eq!(weights_of("0..1 by 4294967296 * value"), [None, Some(whole)]);
}

#[test]
fn map316() {
    let warnings = |items: &str| {
        let (source, file) = parsed(&format!("{items}{SCENE}"));
        plain(&source, &crate::alternatives_never_taken(&file))
    };
    insta::assert_snapshot!("map316", warnings("procedure q($a)\n  = 1\n  | $a == 1 = 2\n  = 3"));
}

#[test]
fn names() {
    insta::assert_snapshot!(
        "body_names",
        sheet(&[
            "memory %sellr { @price = 1 }",
            "memory %thief { @price = 1 }",
            "procedure p() in %buyr",
            "procedure p() = !Thief",
            "cast %buyer = 2\nprocedure p() in { !Buyer }",
        ])
    );
}

//! Snapshots of the rendered errors about memories and bodies.

use super::parsed;
use super::rendered::{plain, shown};

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

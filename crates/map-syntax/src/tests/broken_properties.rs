//! Snapshots of the errors about broken properties.

use map_diagnostics::{SourceFile, render};

use super::broken::{assert_sheet, sheet};
use crate::parse_formula;

const SCENE: &str = "\ns[ agent(!A, %r) = skip ]";

fn items(cases: &[&str]) -> String {
    let texts: Vec<String> = cases.iter().map(|case| format!("{case}{SCENE}")).collect();
    sheet(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

fn formulas(cases: &[&str]) -> String {
    let texts: Vec<String> = cases.iter().map(|case| format!("property p : {case}")).collect();
    items(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn property_heads() {
    assert_sheet(
        "property_heads",
        &items(&[
            "property : ended",
            "property always ended",
            "property p ended",
            "property p = ended",
            "property p :",
            "property p := ended",
            "property !A : ended",
            "proprety p : ended",
            "property p : ended ended",
            "property p : ended\nscene t {",
        ]),
    );
}

#[test]
fn costs() {
    assert_sheet(
        "costs",
        &items(&[
            "cost { _ asks p = 1 }",
            "cost tokens = 3",
            "cost tokens { }",
            "cost tokens { _ asks p }",
            "cost tokens { _ asks p : 3 }",
            "cost tokens { _ asks p = }",
            "cost tokens { _ asks p = x }",
            "cost tokens { _ asks p = 1 + 2 }",
            "cost tokens { $x asks p = 1 }",
            "cost tokens { A asks p = 1 }",
            "cost tokens { _ answers p yes = 1 }",
            "cost tokens { _ times out = 1 }",
            "cost tokens { _ sends m($n) = $n }",
            "cost tokens { _ asks p = 1 _ asks q = 2 }",
            "cost tokens { _ asks p = 1; _ asks q = 2 }",
            "cost tokens { _ asks p = 1, }",
            "cost tokens { _ asks p = 1",
            "cost tokens { _ asks p = 1 } then",
            "cots tokens { _ asks p = 1 }",
            "property p : always cost() <= 3",
            "property p : always cost(tokens, _) <= 3",
            "property p : always cost tokens <= 3",
        ]),
    );
}

#[test]
fn measures() {
    assert_sheet(
        "measures",
        &items(&[
            "measure = 3",
            "measure price",
            "measure price : cost(steps)",
            "measure price == cost(steps)",
            "measure price { cost(steps) }",
            "measure gain of bidder = 3",
            "measure gain of $b = $b@value",
            "measure gain of $b in bidder = $b@value",
            "measure gain for $b in %bidder = $b@value",
            "measure gain of %bidder = 3",
            "measure price =",
            "measure price = @value",
            "measure price = _",
            "measure price = last(!A sends m($p) to _)",
            "measure price = last($p, !A sends m($p) to _)",
            "measure price = first($p : )",
            "measure price = measure()",
            "measure price = sum($b in %bidder : $b@value)",
            "measure price = measure(price, 3)",
            "measure price = cost()",
            "measure price = if cost(steps) > 3 then 1",
            "measure price = if cost(steps) > 3 1 else 2",
            "measure price = min(cost(steps))",
            "measure price = (cost(steps) + 1",
            "measure price = cost(steps) +",
            "measure price = cost(steps) cost(rounds)",
            "measure price = 1 < cost(steps) < 3",
            "measure price = count(%bidder)",
            "measure price = count(_ sends m to _)",
            "measure price = always ended",
            "measure price = self",
            "measrue price = 3",
            "property p : always last($p : !A sends m($p) to _) <= 3",
            "property p : always measure() <= 3",
            "property p : always measure price <= 3",
        ]),
    );
}

#[test]
fn properties() {
    assert_sheet(
        "properties",
        &formulas(&[
            "allways ended",
            "[] ended",
            "<> ended",
            "G ended",
            "! ended",
            "ended && ended",
            "ended -> ended",
            "ended => ended",
            "ended then ended",
            "ended untill ended",
            "ended until ended until ended",
            "!A@x = 3",
            "1 < !A@x < 3",
            "!A@x",
            "!A",
            "$x send m() to !A",
            "!A sends m to !B",
            "!A sends m()",
            "!A sends m() !B",
            "!A receives m() to !B",
            "!A answers p",
            "!A answers p maybe",
            "!A timeout",
            "!A times",
            "forall $x : ended",
            "forall %r : ended",
            "forall $x in r : ended",
            "forall $x in %r ended",
            "forall $x in %r, $y in %r : ended",
            "count($x : ended) < 3",
            "count($x in %r : ended)",
            "possible sequence",
            "possible sequence ended, ended",
            "(ended",
            "ended)",
            "done !A",
            "done(r)",
            "!A sends m() to r",
            "ended and",
        ]),
    );
}

#[test]
fn histories_and_values() {
    assert_sheet(
        "histories_and_values",
        &formulas(&[
            "ended unles ended",
            "ended W ended",
            "ended unless",
            "unless ended",
            "ended unless ended unless ended",
            "ended precedes ended until ended",
            "ended preceeds ended",
            "ended before ended",
            "befor !A sends m() to _",
            "once !A sends m() to _",
            "before",
            "before before",
            "before $p",
            "forall $x in r : ended",
            "count($x in r : ended) < 3",
            "count($x in r ended) < 3",
            "forall $p in 1..10 ended",
            "forall $p in 1.. : ended",
            "forall $p in 1 : ended",
            "forall $p in {} : ended",
            "forall $p in {a b} : ended",
            "forall $p in {a, in} : ended",
            "forall $p in price(1) : ended",
            "forall $p in price( : ended",
            "forall $p in !A : ended",
            "forall $p in $q : ended",
            "count() < 3",
            "count(!A) < 3",
            "count(ended)",
            "count(ended < 3",
            "count($x : ended) < 3",
            "total() < 3",
            "total(!A sends m($c) to _) < 3",
            "total($c !A sends m($c) to _) < 3",
            "total($c in %r : !A sends m($c) to _) < 3",
            "total($c) < 3",
            "total($c : ) < 3",
            "total($c : ended)",
            "totl($c : ended) < 3",
            "sum($c : ended) < 3",
            "always @spent <= 3",
            "always !A@spent <= @budget",
            "always count(!A asks p) - count(!B asks p) <= 1",
            "always total($c : !A sends m($c) to _) <= 3 * count(!A asks p)",
        ]),
    );
}

#[test]
fn formulas_alone() {
    let broken = ["", "ended ended", "property p : ended", "/*", "$x ~ 3", "99999999999999999999 == 1"];
    let shown: String = broken
        .iter()
        .map(|text| {
            let source = SourceFile::new("--property", *text);
            let diagnostics = parse_formula(&source).expect_err("broken");
            diagnostics.iter().map(|diagnostic| format!("{}\n", diagnostic.text)).collect::<String>()
        })
        .collect();
    insta::assert_snapshot!(shown, @r"
    the formula is empty
    expected an operator, `or`, `implies`, `precedes`, `unless`, `until`, `leadsto` or the end of the formula, found `ended`
    a value is no formula
    this comment is never closed
    `~` cannot stand here
    this integer does not fit in 64 bits
    ");
    let source = SourceFile::new("--property", "ended and");
    let drawn =
        parse_formula(&source).expect_err("broken").iter().map(|it| render(&source, it)).collect::<String>();
    assert!(drawn.contains("--property"), "{drawn}");
}

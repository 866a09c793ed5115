//! Snapshots of the errors about broken memories and bodies.

use map_diagnostics::SourceFile;

use super::broken::{assert_sheet, sheet};
use crate::parse;

const SCENE: &str = "\ns[ agent(!A, %r) = skip ]";

fn items(cases: &[&str]) -> String {
    let texts: Vec<String> = cases.iter().map(|case| format!("{case}{SCENE}")).collect();
    sheet(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

fn bodies(cases: &[&str]) -> String {
    let texts: Vec<String> = cases.iter().map(|case| format!("decision d($a, $b)\n  {case}")).collect();
    items(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn memories() {
    assert_sheet(
        "memories",
        &items(&[
            "memory r { @a = 1 }",
            "memory { @a = 1 }",
            "memory %r @a = 1",
            "memory %r = { @a = 1 }",
            "memory %r { }",
            "memory %r { a = 1 }",
            "memory %r { $a = 1 }",
            "memory %r { @a := 1 }",
            "memory %r { @a, @b = 2 }",
            "memory %r { @a = }",
            "memory %r { @a = $x }",
            "memory %r { @a = _ }",
            "memory %r { @a = - 1 }",
            "memory %r { @a = min }",
            "memory %r { @a in }",
            "memory %r { @a in 4 }",
            "memory %r { @a in {} }",
            "memory %r { @a in self }",
            "memory %r { @a = in 1..2 }",
            "memory %r { @a = 1..2 }",
            "memory %r { @a = { x, y } }",
            "memory %r { @a in { x, y, @b = 1 }",
            "memory %r { @a = 1 + 2 }",
            "memory %r { @a = 1 @b = 2 }",
            "memory %r { @a = 1; @b = 2 }",
            "memory %r { @a = 1, }",
            "memory %r { @a = 1",
            "memory %r { @a = 1 ]",
            "memory %r { @ a = 1 }",
            "memory %r { @a = 1 } @b = 2",
        ]),
    );
}

#[test]
fn weights() {
    for (text, expected) in [
        ("memory %r { @a in 0..3 by }", "expected a weight behind `by`, found `}`"),
        ("memory %r { @a in { x, y } by 3 }", "only a range has weights behind it"),
        ("memory %r { @a in { x : y } }", "a weight is an integer, found `y`"),
        ("memory %r { @a in { x : , y } }", "a weight is an integer, found `,`"),
        ("memory %r { @a in { x = 3, y = 1 } }", "the weight of a value stands behind `:`"),
        ("memory %r { @a in { x : 0.7, y : 0.3 } }", "there are no decimal numbers"),
        ("procedure p() in 0..3 by", "expected a weight behind `by`, found the end of the declaration"),
        (
            "procedure p() in 0..3 by geometric()",
            "a probability is a decimal number from 0.0 to 1.0, found `)`",
        ),
        (
            "procedure p() in 0..3 by geometric(1)",
            "a probability is a decimal number from 0.0 to 1.0, found `1`",
        ),
        (
            "procedure p() in 0..3 by geometric(.5)",
            "a probability is a decimal number from 0.0 to 1.0, found `.`",
        ),
        (
            "procedure p() in 0..3 by binomial(0,5)",
            "a probability is a decimal number from 0.0 to 1.0, found `0`",
        ),
        ("procedure p() in 0..3 by binomial 0.5", "`binomial` has a probability in parentheses"),
        ("procedure p() in 0..3 by 4 -", "a value is missing behind `-`"),
        ("procedure p() in %r by 3", "only a range has weights behind it"),
        (
            "decision p() with probability",
            "a probability is a decimal number from 0.0 to 1.0, found the end of the declaration",
        ),
        (
            "decision p() with probability half",
            "a probability is a decimal number from 0.0 to 1.0, found `half`",
        ),
        ("decision p() with prob 0.5", "expected `probability` or an answer behind `with`"),
        ("decision p() with 0.5", "expected `probability` or an answer behind `with`"),
        ("decision p() probability 0.5", "a probability stands behind `with`"),
        ("decision p() in 1..3 with probability 0.5", "a probability stands before the body"),
        ("decision p() with @a := 1", "an answer is missing before `with`"),
    ] {
        let source = SourceFile::new("test.map", format!("{text}{SCENE}"));
        let found: Vec<String> = parse(&source).diagnostics.into_iter().map(|it| it.text).collect();
        assert_eq!(found, [expected], "{text}");
        super::fixes::assert_mended(&format!("{text}{SCENE}"));
    }
}

#[test]
fn decimal_weights_are_counted_in_smaller_units() {
    for (text, expected) in [
        ("memory %r { @a in { x : 0.7, y : 0.3 } }", "all of the set in tenths, and write `7`"),
        ("procedure p() in { x : 1, y : 0.25 }", "all of the set in hundredths, and write `25`"),
        ("memory %r { @a in { 0.5, 1 } }", "here and everywhere: write `5`"),
    ] {
        let source = SourceFile::new("test.map", format!("{text}{SCENE}"));
        let found: Vec<String> = parse(&source).diagnostics.into_iter().flat_map(|it| it.help).collect();
        assert!(found[0].contains(expected), "{text}: {found:?}");
    }
}

#[test]
fn numbers_of_agents() {
    assert_sheet(
        "numbers_of_agents",
        &items(&[
            "memory %r { @a = count(r) }",
            "memory %r { @a = count() }",
            "memory %r { @a = count(3) }",
            "memory %r { @a = count( }",
            "memory %r { @a = count(%r, %r) }",
            "memory %r { @a = count(%r",
            "memory %r { @a = count(%r) - 1 }",
            "memory %r { @a in count(%r) }",
            "memory %r { @a in 1..count(%r) }",
            "memory %r { @a in { 1, count(%r) } }",
            "procedure p() = count(%r)",
            "procedure p() in count(%r)",
            "procedure p() = 1 with @a := count(%r) - 1",
            "property p : always count(%r) == 1",
            "property p : eventually !A@a == count(%r)",
            "t[ agent(!A, %t) = agent(next, count(%t)) ]",
            "t[ agent(!A, %t) = left(count(%t)) => agent(!A, %t) ]",
        ]),
    );
}

#[test]
fn body_starts() {
    assert_sheet(
        "body_starts",
        &bodies(&[
            "== 5",
            ":= 5",
            "=> 5",
            "return 5",
            "{ 1, 2 }",
            "|| $a == 1 = 2",
            "$a == 1 = 2",
            "$a + 1",
            "1..5",
            "%bidder",
            "with @c := 1",
            "when $a == 1 = 2",
            "fresh 5",
            "in 1..5 with @c := 1",
            "nonsense here",
        ]),
    );
}

#[test]
fn domains() {
    assert_sheet(
        "domains",
        &bodies(&[
            "in",
            "in { }",
            "in { a, }",
            "in { a b }",
            "in { a; b }",
            "in { $a }",
            "in { self }",
            "in { mod }",
            "in { 1..5 }",
            "in { a, b",
            "in [1, 2]",
            "in $a",
            "in apples",
            "in 1",
            "in 1-5",
            "in 1 to 5",
            "in 1...5",
            "in 1..$b",
            "= in 1..@max",
        ]),
    );
}

#[test]
fn alternatives() {
    assert_sheet(
        "alternatives",
        &bodies(&[
            "| $a == 1",
            "| $a == 1 -> 2",
            "| $a == 1 => 2",
            "| $a == 1 then 2",
            "| $a == 1 in {b, c}",
            "| $a == 1 = $a in {b, c}",
            "| = 5",
            "| else = 5",
            "| _ = 5",
            "= 5 if $a == 1",
            "| $a == 1 = 2\n  $b == 2 = 3",
            "| $a == 1 = 2 @c := 3",
            "| $a == 1 = 2, @c := 3",
            "= 2 with @c = 3",
            "= 2 with @c == 3",
            "= 2 with c := 3",
            "= 2 with $a := 3",
            "= 2 with @c := 3 with @d := 4",
            "= 2 with @c := 3 @d := 4",
            "= 2 with @c := 3 and @d := 4",
            "= 2 with",
            "= @c := 3",
            "=",
            "= fresh",
            "= { 1, 2 }",
            "= 5;",
            "= 5\nnonsense here",
        ]),
    );
}

#[test]
fn expressions() {
    assert_sheet(
        "expressions",
        &bodies(&[
            "| $a < $b < 3 = 4",
            "| 1 == (2) == 3 = 4",
            "| $a => 3 = 4",
            "| $a =< 3 = 4",
            "| $a <> 3 = 4",
            "| ($a = 3) = 4",
            "= if $a = 3 then 4 else 5",
            "| $a == 1 && $b == 2 = 3",
            "| $a == 1 || $b == 2 = 3",
            "| ($a == 1 | $b == 2) = 3",
            "| !($a == 1) = 3",
            "| $a == not $b = 3",
            "= $a % 2",
            "= $a %b",
            "= $a div 2",
            "= $a ** 2",
            "= - $a",
            "= - 1",
            "= $a +",
            "= $a + * 2",
            "= ($a + 1",
            "= $a + 1)",
            "= ()",
            "= min $a, $b",
            "= min($a)",
            "= max($a, $b, 3)",
            "= if $a == 1 then 2",
            "= if $a == 1 else 2",
            "= if $a == 1 then 2 elif $b == 1 then 3 else 4",
            "= f($a)",
            "= $a $b",
            "= $a witth @c := 3",
            "= _",
            "= then",
            "= keep-bidding()",
            "= $a + \"x",
            "| $a ≤ 3 ∧ $b ≠ 4 = 5",
        ]),
    );
}

#[test]
fn truths() {
    assert_sheet(
        "truths",
        &items(&[
            "truth",
            "truth bid",
            "truth bid()",
            "truth bid($v) $v",
            "truth bid($v) in 1..3",
            "truth bid($v) fresh",
            "truth bid(v) = 1",
            "truth bid($v) = 1 with @cell := 2",
            "truth bid($v) with probability 0.5 = 1",
            "truth bid($v) | $v > 1",
            "truth bid($v) | $v > 1 = ",
            "truth bid($v) => 1",
            "truth bid($v) = in 1",
            "truht bid($v) = 1",
        ]),
    );
}

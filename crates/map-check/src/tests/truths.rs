//! Errors about truths: snapshots of what is said.

use super::assert_errors;
use super::rendered::shown;

const SCENE: &str = "
memory %buyer { @value in 1..3 }
memory %seller { @price = 2 }
decision bid($value) in 1..3
procedure colour() in {red, blue, green : 0}
decision name()
procedure first($a)
    | $a > 1 = in 4..6
    | $a > 0 = 3
    = in %seller
procedure always($a)
    | $a > 1 = in 4..6
    = in %seller
decision settled($a)
    | $a > 0 = $a
procedure id() fresh
procedure one() in {red}
s[
  agent(!S, %seller) = $c = colour() then $i = id() then offer($c, $i) => agent(_, %buyer)
  agent($me, %buyer) = waitfor offer($c, _) <= agent($s, %seller)
    then (($b = bid(2) then $n = name() then $f = first($b) then $a = always(1) then $x = settled(1) then $o = one() then $u = undeclared(1)) or skip)
]";

#[test]
fn what_a_truth_answers() {
    for truth in [
        "truth bid($v) | $v > 0 and $v < 4 = $v",
        "truth bid($other) = @value",
        "truth bid($v) = in 1..2",
        "truth bid($v) | $v > 2 = in {1, 2} = if $v > 3 then 9 else min($v, 3)",
        "truth colour() = red",
        "truth name() = self",
        "truth first($a) | $a > 1 = 4 | $a > 0 = 3",
        "truth always($a) | $a > 1 = 4 = !S",
        "truth undeclared($x) = whatever",
        "truth bid($v) = @value truth name() = none",
    ] {
        assert_errors(&format!("{truth}{SCENE}"), &[]);
    }
}

#[test]
fn errors_about_truths() {
    let texts = [
        // Names.
        "truth bid($v) = 1\ntruth bid($w) = 2",
        "truth bidd($v) = 1",
        "truth nothing() = 1",
        "truth bid() = 1",
        "truth undeclared() = 1",
        "truth bid($v) = $w",
        "truth bid($v, $v) = 1",
        "truth bid($v) = @worth",
        "truth bid($v) = @price",
        "truth name() = !Nobody",
        // Kinds.
        "truth bid($v) = $v > 1",
        "truth bid($v) | $v = 1",
        "truth bid($v) = red + 1",
        // Nothing is open.
        "truth settled($a) = $a",
        "truth id() = 3",
        "truth one() = red",
        // Outside.
        "truth bid($v) = 4",
        "truth bid($v) | $v > 0 = $v = no",
        "truth bid($v) = in 0..2",
        "truth bid($v) = in {1, 5}",
        "truth colour() = green",
        "truth always($a) = 3",
        "truth always($a) = red",
        "truth always($a) | $a > 1 = 4",
        // No answer.
        "truth colour() | @price > 1 = red",
        "truth bid($v) = 1 = 2",
    ];
    let sheet: Vec<String> = texts.iter().map(|text| shown("", &format!("{text}{SCENE}"))).collect();
    insta::assert_snapshot!("errors_about_truths", sheet.join("\n"));
}

//! Values of expressions, run errors, and abstract operands.

use super::{assert_verdict, assert_violation, report};

/// Asserts the value of an expression: only the head for the expected value does not fail.
fn comes_to(expression: &str, expected: &str) {
    let found = report(&format!(
        "procedure p($one) = {expression}
         s [ agent(!A, %a) = $v = p(1) then agent($v)
             agent(!A, %a, {expected}) = skip ]"
    ));
    assert_verdict(&found, "terminates", 2, 1);
}

fn goes_wrong(expression: &str) {
    let found = report(&format!(
        "procedure p($one) = {expression}
         s [ agent(!A, %a) = $v = p(1) ]"
    ));
    assert_violation(&found, ("run error", 1, false), 1, 0);
}

fn holds(condition: &str, expected: bool) {
    comes_to(&format!("if {condition} then yes else no"), if expected { "yes" } else { "no" });
}

/// Asserts that a condition over two abstract values `$x` and `$y` is open: both outcomes are explored.
fn is_open(condition: &str) {
    let found = report(&format!(
        "procedure any()
         procedure p($x, $y)
           | {condition} = yes
           = no
         s [ agent(!A, %a) = $x = any() then $y = any() then $v = p($x, $y) then agent($v)
             agent(!A, %a, yes) = skip
             agent(!A, %a, no) = fail ]"
    ));
    // Three asks, the last one of which ends the agent in one way or the other.
    assert_violation(&found, ("failure", 3, true), 5, 4);
}

/// Asserts that a condition over two abstract values is a run error, whatever they are.
fn always_goes_wrong(condition: &str) {
    let found = report(&format!(
        "procedure any()
         procedure p($x, $y)
           | {condition} = yes
           = no
         s [ agent(!A, %a) = $x = any() then $y = any() then $v = p($x, $y) ]"
    ));
    assert_violation(&found, ("run error", 3, false), 3, 2);
}

/// Asserts that a condition over two abstract values holds for certain, and nothing goes wrong.
fn is_certain(condition: &str) {
    let found = report(&format!(
        "procedure any()
         procedure p($x, $y)
           | {condition} = yes
           = no
         s [ agent(!A, %a) = $x = any() then $y = any() then $v = p($x, $y) then agent($v)
             agent(!A, %a, yes) = skip
             agent(!A, %a, no) = fail ]"
    ));
    assert_verdict(&found, "terminates", 4, 3);
}

#[test]
fn integers_are_truncated_and_chains_go_from_the_left() {
    comes_to("7 / 2", "3");
    comes_to("-7 / 2", "-3");
    comes_to("7 / -2", "-3");
    comes_to("-7 mod 2", "-1");
    comes_to("7 mod -2", "1");
    // The quotient would not fit.
    comes_to("(0 - 9223372036854775807 - 1) mod -1", "0");
    comes_to("10 - 3 - 2", "5");
    comes_to("100 / 5 / 2 * 3 mod 7", "2");
    comes_to("$one + 2 * 3", "7");
    comes_to("($one + 2) * 3", "9");
    comes_to("min(3, $one) - max(4, 7)", "-6");
    comes_to("9223372036854775807 - $one", "9223372036854775806");
}

#[test]
fn values_of_every_kind_are_answers() {
    comes_to("nobody", "nobody");
    comes_to("\"two words\"", "\"two words\"");
    comes_to("%a", "%a");
    comes_to("!A", "!A");
    comes_to("self", "!A");
    comes_to("if $one == 1 then self else 0", "!A");
}

#[test]
fn conditions() {
    holds("$one < 2 and 2 <= 2 and 3 > 2 and 2 >= 2", true);
    holds("$one < 1 or 2 <= 1 or 1 > $one or 1 >= 2", false);
    holds("not ($one == 2)", true);
    holds("$one != 1", false);
    holds("$one != 1 or not ($one == 2) and $one == 1", true);
}

#[test]
fn values_of_different_kinds_are_compared_and_differ() {
    holds("$one == \"1\"", false);
    holds("yes != \"yes\"", true);
    holds("self == %a", false);
}

#[test]
fn overflow_and_division_by_zero_are_run_errors() {
    goes_wrong("9223372036854775807 + $one");
    goes_wrong("0 - 9223372036854775807 - 2");
    goes_wrong("4611686018427387904 * 2");
    goes_wrong("(0 - 9223372036854775807 - 1) / -1");
    goes_wrong("1 / ($one - 1)");
    goes_wrong("1 mod ($one - 1)");
}

#[test]
fn wrong_kinds_are_run_errors() {
    goes_wrong("self + 1");
    goes_wrong("1 - yes");
    goes_wrong("min(1, \"2\")");
    goes_wrong("max(%a, 2)");
    goes_wrong("if self < 1 then 1 else 2");
    goes_wrong("if 1 >= yes then 1 else 2");
}

#[test]
fn conditions_are_no_values_and_values_no_conditions() {
    goes_wrong("$one == 1");
    goes_wrong("1 + ($one == 1)");
    goes_wrong("if ($one == 1) == ($one == 1) then 1 else 2");
    goes_wrong("if $one then 1 else 2");
    goes_wrong("if not $one then 1 else 2");
    goes_wrong("if $one == 1 and $one then 1 else 2");
    goes_wrong("if $one == 2 or $one then 1 else 2");
}

#[test]
fn no_more_is_evaluated_than_needed() {
    holds("$one == 2 and 1 / 0 == 1", false);
    holds("$one == 1 or 1 / 0 == 1", true);
    holds("$one == 2 and 1 == 1 or $one == 1", true);
    comes_to("if $one == 1 then 5 else 1 / 0", "5");
    comes_to("if $one == 2 then self + 1 else 6", "6");
    goes_wrong("if $one == 1 and 1 / 0 == 1 then 1 else 2");
    goes_wrong("if 1 / 0 == 1 and $one == 2 then 1 else 2");
}

#[test]
fn comparisons_with_abstract_values_are_open() {
    is_open("$x == $y");
    is_open("$x != 1");
    is_open("$x < 3");
    is_open("3 >= $x");
    is_open("$x <= $x");
    is_open("not ($x == yes)");
    is_open("1 == 1 and $x == 1");
}

#[test]
fn a_symbol_equals_itself() {
    is_certain("$x == $x");
    is_certain("not ($y != $y)");
}

#[test]
fn only_what_is_evaluated_is_open() {
    is_certain("1 == 1 or $x == $y");
    is_certain("not (1 == 2 and $x == $y)");
}

#[test]
fn expressions_over_abstract_values_are_new_abstract_values() {
    is_open("$x + 1 == $x + 1");
    is_open("$x - $x == 0");
    is_open("min($x, $x) == $x");
    is_open("max(1, $x) == 1");
}

#[test]
fn an_operand_that_no_value_fits_is_a_run_error_beside_an_abstract_one() {
    always_goes_wrong("$x > yes");
    always_goes_wrong("self < $x");
    always_goes_wrong("$x / 0 == 1");
    always_goes_wrong("$x + yes == 1");
    always_goes_wrong("$x + 1 - yes == 1");
}

#[test]
fn an_abstract_divisor_may_be_zero() {
    let found = report(
        "procedure any()
         procedure p($x) = 1 / ($x - $x)
         s [ agent(!A, %a) = $x = any() then $v = p($x) ]",
    );
    assert_violation(&found, ("run error", 2, true), 3, 2);
}

#[test]
fn a_run_error_before_an_abstract_operand_is_found() {
    let found = report(
        "procedure any()
         procedure p($x) = 1 + yes + $x
         s [ agent(!A, %a) = $x = any() then $v = p($x) ]",
    );
    assert_violation(&found, ("run error", 2, false), 2, 1);
}

#[test]
fn a_run_error_behind_an_open_condition_is_possible() {
    let found = report(
        "procedure any()
         procedure p($x) = if $x == 0 then 1 / 0 else 1
         s [ agent(!A, %a) = $x = any() then $v = p($x) ]",
    );
    assert_violation(&found, ("run error", 2, true), 3, 2);
}

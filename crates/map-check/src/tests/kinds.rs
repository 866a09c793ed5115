//! Expressions of the wrong kind, rule by rule.

use super::assert_errors;

/// Checks the body of a procedure whose parameter is `$x`, asked by agents that have a cell `@c`.
#[track_caller]
fn assert_kinds(body: &str, expected: &[&str]) {
    let scene = "s[ agent($me, %a) = $x = p(1)\n agent(!B, %b) = skip ]";
    let expected: Vec<String> = expected.iter().map(|marked| format!("MAP117 {marked}@1")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    assert_errors(&format!("procedure p($x) {body}\nmemory %a {{ @c = 1 }}\n{scene}"), &expected);
}

#[test]
fn parameters_and_cells_may_hold_any_value() {
    for body in [
        "= $x + @c * -2 / 3 mod 4 - 5",
        "| $x < @c and @c >= 3 or not ($x <= 2) and 1 > 2 = $x = @c",
        "= min($x, @c) + max(1, $x)",
        "= if $x == @c then $x else a",
        "= 1 + (if $x < 1 then @c else 2)",
        "| if $x < 1 then $x == @c else 2 < 3 = 1 = 2",
    ] {
        assert_kinds(body, &[]);
    }
}

#[test]
fn equality_takes_values_of_all_kinds() {
    for operand in ["1", "a", "\"s\"", "!B", "%b", "self", "$x", "@c", "1 + 2"] {
        assert_kinds(&format!("| {operand} == 1 = 1 | self != {operand} = 2 = 3"), &[]);
    }
}

#[test]
fn arithmetic_takes_integers() {
    for operand in ["a", "\"s\"", "!B", "%b", "self"] {
        for expression in [
            format!("{operand} + 1"),
            format!("1 + {operand}"),
            format!("1 - {operand} - 2"),
            format!("$x * {operand}"),
            format!("@c / {operand}"),
            format!("@c mod ({operand})"),
            format!("min({operand}, 1)"),
            format!("max(1, {operand})"),
            format!("1 + if $x == 1 then {operand} else 2"),
            format!("1 + if $x == 1 then 2 else {operand}"),
        ] {
            assert_kinds(&format!("= {expression}"), &[operand]);
        }
        for condition in ["<", "<=", ">", ">="].map(|operator| format!("{operand} {operator} 1")) {
            assert_kinds(&format!("| {condition} = 1 = 2"), &[operand]);
        }
        assert_kinds(&format!("= {operand}"), &[]);
        assert_kinds(&format!("= 1 with @c := {operand}"), &[]);
    }
}

#[test]
fn every_wrong_operand_is_marked() {
    assert_kinds("= a + b - 1 * c", &["a", "b", "c"]);
    assert_kinds("| a < b and c > 1 = d * 2 with @c := e - 1 = 0", &["a", "b", "c", "d", "e"]);
}

#[test]
fn a_condition_is_no_value() {
    for condition in ["1 < 2", "1 == 2", "$x != 2", "1 == 2 and 2 == 3", "1 == 2 or 2 == 3", "not 1 == 2"] {
        assert_kinds(&format!("= {condition}"), &[condition]);
        assert_kinds(&format!("= 1 with @c := {condition}"), &[condition]);
        assert_kinds(&format!("= 1 + ({condition})"), &[condition]);
        assert_kinds(&format!("= min(1, ({condition}))"), &[condition]);
        assert_kinds(&format!("| ({condition}) == 1 = 1 = 2"), &[condition]);
        assert_kinds(&format!("| 1 < ({condition}) = 1 = 2"), &[condition]);
        assert_kinds(&format!("= if 1 == 1 then {condition} else 2"), &[condition]);
        assert_kinds(&format!("= if 1 == 1 then 2 else {condition}"), &[condition]);
    }
}

#[test]
fn a_value_is_no_condition() {
    for value in ["1", "a", "\"s\"", "!B", "%b", "self", "$x", "@c", "1 + 2", "min(1, 2)"] {
        assert_kinds(&format!("| {value} = 1 = 2"), &[value]);
        assert_kinds(&format!("| not {value} = 1 = 2"), &[value]);
        assert_kinds(&format!("| 1 == 1 and {value} = 1 = 2"), &[value]);
        assert_kinds(&format!("| {value} or 1 == 1 = 1 = 2"), &[value]);
        assert_kinds(&format!("= if {value} then 1 else 2"), &[value]);
        assert_kinds(&format!("| if 1 == 1 then {value} else 2 == 2 = 1 = 2"), &[value]);
        assert_kinds(&format!("| if 1 == 1 then 2 == 2 else {value} = 1 = 2"), &[value]);
    }
}

#[test]
fn mistakes_inside_mistakes_are_found() {
    assert_kinds("| a + 1 = 2 = 3", &["a", "a + 1"]);
    assert_kinds("= a < 1", &["a", "a < 1"]);
    assert_kinds("= not $x", &["not $x", "$x"]);
}

#[test]
fn an_equals_sign_for_a_comparison_is_a_value_for_a_condition() {
    assert_kinds("| $x = 5 = 6", &["$x"]);
}

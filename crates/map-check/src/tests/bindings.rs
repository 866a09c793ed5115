//! The flow rules one by one.

use super::{assert_errors, body, occurrences};

/// The occurrences in the body, without the head's `me`.
#[track_caller]
fn meaning(op: &str) -> String {
    let all = occurrences(&body(op));
    all.strip_prefix("me+").unwrap().trim().to_owned()
}

#[track_caller]
fn wrong(op: &str, expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|error| format!("{error}@1")).collect();
    assert_errors(&body(op), &expected.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn heads_bind_the_agent_first_and_compare_repetitions() {
    let text = "s[ agent($me, %a) = agent(go, 1, 1, $me)\n agent($me, %a, go, $x, $x, $me) = skip ]";
    assert_eq!(occurrences(text), "me+ me me+ x+ x= me=");
}

#[test]
fn receives_bind_from_left_to_right_and_then_the_sender() {
    assert_eq!(meaning("m($x, $y, $x) <= agent($y, $r)"), "x+ y+ x= y= r+");
    assert_eq!(meaning("m($x) <= agent($a, %b) then m($x) <= agent($a, %b)"), "x+ a+ x= a=");
    assert_eq!(meaning("m(_) <= agent(_, _)"), "");
}

#[test]
fn an_answer_is_bound_after_the_arguments_are_read() {
    assert_eq!(meaning("$x = p() then $x = p2($x)"), "x+ x= x");
    wrong("$x = p($x)", &["MAP204 $x"]);
}

#[test]
fn values_must_be_bound() {
    for op in [
        "m($x) => agent(_, %b)",
        "m() => agent($x, %b)",
        "m() => agent(!B, $x)",
        "$y = p($x)",
        "agent($x, 1) or agent()",
        "(skip then m($x) => agent(_, %b)) or skip",
    ] {
        let expected: &[&str] =
            if op.starts_with("agent") { &["MAP203 agent($x, 1)", "MAP204 $x"] } else { &["MAP204 $x"] };
        wrong(op, expected);
    }
    assert_eq!(meaning("$x = p() then m($x, $me) => agent($me, _)"), "x+ x me me");
}

#[test]
fn an_unbound_variable_is_reported_once_on_each_path() {
    wrong("m($x) => agent(_, %b) then m($x) => agent(_, %b) then m($x) <= agent(_, _)", &["MAP204 $x"]);
    wrong("m($x) => agent(_, %b) or n($x) => agent(_, %b)", &["MAP204 $x", "MAP204 $x"]);
    wrong("(m($x) => agent(_, %b) or skip) then m($x) => agent(_, %b)", &["MAP204 $x"]);
}

#[test]
fn an_alternative_starts_from_what_was_bound_before() {
    assert_eq!(meaning("$x = p() or $x = p()"), "x+ x+");
    wrong("$x = p() or m($x) => agent(_, %b)", &["MAP204 $x"]);
    assert_eq!(meaning("$x = p() then ($x = p() or $x = p())"), "x+ x= x=");
}

#[test]
fn after_alternatives_a_variable_is_bound_if_all_bind_it() {
    assert_eq!(meaning("($x = p() or $x = p() or m($x) <= agent(_, _)) then $x = p()"), "x+ x+ x+ x=");
    wrong("($x = p() or skip) then m($x) => agent(_, %b)", &["MAP205 $x"]);
    wrong("($x = p() or skip) then $x = p()", &["MAP206 $x"]);
    wrong("($x = p() or skip) then m($x) <= agent(_, %b)", &["MAP206 $x"]);
    wrong("($x = p() or skip) then m() <= agent($x, %b)", &["MAP206 $x"]);
}

#[test]
fn a_variable_bound_on_some_paths_only_may_be_left_alone() {
    assert_eq!(meaning("($x = p() or skip) then $y = p()"), "x+ y+");
}

#[test]
fn a_gap_is_reported_once_on_a_path_and_outlives_inner_joins() {
    let open = "($x = p() or skip)";
    wrong(&format!("{open} then m($x) => agent(_, %b) then m($x) => agent(_, %b)"), &["MAP205 $x"]);
    wrong(&format!("({open} or $x = p()) then m($x) => agent(_, %b)"), &["MAP205 $x"]);
    wrong(
        &format!("{open} then (m($x) => agent(_, %b) or m($x) => agent(_, %b))"),
        &["MAP205 $x", "MAP205 $x"],
    );
}

#[test]
fn fail_ends_a_path() {
    assert_eq!(meaning("($x = p() or fail) then m($x) => agent(_, %b)"), "x+ x");
    assert_eq!(meaning("($x = p() or skip then fail) then $x = p()"), "x+ x=");
    assert_eq!(meaning("($x = p() then fail or skip) then $x = p()"), "x+ x+");
    assert_eq!(meaning("waitfor fail timeout $x = p() then $x = p()"), "x+ x=");
    assert_eq!(meaning("(($x = p() or (waitfor fail)) then $x = p())"), "x+ x=");
    assert_eq!(meaning("($x = p() or (fail par skip)) then $x = p()"), "x+ x=");
    assert_eq!(meaning("(fail or fail) or $x = p()"), "x+");
}

#[test]
fn what_no_path_reaches_is_not_judged() {
    assert_eq!(meaning("fail then m($x) => agent(_, %b)"), "x");
    assert_eq!(meaning("fail then ($x = p() or skip) then m($x) => agent(_, %b)"), "x+ x");
    assert_eq!(meaning("(fail then $x = p()) par $x = p()"), "x+ x+");
}

#[test]
fn a_timeout_starts_from_before_the_wait() {
    assert_eq!(meaning("waitfor m($x) <= agent(_, _) timeout $x = p() then $x = p()"), "x+ x+ x=");
    wrong("waitfor m($x) <= agent(_, _) timeout m($x) => agent(_, %b)", &["MAP204 $x"]);
    wrong("waitfor m($x) <= agent(_, _) timeout skip then m($x) => agent(_, %b)", &["MAP205 $x"]);
    wrong("waitfor skip timeout m($x) <= agent(_, _) then $x = p()", &["MAP206 $x"]);
    assert_eq!(meaning("waitfor m($x) <= agent(_, _) timeout fail then $x = p()"), "x+ x=");
}

#[test]
fn a_wait_without_timeout_binds_what_its_operation_binds() {
    assert_eq!(meaning("(waitfor m($x) <= agent(_, _)) then n($x) => agent(_, %b)"), "x+ x");
}

#[test]
fn after_a_par_both_sides_have_bound_theirs() {
    assert_eq!(meaning("($x = p() par $y = p()) then m($x, $y) => agent(_, %b)"), "x+ y+ x y");
    wrong("(($x = p() or skip) par $y = p()) then m($x, $y) => agent(_, %b)", &["MAP205 $x"]);
    assert_eq!(meaning("$x = p() then ($x = p() par m($x) => agent(_, %b))"), "x+ x= x");
}

#[test]
fn a_variable_is_bound_on_one_side_of_a_par() {
    wrong("$x = p() par $x = p()", &["MAP208 $x"]);
    wrong("$x = p() par skip par m($x) <= agent(_, _) par $x = p()", &["MAP208 $x", "MAP208 $x"]);
    wrong("$x = p() par ($x = p() then fail or $x = p())", &["MAP208 $x"]);
    wrong("($x = p() par skip) par (skip par $x = p())", &["MAP208 $x"]);
    wrong("($x = p() par $x = p()) par skip", &["MAP208 $x"]);
    wrong("($x = p() or skip) then ($x = p() par $x = p())", &["MAP206 $x", "MAP206 $x"]);
}

#[test]
fn a_variable_is_not_used_beside_the_side_that_binds_it() {
    wrong("$x = p() par m($x) => agent(_, %b)", &["MAP209 $x"]);
    wrong("m($x) => agent(_, %b) par $x = p()", &["MAP209 $x"]);
    wrong("$x = p() par (skip par m($x) => agent(_, %b))", &["MAP209 $x"]);
    wrong("(m($x) => agent(_, %b) then $x = p()) par skip", &["MAP204 $x"]);
    wrong("m($x) => agent(_, %b) par $y = p()", &["MAP204 $x"]);
}

#[test]
fn a_wildcard_is_no_value() {
    wrong("m(1, _) => agent(_, _)", &["MAP207 _"]);
    wrong("$x = p(_)", &["MAP207 _"]);
    wrong("m(_) <= agent(_, _) then m() => agent(_, _)", &[]);
    assert_errors(
        "s[ agent($me, %a) = agent(go, _)\n agent(!B, %a) = skip agent($me, %a, go, _) = skip ]",
        &["MAP207 _@1"],
    );
}

#[test]
fn variables_belong_to_one_clause() {
    assert_errors(
        "s[ agent($me, %a) = $x = p() then agent(go)\n agent($me, %a, go) = m($x) => agent(_, %a) ]",
        &["MAP204 $x@2"],
    );
}

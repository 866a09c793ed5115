//! `fresh` answers: they "differ from each other and from every value written in the file; whether an abstract answer
//! equals one is open".

use super::{assert_verdict, assert_violation, report};

#[test]
fn fresh_answers_differ_from_each_other() {
    let found = report(
        "procedure id() fresh
         s [ agent(!A, %a) = $x = id() then $y = id() then agent($x, $y)
             agent(!A, %a, $z, $z) = fail
             agent(!A, %a, $z, _) = skip ]",
    );
    assert_verdict(&found, "terminates", 3, 2);
}

#[test]
fn a_fresh_answer_differs_from_every_written_value() {
    let found = report(
        "procedure id() fresh
         decision known($x) | $x == 1 or $x == yes or $x == \"1\" or $x == self or $x == %a = yes
         s [ agent(!A, %a) = $x = id() then (($y = known($x) then fail) or agent($x))
             agent(!A, %a, yes) = fail
             agent(!A, %a, _) = skip ]",
    );
    assert_verdict(&found, "terminates", 3, 2);
}

#[test]
fn whether_an_abstract_answer_equals_a_fresh_one_is_open() {
    let found = report(
        "procedure id() fresh
         procedure any()
         s [ agent(!A, %a) = $x = id() then $y = any() then agent($x, $y)
             agent(!A, %a, $z, $z) = fail
             agent(!A, %a, $z, _) = skip ]",
    );
    assert_violation(&found, ("failure", 2, true), 4, 3);
}

#[test]
fn a_fresh_answer_comes_back_as_it_was() {
    let found = report(
        "procedure id() fresh
         s [ agent(!A, %a) = $x = id() then m($x) => agent(!B, %b) then waitfor m($x) <= agent(!B, %b)
             agent(!B, %b) = waitfor m($y) <= agent(!A, %a) then m($y) => agent(!A, %a) ]",
    );
    assert_verdict(&found, "terminates", 6, 5);
}

#[test]
fn another_fresh_answer_does_not_match() {
    let found = report(
        "procedure id() fresh
         s [ agent(!A, %a) = $x = id() then m($x) => agent(!B, %b) then waitfor m($x) <= agent(!B, %b)
             agent(!B, %b) = waitfor m($y) <= agent(!A, %a) then $z = id() then m($z) => agent(!A, %a) ]",
    );
    assert_violation(&found, ("deadlock", 5, false), 6, 5);
}

#[test]
fn a_fresh_answer_is_nobodys_name() {
    let found = report(
        "procedure id() fresh
         s [ agent(!A, %a) = $x = id() then m() => agent($x, %b)
             agent(!B, %b) = skip ]",
    );
    assert_violation(&found, ("failure", 2, false), 3, 2);
}

#[test]
fn fresh_answers_are_numbered_by_first_occurrence() {
    let found = report(
        "procedure id() fresh
         s [ agent(!A, %a) = $v = id() then agent(loop, $v)
             agent(!A, %a, loop, $x) = $v = id() then agent(loop, $v) ]",
    );
    assert_violation(&found, ("livelock", 0, false), 2, 2);
}

#[test]
fn a_fresh_answer_is_no_integer_and_no_symbol() {
    let text = |expression: &str| {
        format!(
            "procedure id() fresh
             procedure p($x) = {expression}
             s [ agent(!A, %a) = $x = id() then $y = p($x) ]"
        )
    };
    assert_violation(&report(&text("$x + 1")), ("run error", 2, false), 2, 1);
    assert_violation(&report(&text("if $x < 1 then 1 else 2")), ("run error", 2, false), 2, 1);
    assert_verdict(&report(&text("if $x == 1 then 1 / 0 else 2")), "terminates", 3, 2);
}

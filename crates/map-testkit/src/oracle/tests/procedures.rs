//! The answers of procedures and decisions with a body, and when a decision says "no".

use super::{assert_verdict, assert_violation, report, report_with, unread};

#[test]
fn one_successor_for_every_distinct_value() {
    let scene = "s [ agent(!A, %a) = $v = p() then $w = p() ]";
    assert_verdict(&report(&format!("procedure p() in {{1, 2, 2}} {scene}")), "terminates", 4, 4);
    assert_verdict(&report(&format!("procedure p() in -1 .. 1 {scene}")), "terminates", 5, 6);
    assert_verdict(&report(&format!("procedure p() = in {{yes, 1, \"1\"}} {scene}")), "terminates", 5, 6);
}

#[test]
fn a_role_stands_for_its_agents() {
    let found = report(
        "procedure p() in %b
         s [ agent(!A, %a) = $v = p() then m() => agent($v, %b)
             agent($b, %b) = skip
             agent(!C, %b) = skip ]
         cast %b = 2",
    );
    // Asked; sent to whom it was, who has ended.
    assert_verdict(&found, "terminates", 5, 6);
    assert_eq!(unread(&found), [("m", 0, "B1"), ("m", 0, "B2"), ("m", 0, "C")]);
}

#[test]
fn the_asking_agent_is_in_the_domain_of_its_role() {
    let found = report(
        "procedure p() in %b
         s [ agent($b, %b) = $v = p() then agent($v)
             agent($b, %b, $b) = skip ]",
    );
    assert_verdict(&found, "terminates", 2, 1);
}

#[test]
fn a_decision_with_a_domain_may_say_no() {
    let found = report("decision d() in {1} s [ agent(!A, %a) = $v = d() ]");
    assert_violation(&found, ("failure", 1, false), 3, 2);
}

#[test]
fn a_decision_with_alternatives_says_no_when_no_guard_holds() {
    let text = |argument: &str| {
        format!("decision d($x) | $x == 1 = yes | $x == 2 = no s [ agent(!A, %a) = $v = d({argument}) ]")
    };
    assert_verdict(&report(&text("1")), "terminates", 2, 1);
    assert_verdict(&report(&text("2")), "terminates", 2, 1);
    // A move, by which the agent fails.
    assert_violation(&report(&text("3")), ("failure", 1, false), 2, 1);
}

#[test]
fn a_decision_without_a_guard_never_says_no() {
    assert_verdict(&report("decision d() = yes s [ agent(!A, %a) = $v = d() ]"), "terminates", 2, 1);
    assert_verdict(&report("decision d() = in {1, 2} s [ agent(!A, %a) = $v = d() ]"), "terminates", 2, 1);
}

#[test]
fn the_first_alternative_whose_guard_holds_is_taken() {
    let found = report(
        "procedure p($x)
           | $x == 2 = no
           | $x < 2 = yes
           | $x == 1 = no
           = no
         s [ agent(!A, %a) = $v = p(1) then agent($v)
             agent(!A, %a, yes) = skip ]",
    );
    assert_verdict(&found, "terminates", 2, 1);
}

#[test]
fn a_guard_behind_the_one_that_holds_is_not_evaluated() {
    let text = |first: &str| {
        format!("procedure p() | {first} = 1 | 1 / 0 == 1 = 2 = 3 s [ agent(!A, %a) = $v = p() ]")
    };
    assert_verdict(&report(&text("self == !A")), "terminates", 2, 1);
    assert_violation(&report(&text("self != !A")), ("run error", 1, false), 1, 0);
}

#[test]
fn a_domain_in_an_alternative_with_updates() {
    // Asked: 1 or 2, either with the cell changed; asked again: "no", by a move to the end.
    let found = report(
        "memory %a { @n = 0 }
         decision d() | @n == 0 = in {1, 2} with @n := 5
         s [ agent(!A, %a) = $v = d() then ($w = d() or skip) ]",
    );
    assert_verdict(&found, "terminates", 4, 4);
}

#[test]
fn asks_of_decisions_can_fail_whatever_their_body() {
    // One activation is enough if what is called cannot fail.
    let text = |word: &str| {
        format!(
            "{word} d() = yes
             s [ agent(!A, %a) = agent(other) or skip
                 agent(!A, %a, other) = $v = d() ]"
        )
    };
    let found = report_with(&text("procedure"), |options| options.depth = 1);
    assert_verdict(&found, "terminates", 2, 1);
    let found = report_with(&text("decision"), |options| options.depth = 1);
    assert_verdict(&found, "inconclusive", 0, 0);
}

#[test]
fn answers_are_compared_with_a_bound_variable() {
    let text = |body: &str| {
        format!(
            "procedure p() {body}
             s [ agent(!A, %a) = agent(1)
                 agent(!A, %a, $x) = $x = p() ]"
        )
    };
    assert_verdict(&report(&text("= 3 - 2")), "terminates", 2, 1);
    assert_violation(&report(&text("= 3 - 1")), ("failure", 1, false), 2, 1);
    assert_violation(&report(&text("= \"1\"")), ("failure", 1, false), 2, 1);
    assert_violation(&report(&text("in {1, 2}")), ("failure", 1, false), 3, 2);
}

#[test]
fn decisions_with_a_domain_or_fresh_are_polled() {
    for body in ["in {1}", "fresh", "in %a", ""] {
        let text = |timeout| format!("decision d() {body} s [ agent(!A, %a) = waitfor $v = d() {timeout} ]");
        assert_verdict(&report(&text("timeout skip")), "terminates", 2, 2);
        assert_verdict(&report(&text("")), "terminates if fair", 2, 1);
    }
}

#[test]
fn a_decision_that_says_no_for_certain_is_no_poll() {
    let text = |answer, timeout| {
        format!(
            "memory %a {{ @n = 1 }}
             decision d() | @n == {answer} = yes
             s [ agent(!A, %a) = waitfor $v = d() {timeout} ]"
        )
    };
    assert_violation(&report(&text(2, "")), ("deadlock", 0, false), 1, 0);
    assert_verdict(&report(&text(2, "timeout skip")), "terminates", 2, 1);
    // One that says "yes" for certain does not wait.
    assert_verdict(&report(&text(1, "timeout fail")), "terminates", 2, 1);
}

#[test]
fn a_decision_whose_guard_is_open_may_say_no() {
    let text = |timeout| {
        format!(
            "procedure any()
             decision d($x) | $x == yes = 1
             s [ agent(!A, %a) = $x = any() then waitfor $v = d($x) {timeout} ]"
        )
    };
    assert_violation(&report(&text("")), ("deadlock", 1, true), 3, 2);
    assert_verdict(&report(&text("timeout skip")), "terminates", 3, 3);
}

#[test]
fn an_empty_domain_is_a_no_or_a_run_error() {
    let text = |item: &str| {
        format!(
            "{item} in %b
             s [ agent(!A, %a) = $v = d() or skip
                 agent($b, %b) = skip ]
             cast %b = 0"
        )
    };
    // A move over the "no".
    assert_verdict(&report(&text("decision d()")), "terminates", 2, 1);
    assert_verdict(&report(&text("decision d() =")), "terminates", 2, 1);
    assert_violation(&report(&text("procedure d()")), ("run error", 1, false), 1, 0);
    assert_violation(&report(&text("procedure d() =")), ("run error", 1, false), 1, 0);
}

#[test]
fn an_empty_domain_is_no_poll() {
    let found = report(
        "decision d() in %b
         s [ agent(!A, %a) = waitfor $v = d()
             agent($b, %b) = skip ]
         cast %b = 0",
    );
    assert_violation(&found, ("deadlock", 0, false), 1, 0);
}

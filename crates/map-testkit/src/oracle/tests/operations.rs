//! "Operations succeed or fail."

use super::{assert_verdict, assert_violation, report, report_with, unread};

#[test]
fn a_message_is_sent_and_received() {
    // A at its send; A done and B with the message; both done.
    let found = report(
        "s [ agent(!A, %a) = m() => agent(!B, %b)
             agent(!B, %b) = waitfor m() <= agent(!A, %a) ]",
    );
    assert_verdict(&found, "terminates", 3, 2);
    assert!(found.unread.is_empty() && found.complete && !found.cut);
    assert_eq!(found.operations_run.len(), 2);
    assert_eq!(found.clauses_entered.len(), 2);
}

#[test]
fn a_receive_fails_at_once() {
    // B may try too early: then it fails, and what A sends to it is dropped.
    let found = report(
        "s [ agent(!A, %a) = m() => agent(!B, %b)
             agent(!B, %b) = m() <= agent(!A, %a) ]",
    );
    assert_violation(&found, ("failure", 1, false), 5, 4);
    assert_eq!(unread(&found), [("m", 0, "B")]);
}

#[test]
fn a_decision_may_refuse_and_a_procedure_may_not() {
    assert_violation(&report("s [ agent(!A, %a) = $v = d() ]"), ("failure", 1, false), 3, 2);
    assert_verdict(&report("procedure d() s [ agent(!A, %a) = $v = d() ]"), "terminates", 2, 1);
}

#[test]
fn nobody_sends_to_itself() {
    assert_violation(&report("s [ agent(!A, %a) = m() => agent(_, _) ]"), ("failure", 1, false), 2, 1);
}

#[test]
fn skip_and_fail_are_no_steps() {
    assert_verdict(&report("s [ agent(!A, %a) = skip then skip ]"), "terminates", 1, 0);
    assert_violation(&report("s [ agent(!A, %a) = skip then fail ]"), ("failure", 0, false), 1, 0);
    assert_verdict(&report("s [ agent(!A, %a) = skip then fail or skip ]"), "terminates", 1, 0);
}

#[test]
fn once_the_first_alternative_has_succeeded_the_second_is_ignored() {
    assert_violation(&report("s [ agent(!A, %a) = (skip or skip) then fail ]"), ("failure", 0, false), 1, 0);
}

#[test]
fn the_oldest_message_that_matches_is_taken() {
    // B: nothing, m(1), m(1) m(2), m(2) alone with $x = 1; then done. A sees only what it looks for.
    let found = report(
        "s [ agent(!A, %a) = m(1) => agent(!B, %b) then m(2) => agent(!B, %b)
             agent(!B, %b) = waitfor (m(2) <= agent(!A, %a) then (m($x) <= agent(!A, %a))) ]",
    );
    // A at first send; at second; done with B at its waitfor; B at its second receive; both done.
    assert_verdict(&found, "terminates", 5, 4);
    assert!(found.unread.is_empty());
}

#[test]
fn bindings_are_undone_but_messages_are_gone() {
    // B takes m(1), finds no n(1), is back at its waitfor without $x: the same place with an empty mailbox.
    let found = report(
        "s [ agent(!A, %a) = m(1) => agent(!B, %b)
             agent(!B, %b) = waitfor (m($x) <= agent(!A, %a) then n($x) <= agent(!A, %a)) ]",
    );
    // Before the send; after it; B at its second receive; B back with nothing to come.
    assert_violation(&found, ("deadlock", 3, false), 4, 3);
}

#[test]
fn a_variable_bound_twice_is_compared() {
    let scene = |message: &str| {
        format!(
            "s [ agent(!A, %a) = {message} => agent(!B, %b)
                 agent(!B, %b) = waitfor m($x, $x) <= agent(_, _) ]"
        )
    };
    assert_verdict(&report(&scene("m(1, 1)")), "terminates", 3, 2);
    assert_violation(&report(&scene("m(1, 2)")), ("deadlock", 1, false), 2, 1);
    assert_violation(&report(&scene("m(1, \"1\")")), ("deadlock", 1, false), 2, 1);
    assert_violation(&report(&scene("m(!A, %a)")), ("deadlock", 1, false), 2, 1);
    assert_eq!(unread(&report(&scene("m(1)"))), [("m", 1, "B")]);
}

#[test]
fn both_sides_of_a_par_run_interleaved() {
    let found = report(
        "s [ agent(!A, %a) = m() => agent(!B, %b) par n() => agent(!B, %b)
             agent(!B, %b) = skip ]",
    );
    assert_verdict(&found, "terminates", 4, 4);
    assert_eq!(unread(&found), [("m", 0, "B"), ("n", 0, "B")]);
}

#[test]
fn a_side_that_has_failed_does_not_stop_the_other() {
    let found = report(
        "s [ agent(!A, %a) = fail par m() => agent(!B, %b)
             agent(!B, %b) = skip ]",
    );
    assert_violation(&found, ("failure", 1, false), 2, 1);
}

#[test]
fn ended_sides_of_a_suffix_are_one() {
    // The first side has two places. Of the others both orders of failing and succeeding end alike: at their
    // places, one ended, the other ended, both ended: 4 · 2 states, of which the last is the failed agent.
    let found = report(
        "s [ agent(!A, %a) = m() => agent(!B, %b) par (m() => agent(!B, %b) or skip)
                             par (m() => agent(!B, %b) then fail)
             agent(!B, %b) = skip ]",
    );
    assert_violation(&found, ("failure", 3, false), 8, 12);
}

#[test]
fn the_mailbox_of_an_ended_agent_is_unread() {
    let found = report_with(
        "s [ agent(!A, %a) = m() => agent(!B, %b)
             agent(!B, %b) = waitfor n() <= agent(!A, %a) timeout skip ]",
        |_| {},
    );
    assert_verdict(&found, "terminates", 3, 2);
    assert_eq!(unread(&found), [("m", 0, "B")]);
}

#[test]
fn agents_go_on_when_one_has_failed() {
    // After the failure B waits for ever, but deadlock is not judged any more.
    let found = report(
        "s [ agent(!A, %a) = fail
             agent(!B, %b) = waitfor n() <= agent(!A, %a) ]",
    );
    assert_violation(&found, ("failure", 0, false), 1, 0);
    assert_eq!(found.violations.len(), 1);
}

//! Answers of procedures without a body, and what is open about them.

use super::{assert_verdict, assert_violation, report};

#[test]
fn whether_an_answer_equals_a_written_value_is_open() {
    // Asked; sent; received if it comes out equal, else nothing can happen any more.
    let found = report(
        "procedure p()
         s [ agent(!A, %a) = $v = p() then m($v) => agent(!B, %b)
             agent(!B, %b) = waitfor m(yes) <= agent(!A, %a) ]",
    );
    assert_violation(&found, ("deadlock", 2, true), 4, 3);
}

#[test]
fn an_answer_equals_itself() {
    let found = report(
        "procedure p()
         s [ agent(!A, %a) = $v = p() then m($v, $v) => agent(!B, %b)
             agent(!B, %b) = waitfor m($x, $x) <= agent(!A, %a) ]",
    );
    assert_verdict(&found, "terminates", 4, 3);
}

#[test]
fn a_mismatch_elsewhere_decides() {
    let found = report(
        "procedure p()
         s [ agent(!A, %a) = $v = p() then m($v, 1) => agent(!B, %b)
             agent(!B, %b) = waitfor m(yes, 2) <= agent(!A, %a) ]",
    );
    assert_violation(&found, ("deadlock", 2, false), 3, 2);
}

#[test]
fn an_answer_is_compared_with_a_bound_variable() {
    // Both outcomes are steps of kind ask.
    let found = report("procedure p() s [ agent(!A, %a) = $v = p() then $v = p() ]");
    assert_violation(&found, ("failure", 2, true), 4, 3);
    assert_eq!(found.operations_run.len(), 2);
}

#[test]
fn a_violation_with_a_definite_trace_is_not_just_possible() {
    let found = report(
        "procedure p()
         s [ agent(!A, %a) = $v = p() then (agent($v) or fail)
             agent(!A, %a, 1) = fail ]",
    );
    // Whichever way the comparison comes out, the ask leads to the failed agent.
    assert_violation(&found, ("failure", 1, true), 2, 1);
    let found = report(
        "procedure p()
         s [ agent(!A, %a) = $v = p() then (agent($v) or fail)
             agent(!A, %a, $x) = fail ]",
    );
    assert_violation(&found, ("failure", 1, false), 2, 1);
}

#[test]
fn an_abstract_address_stands_for_each_agent_and_for_none() {
    let found = report(
        "procedure p()
         s [ agent(!A, %a) = $v = p() then (m() => agent($v, %b) or skip)
             agent($b, %b) = waitfor m() <= agent(!A, %a) timeout skip ]
         cast %b = 2",
    );
    // Both wait, so time may run out only when A has ended; A itself has no place to wait. Asked; then with the
    // message in the first mailbox, in the second, or in none. From a full mailbox: received, and the other's timeout
    // after that; with none: the timeouts in either order.
    // s0, s1, B1, B2, none; from B1: B1 done; from B2: B2 done; from none: B1 done (again), B2 done; and both done.
    assert_verdict(&found, "terminates", 8, 10);
}

#[test]
fn symbols_are_numbered_by_first_occurrence() {
    // The variable is bound anew in each round, the state stays the same.
    let found = report(
        "procedure p()
         s [ agent(!A, %a) = $v = p() then agent(loop, $v)
             agent(!A, %a, loop, $x) = $v = p() then agent(loop, $v) ]",
    );
    assert_violation(&found, ("livelock", 0, false), 2, 2);
}

#[test]
fn a_deadlock_that_needs_an_answer_is_none() {
    // If the comparison comes out unequal there is still the poll.
    let found = report(
        "procedure p()
         s [ agent(!A, %a) = $v = p() then m($v) => agent(!B, %b)
             agent(!B, %b) = waitfor (m(yes) <= agent(!A, %a) or $w = d()) ]",
    );
    assert_eq!(found.verdict, "terminates if fair");
}

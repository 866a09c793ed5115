//! Places, acts, waiting and time.

use super::{assert_verdict, assert_violation, report, report_with, unread};

const LATE: &str = "s [ agent(!A, %a) = waitfor m() <= agent(!B, %b) timeout skip
                        agent(!B, %b) = m() => agent(!A, %a) ]";

#[test]
fn time_runs_out_when_everybody_waits() {
    // B is not waiting before it has sent, A is not waiting after.
    let found = report(LATE);
    assert_verdict(&found, "terminates", 3, 2);
    assert!(found.unread.is_empty());
}

#[test]
fn time_may_run_out_whenever_its_thread_waits() {
    // Besides: A's time runs out before the send.
    let found = report_with(LATE, |options| options.any_time = true);
    assert_verdict(&found, "terminates", 4, 4);
    assert_eq!(unread(&found), [("m", 0, "A")]);
}

#[test]
fn a_waitfor_whose_message_is_there_does_not_time_out() {
    let found = report_with(
        "s [ agent(!A, %a) = m() => agent(!B, %b) then waitfor n() <= agent(!B, %b)
             agent(!B, %b) = waitfor (m() <= agent(!A, %a) then n() => agent(!A, %a)) timeout fail ]",
        |_| {},
    );
    // Sent; received; answered; taken.
    assert_verdict(&found, "terminates", 5, 4);
}

#[test]
fn a_poll_waits_and_may_time_out() {
    // "Yes" and the timeout both lead to the end.
    assert_verdict(&report("s [ agent(!A, %a) = waitfor $v = d() timeout skip ]"), "terminates", 2, 2);
    assert_verdict(&report("s [ agent(!A, %a) = waitfor $v = d() ]"), "terminates if fair", 2, 1);
}

#[test]
fn a_procedure_that_always_answers_is_no_poll() {
    let found = report("procedure d() s [ agent(!A, %a) = waitfor $v = d() timeout fail ]");
    assert_verdict(&found, "terminates", 2, 1);
}

#[test]
fn a_decision_in_front_of_a_send_is_a_poll_too() {
    // An ask that was answered "yes" leads to the send, so it is a step of its own.
    let found = report(
        "s [ agent(!A, %a) = waitfor ($v = d() then m($v) => agent(!B, %b))
             agent(!B, %b) = skip ]",
    );
    assert_verdict(&found, "terminates if fair", 3, 2);
}

#[test]
fn a_timeout_that_leaves_everything_as_it_was_is_no_step() {
    let found = report(
        "s [ agent(!A, %a) = agent(loop)
             agent(!A, %a, loop) = waitfor m() <= agent(!B, %b) timeout agent(loop)
             agent(!B, %b) = skip ]",
    );
    assert_violation(&found, ("deadlock", 0, false), 1, 0);
}

#[test]
fn entering_a_par_is_a_move() {
    // At the waitfor; in the par with the right side at its end. There and back for ever.
    let found = report(
        "s [ agent(!A, %a) = waitfor (m() <= agent(!B, %b) par skip) timeout skip
             agent(!B, %b) = skip ]",
    );
    assert_violation(&found, ("livelock", 0, false), 2, 2);
}

#[test]
fn a_par_that_ends_at_once_comes_to_nothing() {
    // The sides end on entering, the par fails, the agent is back: it waits, and time runs out.
    assert_verdict(&report("s [ agent(!A, %a) = waitfor (fail par skip) timeout skip ]"), "terminates", 2, 1);
}

#[test]
fn an_inner_waitfor_is_another_place() {
    // The outer waitfor; the inner one, by a move; its timeout fails, so the outer one again.
    let found = report(
        "s [ agent(!A, %a) = waitfor (waitfor m() <= agent(!B, %b) timeout fail) timeout skip
             agent(!B, %b) = skip ]",
    );
    assert_violation(&found, ("livelock", 0, false), 2, 2);
}

#[test]
fn an_act_passes_over_what_it_cannot_do() {
    // From its first place to the third alternative in one step, a send.
    let found = report(
        "s [ agent(!A, %a) = m() <= agent(!B, %b) or m() => agent(!A, %a) or m() => agent(!B, %b)
             agent(!B, %b) = skip ]",
    );
    assert_verdict(&found, "terminates", 2, 1);
    assert_eq!(found.operations_run.len(), 2);
}

#[test]
fn an_act_rests_at_the_next_waitfor() {
    // The receive fails, the waitfor behind it is a new place though its message is there: a move, then a receive.
    let found = report(
        "s [ agent(!A, %a) = m() <= agent(!B, %b) or waitfor n() <= agent(!B, %b)
             agent(!B, %b) = n() => agent(!A, %a) ]",
    );
    // A: first place or waitfor; B: before or after its send; and both done.
    assert_verdict(&found, "terminates", 5, 5);
}

#[test]
fn an_operation_that_succeeds_silently_ends_its_waitfor() {
    let found = report(
        "s [ agent(!A, %a) = (waitfor skip timeout fail) then m() => agent(!B, %b)
             agent(!B, %b) = skip ]",
    );
    // One act from the waitfor through the send to the end.
    assert_verdict(&found, "terminates", 2, 1);
}

#[test]
fn all_threads_must_wait_before_time_runs_out() {
    // The right side waits for what the left side still sends. Only the left one's message may be late for any.
    let scene = "s [ agent(!A, %a) = m() => agent(!B, %b) par waitfor n() <= agent(!B, %b) timeout fail
                     agent(!B, %b) = waitfor m() <= agent(!A, %a) then n() => agent(!A, %a) ]";
    // Sent; received; answered; taken, which ends all.
    assert_verdict(&report(scene), "terminates", 5, 4);
    let found = report_with(scene, |options| options.any_time = true);
    // The timeout fires in one step, but only the join makes the agent fail: after the left side's send too.
    assert_eq!((found.verdict.as_str(), found.steps), ("failure", Some(2)));
}

#[test]
fn ping_pong_without_end_is_a_livelock() {
    let found = report(
        "s [ agent(!A, %a) = agent(loop)
             agent(!A, %a, loop) = m() => agent(!B, %b) then (waitfor n() <= agent(!B, %b)) then agent(loop)
             agent(!B, %b) = waitfor m() <= agent(!A, %a) then n() => agent(!A, %a) then agent(again)
             agent(!B, %b, again) = waitfor m() <= agent(!A, %a) then n() => agent(!A, %a) then agent(again) ]",
    );
    // Three steps to B's clause `again`, and the four of the round that repeats.
    assert_violation(&found, ("livelock", 0, false), 7, 7);
}

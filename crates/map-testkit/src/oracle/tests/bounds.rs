//! Depth, rounds and mailboxes.

use super::{assert_verdict, assert_violation, report_with};

#[test]
fn a_mailbox_overflows() {
    // B has 0, 1 or 2 messages; a third one goes wrong.
    let found = report_with(
        "s [ agent(!A, %a) = agent(loop)
             agent(!A, %a, loop) = m() => agent(!B, %b) then agent(loop)
             agent(!B, %b) = agent(loop)
             agent(!B, %b, loop) = waitfor m() <= agent(!A, %a) then agent(loop) ]",
        |options| options.mailbox = 2,
    );
    assert_violation(&found, ("mailbox overflow", 3, false), 3, 4);
}

#[test]
fn a_step_that_needs_more_depth_is_cut() {
    let found = report_with(
        "s [ agent(!A, %a) = agent(loop)
             agent(!A, %a, loop) = m() => agent(!B, %b) then agent(loop) then skip
             agent(!B, %b) = skip ]",
        |options| options.depth = 3,
    );
    assert_verdict(&found, "terminates", 3, 2);
    assert!(found.cut);
}

#[test]
fn a_cut_wins_over_an_overflow() {
    let found = report_with(
        "s [ agent(!A, %a) = m() => agent(!B, %b) then agent(x) then skip
             agent(!A, %a, x) = skip
             agent(!B, %b) = waitfor n() <= agent(!A, %a) ]",
        |options| (options.mailbox, options.depth) = (0, 1),
    );
    assert_verdict(&found, "terminates", 1, 0);
    assert!(found.cut);
}

#[test]
fn rounds_are_part_of_the_state() {
    let scene = "s [ agent(!A, %a) = agent(loop)
                     agent(!A, %a, loop) = $v = d() then agent(loop) or skip ]";
    // One call so far; two; and either with the agent done. A third call is cut.
    for rounds_of in [false, true] {
        let found = report_with(scene, |options| {
            if rounds_of {
                options.rounds_of = vec![("loop".to_owned(), 2)];
            } else {
                options.rounds = Some(2);
            }
        });
        assert_verdict(&found, "terminates", 4, 3);
        assert!(found.cut);
    }
    let found = report_with(scene, |options| options.rounds_of = vec![("other".to_owned(), 2)]);
    assert_verdict(&found, "terminates if fair", 2, 2);
    assert!(!found.cut);
}

#[test]
fn a_timeout_that_changes_only_a_counter_is_no_step() {
    let found = report_with(
        "s [ agent(!A, %a) = agent(loop)
             agent(!A, %a, loop) = waitfor m() <= agent(!B, %b) timeout agent(loop)
             agent(!B, %b) = skip ]",
        |options| options.rounds = Some(5),
    );
    assert_violation(&found, ("deadlock", 0, false), 1, 0);
}

#[test]
fn a_poll_whose_yes_is_cut_is_still_a_poll() {
    let scene = "s [ agent(!A, %a) = waitfor ($v = d() then agent(x)) agent(!A, %a, x) = skip ]";
    let found = report_with(scene, |options| options.rounds = Some(0));
    assert_verdict(&found, "terminates if fair", 1, 0);
    assert!(found.cut);
}

#[test]
fn a_timeout_that_is_cut_is_still_a_timeout() {
    let scene = "s [ agent(!A, %a) = waitfor $v = d() timeout agent(x) agent(!A, %a, x) = skip ]";
    let found = report_with(scene, |options| options.rounds = Some(0));
    assert_verdict(&found, "terminates", 2, 1);
    assert!(found.cut);
}

#[test]
fn a_limit_of_states_is_inconclusive() {
    let found = report_with(
        "s [ agent(!A, %a) = m() => agent(!B, %b) then m() => agent(!B, %b)
             agent(!B, %b) = skip ]",
        |options| options.max_states = 1,
    );
    assert_eq!((found.verdict.as_str(), found.complete), ("inconclusive", false));
}

//! Calls, runaway recursion, and the activations that are given up.

use super::{assert_verdict, assert_violation, report, report_with};

#[test]
fn a_call_takes_the_first_head_that_unifies() {
    let scene = |arguments: &str| {
        format!(
            "s [ agent(!A, %a) = agent({arguments})
                 agent(!A, %a, $x, $x) = skip
                 agent(!A, %a, $x, $y) = fail
                 agent(!A, %a, !A) = skip
                 agent(!A, %a, %a) = fail ]"
        )
    };
    assert_verdict(&report(&scene("1, 1")), "terminates", 1, 0);
    assert_violation(&report(&scene("1, 2")), ("failure", 0, false), 1, 0);
    assert_verdict(&report(&scene("!A")), "terminates", 1, 0);
    assert_violation(&report(&scene("%a")), ("failure", 0, false), 1, 0);
}

#[test]
fn a_call_without_a_head_fails() {
    let found = report(
        "s [ agent(!A, %a) = $v = d() then agent($v)
             agent(!A, %a, 1) = skip ]",
    );
    // Whether the answer is 1 is open; "no" makes the agent fail for certain, by a move.
    assert_violation(&found, ("failure", 1, false), 3, 3);
}

#[test]
fn a_loop_written_as_last_call_is_one_activation() {
    // "Yes" leads back to the same state.
    let found = report_with(
        "s [ agent(!A, %a) = agent(loop)
             agent(!A, %a, loop) = $v = d() then agent(loop) or skip ]",
        |options| options.depth = 1,
    );
    assert_verdict(&found, "terminates if fair", 2, 2);
    assert!(!found.cut);
}

#[test]
fn runaway_recursion_before_the_first_places() {
    let found = report("s [ agent(!A, %a) = agent(loop) agent(!A, %a, loop) = agent(loop) ]");
    assert_violation(&found, ("runaway recursion", 0, false), 0, 0);
}

#[test]
fn runaway_recursion_through_refusals() {
    // "No" calls the clause, whose "no" calls it again; "yes" in either place ends the agent.
    let found = report("s [ agent(!A, %a) = agent(loop) agent(!A, %a, loop) = $v = d() or agent(loop) ]");
    assert_violation(&found, ("runaway recursion", 1, false), 2, 1);
}

#[test]
fn a_call_that_has_returned_may_be_made_again() {
    let found = report(
        "s [ agent(!A, %a) = agent(x) then agent(x) then agent(y)
             agent(!A, %a, x) = skip
             agent(!A, %a, y) = agent(x) ]",
    );
    assert_verdict(&found, "terminates", 1, 0);
}

#[test]
fn calls_with_other_arguments_are_not_repeated() {
    // The depth ends it: the way to the first place is cut.
    let found = report_with(
        "s [ agent(!A, %a) = agent(1, 2) then skip
             agent(!A, %a, 1, $x) = agent($x, 3) then skip
             agent(!A, %a, 2, $x) = agent($x, 1) then skip
             agent(!A, %a, 3, $x) = skip ]",
        |options| options.depth = 3,
    );
    assert_verdict(&found, "inconclusive", 0, 0);
    assert!(found.cut && found.complete);
}

#[test]
fn re_entering_the_waitfor_it_started_from() {
    let found =
        report("s [ agent(!A, %a) = agent(loop) agent(!A, %a, loop) = waitfor agent(loop) timeout skip ]");
    assert_violation(&found, ("runaway recursion", 1, false), 1, 0);
}

#[test]
fn re_entering_it_with_other_variables_is_a_move() {
    let found = report(
        "s [ agent(!A, %a) = agent(loop, 1)
             agent(!A, %a, loop, $x) = waitfor agent(loop, 2) timeout skip ]",
    );
    assert_violation(&found, ("runaway recursion", 2, false), 2, 1);
}

#[test]
fn re_entering_it_in_a_side_of_a_par_is_a_move_one_level_deeper() {
    // At the first waitfor the par is entered, its left side rests at the waitfor one level deeper, and so on until
    // the depth cuts it. The right sides have ended.
    let found = report_with(
        "s [ agent(!A, %a) = agent(loop)
             agent(!A, %a, loop) = waitfor (agent(loop) par skip) timeout skip ]",
        |options| options.depth = 3,
    );
    assert_verdict(&found, "terminates", 3, 2);
    assert!(found.cut);
}

#[test]
fn in_a_side_that_was_there_before_it_is_runaway_recursion() {
    let found = report(
        "s [ agent(!A, %a) = agent(loop) par m() => agent(!B, %b)
             agent(!A, %a, loop) = waitfor agent(loop) timeout skip
             agent(!B, %b) = skip ]",
    );
    // Before and after the send.
    assert_violation(&found, ("runaway recursion", 1, false), 2, 1);
}

#[test]
fn calls_before_and_after_an_action_are_counted_separately() {
    let found = report(
        "s [ agent(!A, %a) = m() <= agent(!B, %b) or agent(x)
             agent(!A, %a, x) = n() => agent(!B, %b) then agent(x)
             agent(!B, %b) = skip ]",
    );
    // One send from the first place, then the same for ever.
    assert_violation(&found, ("livelock", 0, false), 2, 2);
}

#[test]
fn an_activation_is_given_up_only_where_failure_goes_nowhere_else() {
    // If the last call cannot fail, the alternative behind it does not matter: p never refuses and %b is there.
    let scene = "s [ agent(!A, %a) = agent(loop)
                     agent(!A, %a, loop) = ($v = p() then agent(loop)) or m() => agent(_, %b)
                     agent(!B, %b) = skip ]";
    let shallow = |text: &str| report_with(text, |options| options.depth = 1);
    let found = shallow(&format!("procedure p() {scene}"));
    assert_violation(&found, ("livelock", 0, false), 1, 1);
    assert!(!found.cut);
    // As a decision, too, because the send remains that cannot fail: now the agent may end.
    let found = shallow(scene);
    assert_verdict(&found, "terminates if fair", 2, 2);
    assert!(!found.cut);
    // A send by which the agent itself is meant can fail, so the activation is kept and the next one is too deep.
    let found = shallow(&scene.replace("agent(_, %b)", "agent(!A, %b)"));
    assert_violation(&found, ("failure", 1, false), 2, 1);
    assert!(found.cut);
}

#[test]
fn a_sender_handed_on_is_known() {
    // B answers whoever asked, from a head variable that every call binds to a sender of that role; the recursion
    // that only hands it on keeps it known, so the loop's activations are given up although a `skip` stands behind.
    let scene = "procedure p()
         s [ agent(!A, %a) = m() => agent(!B, %b)
             agent(!B, %b) = waitfor m() <= agent($x, %a) then agent(loop, $x)
             agent(!B, %b, loop, $x) = (n() => agent($x, %a) then agent(loop, $x)) or skip ]";
    let found = report_with(scene, |options| options.depth = 1);
    assert!(!found.cut);
    // Sent; received; then sends to an agent that has ended, for ever.
    assert_violation(&found, ("livelock", 0, false), 3, 3);
    // The loop cannot fail anyway; without the alternative it can unless the variable is known.
    let follows = |from: &str| {
        let scene = format!(
            "s [ agent(!A, %a) = m() => agent(!B, %b)
                 agent(!B, %b) = waitfor m() <= agent($x, {from}) then (agent(loop, $x) or skip)
                 agent(!B, %b, loop, $x) = n() => agent($x, %a) then agent(loop, $x) ]"
        );
        report_with(&scene, |options| options.depth = 1).cut
    };
    assert!(!follows("%a"));
    assert!(follows("_"));
}

#[test]
fn all_ways_to_the_first_places_are_looked_at() {
    let found = report(
        "s [ agent(!A, %a) = agent(loop)
             agent(!A, %a, loop) = agent(loop)
             agent(!B, %b) = fail ]",
    );
    assert_violation(&found, ("failure", 0, false), 0, 0);
    assert_eq!(found.violations[1], ("runaway recursion".to_owned(), 0, false));
}

#[test]
fn a_cut_in_one_side_wins_over_runaway_recursion_in_another() {
    let scene = "s [ agent(!A, %a) = waitfor (agent(x) par agent(y))
                     agent(!A, %a, x) = agent(x)
                     agent(!A, %a, y) = agent(z) then skip
                     agent(!A, %a, z) = skip ]";
    let found = report_with(scene, |options| options.depth = 2);
    assert_verdict(&found, "terminates", 1, 0);
    assert!(found.cut);
    let found = report_with(scene, |options| options.depth = 3);
    assert_violation(&found, ("runaway recursion", 1, false), 1, 0);
    assert!(!found.cut);
}

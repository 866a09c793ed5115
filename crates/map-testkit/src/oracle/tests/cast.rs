//! The cast, and what names refer to.

use super::{assert_verdict, assert_violation, report, report_with};

const MULTICAST: &str = "s [ agent(!A, %a) = m() => agent(_, %b)
                             agent($b, %b) = waitfor m() <= agent($x, %a) ]";

#[test]
fn a_send_to_any_agent_of_a_role_is_one_step() {
    // Before the send, and the eight subsets of three agents that have received.
    let found = report_with(MULTICAST, |options| options.agents = vec![("b".to_owned(), 3)]);
    assert_verdict(&found, "terminates", 9, 13);
    let found = report(&format!("cast %b = 3 {MULTICAST}"));
    assert_verdict(&found, "terminates", 9, 13);
    let found = report(&format!("cast !B = 3 {MULTICAST}"));
    assert_verdict(&found, "terminates", 9, 13);
}

#[test]
fn a_part_without_agents() {
    let found = report_with(MULTICAST, |options| options.agents = vec![("B".to_owned(), 0)]);
    assert_violation(&found, ("failure", 1, false), 2, 1);
    let found = report_with(MULTICAST, |options| {
        options.agents = vec![("b".to_owned(), 0), ("a".to_owned(), 0)];
    });
    assert_verdict(&found, "terminates", 1, 0);
}

#[test]
fn a_literal_means_this_agent_in_its_own_part() {
    // Each of the two tells C its own name; C takes them in either order.
    let found = report(
        "cast %a = 2
         s [ agent(!A, %a) = m(!A) => agent(!C, %c)
             agent(!C, %c) = waitfor m(!A1) <= agent($x, %a) then waitfor m(!A2) <= agent(_, _) ]",
    );
    // Nothing sent; 1; 2; 12; 21; after taking 1: nothing, 2; end, from either.
    assert_verdict(&found, "terminates", 8, 9);
}

#[test]
fn one_instance_can_be_named() {
    let found = report(
        "s [ agent(!A, %a) = m() => agent(!B2, %b)
             agent($b, %b) = waitfor m() <= agent(_, _) timeout skip ]
         cast %b = 2",
    );
    // Sent; B2 received or not, B1 timed out or not. B1's time runs out only when B2 has nothing to receive.
    assert_verdict(&found, "terminates", 4, 3);
}

#[test]
fn the_variable_is_the_own_name() {
    let found = report(
        "s [ agent($me, %a) = m($me) => agent(!B, %b)
             agent(!B, %b) = waitfor m($x) <= agent($x, %a) ]",
    );
    assert_verdict(&found, "terminates", 3, 2);
}

#[test]
fn a_scene_is_chosen_by_name() {
    let file = "one [ agent(!A, %a) = fail ] two [ agent(!A, %a) = skip ]";
    assert_violation(&report(file), ("failure", 0, false), 1, 0);
    assert_verdict(&report_with(file, |options| options.scene = Some("two".to_owned())), "terminates", 1, 0);
}

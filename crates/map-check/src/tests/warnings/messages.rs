//! Messages that nobody receives (MAP305), and receives of messages that nobody sends (MAP306).

use super::{assert_marks, assert_silent, assert_warnings};

/// `!A` sends; a `%b` and a `%c` receive.
fn scene(send: &str, by_b: &str, by_c: &str) -> String {
    format!(
        "s[ agent(!A, %a) = {send}\n agent($me, %b) = waitfor ({by_b})\n agent($me, %c) = waitfor ({by_c}) timeout skip ]"
    )
}

const NOTHING: &str = "$x = p()";

#[test]
fn a_message_that_is_received() {
    for (send, receive) in [
        ("m(1) => agent(_, %b)", "m(_) <= agent(_, %a)"),
        ("m(1) => agent(_, _)", "m(_) <= agent(!A, _)"),
        ("m(1) => agent(!B, %b)", "m(_) <= agent(_, _)"),
        ("m(1) => agent(!B, _)", "m(_) <= agent($who, %a) then m(_) <= agent($who, %a)"),
    ] {
        for code in ["MAP305", "MAP306"] {
            assert_marks(code, &scene(send, receive, NOTHING), &[]);
        }
    }
}

#[test]
fn a_message_with_another_number_of_arguments() {
    let text = scene("m(1, 2) => agent(_, %b)", "m(_) <= agent(_, %a)", NOTHING);
    assert_warnings(&text, &["MAP305 m(1, 2)@1"]);
    // The other form is sent too, but this one is still not received.
    let text = scene("m(1, 2) => agent(_, %b) then m(1) => agent(_, %b)", "m(_) <= agent(_, %a)", NOTHING);
    assert_warnings(&text, &["MAP305 m(1, 2)@1"]);
    let text = scene("m(1) => agent(_, %b)", "m(_) <= agent(_, %a) or m(_, _) <= agent(_, %a)", NOTHING);
    assert_warnings(&text, &["MAP306 m(_, _)@2"]);
}

#[test]
fn a_message_that_is_misspelt() {
    let text = scene("offer(1) => agent(_, %b)", "ofer(_) <= agent(_, %a)", NOTHING);
    assert_warnings(&text, &["MAP305 offer(1)@1"]);
    let text =
        scene("offer(1) => agent(_, %b)", "offer(_) <= agent(_, %a) or ofer(_) <= agent(_, %a)", NOTHING);
    assert_warnings(&text, &["MAP306 ofer(_)@2"]);
}

#[test]
fn a_message_to_the_wrong_role() {
    let text = scene("m(1) => agent(_, %c)", "m(_) <= agent(_, %a)", NOTHING);
    assert_warnings(&text, &["MAP305 m(1)@1", "MAP306 m(_)@2"]);
}

#[test]
fn a_message_that_is_expected_from_somebody_else() {
    let text = scene("m(1) => agent(_, %b)", "m(_) <= agent(_, %c)", NOTHING);
    assert_warnings(&text, &["MAP305 m(1)@1"]);
}

#[test]
fn a_message_nobody_knows() {
    assert_warnings(&scene("m(1) => agent(_, %b)", NOTHING, NOTHING), &["MAP305 m(1)@1"]);
    assert_warnings(&scene("m(1) => agent(_, _)", NOTHING, NOTHING), &["MAP305 m(1)@1"]);
    assert_warnings(&scene("skip", "m(_) <= agent(_, %a)", NOTHING), &["MAP306 m(_)@2"]);
    assert_warnings(&scene("skip", "m(_) <= agent(_, _)", NOTHING), &["MAP306 m(_)@2"]);
}

#[test]
fn an_address_that_is_nobody() {
    assert_marks(
        "MAP305",
        &scene("m(1) => agent(!B, %c)", "m(_) <= agent(_, %a)", NOTHING),
        &["agent(!B, %c)@1"],
    );
    assert_marks(
        "MAP305",
        &scene("m(1) => agent(!A, %a)", "m(_) <= agent(_, %a)", NOTHING),
        &["agent(!A, %a)@1"],
    );
    let text = scene("m(1) => agent(_, %b)", "m(_) <= agent(_, %a) or m(_) <= agent(!A, %c)", NOTHING);
    assert_warnings(&text, &["MAP306 agent(!A, %c)@2"]);
}

#[test]
fn numbered_agents_are_those_of_their_part() {
    let text = format!("cast %b = 3\n{}", scene("m(1) => agent(!B2, %b)", "m(_) <= agent(_, %a)", NOTHING));
    assert_silent(&text);
    let text = format!("cast %b = 0\n{}", scene("m(1) => agent(!B, %b)", "m(_) <= agent(_, %a)", NOTHING));
    assert_silent(&text);
}

#[test]
fn one_of_several_parts_is_enough() {
    assert_silent(
        "s[ agent(!A, %a) = m() => agent(_, %b)\n agent(!X, %b) = skip\n agent(!Y, %b) = waitfor m() <= agent(_, %a) ]",
    );
    let text = "s[ agent(!A, %a) = m() => agent(!X, %b)\n agent(!X, %b) = skip\n agent(!Y, %b) = waitfor m() <= agent(_, %a) ]";
    assert_warnings(text, &["MAP305 m()@1", "MAP306 m()@3"]);
}

#[test]
fn clauses_that_are_never_called_neither_send_nor_receive_in_vain() {
    let text = "s[ agent(!A, %a) = skip\n agent(!A, %a, x) = m() => agent(!B, %b) then (waitfor n() <= agent(_, %b))\n\
                agent(!B, %b) = skip ]";
    assert_warnings(text, &["MAP312 agent(!A, %a, x)@2"]);
}

//! Names of roles, agents and scenes.

use super::{assert_errors, assert_errors_with, body};

#[test]
fn roles_are_known_wherever_they_occur() {
    assert_errors(&body("m(%b) => agent(!B, %b)"), &[]);
    for op in ["m(%c) => agent(!B, %b)", "m() => agent(!B, %c)", "m(%c) <= agent(_, _)", "$x = p(%c)"] {
        assert_errors(&body(op), &["MAP104 %c@1"]);
    }
    assert_errors(
        "s[ agent($x, %a) = agent(%c)\n agent($x, %a, %d) = skip ]",
        &["MAP104 %c@1", "MAP104 %d@2"],
    );
}

#[test]
fn roles_that_are_counted_are_known() {
    let text = |counted: &str| format!("memory %a {{ @n = count({counted}) }}\n{}", body("skip"));
    assert_errors(&text("%b"), &[]);
    assert_errors_with("b=0", &text("%b"), &[]);
    assert_errors(&text("%c"), &["MAP104 %c@1"]);
}

#[test]
fn agents_are_known_wherever_they_occur() {
    assert_errors(&body("m(!A, !B) => agent(!B, %b)"), &[]);
    for op in ["m(!C) => agent(!B, %b)", "m() => agent(!C, %b)", "m(!C) <= agent(_, _)", "$x = p(!C)"] {
        assert_errors(&body(op), &["MAP105 !C@1"]);
    }
}

#[test]
fn numbered_agents_exist_as_the_cast_has_them() {
    let one = body("m() => agent(!B2, %b)");
    assert_errors(&one, &["MAP105 !B2@1"]);
    assert_errors_with("b=2", &one, &[]);
    assert_errors_with("b=1", &one, &["MAP105 !B2@1"]);
    assert_errors_with("b=2", &body("m() => agent(!B02, %b)"), &["MAP105 !B02@1"]);
    assert_errors_with("b=2", &body("m() => agent(!B0, %b)"), &["MAP105 !B0@1"]);
}

#[test]
fn a_name_of_several_agents_is_ambiguous_outside_their_part() {
    let text =
        "s[ agent(!A, %a) = m(!A) => agent(!B, %b)\n agent(!B, %b) = m(!B) => agent(!A, %a) ]\ncast %b = 2";
    assert_errors(text, &["MAP106 !B@1"]);
    assert_errors_with("b=1", text, &[]);
    assert_errors_with("b=0", text, &[]);
    let role =
        "s[ agent(!A, %a) = m(!B) => agent(_, %b)\n agent($x, %b) = m(!B) => agent(!A, %a) ]\ncast %b = 2";
    assert_errors(role, &["MAP106 !B@1", "MAP106 !B@2"]);
}

#[test]
fn a_wrong_cast_breeds_no_errors_about_names() {
    assert_errors(&format!("{}\ncast %bb = 3", body("m(!B3) => agent(!B, %b)")), &["MAP108 %bb@3"]);
    assert_errors(
        &format!("{}\ncast %bb = 3", body("m(!C3) => agent(!B, %b)")),
        &["MAP105 !C3@1", "MAP108 %bb@3"],
    );
}

#[test]
fn an_unknown_name_breeds_no_error_about_the_call() {
    let text =
        "s[ agent($x, %a) = agent(!C) or agent(%c)\n agent($x, %a, !A) = skip agent($x, %a, %a) = skip ]";
    assert_errors(text, &["MAP105 !C@1", "MAP104 %c@1"]);
}

#[test]
fn every_scene_has_names_of_its_own_and_all_are_checked() {
    let text = "s[ agent($x, %a) = skip ]\nt[ agent($x, %b) = m() => agent(_, %a) ]";
    assert_errors(text, &["MAP104 %a@2"]);
    assert_errors_with("t", text, &["MAP104 %a@2"]);
}

#[test]
fn an_error_in_another_scene_leaves_the_chosen_one_checked() {
    let (_, file) = super::parsed("s[ agent($x, %a) = skip ]\nt[ agent($x, %b) = m() => agent(_, %a) ]");
    assert!(crate::check(&file, &super::options("s")).0.is_some());
    assert!(crate::check(&file, &super::options("t")).0.is_none());
}

#[test]
fn the_scene_asked_for_exists() {
    let text = "first[ agent($x, %a) = skip ]\nsecond[ agent($x, %b) = skip ]";
    assert_eq!(super::agents("", text), "A");
    assert_eq!(super::agents("second", text), "B");
    assert_errors_with("secnd", text, &["MAP111"]);
}

#[test]
fn scenes_have_names_of_their_own() {
    let text = "s[ agent($x, %a) = skip ]\ns[ agent($x, %b) = skip ]";
    assert_errors(text, &["MAP101 s@2"]);
}

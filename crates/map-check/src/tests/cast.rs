//! The cast: numbers of agents from the file and the command line, and the resulting names.

use super::{agents, assert_errors, assert_errors_with, with_checked};

const PAIR: &str = "s[ agent(!Ann, %seller) = skip\n agent($x, %buyer) = skip ]";
const NAMED: &str = "s[ agent(!Ann, %x) = skip\n agent(!Bob, %x) = skip ]";
const MIXED: &str = "s[ agent(!Ann, %x) = skip\n agent($b, %x) = skip ]";

fn with(cast: &str, scene: &str) -> String {
    format!("{scene}\n{cast}")
}

#[test]
fn one_agent_for_each_part_named_as_written_or_after_the_role() {
    assert_eq!(agents("", PAIR), "Ann Buyer");
    assert_eq!(agents("", NAMED), "Ann Bob");
    assert_eq!(agents("", "s[ agent($x, %Big_role) = skip agent($x, %iPad) = skip ]"), "Big_role IPad");
}

#[test]
fn several_agents_are_numbered() {
    assert_eq!(agents("", &with("cast %buyer = 3", PAIR)), "Ann Buyer1 Buyer2 Buyer3");
    assert_eq!(agents("", &with("cast !Buyer = 2 cast %seller = 2", PAIR)), "Ann1 Ann2 Buyer1 Buyer2");
    assert_eq!(agents("", &with("cast !Ann = 0 cast %buyer = 1", PAIR)), "Buyer");
}

#[test]
fn overrides_mean_a_role_or_else_an_agent_and_the_last_wins() {
    let file = with("cast %buyer = 3", PAIR);
    assert_eq!(agents("buyer=2", &file), "Ann Buyer1 Buyer2");
    assert_eq!(agents("Ann=2 buyer=0", &file), "Ann1 Ann2");
    assert_eq!(agents("buyer=5 Buyer=1", &file), "Ann Buyer");
    assert_eq!(agents("Ann=2", "s[ agent(!x, %Ann) = skip agent(!Ann, %y) = skip ]"), "x1 x2 Ann");
}

#[test]
fn a_role_counts_its_variable_part_or_its_only_part() {
    assert_eq!(agents("x=2", MIXED), "Ann X1 X2");
    assert_eq!(agents("seller=2", PAIR), "Ann1 Ann2 Buyer");
}

#[test]
fn a_role_of_named_agents_has_no_number() {
    assert_errors(&with("cast %x = 2", NAMED), &["MAP109 %x@3"]);
    assert_errors_with("x=2", NAMED, &["MAP109"]);
    assert_eq!(agents("Bob=2", NAMED), "Ann Bob1 Bob2");
}

#[test]
fn any_number_counts_as_the_least() {
    assert_eq!(agents("", &with("cast %buyer = any", PAIR)), "Ann Buyer");
    assert_eq!(agents("", &with("cast %buyer = 2..any", PAIR)), "Ann Buyer1 Buyer2");
    assert_eq!(agents("buyer=3", &with("cast %buyer = any", PAIR)), "Ann Buyer1 Buyer2 Buyer3");
}

#[test]
fn any_number_is_for_a_role_and_begins_with_one() {
    assert_errors(&with("cast %buyer = 0..any", PAIR), &["MAP110 0..any@3"]);
    assert_errors(&with("cast %buyer = -1..any", PAIR), &["MAP110 -1..any@3"]);
    assert_errors(&with("cast !Ann = any", PAIR), &["MAP110 any@3"]);
}

#[test]
fn a_cast_needs_someone_to_count() {
    assert_errors(&with("cast %byer = 2 cast !Anna = 1", PAIR), &["MAP108 %byer@3", "MAP108 !Anna@3"]);
    assert_errors(&with("cast !Buyer2 = 1", PAIR), &["MAP108 !Buyer2@3"]);
    assert_errors_with("buyers=2", PAIR, &["MAP108"]);
}

#[test]
fn a_cast_applies_to_every_scene_that_knows_its_subject() {
    let two =
        "s[ agent($x, %a) = skip ]\nt[ agent($x, %b) = skip agent($x, %a) = skip ]\ncast %b = 2 cast %a = 3";
    assert_eq!(agents("", two), "A1 A2 A3");
    assert_eq!(agents("t", two), "B1 B2 A1 A2 A3");
    assert_eq!(agents("t b=1", two), "B A1 A2 A3");
    assert_errors_with("b=1", two, &["MAP108"]);
}

#[test]
fn numbers_are_neither_negative_nor_absurd() {
    assert_errors(&with("cast %buyer = -1", PAIR), &["MAP110 -1@3"]);
    assert_errors(&with("cast %buyer = 1000001", PAIR), &["MAP110 1000001@3"]);
    assert_errors_with("buyer=-1", PAIR, &["MAP110"]);
    let file = with("cast %buyer = 999999", PAIR);
    assert_eq!(with_checked("", &file, |checked| checked.agents.len()), 1_000_000);
    assert_errors(&with("cast %buyer = 1000000", PAIR), &["MAP110 1000000@3"]);
}

#[test]
fn a_part_is_counted_once() {
    assert_errors(&with("cast %buyer = 2\ncast %buyer = 2", PAIR), &["MAP112 %buyer@4"]);
    assert_errors(&with("cast %buyer = 2\ncast !Buyer = 2", PAIR), &["MAP112 !Buyer@4"]);
    assert_errors(&with("cast %x = 2\ncast !Ann = 2", MIXED), &[]);
}

#[test]
fn no_two_agents_have_one_name() {
    assert_errors("s[ agent(!A, %x) = skip\n agent(!A, %y) = skip ]", &["MAP107 !A@2"]);
    assert_errors("s[ agent(!X, %y) = skip\n agent($a, %x) = skip ]", &["MAP107 %x@2"]);
    let two = "s[ agent(!X2, %y) = skip\n agent($a, %x) = skip ]";
    assert_errors_with("", two, &[]);
    assert_errors_with("x=2", two, &["MAP107 %x@2"]);
    let three = "s[ agent($a, %x1) = skip\n agent($a, %x) = skip ]";
    assert_errors_with("x=11 x1=2", three, &["MAP107 %x@2"]);
    assert_errors_with("x=10 x1=2", three, &[]);
    assert_errors_with("x=0", "s[ agent(!X, %y) = skip\n agent($a, %x) = skip ]", &[]);
    assert_errors_with("x=2", "s[ agent(!X, %y) = skip\n agent($a, %x) = skip ]", &[]);
}

#[test]
fn every_further_agent_of_one_name_is_reported() {
    let three = "s[ agent(!A, %x) = skip\n agent(!A, %y) = skip\n agent(!A, %z) = skip ]";
    assert_errors(three, &["MAP107 !A@2", "MAP107 !A@3"]);
}

#[test]
fn an_agent_that_the_cast_leaves_out_is_still_known() {
    let file = "s[ agent(!A, %a) = m() => agent(!B, %b)\n agent(!B, %b) = skip ]\ncast !B = 0";
    assert_eq!(with_checked("", file, |checked| checked.agent_named("B")), None);
    assert_eq!(with_checked("b=1", file, |checked| checked.agent_named("B")), Some(1));
}

#[test]
fn parts_say_which_agents_are_theirs() {
    with_checked("", &with("cast %buyer = 2", PAIR), |checked| {
        let ranges: Vec<_> = checked.parts.iter().map(|part| (part.role, part.agents.clone())).collect();
        assert_eq!(ranges, [(0, 0..1), (1, 1..3)]);
        assert_eq!(checked.agents[2].part, 1);
    });
}

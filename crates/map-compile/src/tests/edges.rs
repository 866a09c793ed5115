//! Success and failure successors, and the variables that a failure unbinds.

use super::{assert_edges, body, compiled};

#[test]
fn a_sequence_stops_at_the_first_failure() {
    assert_edges(
        "$x = p() then $y = q() then $z = r()",
        &["$x = p() -> $y = q() | failed", "$y = q() -> $z = r() | failed", "$z = r() -> done | failed"],
    );
}

#[test]
fn a_choice_unbinds_what_the_alternative_may_have_bound() {
    assert_edges("$x = p() or skip", &["$x = p() -> done | skip -x", "skip -> done"]);
    assert_edges(
        "$x = p() then $y = q() or $z = r()",
        &[
            "$x = p() -> $y = q() | $z = r() -x -y",
            "$y = q() -> done | $z = r() -x -y",
            "$z = r() -> done | failed",
        ],
    );
}

#[test]
fn alternatives_follow_one_another() {
    assert_edges("fail or fail or skip", &["fail | fail", "fail | skip", "skip -> done"]);
    assert_edges(
        "$x = p() or $y = q() or $z = r()",
        &["$x = p() -> done | $y = q() -x", "$y = q() -> done | $z = r() -y", "$z = r() -> done | failed"],
    );
}

#[test]
fn a_failure_leaves_all_alternatives_it_is_the_last_of() {
    assert_edges(
        "($x = p() or $y = q()) then $u = r() or skip",
        &[
            "$x = p() -> $u = r() | $y = q() -x",
            "$y = q() -> $u = r() | skip -u -x -y",
            "$u = r() -> done | skip -u -x -y",
            "skip -> done",
        ],
    );
    assert_edges(
        "skip or (fail or (fail then skip))",
        &["skip -> done", "fail | fail", "fail | failed", "skip -> done"],
    );
}

#[test]
fn what_was_bound_before_the_alternative_stays_bound() {
    assert_edges(
        "$x = p() then (m($x, $y) <= agent(_, %b) then fail or skip)",
        &["$x = p() -> m($x, | failed", "m($x, -> fail | skip -y", "fail | skip -y", "skip -> done"],
    );
}

#[test]
fn a_receive_binds_arguments_and_sender() {
    assert_edges(
        "m($x) <= agent($who, $role) or skip",
        &["m($x) -> done | skip -role -who -x", "skip -> done"],
    );
}

#[test]
fn sends_and_calls_bind_nothing() {
    assert_edges("m() => agent(_, %b) or skip", &["m() -> done | skip", "skip -> done"]);
    assert_edges("agent(q) or skip", &["agent(q) -> done | skip", "skip -> done"]);
}

#[test]
fn a_waitfor_is_tried_again() {
    assert_edges(
        "waitfor ($x = p() then $y = q())",
        &[
            "wait1 -> $x = p() | never",
            "$x = p() -> $y = q() | wait1 -x -y",
            "$y = q() -> done | wait1 -x -y",
        ],
    );
}

#[test]
fn a_timeout_stands_for_the_waitfor() {
    assert_edges(
        "(waitfor $x = p() timeout ($y = q())) then $z = r() or skip",
        &[
            "wait1 -> $x = p() | $y = q()",
            "$x = p() -> $z = r() | wait1 -x",
            "$y = q() -> $z = r() | skip -x -y -z",
            "$z = r() -> done | skip -x -y -z",
            "skip -> done",
        ],
    );
}

#[test]
fn a_failure_leads_to_the_innermost_waitfor() {
    assert_edges(
        "waitfor ($x = p() then (waitfor $y = q() timeout fail) then $z = r())",
        &[
            "wait1 -> $x = p() | never",
            "$x = p() -> wait2 | wait1 -x -y -z",
            "wait2 -> $y = q() | fail",
            "$y = q() -> $z = r() | wait2 -y",
            "fail | wait1 -x -y -z",
            "$z = r() -> done | wait1 -x -y -z",
        ],
    );
}

#[test]
fn a_choice_inside_a_waitfor_fails_to_the_waitfor() {
    assert_edges(
        "waitfor ($x = p() or $y = q())",
        &["wait1 -> $x = p() | never", "$x = p() -> done | $y = q() -x", "$y = q() -> done | wait1 -x -y"],
    );
}

#[test]
fn a_side_ends_where_the_par_goes_on() {
    assert_edges(
        "($x = p() par fail) then $z = r() or skip",
        &[
            "par1 of $x = p(), fail -> $z = r() | skip -x -z",
            "$x = p() -> side done | side failed",
            "fail | side failed",
            "$z = r() -> done | skip -x -z",
            "skip -> done",
        ],
    );
}

#[test]
fn a_chain_of_pars_has_all_its_sides() {
    assert_edges(
        "skip par fail par $x = p()",
        &[
            "par1 of skip, fail, $x = p() -> done | failed",
            "skip -> side done",
            "fail | side failed",
            "$x = p() -> side done | side failed",
        ],
    );
}

#[test]
fn choices_and_waits_inside_a_side_stay_inside() {
    assert_edges(
        "($x = p() or fail) par waitfor $y = q() timeout fail",
        &[
            "par1 of $x = p(), wait1 -> done | failed",
            "$x = p() -> side done | fail -x",
            "fail | side failed",
            "wait1 -> $y = q() | fail",
            "$y = q() -> side done | wait1 -y",
            "fail | side failed",
        ],
    );
}

#[test]
fn a_par_inside_a_par_ends_a_side() {
    assert_edges(
        "skip par (fail par skip) then $x = p()",
        &[
            "par1 of skip, par2 -> done | failed",
            "skip -> side done",
            "par2 of fail, skip -> $x = p() | side failed",
            "fail | side failed",
            "skip -> side done",
            "$x = p() -> side done | side failed",
        ],
    );
}

#[test]
fn the_waitfor_around_a_par_unbinds_what_its_sides_bound() {
    assert_edges(
        "waitfor ($x = p() par $y = q())",
        &[
            "wait1 -> par1 | never",
            "par1 of $x = p(), $y = q() -> done | wait1 -x -y",
            "$x = p() -> side done | side failed",
            "$y = q() -> side done | side failed",
        ],
    );
}

#[test]
fn sets_of_variables_are_shared() {
    let compiled = body("($x = p() then fail or skip) then ($y = q() then fail or skip)");
    let sets: Vec<Vec<usize>> =
        compiled.program.slot_sets.iter().map(|set| set.iter().map(|it| it.index()).collect()).collect();
    assert_eq!(sets[0], Vec::<usize>::new(), "the first set is empty");
    assert_eq!(sets.len(), 3, "{sets:?}");
}

#[test]
fn clauses_have_their_own_variables() {
    let compiled =
        compiled("s[ agent(!A, %a) = $x = p() then agent(q)  agent(!A, %a, q) = $y = p() then $x = p() ]");
    let variables: Vec<Vec<&str>> = (compiled.program.clauses.iter())
        .map(|clause| {
            let mut names: Vec<&str> = clause.variables.iter().map(String::as_str).collect();
            names.sort_unstable();
            names
        })
        .collect();
    assert_eq!(variables, [vec!["x"], vec!["x", "y"]]);
}

//! A `waitfor` that goes on to another one (MAP309) or into a `par` (MAP310).

use super::{assert_marks, assert_silent};

/// `!A` does this; it has clauses that wait, and that begin with a `par`.
fn scene(op: &str) -> String {
    format!(
        "s[ agent(!A, %a) = {op}\n agent(!A, %a, wait) = waitfor m() <= agent(_, %b) timeout skip\n\
         agent(!A, %a, both) = (waitfor m() <= agent(_, %b)) par (waitfor n() <= agent(_, %b))\n\
         agent(!B, %b) = m() => agent(!A, %a) then n() => agent(!A, %a) ]"
    )
}

#[test]
fn a_waitfor_that_starts_with_a_waitfor() {
    for op in [
        "waitfor (waitfor m() <= agent(_, %b) timeout skip) timeout n() => agent(_, %b)",
        "waitfor (n() <= agent(_, %b) or waitfor m() <= agent(_, %b)) timeout skip",
        "waitfor (skip then (waitfor m() <= agent(_, %b))) timeout skip",
        "waitfor (n() <= agent(_, %b) or agent(wait)) timeout skip",
        "waitfor (waitfor m() <= agent(_, %b) timeout skip)",
    ] {
        assert_marks("MAP309", &scene(op), &["waitfor@1"]);
        assert_marks("MAP303", &scene(op), &[]);
    }
}

#[test]
fn a_waitfor_after_something_else() {
    for op in [
        "waitfor (n() <= agent(_, %b) then (waitfor m() <= agent(_, %b))) timeout skip",
        "waitfor n() <= agent(_, %b) timeout (waitfor m() <= agent(_, %b))",
        "waitfor (n() <= agent(_, %b) then agent(wait)) timeout agent(both)",
        // This tries again whenever the inner one fails.
        "waitfor (waitfor m() <= agent(_, %b) timeout ($x = p() then fail))",
    ] {
        assert_marks("MAP309", &scene(op), &[]);
        assert_marks("MAP310", &scene(op), &[]);
    }
}

#[test]
fn a_waitfor_that_enters_a_par() {
    for op in [
        "waitfor (m() <= agent(_, %b) par n() <= agent(_, %b)) timeout skip",
        "waitfor (m() <= agent(_, %b) or (skip par n() <= agent(_, %b))) timeout skip",
        "waitfor (m() <= agent(_, %b) or agent(both))",
        "waitfor ((waitfor m() <= agent(_, %b)) par (waitfor n() <= agent(_, %b))) timeout skip",
    ] {
        assert_marks("MAP310", &scene(op), &["waitfor@1"]);
        assert_marks("MAP309", &scene(op), &[]);
    }
}

#[test]
fn a_par_after_something_else() {
    assert_silent(
        "s[ agent(!A, %a) =\n waitfor (m() <= agent(_, %b) then (k() => agent(_, %b) par l() => agent(_, %b)))\n\
         agent(!B, %b) = m() => agent(!A, %a) then ((waitfor k() <= agent(_, %a)) par (waitfor l() <= agent(_, %a))) ]",
    );
    assert_marks("MAP310", &scene("waitfor m() <= agent(_, %b) timeout (skip par skip)"), &[]);
}

//! A `waitfor` that leads to another one (MAP309) or to a `par` (MAP310), takes in too much (MAP317), or never
//! waits (MAP318).

use super::{assert_marks, assert_silent, marked};

/// `!A` runs `op`; it has clauses that wait, and clauses that begin with a `par`.
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
        // The outer one retries whenever the inner one fails.
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

#[test]
fn a_waitfor_behind_then_without_parentheses() {
    for op in [
        "m() <= agent(_, %b) then waitfor n() <= agent(_, %b) or k() <= agent(_, %b)",
        "waitfor (m() <= agent(_, %b) then waitfor n() <= agent(_, %b) or k() <= agent(_, %b)) timeout skip",
        "waitfor (m() <= agent(_, %b) then waitfor (n() <= agent(_, %b) then skip) or k() <= agent(_, %b))",
        "waitfor (n() <= agent(_, %b) or ($x = d() then waitfor m() <= agent(_, %b) or k() <= agent(_, %b)))",
    ] {
        let line = marked("MAP317", &scene(op));
        assert_eq!(line, ["waitfor@1"], "{op}");
    }
    for op in [
        // Parentheses make the intention plain, and so does a timeout.
        "m() <= agent(_, %b) then (waitfor n() <= agent(_, %b)) or k() <= agent(_, %b)",
        "m() <= agent(_, %b) then waitfor (n() <= agent(_, %b) or k() <= agent(_, %b))",
        "m() <= agent(_, %b) then waitfor n() <= agent(_, %b) or k() <= agent(_, %b) timeout skip",
        "m() <= agent(_, %b) then waitfor n() <= agent(_, %b)",
        // In parentheses of its own it ends where they do.
        "m() <= agent(_, %b) then (waitfor n() <= agent(_, %b) or k() <= agent(_, %b)) or k() <= agent(_, %b)",
        "$x = d() then m() => agent(_, %b) then (waitfor n() <= agent(_, %b) or k() <= agent(_, %b))",
        // An alternative to an operation that cannot fail would never run.
        "(waitfor m() <= agent(_, %b)) then waitfor n() <= agent(_, %b) or k() <= agent(_, %b)",
        "$x = p() then waitfor n() <= agent(_, %b) or k() <= agent(_, %b)",
        "waitfor n() <= agent(_, %b) or k() <= agent(_, %b)",
        "waitfor (n() <= agent(_, %b) then skip) or k() <= agent(_, %b)",
    ] {
        assert_marks("MAP317", &format!("procedure p() {}", scene(op)), &[]);
    }
}

/// A bidder that waits for its own name and then runs `then`.
fn bidder(around: &str, narrow: &str, inner: &str) -> String {
    format!(
        "s[ agent(!S, %s) = closed(!S, 1) => agent(_, %b) then pay() => agent(_, %b)\n\
         agent($me, %b) = waitfor ({around} {narrow} then (waitfor ({inner}))) ]"
    )
}

#[test]
fn a_waitfor_for_what_the_one_around_it_leaves_out() {
    let pay = "pay() <= agent(_, %s)";
    for (narrow, wide) in [
        ("closed($me, _) <= agent(_, %s)", "closed(_, _) <= agent(_, %s)"),
        ("closed($me, $n) <= agent(_, %s)", "closed($who, $other) <= agent(_, %s)"),
        ("closed(_, 1) <= agent(_, %s)", "(closed(_, _) <= agent(_, %s) then skip)"),
        ("closed($me, _) <= agent(_, %s)", "pay() <= agent(!S, %s) or closed(_, _) <= agent(_, %s)"),
        ("closed(_, _) <= agent(!S, %s) then skip", "closed(_, _) <= agent(_, %s)"),
    ] {
        let text = bidder("", narrow, &format!("{pay} or {wide}"));
        assert_marks("MAP317", &text, &["waitfor@2"]);
    }
    for (around, narrow, inner) in [
        // The same messages, fewer of them, other messages.
        ("", "closed($me, _) <= agent(_, %s)", format!("{pay} or closed($me, _) <= agent(_, %s)")),
        ("", "closed(_, _) <= agent(_, %s)", format!("{pay} or closed($me, _) <= agent(_, %s)")),
        ("", "closed($me, _) <= agent(_, %s)", format!("{pay} or closed($me, 1) <= agent(_, %s)")),
        ("", "closed($me, _) <= agent(_, %s)", format!("{pay} or closed(_, 1) <= agent(_, %s)")),
        ("", "closed($me, _) <= agent(_, %s)", format!("{pay} or pay() <= agent(_, %s)")),
        // It comes first, or the outer `waitfor` receives it, too.
        ("", "closed($me, _) <= agent(_, %s)", format!("closed(_, _) <= agent(_, %s) or {pay}")),
        (
            "closed(_, _) <= agent(_, %s) or",
            "closed($me, _) <= agent(_, %s)",
            format!("{pay} or closed(_, _) <= agent(_, %s)"),
        ),
    ] {
        assert_marks("MAP317", &bidder(around, narrow, &inner), &[]);
    }
    let early = "waitfor pay() <= agent(_, %s) or closed(_, _) <= agent(_, %s) timeout skip";
    let text = format!(
        "s[ agent(!S, %s) = closed(!S, 1) => agent(_, %b) then pay() => agent(_, %b)
        agent($me, %b) = waitfor (closed($me, _) <= agent(_, %s) then ({early})) ]"
    );
    assert_marks("MAP317", &text, &[]);
}

#[test]
fn a_waitfor_that_never_waits() {
    for op in [
        "waitfor (m() <= agent(_, %b) or skip)",
        "waitfor (m() <= agent(_, %b) or (n() <= agent(_, %b) or k() => agent(_, %b)))",
        "waitfor skip",
        "waitfor ($x = p())",
    ] {
        assert_marks("MAP318", &format!("procedure p() {}", scene(op)), &["waitfor@1"]);
        assert_marks("MAP303", &format!("procedure p() {}", scene(op)), &[]);
    }
    for op in [
        "waitfor (m() <= agent(_, %b) or n() <= agent(_, %b))",
        "waitfor ($x = d() or $x = d())",
        // Other warnings cover these.
        "waitfor (m() <= agent(_, %b) or skip or n() <= agent(_, %b))",
        "waitfor (m() <= agent(_, %b) or skip) timeout n() => agent(_, %b)",
        "waitfor (m() <= agent(_, %b) or agent(wait))",
    ] {
        assert_marks("MAP318", &scene(op), &[]);
    }
}

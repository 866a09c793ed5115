//! Decisions and receives that make an agent fail (MAP301, MAP308), and messages lost by a failure (MAP307).

use super::{assert_marks, assert_silent, assert_warnings};

/// `!A` runs `op`; `!B` sends and receives whatever it needs.
fn scene(op: &str) -> String {
    format!(
        "procedure total() decision open()\ns[ agent(!A, %a) = {op}\n\
         agent(!A, %a, use, $v) = $w = open() then agent(use, $v) or skip\n\
         agent(!A, %a, risky) = $v = open() then agent(use, $v)\n\
         agent(!A, %a, answer, $v) = n($v) => agent(_, %b) then $w = open() then agent(use, $w)\n\
         agent(!B, %b) = m() => agent(!A, %a) then n(1) => agent(!A, %a) then k(2) => agent(!A, %a) ]"
    )
}

#[test]
fn a_no_that_nothing_catches() {
    assert_marks("MAP301", &scene("$x = p() then agent(use, $x)"), &["$x = p()@2"]);
    assert_marks("MAP301", &scene("$x = open()"), &["$x = open()@2"]);
    assert_marks("MAP301", &scene("fail or $x = p()"), &["$x = p()@2"]);
    assert_marks("MAP301", &scene("waitfor m() <= agent(_, %b) timeout $x = p()"), &["$x = p()@2"]);
    assert_marks("MAP301", &scene("skip par $x = p()"), &["$x = p()@2"]);
    assert_marks("MAP301", &scene("agent(risky)"), &["$v = open()@4"]);
}

#[test]
fn a_no_that_is_caught_or_never_said() {
    for op in [
        "$x = total() then agent(use, $x)",
        "$x = p() or skip",
        "waitfor $x = p()",
        "waitfor (m() <= agent(_, %b) or $x = p()) timeout skip",
        "agent(risky) or skip",
        "fail then $x = p()",
    ] {
        assert_marks("MAP301", &scene(op), &[]);
    }
}

#[test]
fn a_clause_that_is_never_called_makes_nobody_fail() {
    assert_warnings(
        "s[ agent(!A, %a) = skip\n agent(!A, %a, 1) = $x = p() ]",
        &["MAP312 agent(!A, %a, 1)@2"],
    );
}

#[test]
fn a_receive_that_does_not_wait() {
    assert_marks("MAP308", &scene("m() <= agent(_, %b)"), &["m()@2"]);
    assert_marks("MAP308", &scene("m() <= agent(_, %b) or n(_) <= agent(_, %b)"), &["n(_)@2"]);
    assert_marks("MAP308", &scene("(waitfor m() <= agent(_, %b)) then n(_) <= agent(_, %b)"), &["n(_)@2"]);
    assert_marks("MAP308", &scene("waitfor m() <= agent(_, %b) timeout n(_) <= agent(_, %b)"), &["n(_)@2"]);
}

#[test]
fn a_receive_that_waits_or_need_not() {
    for op in [
        "waitfor m() <= agent(_, %b)",
        "m() <= agent(_, %b) or skip",
        "waitfor (m() <= agent(_, %b) then n(_) <= agent(_, %b))",
    ] {
        assert_marks("MAP308", &scene(op), &[]);
    }
    assert_silent(
        "s[ agent(!A, %a) = waitfor agent(take)\n agent(!A, %a, take) = m() <= agent(_, %b)\n\
         agent(!B, %b) = m() => agent(!A, %a) ]",
    );
}

#[test]
fn a_message_that_is_lost() {
    for (op, lost) in [
        ("waitfor (n($x) <= agent(_, %b) then $y = p($x)) timeout skip", "n($x)@2"),
        ("waitfor (m() <= agent(_, %b) then n(_) <= agent(_, %b))", "m()@2"),
        ("waitfor (n($x) <= agent(_, %b) then agent(use, $x) then agent(risky))", "n($x)@2"),
        ("waitfor (n($x) <= agent(_, %b) then (n($x) => agent(_, %b) or skip) then $y = p())", "n($x)@2"),
        ("(waitfor n($x) <= agent(_, %b)) then $y = p($x) or skip", "n($x)@2"),
        ("waitfor (n($x) <= agent(_, %b) then $x = total())", "n($x)@2"),
        ("waitfor ((n(_) <= agent(_, %b) or skip) then $y = p())", "n(_)@2"),
        ("waitfor (n($x) <= agent(_, %b) then ($y = p($x) or $y = open()))", "n($x)@2"),
    ] {
        assert_marks("MAP307", &scene(op), &[lost]);
    }
}

/// A decision whose last alternative has no guard has an answer to every question.
#[test]
fn a_decision_that_always_answers() {
    let text = |answers: &str| {
        format!(
            "decision p($x) {answers}
            s[ agent(!A, %a) = waitfor (n($x) <= agent($b, %b) then $y = p($x) then k($y) => agent($b, %b))
            agent(!B, %b) = n(1) => agent(_, %a) then (waitfor k(_) <= agent(_, %a)) ]"
        )
    };
    assert_marks("MAP307", &text("| $x == 1 = one = many"), &[]);
    for answers in ["| $x == 1 = one", "in {one, many}"] {
        assert_marks("MAP307", &text(answers), &["n($x)@2"]);
    }
}

#[test]
fn a_message_that_is_lost_in_a_called_clause() {
    let text = "s[ agent(!A, %a) = waitfor agent(take)\n agent(!A, %a, take) = m() <= agent(_, %b) then $x = p()\n\
                agent(!B, %b) = m() => agent(!A, %a) ]";
    assert_marks("MAP307", text, &["m()@2"]);
}

#[test]
fn a_message_that_is_not_lost() {
    for op in [
        "waitfor (n($x) <= agent(_, %b) then ($y = p($x) or skip))",
        "waitfor (n($x) <= agent(_, %b) then agent(use, $x))",
        "waitfor (n($x) <= agent(_, %b) then $y = total() then agent(use, $x))",
        "waitfor (m() <= agent(_, %b) then (waitfor n(_) <= agent(_, %b)))",
        "waitfor (n($x) <= agent($b, %b) then n($x) => agent($b, %b))",
        // The author fails on purpose.
        "waitfor (n($x) <= agent(_, %b) then ($y = p($x) or fail))",
        // The agent fails, which is another warning.
        "(waitfor n($x) <= agent(_, %b)) then $y = p($x)",
        // The message has been answered.
        "waitfor (n($x) <= agent($b, %b) then n($x) => agent($b, %b) then $y = p())",
        "waitfor ((n($x) <= agent($b, %b) then n($x) => agent($b, %b)) then m() <= agent(_, %b))",
        // The call has done something before it fails.
        "waitfor (n($x) <= agent(_, %b) then agent(answer, $x))",
        // The decision is asked before the receive.
        "waitfor ($y = p() then n(_) <= agent(_, %b))",
    ] {
        assert_marks("MAP307", &scene(op), &[]);
    }
}

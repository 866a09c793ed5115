//! Recursion (MAP302, MAP313), alternatives and heads that are never chosen (MAP303, MAP304), clauses that are never
//! called (MAP312).

use super::{assert_marks, assert_silent, assert_warnings};

/// `!A` begins with `agent(loop, 1)`, whose body is `op`; `$n` is the argument.
fn looping(op: &str) -> String {
    format!(
        "procedure total()\ns[ agent(!A, %a) = agent(loop, 1)\n agent(!A, %a, loop, $n) = {op}\n\
         agent(!B, %b) = m(1) => agent(!A, %a)\n then (waitfor k(_) <= agent(_, %a)) ]"
    )
}

#[test]
fn a_call_that_comes_back_without_an_action() {
    for (op, call) in [
        ("agent(loop, $n)", "agent(loop, $n)@3"),
        ("waitfor (m(_) <= agent(_, %b) or agent(loop, $n)) timeout skip", "agent(loop, $n)@3"),
        ("m(_) <= agent(_, %b) or agent(loop, $n)", "agent(loop, $n)@3"),
        ("$x = p() or agent(loop, $n)", "agent(loop, $n)@3"),
        ("(k($n) => agent(_, %b)) par agent(loop, $n)", "agent(loop, $n)@3"),
        ("skip then agent()", "agent()@3"),
    ] {
        assert_marks("MAP302", &looping(op), &[call]);
    }
}

#[test]
fn a_circle_of_calls_is_shown_once() {
    let text = "s[ agent(!A, %a) = agent(x)\n agent(!A, %a, x) = $p = p() or agent(y)\n agent(!A, %a, y) = $p = q() or agent(x) ]";
    assert_marks("MAP302", text, &["agent(x)@3"]);
    let waits = "s[ agent(!A, %a) = agent(x)\n agent(!A, %a, x) = waitfor (m() <= agent(_, %a) or agent(y))\n\
                 agent(!A, %a, y) = waitfor (k() <= agent(_, %a) or agent(x)) ]";
    assert_marks("MAP302", waits, &["agent(x)@3"]);
}

#[test]
fn a_call_with_an_action_or_a_timeout_before_it() {
    for op in [
        "waitfor m(_) <= agent(_, %b) timeout agent(loop, $n)",
        "waitfor (m(_) <= agent(_, %b) then agent(loop, $n))",
        "$x = p() then agent(loop, $n) or skip",
        "$x = total() then agent(loop, $n)",
        "k($n) => agent(_, %b) then agent(loop, $n)",
    ] {
        assert_marks("MAP302", &looping(op), &[]);
    }
}

#[test]
fn a_recursion_over_written_constants_comes_to_an_end() {
    assert_silent(
        "s[ agent(!A, %a) = agent(down, 3, 2)\n agent(!A, %a, down, 3, $x) = agent(down, $x, 1)\n\
         agent(!A, %a, down, 2, $x) = agent(down, $x, 0)\n agent(!A, %a, down, 1, _) = skip ]",
    );
    let swap = "s[ agent(!A, %a) = agent(swap, 1, 2)\n agent(!A, %a, swap, $x, $y) = agent(swap, $y, $x) ]";
    assert_marks("MAP302", swap, &["agent(swap, $y, $x)@2"]);
}

#[test]
fn an_alternative_that_never_runs() {
    for (op, dead) in [
        ("skip or agent(loop, $n)", "agent(loop, $n)@3"),
        ("k($n) => agent(_, %b) or k(2) => agent(_, %b)", "k(2)@3"),
        ("$x = total() or $y = p() or skip", "$y = p()@3"),
        ("(waitfor m(_) <= agent(_, %b)) or skip", "skip@3"),
        ("(waitfor m(_) <= agent(_, %b) timeout skip) or k(1) => agent(_, %b)", "k(1)@3"),
        ("waitfor k($n) => agent(_, %b) timeout skip", "skip@3"),
    ] {
        assert_marks("MAP303", &looping(op), &[dead]);
    }
}

#[test]
fn an_alternative_that_may_run() {
    for op in [
        "$x = p() or skip",
        "m(_) <= agent(_, %b) or k($n) => agent(_, %b)",
        "waitfor (m(_) <= agent(_, %b)) timeout skip",
        // The addressee is not known.
        "k($n) => agent($n, %b) or skip",
        "(waitfor m(_) <= agent(_, %b) timeout fail) or skip",
    ] {
        assert_marks("MAP303", &looping(op), &[]);
    }
}

#[test]
fn whether_an_alternative_can_run_depends_on_the_cast() {
    let text =
        "s[ agent(!A, %a) = m() => agent(_, %b) or skip\n agent($x, %b) = waitfor m() <= agent(_, %a) ]";
    assert_warnings(text, &["MAP303 skip@1"]);
    assert!(super::warnings_with("b=0", text).is_empty());
}

#[test]
fn a_head_that_an_earlier_one_shadows() {
    let scene = |first: &str, second: &str| {
        format!(
            "s[ agent($me, %a) = $u = p() then $v = p() then $w = p() then agent($u, $v, $w) or skip\n agent($me, %a, {first}) = $x = p()\n\
             agent($me, %a, {second}) = $x = q() ]"
        )
    };
    for (first, second) in [
        ("go, $x, $y", "go, 1, 1"),
        ("go, _, _", "go, $x, $x"),
        ("$a, $b, $c", "go, $x, 2"),
        ("go, $x, $x", "go, $y, $y"),
        ("go, $x, $me", "go, $x, $me"),
    ] {
        assert_marks("MAP304", &scene(first, second), &[&format!("agent($me, %a, {second})@3")]);
        assert_marks("MAP312", &scene(first, second), &[]);
    }
    for (first, second) in [
        ("go, 1, $y", "go, $x, $y"),
        ("go, $x, $x", "go, $x, $y"),
        ("go, $x, $me", "go, $x, $y"),
        ("go, 1, 1", "stop, $x, $x"),
        ("go, 1, $x", "go, \"1\", $x"),
    ] {
        assert_marks("MAP304", &scene(first, second), &[]);
    }
}

#[test]
fn a_clause_that_is_never_called() {
    let text = "s[ agent(!A, %a) = agent(x)\n agent(!A, %a, x) = skip\n agent(!A, %a, y) = agent(z)\n\
                agent(!A, %a, z) = $v = p() then agent(z)\n agent(!A, %a, u) = agent(v)\n agent(!A, %a, v) = agent(u) ]";
    assert_marks("MAP312", text, &["agent(!A, %a, y)@3", "agent(!A, %a, u)@5"]);
    let itself = "s[ agent(!A, %a) = skip\n agent(!A, %a, x) = $v = p() then agent(x) ]";
    assert_warnings(itself, &["MAP312 agent(!A, %a, x)@2"]);
}

#[test]
fn a_clause_that_may_be_called() {
    assert_silent("s[ agent(!A, %a) = agent(x)\n agent(!A, %a, x) = skip ]");
    let text = "procedure p()\ns[ agent(!A, %a) = $v = p() then agent($v)\n agent(!A, %a, x) = skip\n agent(!A, %a, y) = skip ]";
    assert_silent(text);
}

#[test]
fn a_recursion_that_is_not_a_last_call() {
    for (op, call) in [
        ("$x = p() then agent(loop, $n) then k($n) => agent(_, %b) or skip", "agent(loop, $n)@3"),
        ("waitfor (m(_) <= agent(_, %b) then agent(loop, $n)) timeout $x = p()", "agent(loop, $n)@3"),
        ("m(_) <= agent(_, %b) then (agent(loop, $n) or skip)", "agent(loop, $n)@3"),
        (
            "waitfor m(_) <= agent(_, %b) timeout (agent(loop, $n) par k(1) => agent(_, %b))",
            "agent(loop, $n)@3",
        ),
    ] {
        assert_marks("MAP313", &looping(op), &[call]);
    }
}

#[test]
fn a_recursion_that_is_a_last_call() {
    for op in [
        "waitfor (m(_) <= agent(_, %b) then agent(loop, $n)) timeout skip",
        "(waitfor m(_) <= agent(_, %b) timeout $x = p()) then agent(loop, $n)",
        "$x = p() then agent(loop, $n)",
        "k($n) => agent(_, %b) then (waitfor (m($x) <= agent(_, %b) then agent(loop, $x)))",
    ] {
        assert_marks("MAP313", &looping(op), &[]);
    }
    assert_silent(
        "s[ agent(!A, %a) = agent(x) then agent(x)\n agent(!A, %a, x) = $v = p() then agent(x) or skip ]",
    );
}

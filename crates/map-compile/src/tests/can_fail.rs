//! Which clauses can fail (language reference, "Bounds").

use super::{compiled, compiled_with};

/// Whether the first clause of a scene can fail.
#[track_caller]
fn scene_can_fail(text: &str) -> bool {
    compiled(text).program.clauses[0].can_fail
}

/// Whether the entry clause of !A can fail if its body is `op`. !B has role %b, !C has role %c, and `sure` cannot fail.
#[track_caller]
fn can_fail(op: &str) -> bool {
    scene_can_fail(&format!(
        "procedure sure()
        s[ agent(!A, %a) = {op}
           agent(!A, %a, no) = fail
           agent(!A, %a, yes) = skip
           agent(!A, %a, is, 1) = skip
           agent(!A, %a, what, 1) = fail
           agent(!A, %a, what, _) = skip
           agent(!A, %a, all, _) = skip
           agent(!A, %a, all, 1) = fail
           agent(!B, %b) = skip
           agent(!C, %c) = skip ]"
    ))
}

#[track_caller]
fn assert_can_fail(ops: &[&str]) {
    for op in ops {
        assert!(can_fail(op), "{op}");
    }
}

#[track_caller]
fn assert_cannot_fail(ops: &[&str]) {
    for op in ops {
        assert!(!can_fail(op), "{op}");
    }
}

#[test]
fn actions() {
    assert_can_fail(&["fail", "m() <= agent(_, _)", "$x = decide()", "$x = sure() then $x = sure()"]);
    assert_cannot_fail(&["skip", "$x = sure()", "$x = sure() then $y = sure()"]);
}

#[test]
fn constructs() {
    assert_can_fail(&["skip then fail", "fail then skip", "skip par fail", "fail par skip", "fail or fail"]);
    assert_cannot_fail(&[
        "skip then skip",
        "skip par skip",
        "fail or skip",
        "skip or fail",
        "fail or skip or fail",
    ]);
    assert_can_fail(&["waitfor skip timeout fail", "waitfor fail timeout fail"]);
    assert_cannot_fail(&[
        "waitfor fail",
        "waitfor fail timeout skip",
        "waitfor m() <= agent(_, _) timeout skip",
    ]);
    assert_can_fail(&["(waitfor fail) then fail"]);
}

#[test]
fn calls() {
    assert_can_fail(&[
        "agent(no)",
        "$x = sure() then agent(is, $x)",
        "$x = sure() then agent(what, $x)",
        "agent(what, 1)",
    ]);
    assert_cannot_fail(&["agent(yes)", "agent(is, 1)", "agent(what, 2)", "agent(all, 1)"]);
    assert_cannot_fail(&["$x = sure() then agent(all, $x)", "agent(no) or agent(yes)"]);
}

#[test]
fn recursion_is_harmless_until_shown_otherwise() {
    assert_cannot_fail(&["agent()", "agent() then agent()", "$x = decide() then agent() or skip"]);
    assert_can_fail(&["agent() then fail", "$x = decide() then agent()"]);
    let circle = |last: &str| {
        format!(
            "s[ agent(!A, %a) = agent(1)  agent(!A, %a, 1) = agent(2)  agent(!A, %a, 2) = agent() then {last} ]"
        )
    };
    let verdicts = |last| {
        let compiled = compiled(&circle(last));
        compiled.program.clauses.iter().map(|clause| clause.can_fail).collect::<Vec<_>>()
    };
    assert_eq!(verdicts("skip"), [false, false, false]);
    assert_eq!(verdicts("fail"), [true, true, true]);
}

#[test]
fn sends_to_literal_addresses() {
    assert_cannot_fail(&[
        "m() => agent(_, %b)",
        "m() => agent(_, _)",
        "m() => agent(!B, %b)",
        "m() => agent(!B, _)",
    ]);
    assert_can_fail(&[
        "m() => agent(_, %a)",
        "m() => agent(!A, %a)",
        "m() => agent(!A, _)",
        "m() => agent(!B, %c)",
        "m() => agent(!B, b)",
        "m() => agent(b, %b)",
        "m() => agent(1, _)",
    ]);
}

/// Whether the first clause can fail under a cast.
#[track_caller]
fn under(agents: &str, send: &str) -> bool {
    let text = format!("s[ agent($me, %a) = {send}  agent(!B, %b) = skip ]");
    compiled_with(agents, &text).program.clauses[0].can_fail
}

#[test]
fn some_other_agent_must_match_for_every_agent_of_the_part() {
    assert!(under("a=1", "m() => agent(_, %a)"));
    assert!(!under("a=2", "m() => agent(_, %a)"), "each has the other");
    assert!(under("a=2", "m() => agent(!A1, %a)"), "!A1 has nobody");
    assert!(!under("a=2", "m() => agent(!B, %b)"));
    assert!(under("a=2", "m() => agent($me, %a)"));
    assert!(under("B=0", "m() => agent(_, %b)"));
    assert!(under("B=0", "m() => agent(!B, %b)"));
    assert!(under("B=0", "m() => agent(_, _)"), "alone in the world");
    assert!(!under("B=0 a=2", "m() => agent(_, _)"));
}

#[test]
fn for_a_part_without_agents_there_is_nobody_who_could_fail() {
    assert!(!under("a=0", "m() => agent(_, %a)"));
    assert!(!under("a=0 B=0", "m() => agent(!B, %b)"));
    assert!(!under("a=0 B=0", "m() => agent(_, _)"));
    assert!(under("a=0", "fail"), "what does not depend on the cast can fail all the same");
}

#[test]
fn an_own_literal_name_never_matches_another() {
    let text = "s[ agent(!A, %a) = m() => agent(!A, %a)  agent(!B, %b) = skip ]";
    for (agents, expected) in [("A=0", false), ("A=1", true), ("A=2", true)] {
        assert_eq!(compiled_with(agents, text).program.clauses[0].can_fail, expected, "{agents}");
    }
}

/// Whether `reply` can fail in a clause that sends it after `heard`.
#[track_caller]
fn reply_can_fail(heard: &str, reply: &str) -> bool {
    can_fail(&format!("(waitfor {heard}) then {reply}"))
}

#[test]
fn a_sender_is_known_by_the_role_of_the_receive() {
    assert!(!reply_can_fail("m() <= agent($who, %b)", "r() => agent($who, %b)"));
    assert!(reply_can_fail("m() <= agent($who, %b)", "r() => agent($who, %c)"));
    assert!(reply_can_fail("m() <= agent($who, %b)", "r() => agent($who, _)"));
    assert!(reply_can_fail("m() <= agent($who, _)", "r() => agent($who, %b)"));
    assert!(reply_can_fail("m() <= agent($who, $role)", "r() => agent($who, $role)"));
    assert!(reply_can_fail("m() <= agent($who, $role)", "r() => agent($who, %b)"));
    assert!(reply_can_fail("m($who) <= agent(_, %b)", "r() => agent($who, %b)"));
    assert!(reply_can_fail("m($who) <= agent($who, %b)", "r() => agent($who, %b)"), "the argument binds it");
    assert!(can_fail("$who = sure() then r() => agent($who, %b)"));
    assert!(can_fail("$role = sure() then r() => agent(_, $role)"));
}

#[test]
fn all_receives_that_bind_a_variable_must_agree() {
    let heard = |first: &str, second: &str| {
        can_fail(&format!(
            "(waitfor (m() <= agent($who, {first}) or n() <= agent($who, {second}))) then r() => agent($who, %b)"
        ))
    };
    assert!(!heard("%b", "%b"));
    assert!(heard("%b", "%c"));
    assert!(heard("_", "%b"));
}

const TELL: &str = "r() => agent($to, %b)";

/// Whether the clause `tell` can fail, whose body `tell` uses its parameter `$to`. The entry clause makes the calls
/// after it has received `m($x)` from `$who`, a %b.
#[track_caller]
fn passed_can_fail(calls: &str, tell: &str) -> bool {
    scene_can_fail(&format!(
        "s[ agent(!A, %a, tell, $to) = {tell}
            agent(!A, %a) = (waitfor m($x) <= agent($who, %b)) then ({calls})
            agent(!A, %a, pass, $on) = agent(tell, $on)
            agent(!B, %b) = skip
            agent(!C, %c) = skip ]"
    ))
}

#[test]
fn a_head_variable_is_known_if_every_call_passes_one_that_is() {
    assert!(!passed_can_fail("agent(tell, $who)", TELL));
    assert!(!passed_can_fail("agent(tell, $who) then agent(tell, $who)", TELL));
    assert!(passed_can_fail("agent(tell, $who)", "r() => agent($to, %c)"));
    assert!(passed_can_fail("agent(tell, $x)", TELL));
    assert!(passed_can_fail("agent(tell, !B)", TELL), "a literal name does not count");
    assert!(passed_can_fail("agent(tell, $who) then agent(tell, $x)", TELL), "one call spoils it");
}

#[test]
fn it_may_be_passed_on() {
    assert!(!passed_can_fail("agent(pass, $who)", TELL));
    assert!(passed_can_fail("agent(pass, $x)", TELL));
    assert!(passed_can_fail("agent(pass, $who) then agent(pass, !B)", TELL), "spoiled on the way");
}

#[test]
fn a_recursion_that_passes_it_on_does_no_harm() {
    assert!(!passed_can_fail("agent(tell, $who)", "r() => agent($to, %b) then agent(tell, $to)"));
    assert!(!passed_can_fail("agent(tell, $who)", "r() => agent($to, %b) then agent(pass, $to)"));
    assert!(passed_can_fail("agent(tell, $who)", "r() => agent($to, %b) then agent(tell, !B)"));
    assert!(passed_can_fail("agent(tell, $x)", "r() => agent($to, %b) then agent(tell, $to)"));
}

#[test]
fn senders_of_two_roles_do_not_agree() {
    let text = "s[ agent(!A, %a, tell, $to) = r() => agent($to, %b)
        agent(!A, %a) = (waitfor m() <= agent($who, %b)) then agent(tell, $who) then agent(other)
        agent(!A, %a, other) = (waitfor m() <= agent($who, %c)) then agent(tell, $who)
        agent(!B, %b) = skip
        agent(!C, %c) = skip ]";
    assert!(scene_can_fail(text));
    assert!(!scene_can_fail(&text.replace("<= agent($who, %c)", "<= agent($who, %b)")));
}

#[test]
fn a_call_to_another_head_does_not_spoil_it() {
    let text = "s[ agent(!A, %a, tell, $to) = r() => agent($to, %b)
        agent(!A, %a) = (waitfor m($x) <= agent($who, %b)) then agent(tell, $who) then agent(done, $x)
        agent(!A, %a, done, $to) = skip
        agent(!B, %b) = skip ]";
    assert!(!scene_can_fail(text));
    assert!(scene_can_fail(&text.replace("agent(done, $x)", "agent($x, $x)").replace("done, $to", "_, _")));
}

#[test]
fn a_clause_that_is_never_called_has_no_call_that_could_spoil_it() {
    assert!(!passed_can_fail("skip", TELL));
}

#[test]
fn the_variable_in_front_is_this_agent_and_no_other() {
    assert!(scene_can_fail("s[ agent($me, %a) = m() => agent($me, %a)  agent(!B, %b) = skip ]"));
}

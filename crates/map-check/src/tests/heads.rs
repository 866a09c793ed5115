//! Which heads match which calls.

use map_syntax::ast::OpKind;

use crate::HeadMatch::{self, Certain, Maybe, Never};
use crate::{OwnName, match_head};

use super::{assert_errors, assert_errors_with, parsed, with_checked};

const SINGLE: OwnName<'_> = OwnName { base: "A", literal: true, count: 1 };

/// Whether the head `agent(who, %a, head)` matches the call `agent(call)`.
#[track_caller]
fn judge_as(own: OwnName<'_>, who: &str, head: &str, call: &str) -> HeadMatch {
    let comma = if head.is_empty() { "" } else { ", " };
    let (_, file) = parsed(&format!("s[ agent({who}, %a{comma}{head}) = agent({call}) ]"));
    let clause = &file.scenes().next().unwrap().clauses[0];
    let OpKind::Call { arguments } = &clause.body.kind else { panic!("not a call") };
    match_head(&clause.who, &clause.parameters, arguments, own)
}

#[track_caller]
fn judge(head: &str, call: &str) -> HeadMatch {
    judge_as(SINGLE, "!A", head, call)
}

#[test]
fn numbers_of_terms_must_agree() {
    assert_eq!(judge("", ""), Certain);
    assert_eq!(judge("1", ""), Never);
    assert_eq!(judge("", "$x"), Never);
    assert_eq!(judge("$x", "$x, $y"), Never);
}

#[test]
fn constants_equal_themselves_only() {
    assert_eq!(judge("go, 1, \"a\", %a, !B", "go, 1, \"a\", %a, !B"), Certain);
    for (head, call) in [("go", "stay"), ("1", "2"), ("1", "\"1\""), ("a", "\"a\""), ("a", "%a"), ("B", "!B")]
    {
        assert_eq!(judge(head, call), Never, "{head} {call}");
    }
    assert_eq!(judge("go", "$x"), Maybe);
}

#[test]
fn variables_and_wildcards_of_the_head_take_anything() {
    assert_eq!(judge("$x, _, $y", "1, $a, $a"), Certain);
    assert_eq!(judge("_, _", "1, 2"), Certain);
}

#[test]
fn repeated_variables_of_the_head_compare() {
    assert_eq!(judge("$x, $x", "1, 1"), Certain);
    assert_eq!(judge("$x, $x", "1, 2"), Never);
    assert_eq!(judge("$x, $x", "1, $a"), Maybe);
    assert_eq!(judge("$x, $x", "$a, $b"), Maybe);
    assert_eq!(judge("$x, $x", "$a, $a"), Certain);
    assert_eq!(judge("$x, $x, $y, $y", "$a, $b, $a, $a"), Maybe);
}

#[test]
fn repeated_variables_of_the_call_have_one_value() {
    assert_eq!(judge("1, 2", "$a, $a"), Never);
    assert_eq!(judge("1, 1", "$a, $a"), Maybe);
    assert_eq!(judge("$x, $x, 1, 2", "$a, $b, $a, $b"), Never);
    assert_eq!(judge("$a, 1", "1, $a"), Maybe);
}

#[test]
fn names_of_head_and_call_are_not_confused() {
    assert_eq!(judge("$a, $b", "$b, $a"), Certain);
    assert_eq!(judge("$a, $b, 1, 2", "$b, $a, 1, 2"), Certain);
}

#[test]
fn the_own_name_is_this_agent() {
    assert_eq!(judge("!A", "!A"), Certain);
    assert_eq!(judge("!A", "!B"), Never);
    assert_eq!(judge("!A", "1"), Never);
    assert_eq!(judge("!A", "$x"), Maybe);
    assert_eq!(judge("$x, $x", "!A, !A"), Certain);
    assert_eq!(judge("$x, $x", "!A, !B"), Never);
}

#[test]
fn this_agent_may_be_the_numbered_one() {
    let three = OwnName { count: 3, ..SINGLE };
    assert_eq!(judge_as(three, "!A", "!A2", "!A"), Maybe);
    assert_eq!(judge_as(three, "!A", "!A4", "!A"), Never);
    assert_eq!(judge_as(three, "!A", "!A2", "!A3"), Never);
    assert_eq!(judge_as(three, "!A", "$x, $x, !A2", "!A, !A2, !A"), Maybe);
}

#[test]
fn a_variable_who_is_this_agent() {
    let role = OwnName { literal: false, ..SINGLE };
    assert_eq!(judge_as(role, "$me", "$me", "$x"), Maybe);
    assert_eq!(judge_as(role, "$me", "$me", "1"), Never);
    assert_eq!(judge_as(role, "$me", "$me", "!B"), Never);
    assert_eq!(judge_as(role, "$me", "$me", "!A"), Certain);
    assert_eq!(judge_as(OwnName { count: 2, ..role }, "$me", "$me", "!A2"), Maybe);
    assert_eq!(judge_as(role, "$me", "$x", "$me"), Certain);
}

#[test]
fn a_call_needs_a_head_that_may_take_it() {
    let scene = |call: &str| format!("s[ agent($me, %a) = {call}\n agent($me, %a, loop, $x, $x) = skip ]");
    for right in
        ["agent()", "agent(loop, 1, 1)", "$v = p() then agent(loop, 1, $v)", "$v = p() then agent($v, 1, 1)"]
    {
        assert_errors(&scene(right), &[]);
    }
    for wrong in ["agent(loop)", "agent(lop, 1, 1)", "agent(loop, 1, 2)", "agent(\"loop\", 1, 1)"] {
        assert_errors(&scene(wrong), &[&format!("MAP203 {wrong}@1")]);
    }
}

#[test]
fn a_call_stays_within_its_part() {
    let text =
        "s[ agent(!A, %a) = agent(go)\n agent($x, %a) = agent(go)\n agent($x, %a, go) = skip ]\ncast %a = 2";
    assert_errors(text, &["MAP203 agent(go)@1"]);
}

#[test]
fn an_own_number_is_judged_by_the_cast() {
    let text = "s[ agent(!A, %a) = agent(!A)\n agent(!A, %a, !A2) = skip ]";
    assert_errors_with("a=2", text, &[]);
    assert_errors_with("a=1", text, &["MAP203 agent(!A)@1", "MAP105 !A2@2"]);
}

#[test]
fn the_compiler_asks_the_same_question() {
    let text = "s[ agent($x, %a) = agent(1)\n agent($x, %a, 1) = skip agent($x, %a, $y) = skip agent($x, %a, $x) = skip ]";
    with_checked("", text, |checked| {
        let OpKind::Call { arguments } = &checked.scene.clauses[0].body.kind else { panic!("not a call") };
        let judged: Vec<_> = (0..4).map(|clause| checked.match_clause(clause, arguments)).collect();
        assert_eq!(judged, [Never, Certain, Certain, Never]);
    });
}

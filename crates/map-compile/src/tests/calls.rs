//! The candidates of calls.

use map_ir::PointKind;

use super::compiled_with;

/// Asserts the candidates of the calls in the first clause: the number of the clause in the text, followed by `!` if
/// certain and `?` if not.
#[track_caller]
fn assert_candidates_with(agents: &str, who: &str, call: &str, heads: &[&str], expected: &str) {
    let heads: Vec<String> = heads.iter().map(|head| format!("agent({who}, %a, {head}) = skip\n")).collect();
    let heads = heads.concat();
    let text =
        format!("s[ agent({who}, %a) = {call}\n {heads} agent(!B, %b) = skip agent(!B, %b, 1) = skip ]");
    let compiled = compiled_with(agents, &text);
    let lists = compiled.read(|point| {
        let PointKind::Call { candidates, .. } = &point.kind else { return None };
        let shown = candidates
            .iter()
            .map(|it| format!("{}{}", it.clause.index(), if it.certain { '!' } else { '?' }));
        Some(shown.collect::<Vec<_>>().join(" "))
    });
    assert_eq!(lists.join(", "), expected, "{text}");
}

#[track_caller]
fn assert_candidates(call: &str, heads: &[&str], expected: &str) {
    assert_candidates_with("", "!A", call, heads, expected);
}

#[test]
fn constants_decide() {
    assert_candidates("agent(go, 2)", &["go, 1", "go, 2", "stop, 2"], "2!");
    assert_candidates("agent(\"go\", 1)", &["go, 1", "\"go\", 1", "%a, 1"], "2!");
}

#[test]
fn the_number_of_arguments_decides() {
    assert_candidates("agent(go)", &["go, _", "go", "go, _, _"], "2!");
}

#[test]
fn the_list_ends_with_the_first_that_is_certain() {
    assert_candidates("agent(go, 1)", &["go, $x", "go, 1"], "1!");
    assert_candidates("$x = p() then agent(is, $x)", &["is, 1", "is, 2", "is, _", "is, 3"], "1? 2? 3!");
}

#[test]
fn without_a_certain_one_all_that_may_match_are_listed_in_order() {
    assert_candidates("$x = p() then agent(is, $x)", &["is, 3", "other, _", "is, 1"], "1? 3?");
}

#[test]
fn repeated_variables_ask_for_equal_arguments() {
    let heads = ["pair, $u, $u", "pair, _, _"];
    assert_candidates("agent(pair, 1, 1)", &heads, "1!");
    assert_candidates("agent(pair, 1, 2)", &heads, "2!");
    assert_candidates("$x = p() then agent(pair, $x, $x)", &heads, "1!");
    assert_candidates("$x = p() then $y = p() then agent(pair, $x, $y)", &heads, "1? 2!");
    assert_candidates("$x = p() then agent(pair, $x, 1)", &heads, "1? 2!");
}

#[test]
fn a_literal_own_name_is_this_agent() {
    assert_candidates("agent(is, !A)", &["is, !B", "is, !A"], "2!");
    assert_candidates("agent(is, !B)", &["is, !A", "is, !B"], "2!");
}

#[test]
fn which_of_several_agents_it_is_is_not_known() {
    assert_candidates_with("a=2", "$me", "agent(is, !A2)", &["is, $me", "is, _"], "1? 2!");
    assert_candidates_with("a=2", "$me", "agent(is, !B)", &["is, $me", "is, _"], "2!");
    assert_candidates_with("a=1", "$me", "agent(is, !A)", &["is, $me", "is, _"], "1!");
}

#[test]
fn the_own_name_in_a_variable_is_not_looked_into() {
    assert_candidates_with("", "$me", "agent(is, $me)", &["is, !A", "is, _"], "1? 2!");
}

#[test]
fn a_call_without_arguments_is_the_entry() {
    assert_candidates("agent()", &["1"], "0!");
}

#[test]
fn other_parts_are_not_looked_at() {
    assert_candidates("agent(1)", &["2", "_"], "2!");
}

//! Properties: names, kinds, structure, and files with several scenes.

use super::{assert_errors, assert_errors_with};

const SCENE: &str = "
memory %a { @count = 0 }
procedure ask($x) = $x
s[
  agent(!A, %a) = m(1) => agent(_, %b) then $y = ask(2) then agent(loop, $y)
  agent(!A, %a, loop, _) = skip
  agent($me, %b) = waitfor m(_) <= agent(_, %a)
]";

fn finds(formula: &str, expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|it| format!("{it}@1")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    assert_errors(&format!("property p : {formula}{SCENE}"), &expected);
}

#[test]
fn right_properties() {
    for formula in [
        "always !A@count >= 0",
        "forall $x in %b : eventually $x receives m(_) from !A",
        "forall $x in %b : forall $y in %a : never $y sends m($x) to $x",
        "possible sequence !A sends m(1) to !B ; !A asks ask",
        "not possible !A in loop",
        "(possible ended) implies possible sequence _ asks ask",
        "count($x in %b : $x receives m(_) from _) == mailbox(!A)",
        "always eventually next done(!B)",
    ] {
        finds(formula, &[]);
    }
}

#[test]
fn names_that_the_scene_has_not() {
    finds("done(!C)", &["MAP105 !C"]);
    finds("forall $x in %c : done($x)", &["MAP104 %c"]);
    finds("!A sends n(_) to !B", &["MAP120 n(_)"]);
    finds("!A sends m(_, _) to !B", &["MAP120 m(_, _)"]);
    finds("!A receives m() from !Z", &["MAP120 m()", "MAP105 !Z"]);
    finds("!A asks m", &["MAP121 m"]);
    finds("!A answers loop no", &["MAP121 loop"]);
    finds("!A in loops", &["MAP122 loops"]);
    finds("!B in loop", &["MAP122 loop"]);
    finds("exists $x in %b : $x in loop", &["MAP122 loop"]);
    finds("!A@counts == 1", &["MAP114 @counts"]);
    finds("!B@count == 1", &["MAP114 @count"]);
    finds("!A sends m(%z) to _", &["MAP104 %z"]);
}

#[test]
fn an_agent_of_several_has_its_number() {
    assert_errors_with("b=2", &format!("property p : done(!B){SCENE}"), &["MAP106 !B@1"]);
    assert_errors_with("b=2", &format!("property p : done(!B2) and !B1 != !B2{SCENE}"), &[]);
    assert_errors_with("b=0", &format!("property p : done(!B){SCENE}"), &[]);
}

#[test]
fn variables_stand_for_agents() {
    finds("done($x)", &["MAP123 $x"]);
    finds("forall $x in %b : done($y)", &["MAP123 $y"]);
    finds("(forall $x in %b : done($x)) and done($x)", &["MAP123 $x"]);
    finds("forall $x in %b : exists $x in %a : done($x)", &["MAP123 $x"]);
    finds("count($x in %b : done($x)) == 1 and done($x)", &["MAP123 $x"]);
    finds("$y sends m(1) to _", &["MAP123 $y"]);
    finds("!A sends m(1) to $y", &["MAP123 $y"]);
}

#[test]
fn the_wildcard_is_for_events() {
    finds("done(_)", &["MAP207 _"]);
    finds("_ in loop", &["MAP207 _"]);
    finds("mailbox(_) == 1", &["MAP207 _"]);
    finds("_ sends m(_) to _", &[]);
}

#[test]
fn operators_stand_where_they_make_sense() {
    finds("always possible ended", &["MAP124 possible ended"]);
    finds("possible possible ended", &["MAP124 possible ended"]);
    finds("ended until possible ended", &["MAP124 possible ended"]);
    finds("count($x in %b : always done($x)) == 1", &["MAP124 always done($x)"]);
    finds("count($x in %b : possible done($x)) == 1", &["MAP124 possible done($x)"]);
    finds("possible sequence ended ; !A asks ask", &["MAP124 ended"]);
    finds("possible sequence next !A asks ask", &["MAP124 next !A asks ask"]);
}

#[test]
fn kinds_that_never_fit() {
    finds("!A == 3", &["MAP117 !A == 3"]);
    finds("mailbox(!A) == nobody", &["MAP117 mailbox(!A) == nobody"]);
    finds("!A < !B", &["MAP117 !A", "MAP117 !B"]);
    finds("!A@count < nobody", &["MAP117 nobody"]);
    finds("!A@count == nobody", &[]);
    finds("\"s\" != x", &["MAP117 \"s\" != x"]);
    finds("count($x in %b : $x == 1) == 1", &["MAP117 $x == 1"]);
}

#[test]
fn every_property_has_a_name_of_its_own() {
    assert_errors(
        &format!("property p : ended\nproperty q : ended\nproperty p : ended{SCENE}"),
        &["MAP119 p@3"],
    );
}

#[test]
fn a_property_is_about_some_scene_of_the_file() {
    let other = "t[ agent(!Z, %z) = skip ]";
    assert_errors(&format!("property p : done(!Z)\nproperty q : done(!A){SCENE}{other}"), &[]);
    // No scene has both.
    assert_errors(&format!("property p : done(!Z) and done(!A){SCENE}{other}"), &["MAP105 !Z@1"]);
    assert_errors_with("t", &format!("property p : done(!Z) and done(!A){SCENE}{other}"), &["MAP105 !A@1"]);
}

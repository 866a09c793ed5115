//! What is still checked in a text with syntax errors.

use map_diagnostics::SourceFile;

use crate::check_around;

fn codes(text: &str) -> Vec<&'static str> {
    let parsed = map_syntax::parse(&SourceFile::new("test.map", text));
    assert!(!parsed.diagnostics.is_empty(), "{text}");
    check_around(&parsed.file, &parsed.diagnostics).iter().map(|it| it.code.as_str()).collect()
}

#[test]
fn the_variables_of_whole_clauses_are_checked() {
    let unbound = "agent(!A, %a, go) = m($x) => agent(!B, %b)";
    for broken in [
        "agent(!B, %b) = skip skip",
        "agent(!B, %b) = waitfor m(1 2) <= agent(!A, %a)",
        "agent(!B %b) = skip",
        "agent(!B, %b) = skip ?",
    ] {
        assert_eq!(codes(&format!("s[ {unbound} \n {broken} ]")), ["MAP204"], "{broken}");
    }
    assert_eq!(codes(&format!("s[ {unbound} ] cast %b = = 3")), ["MAP204"]);
}

#[test]
fn nothing_is_said_of_what_may_follow_from_a_syntax_error() {
    for broken in [
        // A hole may bind anything, and what stands in it may be read or bound elsewhere.
        "s[ agent(!A, %a) = waitfor m($x <= agent(!B, %b) then n($x) => agent(!B, %b) ]",
        "s[ agent(!A, %a) = n($x) => agent(!B, %b) then skip skip ]",
        "s[ agent(!A, %a, go) = skip agent(!A, %a = agent(go) ]",
        // Missing clauses, agents and roles.
        "s[ agent(!A, %a, go) = m() => agent(!B, %b) agent(!A, %a = agent(go) agent(!B %b) = skip ]",
        "s[ agent(!A, %a) = p(1) then $x = q(2) then p(1, 2) ] procedure p($a procedure q() cast %c = 3 x",
    ] {
        assert_eq!(codes(broken), [""; 0], "{broken}");
    }
}

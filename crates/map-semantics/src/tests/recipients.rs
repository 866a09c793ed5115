//! The recipients of a send, for every kind of address.

use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_ir::{AgentId, Program, RoleId, Symbol, Value};

use crate::send::recipients;
use crate::{Bounds, Message, Path, SceneState};

/// !A and !Boss have role %a; !B1, !B2 and !B3 have role %b; !C has role %c. The clauses mention !D, but it is not in
/// the cast.
const SCENE: &str = "cast %b = 3  cast !D = 0
s[
    agent(!A, %a) = skip
    agent(!Boss, %a) = skip
    agent($me, %b) = m(!D) => agent(_, %d) or skip
    agent(!C, %c) = skip
    agent(!D, %d) = skip
]";

fn program(text: &str) -> Program {
    let source = SourceFile::new("test.map", text);
    let parsed = map_syntax::parse(&source);
    let (checked, errors) = map_check::check(&parsed.file, &map_check::CheckOptions::default());
    assert!(errors.is_empty() && parsed.diagnostics.is_empty(), "{errors:?}");
    map_compile::compile(&checked.unwrap())
}

fn agent(program: &Program, name: &str) -> AgentId {
    AgentId::new(program.agent_names.iter().position(|it| it == name).unwrap())
}

/// A word of an address: `_`, `!A`, `%a`, `?` for an abstract value, or an integer.
fn value(program: &Program, word: &str) -> Option<Value> {
    Some(match word.split_at(1) {
        ("_", "") => return None,
        ("?", "") => Value::Abstract(Symbol(0)),
        ("!", name) => Value::Agent(agent(program, name)),
        ("%", name) => Value::Role(RoleId::new(program.roles.iter().position(|it| it == name).unwrap())),
        _ => Value::Integer(word.parse().unwrap()),
    })
}

/// Asserts which sets `address` (a name and a role) may mean to a sender. In `expected` agents are separated by spaces
/// and sets by `|`, and `-` is the empty set.
#[track_caller]
fn assert_reaches(sender: &str, address: &str, expected: &str) {
    let program = program(SCENE);
    let (name, role) = address.split_once(' ').unwrap();
    let sets = recipients(&program, agent(&program, sender), value(&program, name), value(&program, role));
    let shown = sets.iter().map(|set| {
        let names: Vec<&str> = set.iter().map(|&agent| program.agent_name(agent)).collect();
        if names.is_empty() { "-".to_owned() } else { names.join(" ") }
    });
    assert_eq!(shown.collect::<Vec<_>>().join(" | "), expected, "{sender} to {address}");
}

#[test]
fn a_name_and_a_role_are_one_agent_or_none() {
    assert_reaches("A", "!B2 %b", "B2");
    assert_reaches("A", "!B2 %c", "-");
    assert_reaches("A", "!D %d", "-");
}

#[test]
fn a_wildcard_is_everybody_else() {
    assert_reaches("A", "_ %b", "B1 B2 B3");
    assert_reaches("B2", "_ %b", "B1 B3");
    assert_reaches("C", "_ _", "A Boss B1 B2 B3");
    assert_reaches("A", "!C _", "C");
    assert_reaches("A", "_ %d", "-");
}

#[test]
fn the_sender_is_never_meant() {
    assert_reaches("C", "!C %c", "-");
    assert_reaches("C", "!C _", "-");
    assert_reaches("C", "_ %c", "-");
}

#[test]
fn values_of_another_kind_are_nobody() {
    assert_reaches("A", "1 %b", "-");
    assert_reaches("A", "!B1 1", "-");
    assert_reaches("A", "%b %b", "-");
    assert_reaches("A", "!B1 !B1", "-");
}

#[test]
fn an_abstract_name_is_each_other_agent_of_the_role_or_none() {
    assert_reaches("A", "? %b", "- | B1 | B2 | B3");
    assert_reaches("B2", "? %b", "- | B1 | B3");
    assert_reaches("C", "? %a", "- | A | Boss");
    assert_reaches("C", "? _", "- | A | Boss | B1 | B2 | B3");
}

#[test]
fn an_abstract_name_in_a_role_of_nobody_is_nobody_for_certain() {
    assert_reaches("A", "? %d", "-");
    assert_reaches("C", "? %c", "-");
    assert_reaches("A", "? 1", "-");
}

#[test]
fn an_abstract_role_is_each_role_with_another_agent_or_none() {
    assert_reaches("A", "_ ?", "- | Boss | B1 B2 B3 | C");
    assert_reaches("C", "_ ?", "- | A Boss | B1 B2 B3");
}

#[test]
fn an_abstract_role_of_a_named_agent_is_its_role_or_none() {
    assert_reaches("A", "!B1 ?", "- | B1");
    assert_reaches("A", "!A ?", "-");
    assert_reaches("A", "!D ?", "-");
    assert_reaches("A", "1 ?", "-");
}

#[test]
fn an_abstract_name_and_role_are_each_other_agent_or_none() {
    assert_reaches("B1", "? ?", "- | A | Boss | B2 | B3 | C");
}

#[test]
fn a_multicast_is_one_message_in_all_mailboxes() {
    let program = program(
        "s[ agent(!A, %a) = m(1) => agent(_, %b) agent($me, %b) = waitfor n() <= agent(_, %a) ] cast %b = 50",
    );
    let bounds = Bounds::USUAL;
    let mut state = SceneState::start(&program, &bounds, &[]).0.expect("there is a first state");
    state.step(&program, &bounds, agent(&program, "A"), 0, crate::Turn::Act, &mut Path::default());
    let received: Vec<&Arc<Message>> = state.agents.iter().flat_map(|it| it.mailbox.iter()).collect();
    assert_eq!(received.len(), 50);
    assert!(received.iter().all(|message| Arc::ptr_eq(message, received[0])));
}

//! Visiting and renaming the symbols of an agent's state.

use std::sync::Arc;

use map_ir::{AgentId, ClauseId, PerformativeId, PointId, Symbol, Value};

use crate::{AgentState, Control, Mailbox, Message, Node, NodeKind, Side, Status, UnderWay};

const fn symbol(number: u32) -> Value {
    Value::Abstract(Symbol(number))
}

fn activation(below: Option<u32>, variables: &[Option<Value>]) -> Node {
    let call = below.map(|_| PointId::new(7));
    Node {
        below,
        kind: NodeKind::Activation { clause: ClauseId::new(0), variables: variables.to_vec(), call },
    }
}

fn thread(below: u32, point: usize) -> Node {
    Node { below: Some(below), kind: NodeKind::Thread(PointId::new(point)) }
}

fn message(arguments: &[Value]) -> Arc<Message> {
    let sender = AgentId::new(0);
    Arc::new(Message { performative: PerformativeId::new(0), sender, arguments: arguments.to_vec() })
}

fn mailbox(messages: impl IntoIterator<Item = Arc<Message>>) -> Mailbox {
    let mut mailbox = Mailbox::default();
    messages.into_iter().for_each(|message| mailbox.push(message));
    mailbox
}

/// Two activations and a `par`, with #5, #3, #5, #8 in variables, #7 in memory, and #3, #9, #5 in the mailbox.
fn state() -> AgentState {
    let fork = NodeKind::Fork { point: PointId::new(4), sides: vec![Side::Running, Side::Ended(true)] };
    let nodes = vec![
        activation(None, &[Some(symbol(5)), None, Some(Value::Integer(1)), Some(symbol(3))]),
        activation(Some(0), &[Some(symbol(5)), Some(symbol(8))]),
        Node { below: Some(1), kind: fork },
        Node { below: Some(2), kind: NodeKind::SideOf(0) },
        thread(3, 9),
    ];
    let messages = [message(&[symbol(3), Value::Integer(2)]), message(&[]), message(&[symbol(9), symbol(5)])];
    let memory = vec![symbol(7), Value::Integer(0)];
    let mailbox = mailbox(messages);
    AgentState {
        status: Status::Running,
        control: Control { nodes },
        memory,
        mailbox,
        under_way: UnderWay::default(),
        calls: Vec::new(),
    }
}

fn seen(state: &AgentState) -> Vec<u32> {
    let mut seen = Vec::new();
    state.visit_symbols(&mut |symbol| seen.push(symbol.0));
    seen
}

#[test]
fn symbols_are_visited_in_variables_then_in_memory_then_in_the_mailbox() {
    assert_eq!(seen(&state()), [5, 3, 5, 8, 7, 3, 9, 5]);
}

#[test]
fn an_agent_that_has_ended_holds_none() {
    let ended = AgentState {
        status: Status::Done,
        control: Control::default(),
        memory: Vec::new(),
        mailbox: Mailbox::default(),
        under_way: UnderWay::default(),
        calls: vec![1],
    };
    assert_eq!(seen(&ended), Vec::<u32>::new());
}

#[test]
fn renaming_visits_in_the_same_order() {
    let mut state = state();
    let mut visited = Vec::new();
    state.rename_symbols(&mut |symbol| {
        visited.push(symbol.0);
        Symbol(visited.len() as u32 + 100)
    });
    assert_eq!(visited, [5, 3, 5, 8, 7, 3, 9, 5]);
    assert_eq!(seen(&state), [101, 102, 103, 104, 105, 106, 107, 108]);
}

#[test]
fn renaming_changes_symbols_only() {
    let mut renamed = state();
    renamed.rename_symbols(&mut |symbol| symbol);
    assert_eq!(renamed, state());
}

#[test]
fn messages_shared_with_others_are_not_renamed_there() {
    let shared = message(&[symbol(1)]);
    let mut state = state();
    state.mailbox = mailbox([Arc::clone(&shared)]);
    state.rename_symbols(&mut |symbol| Symbol(symbol.0 + 1));
    let renamed = state.mailbox.iter().next().expect("there is one");
    assert_eq!((shared.arguments[0], renamed.arguments[0]), (symbol(1), symbol(2)));
}

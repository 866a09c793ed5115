//! "Mailboxes are bags": a fixed order for the messages of a state, whatever its symbols are called.
//!
//! The bags are written out agent by agent, always taking a smallest message, where a symbol that was not seen before
//! counts as larger than those that were. Where several messages are smallest, each is tried; the smallest text counts.

use super::state::{AgentState, Message, State, Status, Value};

/// The symbols and fresh values seen so far, in order.
#[derive(Clone, Default)]
struct Seen<'a>(Vec<Value<'a>>);

impl<'a> Seen<'a> {
    fn note(&mut self, value: Value<'a>) {
        if matches!(value, Value::Symbol(_) | Value::Fresh(_)) && !self.0.contains(&value) {
            self.0.push(value);
        }
    }

    /// The message up to renaming: values seen before by their number, new ones by the order in which the message
    /// itself introduces them.
    fn known(&self, message: &Message<'a>) -> Message<'a> {
        let mut seen = self.clone();
        let mut message = message.clone();
        for argument in &mut message.arguments {
            seen.note(*argument);
            let number = || seen.0.iter().position(|it| it == argument).map_or(0, |at| at as u32);
            *argument = match *argument {
                Value::Symbol(_) => Value::Symbol(number()),
                Value::Fresh(_) => Value::Fresh(number()),
                other => other,
            };
        }
        message
    }
}

/// The text so far, and the bags in the order in which they were written.
#[derive(Clone, Default)]
struct Written<'a> {
    seen: Seen<'a>,
    text: Vec<Vec<Message<'a>>>,
    bags: Vec<Vec<Message<'a>>>,
}

/// The state with the messages of each agent in a fixed order.
pub(super) fn in_order(mut state: State<'_>) -> State<'_> {
    let mut start = Written::default();
    for agent in &mut state.agents {
        own_values(agent, &mut |value| start.seen.note(value));
    }
    let bags: Vec<_> = state.agents.iter().map(|agent| agent.mailbox.clone()).collect();
    let written = write(start, &bags);
    for (agent, bag) in state.agents.iter_mut().zip(written.bags) {
        agent.mailbox = bag;
    }
    state
}

/// The values of cells, variables and messages under way.
fn own_values<'a>(agent: &mut AgentState<'a>, see: &mut impl FnMut(Value<'a>)) {
    agent.memory.values().for_each(|&value| see(value));
    if let Status::Running(thread) = &mut agent.status {
        thread.each_activation(&mut |it| it.variables.values().for_each(|&value| see(value)));
    }
    agent.under_way.values().flatten().flat_map(|message| &message.arguments).for_each(|&value| see(value));
}

/// Writes the remaining bags.
fn write<'a>(mut written: Written<'a>, bags: &[Vec<Message<'a>>]) -> Written<'a> {
    let Some((bag, rest)) = bags.split_first() else { return written };
    written.bags.push(Vec::new());
    written.text.push(Vec::new());
    write_bag(written, bag, rest)
}

fn write_bag<'a>(mut written: Written<'a>, bag: &[Message<'a>], rest: &[Vec<Message<'a>>]) -> Written<'a> {
    let Some(smallest) = bag.iter().map(|message| written.seen.known(message)).min() else {
        return write(written, rest);
    };
    written.text.last_mut().expect("the bag was begun").push(smallest.clone());
    let mut tried: Vec<&Message<'a>> = Vec::new();
    let mut best: Option<Written<'a>> = None;
    for (index, message) in bag.iter().enumerate() {
        if written.seen.known(message) != smallest || tried.contains(&message) {
            continue;
        }
        tried.push(message);
        let mut next = written.clone();
        next.bags.last_mut().expect("the bag was begun").push(message.clone());
        message.arguments.iter().for_each(|&argument| next.seen.note(argument));
        let mut left = bag.to_vec();
        left.remove(index);
        let found = write_bag(next, &left, rest);
        if best.as_ref().is_none_or(|best| found.text < best.text) {
            best = Some(found);
        }
    }
    best.expect("there is a smallest message")
}

//! The order of bags: where mailboxes are bags, messages that differ only in their abstract or fresh values have to
//! stand in an order that does not depend on how these are named, or one state would be counted as several.
//!
//! The method is that of canonical labelling: symbols are told apart by where they occur, again and again; what stays
//! alike is told apart by trying each, and the smallest result counts.

use std::collections::{BTreeMap, BTreeSet};

use map_ir::{Symbol, Value};

use crate::{AgentState, Message};

/// For every symbol its class; in the end each has one of its own.
type Classes = BTreeMap<Symbol, u32>;

/// For every agent its messages with the symbols replaced by their classes, sorted.
type Picture = Vec<Vec<Message>>;

/// Orders the messages of every mailbox of a scene whose mailboxes are bags. The result depends on the scene, not on
/// how its symbols are named: scenes that differ in the names of symbols only have their messages in the same order.
pub fn order_bags(agents: &mut [AgentState]) {
    if !agents.iter().any(|agent| agent.mailbox.has_ties()) {
        return;
    }
    let (_, classes) = tell_apart(agents, first_classes(agents));
    for agent in agents {
        // First as `Mailbox::insert` does it, then what that leaves open.
        agent.mailbox.sort_by_key(|message| (renamed(message, |_| Symbol(0)), in_classes(message, &classes)));
    }
}

/// Symbols that variables and cells hold are numbered by first occurrence; all others make up one class.
fn first_classes(agents: &[AgentState]) -> Classes {
    let mut classes = Classes::new();
    for agent in agents {
        agent.visit_own_symbols(&mut |symbol| {
            let next = classes.len() as u32;
            classes.entry(symbol).or_insert(next);
        });
    }
    let rest = classes.len() as u32;
    for agent in agents {
        agent.visit_symbols(&mut |symbol| {
            classes.entry(symbol).or_insert(rest);
        });
    }
    classes
}

/// Gives every symbol a class of its own; the picture is the smallest there is.
fn tell_apart(agents: &[AgentState], classes: Classes) -> (Picture, Classes) {
    let classes = refine(agents, classes);
    let alike = alike(&classes);
    let mut best: Option<(Picture, Classes)> = None;
    for (index, &symbol) in alike.iter().enumerate() {
        if alike[..index].iter().any(|&tried| may_be_swapped(agents, tried, symbol)) {
            continue;
        }
        // In front of those it was alike with.
        let singled_out = classes.iter().map(|(&it, &class)| (it, 2 * class + u32::from(it != symbol)));
        let found = tell_apart(agents, singled_out.collect());
        if best.as_ref().is_none_or(|(picture, _)| found.0 < *picture) {
            best = Some(found);
        }
    }
    best.unwrap_or_else(|| (picture(agents, &classes), classes))
}

/// The symbols of the first class that has several; none if every class has one.
fn alike(classes: &Classes) -> Vec<Symbol> {
    let mut members: BTreeMap<u32, Vec<Symbol>> = BTreeMap::new();
    for (&symbol, &class) in classes {
        members.entry(class).or_default().push(symbol);
    }
    members.into_values().find(|members| members.len() > 1).unwrap_or_default()
}

/// Splits classes by where their symbols occur, until nothing changes.
fn refine(agents: &[AgentState], mut classes: Classes) -> Classes {
    loop {
        let mut occurrences: BTreeMap<Symbol, Vec<(usize, usize, Message)>> = BTreeMap::new();
        for (agent, state) in agents.iter().enumerate() {
            for message in state.mailbox.iter() {
                for (place, argument) in message.arguments.iter().enumerate() {
                    if let Some(symbol) = argument.symbol() {
                        let seen = (agent, place, in_classes(message, &classes));
                        occurrences.entry(symbol).or_default().push(seen);
                    }
                }
            }
        }
        occurrences.values_mut().for_each(|seen| seen.sort_unstable());
        let mark = |symbol: &Symbol, class: u32| (class, occurrences.get(symbol));
        let marks: BTreeSet<_> = classes.iter().map(|(symbol, &class)| mark(symbol, class)).collect();
        let ranks: BTreeMap<_, u32> = marks.into_iter().zip(0..).collect();
        let refined: Classes =
            classes.iter().map(|(symbol, &class)| (*symbol, ranks[&mark(symbol, class)])).collect();
        let count = |classes: &Classes| classes.values().collect::<BTreeSet<_>>().len();
        let settled = count(&refined) == count(&classes);
        classes = refined;
        if settled {
            return classes;
        }
    }
}

/// Whether the scene stays the same when two symbols that only mailboxes hold change places.
fn may_be_swapped(agents: &[AgentState], a: Symbol, b: Symbol) -> bool {
    agents.iter().all(|agent| {
        let mut before: Vec<Message> = agent.mailbox.iter().map(|message| Message::clone(message)).collect();
        let swap = |symbol: Symbol| {
            if symbol == a {
                b
            } else if symbol == b {
                a
            } else {
                symbol
            }
        };
        let mut after: Vec<Message> = before.iter().map(|message| renamed(message, swap)).collect();
        before.sort_unstable();
        after.sort_unstable();
        before == after
    })
}

fn picture(agents: &[AgentState], classes: &Classes) -> Picture {
    let bag = |agent: &AgentState| {
        let mut bag: Vec<Message> =
            agent.mailbox.iter().map(|message| in_classes(message, classes)).collect();
        bag.sort_unstable();
        bag
    };
    agents.iter().map(bag).collect()
}

fn in_classes(message: &Message, classes: &Classes) -> Message {
    renamed(message, |symbol| Symbol(classes[&symbol]))
}

fn renamed(message: &Message, rename: impl Fn(Symbol) -> Symbol) -> Message {
    let mut message = message.clone();
    for symbol in message.arguments.iter_mut().filter_map(Value::symbol_mut) {
        *symbol = rename(*symbol);
    }
    message
}

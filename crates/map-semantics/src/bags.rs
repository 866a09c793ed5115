//! A canonical order for mailboxes that are bags. Messages that differ only in their abstract or fresh values must be
//! ordered independently of how these are named, or one state would be counted as several.
//!
//! The method is canonical labelling by individualisation and refinement (McKay, *Practical graph isomorphism*, 1981):
//! colour refinement (Weisfeiler-Leman) separates symbols by where they occur; each symbol of a class that remains
//! ambiguous is singled out in turn, and the smallest result is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use map_ir::{Symbol, Value};

use crate::{AgentState, Message};

/// The class (colour) of each symbol; in the end every symbol has a class of its own.
type Classes = BTreeMap<Symbol, u32>;

/// For every agent its messages with symbols replaced by their classes, sorted: what labellings are compared by.
type Certificate = Vec<Vec<Message>>;

/// Orders the messages of every mailbox of a scene whose mailboxes are bags. Scenes that are equal up to the names of
/// their symbols get the same order.
pub fn order_bags(agents: &mut [Arc<AgentState>]) {
    if !agents.iter().any(|agent| agent.mailbox.has_ties()) {
        return;
    }
    let (_, classes) = canonical_labelling(agents, first_classes(agents));
    for agent in agents {
        // Ties in the order of `Mailbox::insert` are broken by the classes.
        let mailbox = &mut Arc::make_mut(agent).mailbox;
        mailbox.sort_by_key(|message| (renamed(message, |_| Symbol(0)), in_classes(message, &classes)));
    }
}

/// The initial colouring: symbols held by variables and cells are numbered by first occurrence, and all others share
/// one class.
fn first_classes(agents: &[Arc<AgentState>]) -> Classes {
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

/// Refines the classes until each has one symbol, choosing the labelling with the smallest certificate.
fn canonical_labelling(agents: &[Arc<AgentState>], classes: Classes) -> (Certificate, Classes) {
    let classes = refine(agents, classes);
    let ambiguous = ambiguous(&classes);
    let mut best: Option<(Certificate, Classes)> = None;
    for (index, &symbol) in ambiguous.iter().enumerate() {
        if ambiguous[..index].iter().any(|&tried| are_interchangeable(agents, tried, symbol)) {
            continue;
        }
        // Before the rest of its class.
        let individualised = classes.iter().map(|(&it, &class)| (it, 2 * class + u32::from(it != symbol)));
        let found = canonical_labelling(agents, individualised.collect());
        if best.as_ref().is_none_or(|(certificate, _)| found.0 < *certificate) {
            best = Some(found);
        }
    }
    best.unwrap_or_else(|| (certificate(agents, &classes), classes))
}

/// The symbols of the first class that has several; empty if there is no such class.
fn ambiguous(classes: &Classes) -> Vec<Symbol> {
    let mut members: BTreeMap<u32, Vec<Symbol>> = BTreeMap::new();
    for (&symbol, &class) in classes {
        members.entry(class).or_default().push(symbol);
    }
    members.into_values().find(|members| members.len() > 1).unwrap_or_default()
}

/// Colour refinement: splits classes by where their symbols occur, until the partition is stable.
fn refine(agents: &[Arc<AgentState>], mut classes: Classes) -> Classes {
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

/// Whether swapping two symbols that only mailboxes hold leaves the scene unchanged (an automorphism).
fn are_interchangeable(agents: &[Arc<AgentState>], a: Symbol, b: Symbol) -> bool {
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

fn certificate(agents: &[Arc<AgentState>], classes: &Classes) -> Certificate {
    let bag = |agent: &Arc<AgentState>| {
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

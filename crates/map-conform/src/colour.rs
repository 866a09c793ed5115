//! What tells the agents of a class apart in a hypothesis.

use map_ir::{AgentId, PerformativeId, Value};
use map_semantics::{Message, NodeKind};

use crate::hypothesis::Hypothesis;
use crate::orbits::{Exchange, Orbits};
use crate::pending::Arrivals;

/// Where an agent, or what belongs to it, occurs in a hypothesis. Its own name does not matter to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Colour {
    /// The places among variables, memory, and messages, each with what is there: its name, or which of its values.
    places: Vec<(u32, usize)>,
    /// How often it occurs where places have no order that does not depend on names.
    elsewhere: usize,
    /// Whether it lacks a copy of the last message, or may lack it.
    lacks_copy: bool,
    /// The performatives of which nothing is left from before the log.
    settled: Vec<PerformativeId>,
    /// Its pending messages.
    pending: Vec<(PerformativeId, Vec<Token>)>,
}

/// An argument of a pending message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Token {
    /// The sender's name, or which of its values.
    Own(usize),
    /// Anything else.
    Value(Value),
}

impl Colour {
    /// Whether exchanging two agents of this colour does not change the hypothesis.
    pub(crate) fn is_exact(&self) -> bool {
        self.places.is_empty() && self.elsewhere == 0
    }

    /// Whether the agent does not occur at all.
    pub(crate) fn is_blank(&self) -> bool {
        *self == Self::default()
    }
}

/// The colours of all agents.
pub(crate) struct Colours(Vec<Colour>);

impl Colours {
    pub(crate) fn of(orbits: &Orbits, arrivals: Arrivals, hypothesis: &Hypothesis) -> Self {
        let mut colours = Self(vec![Colour::default(); orbits.agents()]);
        let mut place = 0;
        let mut see = |colours: &mut Self, value: Value| {
            if let Some((agent, which)) = orbits.owner(value) {
                colours.0[agent.index()].places.push((place, which));
            }
            place += 1;
        };
        for node in &hypothesis.state.control.nodes {
            if let NodeKind::Activation { variables, .. } = &node.kind {
                variables.iter().flatten().for_each(|&value| see(&mut colours, value));
            }
        }
        hypothesis.state.memory.iter().for_each(|&value| see(&mut colours, value));
        let copied = hypothesis.copies.as_ref().map(|(message, _)| message);
        for message in hypothesis.state.mailbox.iter().chain(copied) {
            see(&mut colours, Value::Agent(message.sender));
            message.arguments.iter().for_each(|&value| see(&mut colours, value));
        }
        let lacking = hypothesis.copies.iter().flat_map(|(_, lacking)| lacking);
        let copied = hypothesis.before.iter().flat_map(|before| &before.copied).flat_map(|(_, to)| to);
        lacking.chain(copied).for_each(|agent| colours.0[agent.index()].lacks_copy = true);
        for (agent, performative) in hypothesis.before.iter().flat_map(|before| &before.settled) {
            colours.0[agent.index()].settled.push(*performative);
        }
        for constraint in &hypothesis.open {
            constraint.visit_values(&mut |value| colours.see_elsewhere(orbits, value));
        }
        hypothesis.pending.iter().for_each(|message| colours.see_pending(orbits, message));
        // Whatever the order in which they are kept.
        if arrivals == Arrivals::Unordered {
            colours.0.iter_mut().for_each(|colour| colour.pending.sort_unstable());
        }
        colours
    }

    pub(crate) fn agent(&self, agent: AgentId) -> &Colour {
        &self.0[agent.index()]
    }

    fn see_elsewhere(&mut self, orbits: &Orbits, value: Value) {
        if let Some((agent, _)) = orbits.owner(value) {
            self.0[agent.index()].elsewhere += 1;
        }
    }

    fn see_pending(&mut self, orbits: &Orbits, message: &Message) {
        let mut tokens = Vec::with_capacity(message.arguments.len());
        for &value in &message.arguments {
            tokens.push(match orbits.owner(value) {
                Some((agent, which)) if agent == message.sender => Token::Own(which),
                _ => Token::Value(value),
            });
            if !matches!(tokens.last(), Some(Token::Own(_))) {
                self.see_elsewhere(orbits, value);
            }
        }
        self.0[message.sender.index()].pending.push((message.performative, tokens));
    }

    /// One member of each colour in an agent's class, the first; all whose exchange may change something.
    pub(crate) fn representatives(&self, class: &[AgentId]) -> Vec<AgentId> {
        let mut found: Vec<AgentId> = Vec::new();
        for &member in class {
            let colour = self.agent(member);
            if !colour.is_exact() || !found.iter().any(|it| self.agent(*it) == colour) {
                found.push(member);
            }
        }
        found
    }

    /// What has to be exchanged so that the members of each class are sorted by colour.
    pub(crate) fn sorting(&self, orbits: &Orbits) -> Exchange {
        let mut exchange = Exchange::new();
        for class in orbits.classes() {
            if class.is_sorted_by_key(|it| self.agent(*it)) {
                continue;
            }
            let mut sorted = class.to_vec();
            sorted.sort_by_key(|it| self.agent(*it));
            for (&from, &to) in sorted.iter().zip(class).filter(|(from, to)| from != to) {
                orbits.move_to(from, to, &mut exchange);
            }
        }
        exchange
    }
}

//! Receive-conflict analysis: between which messages of a mailbox a receive could choose. Only their order matters.
//!
//! A receive takes the oldest message that fits. A place of its pattern *discriminates* messages if it is compared
//! with a value, and both that value and what is sent there can only be constants: at any moment all messages that
//! fit have the same value there. Abstract values do not discriminate, since whether one fits is open; nor do names
//! of agents, which differ between states that symmetry identifies.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use map_ir::{
    AgentId, Operand, PartId, Pattern, PerformativeId, Place, PointKind, Program, RoleId, Test, TracedValues,
    Value, ValueFlow,
};
use map_semantics::Message;

#[cfg(test)]
mod tests;

/// The receives of a program, and what they can take.
pub(crate) struct Receives<'a> {
    program: &'a Program,
    /// Where values can flow that are not constants, the same in every state.
    unfixed: ValueFlow,
    receives: BTreeMap<(PartId, PerformativeId), Vec<Receive<'a>>>,
    /// By performative: the roles that send it.
    sent_by: Vec<BTreeSet<RoleId>>,
}

/// The pattern of a receive.
struct Receive<'a> {
    tests: &'a [Test],
    /// The places that discriminate messages.
    discriminating: Vec<Place>,
}

/// A receive could choose between two messages if they share a claim: the receive, and the values at its
/// discriminating places.
type Claim = (usize, Vec<Value>);

impl<'a> Receives<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        let unfixed = ValueFlow::new(program, TracedValues::Unfixed);
        let mut receives: BTreeMap<_, Vec<Receive<'_>>> = BTreeMap::new();
        let mut sent_by = vec![BTreeSet::new(); program.performatives.len()];
        for point in &program.points {
            let part = program.clause(point.clause).part;
            match &point.kind {
                PointKind::Receive { performative, pattern, .. } => {
                    let is_fixed = |operand| match operand {
                        Operand::Constant(value) => !matches!(value, Value::Agent(_)),
                        Operand::Variable(slot) => !unfixed.variable(point.clause, slot),
                        Operand::Own | Operand::Expression(_) => false,
                    };
                    let discriminating = compared(pattern)
                        .filter(|&(place, operand)| {
                            is_constant(program, &unfixed, *performative, place as usize) && is_fixed(operand)
                        })
                        .map(|(place, _)| place)
                        .collect();
                    let receive = Receive { tests: &pattern.tests, discriminating };
                    receives.entry((part, *performative)).or_default().push(receive);
                }
                PointKind::Send { performative, .. } => {
                    sent_by[performative.index()].insert(program.part(part).role);
                }
                _ => {}
            }
        }
        Self { program, unfixed, receives, sent_by }
    }

    /// Whether at most one role sends messages with this performative.
    pub(crate) fn one_role_sends(&self, performative: PerformativeId) -> bool {
        self.sent_by[performative.index()].len() < 2
    }

    /// Whether no receive of the part can ever choose between messages that differ at this place.
    pub(crate) fn is_discriminating(&self, part: PartId, performative: PerformativeId, place: usize) -> bool {
        let mut receives = self.receives.get(&(part, performative)).into_iter().flatten();
        is_constant(self.program, &self.unfixed, performative, place)
            && receives.all(|receive| receive.discriminating.contains(&(place as Place)))
    }

    /// The normal form of a mailbox, as an order of its messages; `None` if they are in this order. Messages between
    /// which a receive could choose keep their order of arrival; the normal form is the least order that respects
    /// this (A. Anisimov and D. Knuth, "Inhomogeneous sorting", 1979). So it depends neither on the order of arrival
    /// of other messages nor on earlier reordering.
    pub(crate) fn order(&self, agent: AgentId, messages: &[Arc<Message>]) -> Option<Vec<usize>> {
        if messages.len() < 2 {
            return None;
        }
        let part = self.program.agent(agent).part;
        let keys: Vec<OrderKey> = messages.iter().map(|message| self.key(part, agent, message)).collect();
        let ranks = ranks(&keys);
        let mut order: Vec<usize> = Vec::with_capacity(messages.len());
        for (index, key) in keys.iter().enumerate() {
            let mut place = order.len();
            for (earlier, &other) in order.iter().enumerate().rev() {
                // One with an equal key has gone as far back as this one could.
                if ranks[other] == ranks[index] || keys[other].keeps_its_place_before(key) {
                    break;
                }
                if ranks[other] > ranks[index] {
                    place = earlier;
                }
            }
            order.insert(place, index);
        }
        (!order.is_sorted()).then_some(order)
    }

    fn key(&self, part: PartId, agent: AgentId, message: &Message) -> OrderKey {
        let claims = self.claims(part, agent, message);
        let shape = || (message.sender, message.arguments.iter().map(shape).collect());
        let untaken = claims.is_empty().then(shape);
        OrderKey { performative: message.performative, claims, untaken }
    }

    /// The claims of the part's receives that could take a message.
    fn claims(&self, part: PartId, agent: AgentId, message: &Message) -> BTreeSet<Claim> {
        let at = |place: u32| message.at(self.program, place as usize);
        let fits = |test: &Test| match *test {
            Test::Operand(place, Operand::Constant(value)) => at(place).equals(value) != Some(false),
            Test::Operand(place, Operand::Own) => at(place).equals(Value::Agent(agent)) != Some(false),
            Test::Operand(_, Operand::Variable(_) | Operand::Expression(_)) => true,
            Test::Same(first, second) => at(first).equals(at(second)) != Some(false),
        };
        let receives = self.receives.get(&(part, message.performative)).into_iter().flatten();
        receives
            .enumerate()
            .filter(|(_, receive)| receive.tests.iter().all(fits))
            .map(|(index, receive)| (index, receive.discriminating.iter().map(|&it| at(it)).collect()))
            .collect()
    }
}

/// The places of a pattern that are compared with values, and these values.
fn compared(pattern: &Pattern) -> impl Iterator<Item = (Place, Operand)> + '_ {
    pattern.tests.iter().filter_map(|test| match *test {
        Test::Operand(place, operand) => Some((place, operand)),
        Test::Same(..) => None,
    })
}

/// Whether what is sent at a place can only be constants.
fn is_constant(program: &Program, unfixed: &ValueFlow, performative: PerformativeId, place: usize) -> bool {
    place < program.performative(performative).arity && !unfixed.argument(performative, place)
}

/// The sort key of a message.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct OrderKey {
    performative: PerformativeId,
    claims: BTreeSet<Claim>,
    /// The sender and the arguments of a message that no receive can take.
    untaken: Option<(AgentId, Vec<Value>)>,
}

impl OrderKey {
    /// Whether a receive could choose between a message and a later one.
    fn keeps_its_place_before(&self, later: &Self) -> bool {
        self.performative == later.performative
            && !later.claims.is_empty()
            && !self.claims.is_disjoint(&later.claims)
    }
}

/// The place of each key among the different ones. A full mailbox holds many messages with few keys.
fn ranks(keys: &[OrderKey]) -> Vec<usize> {
    let mut different: Vec<&OrderKey> = keys.iter().collect();
    different.sort_unstable();
    different.dedup();
    keys.iter().map(|key| different.partition_point(|other| *other < key)).collect()
}

/// A value with the number of its symbol erased.
fn shape(value: &Value) -> Value {
    let mut value = *value;
    if let Some(symbol) = value.symbol_mut() {
        symbol.0 = 0;
    }
    value
}

//! Between which messages of a mailbox a receive could choose: only for these does their order matter.
//!
//! A receive takes the oldest message that fits. It tells messages apart by a place of its pattern if it compares that with
//! a value, and both that value and what is sent there can only be constants: at one moment all that it could take
//! have one value there. Abstract values tell nothing apart, for whether one fits is open; nor do names of agents, which differ
//! between states that symmetry takes for one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use map_ir::{
    AgentId, Followed, Operand, PartId, Pattern, PerformativeId, Place, PointKind, Program, RoleId, Test,
    Value, ValueFlow,
};
use map_semantics::Message;

#[cfg(test)]
mod tests;

/// The receives of a program, and what they could take.
pub(crate) struct Receives<'a> {
    program: &'a Program,
    /// Where values may get to that are not the same constants in every state.
    unfixed: ValueFlow,
    receives: BTreeMap<(PartId, PerformativeId), Vec<Receive<'a>>>,
    /// By performative.
    sent_by: Vec<BTreeSet<RoleId>>,
}

/// The pattern of a receive.
struct Receive<'a> {
    tests: &'a [Test],
    /// The places by which it tells messages apart.
    told_apart_by: Vec<Place>,
}

/// What a message must have in common with another for one receive to choose between them: the receive, and the values
/// at the places by which it tells messages apart.
type Claim = (usize, Vec<Value>);

impl<'a> Receives<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        let unfixed = ValueFlow::new(program, Followed::Unfixed);
        let mut receives: BTreeMap<_, Vec<Receive<'_>>> = BTreeMap::new();
        let mut sent_by = vec![BTreeSet::new(); program.performatives.len()];
        for point in &program.points {
            let part = program.clause(point.clause).part;
            match &point.kind {
                PointKind::Receive { performative, pattern, .. } => {
                    let is_fixed = |operand| match operand {
                        Operand::Constant(value) => !matches!(value, Value::Agent(_)),
                        Operand::Variable(slot) => !unfixed.variable(point.clause, slot),
                        Operand::Own => false,
                    };
                    let told_apart_by = compared(pattern)
                        .filter(|&(place, operand)| {
                            is_constant(program, &unfixed, *performative, place as usize) && is_fixed(operand)
                        })
                        .map(|(place, _)| place)
                        .collect();
                    let receive = Receive { tests: &pattern.tests, told_apart_by };
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

    /// Whether agents of one role at most send messages with that performative.
    pub(crate) fn one_role_sends(&self, performative: PerformativeId) -> bool {
        self.sent_by[performative.index()].len() < 2
    }

    /// Whether no receive of the part could ever choose between messages that differ at that place.
    pub(crate) fn are_told_apart(&self, part: PartId, performative: PerformativeId, place: usize) -> bool {
        let mut receives = self.receives.get(&(part, performative)).into_iter().flatten();
        is_constant(self.program, &self.unfixed, performative, place)
            && receives.all(|receive| receive.told_apart_by.contains(&(place as Place)))
    }

    /// The normal form of a mailbox, as an order of its messages; `None` if they have it. Messages between which a receive
    /// could choose stay in the order of arrival; of all orders that keep these in place it is the least (A. Anisimov and
    /// D. Knuth, "Inhomogeneous sorting", 1979). So it depends neither on the order in which others arrive nor on what was
    /// put in order before.
    pub(crate) fn order(&self, agent: AgentId, messages: &[Arc<Message>]) -> Option<Vec<usize>> {
        if messages.len() < 2 {
            return None;
        }
        let part = self.program.agent(agent).part;
        let keys: Vec<Key> = messages.iter().map(|message| self.key(part, agent, message)).collect();
        let mut order: Vec<usize> = Vec::with_capacity(messages.len());
        for (index, key) in keys.iter().enumerate() {
            let mut place = order.len();
            for (earlier, &other) in order.iter().enumerate().rev() {
                if keys[other].keeps_its_place_before(key) {
                    break;
                }
                if keys[other] > *key {
                    place = earlier;
                }
            }
            order.insert(place, index);
        }
        (!order.is_sorted()).then_some(order)
    }

    fn key(&self, part: PartId, agent: AgentId, message: &Message) -> Key {
        let claims = self.claims(part, agent, message);
        let shape = || (message.sender, message.arguments.iter().map(shape).collect());
        let untaken = claims.is_empty().then(shape);
        Key { performative: message.performative, claims, untaken }
    }

    /// What receives of a part could take a message.
    fn claims(&self, part: PartId, agent: AgentId, message: &Message) -> BTreeSet<Claim> {
        let at = |place: u32| message.at(self.program, place as usize);
        let fits = |test: &Test| match *test {
            Test::Operand(place, Operand::Constant(value)) => at(place).equals(value) != Some(false),
            Test::Operand(place, Operand::Own) => at(place).equals(Value::Agent(agent)) != Some(false),
            Test::Operand(_, Operand::Variable(_)) => true,
            Test::Same(first, second) => at(first).equals(at(second)) != Some(false),
        };
        let receives = self.receives.get(&(part, message.performative)).into_iter().flatten();
        receives
            .enumerate()
            .filter(|(_, receive)| receive.tests.iter().all(fits))
            .map(|(index, receive)| (index, receive.told_apart_by.iter().map(|&it| at(it)).collect()))
            .collect()
    }
}

/// What a pattern compares with values, by place.
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

/// What a message is put in order by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    performative: PerformativeId,
    claims: BTreeSet<Claim>,
    /// The sender and the arguments of a message that nobody takes.
    untaken: Option<(AgentId, Vec<Value>)>,
}

impl Key {
    /// Whether a receive could choose between a message and a later one.
    fn keeps_its_place_before(&self, later: &Self) -> bool {
        self.performative == later.performative && !self.claims.is_disjoint(&later.claims)
    }
}

/// A value without the name of its symbol.
fn shape(value: &Value) -> Value {
    let mut value = *value;
    if let Some(symbol) = value.symbol_mut() {
        symbol.0 = 0;
    }
    value
}

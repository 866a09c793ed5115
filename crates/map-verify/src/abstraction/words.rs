//! Words: the messages of one performative, told apart by what the text says of who takes them.
//!
//! `inform(start, ..) => agent(_, %bidder)` and `inform(bid, ..) => agent($a, %auctioneer)` are messages of one
//! performative, but no receive takes both. A send and a receive are *linked* unless constants show that no message of
//! the one fits the other. What links connect is one word, and each word gets a performative of its own, with the name
//! and the arity of the old one. So every receive finds what it found before, and what is asked of performatives is
//! asked of words.

use std::collections::BTreeMap;

use map_ir::{Operand, PartId, PerformativeId, Point, PointId, PointKind, Program, Recipient, Test, Value};

#[cfg(test)]
mod tests;

/// A performative with more sends and receives stays one word.
const MOST_PLACES: usize = 1 << 10;

/// A scene by words.
pub(crate) struct Words {
    /// The scene with a performative for each word. All other ids are the same, and so are its steps.
    pub(crate) program: Program,
    /// By word: the performative in the scene as it is written.
    written: Vec<PerformativeId>,
}

impl Words {
    /// Each performative is one word.
    pub(crate) fn as_written(program: &Program) -> Self {
        let written = (0..program.performatives.len()).map(PerformativeId::new).collect();
        Self { program: program.clone(), written }
    }

    pub(crate) fn of(program: &Program) -> Self {
        let count = program.performatives.len();
        let mut places = vec![Vec::new(); count];
        for (index, point) in program.points.iter().enumerate() {
            if let PointKind::Send { performative, .. } | PointKind::Receive { performative, .. } = point.kind
            {
                places[performative.index()].push(PointId::new(index));
            }
        }
        let mut words = Self::as_written(program);
        for places in places.iter().filter(|places| places.len() <= MOST_PLACES) {
            words.tell_apart(places, &connected(program, places));
        }
        words
    }

    /// The performative in the scene as it is written.
    pub(crate) fn written(&self, word: PerformativeId) -> PerformativeId {
        self.written[word.index()]
    }

    /// Gives each group of the sends and receives of a performative a word; the first one keeps the performative.
    fn tell_apart(&mut self, places: &[PointId], groups: &[usize]) {
        let mut words: BTreeMap<usize, PerformativeId> = BTreeMap::new();
        for (place, group) in places.iter().zip(groups) {
            let Program { points, performatives, .. } = &mut self.program;
            let (PointKind::Send { performative, .. } | PointKind::Receive { performative, .. }) =
                &mut points[place.index()].kind
            else {
                continue;
            };
            let word = *words.entry(*group).or_insert_with(|| match group {
                0 => *performative,
                _ => {
                    self.written.push(*performative);
                    performatives.push(performatives[performative.index()].clone());
                    PerformativeId::new(performatives.len() - 1)
                }
            });
            *performative = word;
        }
    }
}

/// For each of these sends and receives the first one with which links connect it, as an index. Sends that say the same
/// are connected, too: if no receive takes it, their messages would be told apart for nothing.
fn connected(program: &Program, places: &[PointId]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..places.len()).collect();
    for (send, &sent) in places.iter().enumerate() {
        for (place, &point) in places.iter().enumerate() {
            let (one, other) = (groups[send].min(groups[place]), groups[send].max(groups[place]));
            let (sent, point) = (program.point(sent), program.point(point));
            if one != other && (may_fit(program, sent, point) || say_the_same(program, sent, point)) {
                groups.iter_mut().filter(|group| **group == other).for_each(|group| *group = one);
            }
        }
    }
    groups
}

/// Whether the second of two points may receive what the first one sends; both are of one performative.
fn may_fit(program: &Program, send: &Point, receive: &Point) -> bool {
    let PointKind::Send { arguments, agent, role, .. } = &send.kind else { return false };
    let PointKind::Receive { pattern, .. } = &receive.kind else { return false };
    let from = program.part(program.clause(send.clause).part);
    let may_equal = |value: Value, wanted| value.equals(wanted) != Some(false);
    let may_have = |place: usize, wanted| match arguments.get(place) {
        Some(Operand::Constant(value)) => may_equal(*value, wanted),
        Some(_) => true,
        None if place == arguments.len() => from.agents.iter().any(|&it| may_equal(Value::Agent(it), wanted)),
        None => may_equal(Value::Role(from.role), wanted),
    };
    may_address(program, program.clause(receive.clause).part, agent, role)
        && pattern.tests.iter().all(|test| match *test {
            Test::Operand(place, Operand::Constant(wanted)) => may_have(place as usize, wanted),
            Test::Operand(..) | Test::Same(..) => true,
        })
}

/// Whether two points are sends of one part with the same constants to the same agents.
fn say_the_same(program: &Program, one: &Point, other: &Point) -> bool {
    let PointKind::Send { arguments, agent, role, .. } = &one.kind else { return false };
    let PointKind::Send { arguments: theirs, agent: their_agent, role: their_role, .. } = &other.kind else {
        return false;
    };
    program.clause(one.clause).part == program.clause(other.clause).part
        && arguments.iter().all(|it| matches!(it, Operand::Constant(_)))
        && (arguments, agent, role) == (theirs, their_agent, their_role)
}

/// Whether a send's address may include an agent of the part.
pub(crate) fn may_address(program: &Program, part: PartId, agent: &Recipient, role: &Recipient) -> bool {
    let role_fits = match role {
        Recipient::Is(Operand::Constant(value)) => *value == Value::Role(program.part(part).role),
        _ => true,
    };
    let agent_fits = match agent {
        Recipient::Is(Operand::Constant(Value::Agent(agent))) => program.part(part).agents.contains(agent),
        _ => true,
    };
    role_fits && agent_fits
}

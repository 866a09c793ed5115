//! Propositions with an index of the agents that occur in their parts. A property about all agents has a part for
//! each of them, so that two agents occur in few parts, however large the cast is.

use map_ir::{AgentId, Proposition, Quantity, Value};

/// A proposition in normal form, with its parts: those of a conjunction, disjunction or count, denied or not;
/// otherwise itself.
///
/// A permutation of agents leaves it as it is if it permutes the parts; and it leaves those alone in which no agent
/// occurs that it moves.
pub(super) struct Indexed<'p> {
    parts: &'p [Proposition],
    /// For each part, how many propositions it consists of.
    sizes: Vec<usize>,
    /// Agents with the parts that they occur in, in order, without duplicates.
    occurrences: Vec<(AgentId, u32)>,
}

impl<'p> Indexed<'p> {
    /// `collect` adds the agents that occur in a proposition.
    pub(super) fn new(
        proposition: &'p Proposition,
        collect: impl Fn(&Proposition, &mut Vec<AgentId>),
    ) -> Self {
        let parts = parts_of(proposition);
        let (mut occurrences, mut seen) = (Vec::new(), Vec::new());
        for (number, part) in (0..).zip(parts) {
            collect(part, &mut seen);
            occurrences.extend(seen.drain(..).map(|agent| (agent, number)));
        }
        occurrences.sort_unstable();
        occurrences.dedup();
        Self { parts, sizes: parts.iter().map(size).collect(), occurrences }
    }

    /// The agents that occur in it, in order, perhaps several times.
    pub(super) fn agents(&self) -> impl Iterator<Item = AgentId> {
        self.occurrences.iter().map(|&(agent, _)| agent)
    }

    /// The parts in which one of two agents occurs, in order, and how many propositions they consist of together.
    pub(super) fn parts_with(&self, (one, other): (AgentId, AgentId)) -> (Vec<&'p Proposition>, usize) {
        let mut numbers: Vec<u32> = self.numbers(one).chain(self.numbers(other)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let size = numbers.iter().map(|&it| self.sizes[it as usize]).sum();
        (numbers.into_iter().map(|it| &self.parts[it as usize]).collect(), size)
    }

    fn numbers(&self, agent: AgentId) -> impl Iterator<Item = u32> {
        let start = self.occurrences.partition_point(|&(it, _)| it < agent);
        self.occurrences[start..].iter().take_while(move |(it, _)| *it == agent).map(|&(_, number)| number)
    }
}

fn parts_of(proposition: &Proposition) -> &[Proposition] {
    match proposition {
        Proposition::Not(denied) => parts_of(denied),
        Proposition::And(parts) | Proposition::Or(parts) => parts,
        // The other side must not change.
        Proposition::Compare(
            Quantity::Count(parts),
            _,
            Quantity::Nothing | Quantity::Value(Value::Integer(_)),
        ) => parts,
        _ => std::slice::from_ref(proposition),
    }
}

/// How many propositions a proposition consists of.
fn size(proposition: &Proposition) -> usize {
    let all = |parts: &[Proposition]| parts.iter().map(size).sum::<usize>();
    1 + match proposition {
        Proposition::Constant(_)
        | Proposition::Event(_)
        | Proposition::State(_)
        | Proposition::Before(..) => 0,
        Proposition::Not(denied) => size(denied),
        Proposition::And(parts) | Proposition::Or(parts) => all(parts),
        Proposition::Compare(left, _, right) => {
            let counted = |it: &Quantity| if let Quantity::Count(counted) = it { all(counted) } else { 0 };
            counted(left) + counted(right)
        }
    }
}

//! Which agents a property distinguishes, and which of its instances are equal up to renaming of agents.
//!
//! Permuting interchangeable agents maps runs to runs. So among the instances of a claim about all runs, or about
//! some run, one represents all those that a permutation maps it to: its *orbit*. The instance that names the first
//! agents is kept. The agents it names are distinguished; the others stay interchangeable.
//!
//! A reduced state does not tell whether the agent of a step is the one that a state atom refers to. So a proposition
//! must also be invariant under swapping agents in its event atoms alone, and in its state atoms and quantities
//! alone.

use map_ir::{
    AgentId, EventAtom, EventKind, MessagePattern, Possibility, Premise, Properties, Property, Proposition,
    PropositionId, Quantity, StateAtom, StateQuantity, Temporal, Value,
};
use rustc_hash::FxHashMap;

use super::normal::normal;

#[cfg(test)]
mod tests;

/// Maximum number of agents named by an instance for a correspondence with another one to be sought.
const MAX_NAMED: usize = 4;

/// Maximum number of parts of propositions that are renamed to find out which agents they distinguish.
const MAX_WORK: usize = 1 << 17;

/// The parts of propositions in which agents are renamed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Events,
    State,
    Both,
}

/// A renaming of agents, by index.
struct Renaming(Vec<AgentId>);

impl Renaming {
    fn exchange(agents: usize, one: AgentId, other: AgentId) -> Self {
        let mut to: Vec<AgentId> = (0..agents).map(AgentId::new).collect();
        to.swap(one.index(), other.index());
        Self(to)
    }

    /// Names without an agent are not renamed.
    fn agent(&self, agent: AgentId) -> AgentId {
        self.0.get(agent.index()).copied().unwrap_or(agent)
    }

    fn value(&self, value: Value) -> Value {
        if let Value::Agent(agent) = value { Value::Agent(self.agent(agent)) } else { value }
    }

    fn message(&self, pattern: &MessagePattern) -> MessagePattern {
        let arguments = pattern.arguments.iter().map(|value| value.map(|value| self.value(value)));
        MessagePattern { performative: pattern.performative, arguments: arguments.collect() }
    }

    fn event(&self, event: &EventAtom) -> EventAtom {
        let agent = |agent: Option<AgentId>| agent.map(|agent| self.agent(agent));
        let kind = match &event.kind {
            EventKind::Sends(pattern, to) => EventKind::Sends(self.message(pattern), agent(*to)),
            EventKind::Receives(pattern, from) => EventKind::Receives(self.message(pattern), agent(*from)),
            kind @ (EventKind::Asks(_) | EventKind::Answers(..) | EventKind::TimesOut) => kind.clone(),
        };
        EventAtom { agent: agent(event.agent), kind }
    }

    fn state(&self, atom: &StateAtom) -> StateAtom {
        match atom {
            StateAtom::Ended => StateAtom::Ended,
            StateAtom::Done(agent) => StateAtom::Done(self.agent(*agent)),
            StateAtom::Failed(agent) => StateAtom::Failed(self.agent(*agent)),
            StateAtom::Waiting(agent) => StateAtom::Waiting(self.agent(*agent)),
            StateAtom::In(agent, clauses) => StateAtom::In(self.agent(*agent), clauses.clone()),
        }
    }

    fn quantity(&self, quantity: &StateQuantity) -> StateQuantity {
        match *quantity {
            StateQuantity::Cell(agent, cell) => StateQuantity::Cell(self.agent(agent), cell),
            StateQuantity::Mailbox(agent) => StateQuantity::Mailbox(self.agent(agent)),
        }
    }
}

/// The orbits under permutations of the agents of some classes.
pub(super) struct Orbits<'p> {
    properties: &'p Properties,
    classes: &'p [Vec<AgentId>],
    /// Number of agents.
    agents: usize,
    /// Propositions in normal form: those of the properties, then new ones.
    pub(super) propositions: Vec<Proposition>,
    events: FxHashMap<&'p EventAtom, usize>,
    states: FxHashMap<&'p StateAtom, usize>,
    quantities: FxHashMap<&'p StateQuantity, usize>,
}

fn numbered<T: std::hash::Hash + Eq>(items: &[T]) -> FxHashMap<&T, usize> {
    items.iter().enumerate().map(|(index, item)| (item, index)).collect()
}

impl<'p> Orbits<'p> {
    pub(super) fn new(properties: &'p Properties, classes: &'p [Vec<AgentId>], agents: usize) -> Self {
        Self {
            properties,
            classes,
            agents,
            propositions: properties.propositions.iter().cloned().map(normal).collect(),
            events: numbered(&properties.events),
            states: numbered(&properties.states),
            quantities: numbered(&properties.quantities),
        }
    }

    /// Reduces a property to one instance of each orbit; also returns the classes of agents that it does not
    /// distinguish.
    pub(super) fn represented(&mut self, property: &Property) -> (Property, Vec<Vec<AgentId>>) {
        let formula = self.every(&property.formula, true);
        let mut seen = Vec::new();
        propositions_of(&formula, &mut seen);
        let apart = self.blocks(&seen);
        let mut premises = Vec::new();
        for Premise { propositions, span } in &property.premises {
            // Whether some instance ever happens.
            let any = propositions.iter().map(|&it| self.propositions[it].clone()).collect();
            let any = self.add(Proposition::Or(any));
            let proposition = self.with_mentioned(&[any]);
            let propositions = if apart.iter().all(|block| self.is_block(&proposition, block)) {
                vec![any]
            } else {
                let instances = propositions.iter().map(|&it| Temporal::Holds(it)).collect();
                let kept = self.representatives(instances);
                kept.iter()
                    .filter_map(|it| if let Temporal::Holds(it) = it { Some(*it) } else { None })
                    .collect()
            };
            premises.push(Premise { propositions, span: *span });
        }
        seen.extend(premises.iter().flat_map(|premise| &premise.propositions));
        let mut classes = self.blocks(&seen);
        classes.retain(|block| block.len() > 1);
        (Property { formula, premises, ..property.clone() }, classes)
    }

    fn add(&mut self, proposition: Proposition) -> PropositionId {
        self.propositions.push(normal(proposition));
        self.propositions.len() - 1
    }

    /// A formula that every run satisfies if and only if every run satisfies this one; if not `positive`, the same
    /// for their negations. A conjunction stays one even with a single part left, since a run refutes no more than
    /// that part.
    fn every(&mut self, formula: &Temporal, positive: bool) -> Temporal {
        match formula {
            Temporal::Not(denied) => Temporal::Not(Box::new(self.every(denied, !positive))),
            Temporal::And(parts) | Temporal::Or(parts) => {
                let conjunction = matches!(formula, Temporal::And(_));
                let parts: Vec<Temporal> = match conjunction == positive {
                    true => {
                        let parts = parts.iter().map(|part| self.every(part, positive)).collect();
                        self.representatives(parts)
                    }
                    false => {
                        let parts = parts.iter().map(|part| self.possibilities(part));
                        let (closed, others): (Vec<_>, Vec<_>) =
                            parts.collect::<Vec<_>>().into_iter().partition(is_closed);
                        [self.representatives(closed), others].concat()
                    }
                };
                if conjunction { Temporal::And(parts) } else { Temporal::Or(parts) }
            }
            Temporal::Always(inner) if positive => match &**inner {
                Temporal::Holds(it) => Temporal::Always(Box::new(Temporal::Holds(self.reduced(*it, true)))),
                Temporal::And(parts) => self.always_all(parts.clone()),
                Temporal::Not(denied) => match &**denied {
                    Temporal::Or(parts) => {
                        let denied = parts.iter().map(|part| Temporal::Not(Box::new(part.clone())));
                        self.always_all(denied.collect())
                    }
                    _ => formula.clone(),
                },
                _ => formula.clone(),
            },
            Temporal::Eventually(inner) if !positive => match **inner {
                Temporal::Holds(it) => {
                    Temporal::Eventually(Box::new(Temporal::Holds(self.reduced(it, false))))
                }
                _ => formula.clone(),
            },
            Temporal::Possible(_) => self.possibilities(formula),
            _ => formula.clone(),
        }
    }

    /// `always` of a conjunction, part by part.
    fn always_all(&mut self, parts: Vec<Temporal>) -> Temporal {
        let always = |part| Temporal::Always(Box::new(part));
        let parts = parts.into_iter().map(|part| self.every(&always(part), true)).collect();
        Temporal::And(self.representatives(parts))
    }

    /// The same formula with its possibilities replaced by equivalent ones.
    fn possibilities(&mut self, formula: &Temporal) -> Temporal {
        match formula {
            Temporal::Possible(Possibility::Reach(it)) => {
                Temporal::Possible(Possibility::Reach(self.reduced(*it, false)))
            }
            Temporal::Possible(Possibility::Satisfy(inner)) => {
                Temporal::Possible(Possibility::Satisfy(Box::new(self.every(inner, false))))
            }
            Temporal::Not(denied) => Temporal::Not(Box::new(self.possibilities(denied))),
            Temporal::And(parts) | Temporal::Or(parts) => {
                let conjunction = matches!(formula, Temporal::And(_));
                let parts: Vec<Temporal> = parts.iter().map(|part| self.possibilities(part)).collect();
                let parts = if is_closed(formula) { self.representatives(parts) } else { parts };
                if conjunction { Temporal::And(parts) } else { Temporal::Or(parts) }
            }
            _ => formula.clone(),
        }
    }

    /// If `conjunction`, a proposition that holds at every moment of every run if and only if this one does;
    /// otherwise one that holds at some moment of some run if and only if this one does.
    fn reduced(&mut self, id: PropositionId, conjunction: bool) -> PropositionId {
        let proposition = self.with_mentioned(&[id]);
        if self.classes.iter().all(|class| self.is_block(&proposition, class)) {
            return id;
        }
        let (parts, denied) = match &self.propositions[id] {
            Proposition::And(parts) if conjunction => (parts.clone(), false),
            Proposition::Or(parts) if !conjunction => (parts.clone(), false),
            Proposition::Not(inner) => match &**inner {
                Proposition::Or(parts) if conjunction => (parts.clone(), true),
                Proposition::And(parts) if !conjunction => (parts.clone(), true),
                _ => return id,
            },
            _ => return id,
        };
        let parts = parts.into_iter().map(|part| Temporal::Holds(self.add(part))).collect();
        let kept = self.representatives(parts).into_iter();
        let kept = kept.filter_map(|it| {
            if let Temporal::Holds(it) = it { Some(self.propositions[it].clone()) } else { None }
        });
        let kept: Vec<Proposition> = kept.collect();
        let joined = if conjunction == denied { Proposition::Or(kept) } else { Proposition::And(kept) };
        self.add(if denied { Proposition::Not(Box::new(joined)) } else { joined })
    }

    /// One formula of each orbit, the one that names the first agents, in the order of the orbits.
    fn representatives(&self, parts: Vec<Temporal>) -> Vec<Temporal> {
        let mut kept: Vec<(Vec<AgentId>, Temporal)> = Vec::new();
        for part in parts {
            let mut propositions = Vec::new();
            propositions_of(&part, &mut propositions);
            let named = self.named_in(&propositions);
            match kept.iter_mut().find(|(its_named, it)| self.are_alike(it, its_named, &part, &named)) {
                Some(known) if named < known.0 => *known = (named, part),
                Some(_) => {}
                None => kept.push((named, part)),
            }
        }
        kept.into_iter().map(|(_, part)| part).collect()
    }

    /// Whether a permutation of agents was found that maps one formula to the other; `named` are the agents each
    /// distinguishes.
    fn are_alike(
        &self,
        one: &Temporal,
        named: &[AgentId],
        other: &Temporal,
        other_named: &[AgentId],
    ) -> bool {
        if named.len() != other_named.len() || named.len() > MAX_NAMED {
            return false;
        }
        let class_of = |agent: &AgentId| self.classes.iter().position(|class| class.contains(agent));
        orders(other_named).into_iter().any(|order| {
            named.iter().zip(&order).all(|(here, there)| class_of(here) == class_of(there))
                && self.is_renamed(one, other, &self.renaming(named, &order))
        })
    }

    /// Maps `here` to `there`, pair by pair, and the other agents of each class in order.
    fn renaming(&self, here: &[AgentId], there: &[AgentId]) -> Renaming {
        let mut to: Vec<AgentId> = (0..self.agents).map(AgentId::new).collect();
        for class in self.classes {
            let sources = class.iter().filter(|it| !here.contains(it));
            let targets = class.iter().filter(|it| !there.contains(it));
            sources.zip(targets).for_each(|(source, &target)| to[source.index()] = target);
        }
        here.iter().zip(there).for_each(|(source, &target)| to[source.index()] = target);
        Renaming(to)
    }

    /// Whether the second formula is the first one with agents renamed.
    fn is_renamed(&self, one: &Temporal, other: &Temporal, renaming: &Renaming) -> bool {
        let same = |one: &Temporal, other: &Temporal| self.is_renamed(one, other, renaming);
        let holds = |one: PropositionId, other: PropositionId| {
            let renamed = self.renamed(&self.propositions[one], renaming, Side::Both);
            renamed.is_some_and(|renamed| renamed == self.propositions[other])
        };
        match (one, other) {
            (Temporal::Holds(one), Temporal::Holds(other)) => holds(*one, *other),
            (Temporal::Possible(one), Temporal::Possible(other)) => match (one, other) {
                (Possibility::Reach(one), Possibility::Reach(other)) => holds(*one, *other),
                (Possibility::Sequence(one), Possibility::Sequence(other)) => {
                    one.len() == other.len() && one.iter().zip(other).all(|(&one, &other)| holds(one, other))
                }
                (Possibility::Satisfy(one), Possibility::Satisfy(other)) => same(one, other),
                _ => false,
            },
            (Temporal::Not(one), Temporal::Not(other))
            | (Temporal::Next(one), Temporal::Next(other))
            | (Temporal::Always(one), Temporal::Always(other))
            | (Temporal::Eventually(one), Temporal::Eventually(other)) => same(one, other),
            (Temporal::And(ones), Temporal::And(others)) | (Temporal::Or(ones), Temporal::Or(others)) => {
                let mut left: Vec<&Temporal> = others.iter().collect();
                ones.len() == others.len()
                    && ones.iter().all(|one| {
                        let place = left.iter().position(|other| same(one, other));
                        place.map(|place| left.remove(place)).is_some()
                    })
            }
            (Temporal::Until(one, one_goal), Temporal::Until(other, other_goal))
            | (Temporal::LeadsTo(one, one_goal), Temporal::LeadsTo(other, other_goal)) => {
                same(one, other) && same(one_goal, other_goal)
            }
            _ => false,
        }
    }

    /// The agents that propositions distinguish from the largest block of their class.
    fn named_in(&self, propositions: &[PropositionId]) -> Vec<AgentId> {
        let blocks = self.blocks(propositions);
        let mut named = Vec::new();
        for class in self.classes {
            let own = || blocks.iter().filter(|block| class.contains(&block[0]));
            let most = own().map(Vec::len).max().unwrap_or(0);
            let rest = own().position(|block| block.len() == most);
            let told_apart = own().enumerate().filter(|&(index, _)| Some(index) != rest);
            named.extend(told_apart.flat_map(|(_, block)| block));
        }
        named.sort_unstable();
        named
    }

    /// The agents of each class, partitioned into blocks: agents of one block can be swapped in all propositions, in
    /// events and in state separately. If the computation would take too long, agents may be in blocks of their own.
    fn blocks(&self, propositions: &[PropositionId]) -> Vec<Vec<AgentId>> {
        let propositions = self.with_mentioned(propositions);
        let size: usize = propositions.iter().map(|(proposition, _)| size_of_proposition(proposition)).sum();
        let mut blocks: Vec<Vec<AgentId>> = Vec::new();
        for class in self.classes {
            if self.is_block(&propositions, class) {
                blocks.push(class.clone());
                continue;
            }
            let first = blocks.len();
            let mut work = 0;
            for &agent in class {
                let alike = |block: &&mut Vec<AgentId>| {
                    work += size;
                    work <= MAX_WORK && self.can_be_exchanged(&propositions, block[0], agent)
                };
                match blocks[first..].iter_mut().find(alike) {
                    Some(block) => block.push(agent),
                    None => blocks.push(vec![agent]),
                }
            }
        }
        blocks
    }

    /// Propositions with the agents that occur in them.
    fn with_mentioned(&self, propositions: &[PropositionId]) -> Vec<(&Proposition, Vec<AgentId>)> {
        let proposition = |id: PropositionId| &self.propositions[id];
        propositions.iter().map(|&id| (proposition(id), self.mentioned(proposition(id)))).collect()
    }

    /// Whether any two of some agents can be swapped.
    fn is_block(&self, propositions: &[(&Proposition, Vec<AgentId>)], agents: &[AgentId]) -> bool {
        agents.split_first().is_none_or(|(&first, rest)| {
            rest.iter().all(|&agent| self.can_be_exchanged(propositions, first, agent))
        })
    }

    fn can_be_exchanged(
        &self,
        propositions: &[(&Proposition, Vec<AgentId>)],
        one: AgentId,
        other: AgentId,
    ) -> bool {
        let exchange = Renaming::exchange(self.agents, one, other);
        propositions.iter().all(|(proposition, mentioned)| {
            let mentions = |agent: AgentId| mentioned.binary_search(&agent).is_ok();
            let stays =
                |side| self.renamed(proposition, &exchange, side).is_some_and(|it| it == **proposition);
            !mentions(one) && !mentions(other) || stays(Side::Events) && stays(Side::State)
        })
    }

    /// The agents that occur in a proposition, in order.
    fn mentioned(&self, proposition: &Proposition) -> Vec<AgentId> {
        let mut seen = Vec::new();
        self.collect_agents(proposition, &mut seen);
        seen.sort_unstable();
        seen.dedup();
        seen
    }

    fn collect_agents(&self, proposition: &Proposition, seen: &mut Vec<AgentId>) {
        let agent_of = |value: &Value| if let Value::Agent(agent) = value { Some(*agent) } else { None };
        match proposition {
            Proposition::Constant(_) => {}
            Proposition::Event(index) => {
                let event = &self.properties.events[*index];
                seen.extend(event.agent);
                if let EventKind::Sends(pattern, other) | EventKind::Receives(pattern, other) = &event.kind {
                    seen.extend(other);
                    seen.extend(pattern.arguments.iter().flatten().filter_map(agent_of));
                }
            }
            Proposition::State(index) => match self.properties.states[*index] {
                StateAtom::Ended => {}
                StateAtom::Done(agent)
                | StateAtom::Failed(agent)
                | StateAtom::Waiting(agent)
                | StateAtom::In(agent, _) => seen.push(agent),
            },
            Proposition::Not(denied) => self.collect_agents(denied, seen),
            Proposition::And(parts) | Proposition::Or(parts) => {
                parts.iter().for_each(|part| self.collect_agents(part, seen));
            }
            Proposition::Compare(left, _, right) => {
                for quantity in [left, right] {
                    match quantity {
                        Quantity::Nothing => {}
                        Quantity::Value(value) => seen.extend(agent_of(value)),
                        Quantity::State(index) => match self.properties.quantities[*index] {
                            StateQuantity::Cell(agent, _) | StateQuantity::Mailbox(agent) => seen.push(agent),
                        },
                        Quantity::Count(all) => all.iter().for_each(|it| self.collect_agents(it, seen)),
                    }
                }
            }
        }
    }

    /// A proposition with agents renamed on a side, in normal form; `None` if the properties have no such atoms.
    fn renamed(&self, proposition: &Proposition, by: &Renaming, side: Side) -> Option<Proposition> {
        self.renamed_as_is(proposition, by, side).map(normal)
    }

    fn renamed_as_is(&self, proposition: &Proposition, by: &Renaming, side: Side) -> Option<Proposition> {
        let of = |it: &Proposition| self.renamed_as_is(it, by, side);
        let all = |parts: &[Proposition]| parts.iter().map(of).collect::<Option<Vec<Proposition>>>();
        Some(match proposition {
            Proposition::Event(index) if side != Side::State => {
                Proposition::Event(*self.events.get(&by.event(&self.properties.events[*index]))?)
            }
            Proposition::State(index) if side != Side::Events => {
                Proposition::State(*self.states.get(&by.state(&self.properties.states[*index]))?)
            }
            Proposition::Constant(_) | Proposition::Event(_) | Proposition::State(_) => proposition.clone(),
            Proposition::Not(denied) => Proposition::Not(Box::new(of(denied)?)),
            Proposition::And(parts) => Proposition::And(all(parts)?),
            Proposition::Or(parts) => Proposition::Or(all(parts)?),
            Proposition::Compare(left, comparison, right) => {
                let quantity = |quantity: &Quantity| {
                    Some(match quantity {
                        Quantity::Count(counted) => Quantity::Count(all(counted)?),
                        Quantity::State(index) if side != Side::Events => {
                            let renamed = by.quantity(&self.properties.quantities[*index]);
                            Quantity::State(*self.quantities.get(&renamed)?)
                        }
                        Quantity::Value(value) if side != Side::Events => Quantity::Value(by.value(*value)),
                        Quantity::Nothing | Quantity::State(_) | Quantity::Value(_) => quantity.clone(),
                    })
                };
                Proposition::Compare(quantity(left)?, *comparison, quantity(right)?)
            }
        })
    }
}

/// Whether its truth is independent of the run.
fn is_closed(formula: &Temporal) -> bool {
    match formula {
        Temporal::Possible(_) => true,
        Temporal::Not(denied) => is_closed(denied),
        Temporal::And(parts) | Temporal::Or(parts) => parts.iter().all(is_closed),
        _ => false,
    }
}

/// Number of parts of a proposition.
fn size_of_proposition(proposition: &Proposition) -> usize {
    let all = |parts: &[Proposition]| parts.iter().map(size_of_proposition).sum::<usize>();
    1 + match proposition {
        Proposition::Constant(_) | Proposition::Event(_) | Proposition::State(_) => 0,
        Proposition::Not(denied) => size_of_proposition(denied),
        Proposition::And(parts) | Proposition::Or(parts) => all(parts),
        Proposition::Compare(left, _, right) => {
            let counted = |it: &Quantity| if let Quantity::Count(counted) = it { all(counted) } else { 0 };
            counted(left) + counted(right)
        }
    }
}

/// All orders of a few items.
fn orders(items: &[AgentId]) -> Vec<Vec<AgentId>> {
    let Some((&first, rest)) = items.split_first() else { return vec![Vec::new()] };
    let behind = orders(rest);
    let inserted = behind.iter().flat_map(|order| {
        (0..=order.len()).map(move |place| {
            let mut order = order.clone();
            order.insert(place, first);
            order
        })
    });
    inserted.collect()
}

/// Adds the propositions of a formula.
pub(super) fn propositions_of(formula: &Temporal, seen: &mut Vec<PropositionId>) {
    match formula {
        Temporal::Holds(it) | Temporal::Possible(Possibility::Reach(it)) => seen.push(*it),
        Temporal::Possible(Possibility::Sequence(all)) => seen.extend(all),
        Temporal::Not(inner)
        | Temporal::Next(inner)
        | Temporal::Always(inner)
        | Temporal::Eventually(inner)
        | Temporal::Possible(Possibility::Satisfy(inner)) => propositions_of(inner, seen),
        Temporal::And(parts) | Temporal::Or(parts) => {
            parts.iter().for_each(|part| propositions_of(part, seen));
        }
        Temporal::Until(left, right) | Temporal::LeadsTo(left, right) => {
            propositions_of(left, seen);
            propositions_of(right, seen);
        }
    }
}

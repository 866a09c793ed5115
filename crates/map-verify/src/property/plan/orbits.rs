//! Which agents a property distinguishes, and which of its instances are equal up to renaming of agents.
//!
//! Permuting interchangeable agents maps runs to runs. So among the instances of a claim about all runs, or about
//! some run, one represents all those that a permutation maps it to: its *orbit*. The instance that names the first
//! agents is kept. The agents it names are distinguished; the others stay interchangeable.
//!
//! A reduced state does not tell whether the agent of a step is the one that a state atom refers to. So a proposition
//! must also be invariant under swapping agents in its event atoms alone, and in its state atoms and quantities
//! alone.

use map_ir::{AgentId, Possibility, Premise, Properties, Property, Proposition, PropositionId, Temporal};

use self::atoms::{Atoms, Side};
use self::indexed::Indexed;
use self::renaming::{Classes, Renaming};
use super::normal::normal;

mod atoms;
mod indexed;
mod renaming;
#[cfg(test)]
mod tests;

/// Maximum number of agents named by an instance for a correspondence with another one to be sought.
const MAX_NAMED: usize = 4;

/// Maximum number of parts of propositions that are renamed to find out which agents they distinguish.
const MAX_WORK: usize = 1 << 17;

/// The same to find out whether they distinguish any. That is worth more effort: if not, all stay interchangeable.
const MAX_WORK_FOR_ALL: usize = 1 << 20;

/// The most parts of a conjunction that are judged as one proposition: at each moment all of them are evaluated.
const MAX_MERGED: usize = 64;

/// The orbits under permutations of the agents of some classes.
pub(super) struct Orbits<'p> {
    classes: Classes<'p>,
    /// Propositions in normal form: those of the properties, then new ones.
    pub(super) propositions: Vec<Proposition>,
    atoms: Atoms<'p>,
}

/// Agents of a class that can be swapped.
struct Block {
    /// Those that are mentioned; and, if it `has_others`, the first one that is not mentioned.
    agents: Vec<AgentId>,
    /// Whether all agents that are not mentioned belong to it.
    has_others: bool,
}

/// The agents of a class in blocks.
struct Blocks {
    list: Vec<Block>,
    /// How many agents of the class are not mentioned.
    others: usize,
}

impl<'p> Orbits<'p> {
    pub(super) fn new(properties: &'p Properties, classes: &'p [Vec<AgentId>], agents: usize) -> Self {
        Self {
            classes: Classes::new(classes, agents),
            propositions: properties.propositions.iter().cloned().map(normal).collect(),
            atoms: Atoms::new(properties, classes.concat()),
        }
    }

    /// Reduces a property to one instance of each orbit; also returns the classes of agents that it does not
    /// distinguish.
    pub(super) fn represented(&mut self, property: &Property) -> (Property, Vec<Vec<AgentId>>) {
        let (formula, instances) = match &property.formula {
            Temporal::And(parts) if parts.len() == property.instances.len() => match self.merged(parts) {
                Some(merged) => (merged, Vec::new()),
                None => {
                    let parts = parts.iter().map(|part| self.every(part, true)).collect();
                    let kept = self.indexed_representatives(parts);
                    let instances =
                        kept.iter().map(|&(index, _)| property.instances[index].clone()).collect();
                    (Temporal::And(kept.into_iter().map(|(_, part)| part).collect()), instances)
                }
            },
            formula => (self.every(formula, true), Vec::new()),
        };
        let mut seen = Vec::new();
        propositions_of(&formula, &mut seen);
        let apart = self.blocks(&seen);
        let mut premises = Vec::new();
        for Premise { propositions, span } in &property.premises {
            // Whether some instance ever happens.
            let any = propositions.iter().map(|&it| self.propositions[it].clone()).collect();
            let any = self.add(Proposition::Or(any));
            let proposition = self.indexed(&[any]);
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
        (Property { formula, premises, instances, ..property.clone() }, classes)
    }

    /// If these say of propositions that they always hold, and all together distinguish no agents, while some alone
    /// does: that they always hold together.
    fn merged(&mut self, parts: &[Temporal]) -> Option<Temporal> {
        let held = |part: &Temporal| match part {
            Temporal::Always(inner) => match **inner {
                Temporal::Holds(it) => Some(it),
                _ => None,
            },
            _ => None,
        };
        let held: Vec<PropositionId> = parts.iter().map(held).collect::<Option<_>>()?;
        if held.len() > MAX_MERGED || held.iter().all(|&it| self.treats_all_alike(it)) {
            return None;
        }
        let all = self.add(Proposition::And(held.iter().map(|&it| self.propositions[it].clone()).collect()));
        self.treats_all_alike(all).then(|| Temporal::Always(Box::new(Temporal::Holds(all))))
    }

    /// Whether a proposition distinguishes no agents of a class.
    fn treats_all_alike(&self, proposition: PropositionId) -> bool {
        let proposition = self.indexed(&[proposition]);
        self.classes.members.iter().all(|class| self.is_block(&proposition, class))
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
        if self.treats_all_alike(id) {
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
        self.indexed_representatives(parts).into_iter().map(|(_, part)| part).collect()
    }

    /// The same, each with its index.
    fn indexed_representatives(&self, parts: Vec<Temporal>) -> Vec<(usize, Temporal)> {
        let mut kept: Vec<(Vec<AgentId>, usize, Temporal)> = Vec::new();
        for (index, part) in parts.into_iter().enumerate() {
            let mut propositions = Vec::new();
            propositions_of(&part, &mut propositions);
            let named = self.named_in(&propositions);
            let is_tried = named.len() <= MAX_NAMED;
            let mut alike = kept
                .iter_mut()
                .filter(|_| is_tried)
                .filter(|(its_named, _, it)| self.are_alike(it, its_named, &part, &named));
            match alike.next() {
                Some(known) if named < known.0 => *known = (named, index, part),
                Some(_) => {}
                None => kept.push((named, index, part)),
            }
        }
        kept.into_iter().map(|(_, index, part)| (index, part)).collect()
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
        let class_of = |agent: &AgentId| self.classes.class_of(*agent);
        orders(other_named).into_iter().any(|order| {
            let renaming = Renaming::Order { classes: &self.classes, here: named, there: &order };
            named.iter().zip(&order).all(|(here, there)| class_of(here) == class_of(there))
                && self.is_renamed(one, other, &renaming)
        })
    }

    /// Whether the second formula is the first one with agents renamed.
    fn is_renamed(&self, one: &Temporal, other: &Temporal, renaming: &Renaming<'_>) -> bool {
        let same = |one: &Temporal, other: &Temporal| self.is_renamed(one, other, renaming);
        let holds = |one: PropositionId, other: PropositionId| {
            let renamed = self.atoms.renamed(&self.propositions[one], renaming, Side::Both);
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
        let propositions = self.indexed(propositions);
        let mut named = Vec::new();
        for class in 0..self.classes.members.len() {
            let blocks = self.blocks_of(&propositions, class);
            let size =
                |block: &Block| block.agents.len() + if block.has_others { blocks.others - 1 } else { 0 };
            let most = blocks.list.iter().map(size).max().unwrap_or(0);
            let rest = blocks.list.iter().position(|block| size(block) == most);
            for (index, block) in blocks.list.iter().enumerate().filter(|&(index, _)| Some(index) != rest) {
                match block.has_others {
                    true => named.extend(self.expanded(class, &blocks, index)),
                    false => named.extend(&block.agents),
                }
            }
        }
        named.sort_unstable();
        named
    }

    /// The agents of each class, partitioned into blocks: agents of one block can be swapped in all propositions, in
    /// events and in state separately. If the computation would take too long, agents may be in blocks of their own.
    fn blocks(&self, propositions: &[PropositionId]) -> Vec<Vec<AgentId>> {
        let propositions = self.indexed(propositions);
        let mut all = Vec::new();
        for class in 0..self.classes.members.len() {
            let blocks = self.blocks_of(&propositions, class);
            all.extend((0..blocks.list.len()).map(|index| self.expanded(class, &blocks, index)));
        }
        all
    }

    /// The agents of one class, partitioned into blocks, in the order of their first agents.
    fn blocks_of(&self, propositions: &[Indexed<'_>], class: usize) -> Blocks {
        let members = &self.classes.members[class];
        let is_member = |agent: &AgentId| self.classes.class_of(*agent) == Some(class as u32);
        let mentioned = propositions.iter().flat_map(Indexed::agents);
        let mut mentioned: Vec<AgentId> = mentioned.filter(is_member).collect();
        let by_rank = |agent: &AgentId| self.classes.place(*agent);
        mentioned.sort_unstable_by_key(by_rank);
        mentioned.dedup();
        let others = members.len() - mentioned.len();
        // Agents that no proposition mentions can all be swapped: the first one represents them.
        let first_other = members.iter().zip(mentioned.iter().map(Some).chain(std::iter::repeat(None)));
        let first_other =
            first_other.filter(|&(member, it)| it != Some(member)).map(|(member, _)| *member).next();
        let mut tried = mentioned;
        tried.extend(first_other);
        tried.sort_unstable_by_key(by_rank);
        let has_others = |agents: &[AgentId]| first_other.is_some_and(|first| agents.contains(&first));
        if self.is_block(propositions, &tried) {
            let has_others = has_others(&tried);
            return Blocks { list: vec![Block { agents: tried, has_others }], others };
        }
        let (mut list, mut work) = (Vec::<Block>::new(), MAX_WORK);
        for agent in tried {
            let alike =
                |block: &&mut Block| self.can_be_exchanged(propositions, (block.agents[0], agent), &mut work);
            match list.iter_mut().find(alike) {
                Some(block) => block.agents.push(agent),
                None => list.push(Block { agents: vec![agent], has_others: false }),
            }
        }
        list.iter_mut().for_each(|block| block.has_others = has_others(&block.agents));
        Blocks { list, others }
    }

    /// All agents of a block, in order.
    fn expanded(&self, class: usize, blocks: &Blocks, index: usize) -> Vec<AgentId> {
        let block = &blocks.list[index];
        if !block.has_others {
            return block.agents.clone();
        }
        let mut is_elsewhere = vec![false; self.classes.members[class].len()];
        for other in blocks.list.iter().filter(|it| !it.has_others).flat_map(|it| &it.agents) {
            if let Some((_, rank)) = self.classes.place(*other) {
                is_elsewhere[rank as usize] = true;
            }
        }
        let members = self.classes.members[class].iter().zip(is_elsewhere);
        members.filter(|(_, is_elsewhere)| !is_elsewhere).map(|(&agent, _)| agent).collect()
    }

    fn indexed(&self, propositions: &[PropositionId]) -> Vec<Indexed<'_>> {
        let indexed = |&id: &PropositionId| {
            Indexed::new(&self.propositions[id], |part, seen| self.atoms.collect_agents(part, seen))
        };
        propositions.iter().map(indexed).collect()
    }

    /// Whether any two of some agents can be swapped; `false` if finding out would take too long.
    fn is_block(&self, propositions: &[Indexed<'_>], agents: &[AgentId]) -> bool {
        let mut work = MAX_WORK_FOR_ALL;
        agents.split_first().is_none_or(|(&first, rest)| {
            rest.iter().all(|&agent| self.can_be_exchanged(propositions, (first, agent), &mut work))
        })
    }

    /// Whether propositions are invariant under swapping two agents, in events and in state separately; `false` if
    /// finding out would take more than is left of `work`.
    fn can_be_exchanged(
        &self,
        propositions: &[Indexed<'_>],
        agents: (AgentId, AgentId),
        work: &mut usize,
    ) -> bool {
        propositions.iter().all(|proposition| {
            let (parts, size) = proposition.parts_with(agents);
            let left = work.checked_sub(size + 1);
            *work = left.unwrap_or(0);
            let stay = |side| self.are_permuted(&parts, agents, side);
            left.is_some() && stay(Side::Events) && stay(Side::State)
        })
    }

    /// Whether swapping two agents on a side permutes propositions, which are in normal form and in order.
    fn are_permuted(&self, parts: &[&Proposition], (one, other): (AgentId, AgentId), side: Side) -> bool {
        let exchange = Renaming::Exchange(one, other);
        let renamed = parts.iter().map(|part| self.atoms.renamed(part, &exchange, side));
        renamed.collect::<Option<Vec<_>>>().is_some_and(|mut renamed| {
            renamed.sort_unstable();
            renamed.iter().eq(parts.iter().copied())
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

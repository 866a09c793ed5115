//! Ample sets: when it is enough to expand the steps of one agent.
//!
//! The steps of an agent are an *ample set* of a state if they neither affect nor are affected by anything the other
//! agents can do before one of them is taken. `docs/book/src/reductions.md` justifies each condition.

use std::cmp::Reverse;

use map_ir::{AgentId, PartId};
use map_semantics::{Network, Status};

use crate::agents::StateId;
use crate::footprint::{Footprint, Performatives, bit};
use crate::state::space::Space;
use crate::state::{Located, Slot};

#[cfg(test)]
mod tests;

/// Whose mailbox is to overflow if it can in any interleaving. About the others' the caller has to make sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watched {
    /// Nobody's.
    Nobody,
    /// That of a fixed agent: it takes messages early only if this hides no overflow.
    Agent(AgentId),
    /// The fullest one of a part: its owner rests as long as others can go on. This finds overflows, but not all.
    Fullest(PartId),
}

/// Candidates of one part.
#[derive(Clone, Copy)]
enum Candidates {
    /// A fixed agent, by its slot.
    Fixed(usize),
    /// The slots of a class.
    Class(usize),
}

/// Selects ample sets (D. Peled, "All from one, one for all", 1993).
pub(crate) struct AmpleSelector {
    watched: Watched,
    /// The candidates in the order in which they are tried. Agents of large parts come first, so that an agent
    /// serving all others finds their messages already sent.
    preference: Vec<Candidates>,
}

impl AmpleSelector {
    pub(crate) fn new(space: &Space<'_>, watched: Watched) -> Self {
        let program = space.program;
        let fixed =
            space.fixed_agents().iter().enumerate().map(|(slot, &agent)| (agent, Candidates::Fixed(slot)));
        let classes = space.agents.symmetry().classes().iter().enumerate();
        let classes = classes.map(|(class, members)| (members[0], Candidates::Class(class)));
        let mut preference: Vec<(AgentId, Candidates)> = fixed.chain(classes).collect();
        preference.sort_by_key(|&(agent, _)| {
            let part = program.agent(agent).part;
            (Reverse(program.part(part).agents.len()), part, agent)
        });
        Self { watched, preference: preference.into_iter().map(|(_, candidates)| candidates).collect() }
    }

    /// The slot of an agent whose steps are an ample set of a state: its acts; its timeouts, if those of any waiting
    /// agent may occur; and its crash, if agents may still crash.
    ///
    /// Of a class, agents with few steps come first: one is enough to go on without a branch. Of these, those come
    /// first that have come furthest: so few agents are half-way at the same time.
    pub(crate) fn choose(&self, space: &Space<'_>, state: &Located, words: &[u32]) -> Option<usize> {
        // What at least one agent, and what more than one agent, may send from this state on.
        let (mut some, mut several) = (0, 0);
        // What would overflow if it were sent now.
        let mut overflowing = 0;
        for (index, slot) in state.slots().iter().enumerate() {
            let brief = space.agents.brief(slot.id);
            let may_send = brief.summary.footprint.may_send;
            several |= may_send & if slot.count > 1 { Performatives::MAX } else { some };
            some |= may_send;
            if brief.status == Status::Running
                && brief.mailbox(state.tail(words, index)) >= space.bounds.mailbox
            {
                overflowing |= space.agents.messages().sent_to(space.program.agent(slot.agent).part);
            }
        }
        // An overflow is not to be put off.
        if overflowing != 0 && state.slots().iter().any(|slot| sends_now(space, slot.id, overflowing)) {
            return None;
        }
        let resting = self.resting(space, state, words);
        let is_ample = |slot: &usize| {
            let Slot { id, agent, .. } = *state.slot(*slot);
            let footprint = &space.agents.brief(id).summary.footprint;
            // The common case first.
            if !footprint.eligible || resting == Some(*slot) {
                return false;
            }
            let others = several | (some & !footprint.may_send);
            self.is_undisturbed(space, footprint, agent, others)
                && (!footprint.sends || sends_commute(space, state, *slot, others))
        };
        self.preference.iter().find_map(|&candidates| match candidates {
            Candidates::Fixed(slot) => Some(slot).filter(is_ample),
            Candidates::Class(class) => {
                let mut best: Option<((u32, Reverse<u32>), usize)> = None;
                for slot in state.of_class(class) {
                    let summary = &space.agents.brief(state.slot(slot).id).summary;
                    let order = (summary.acts, Reverse(summary.progress));
                    if best.is_none_or(|(least, _)| order < least) && is_ample(&slot) {
                        best = Some((order, slot));
                    }
                }
                best.map(|(_, slot)| slot)
            }
        })
    }

    /// The slot of the single agent that rests as long as others can go on.
    fn resting(&self, space: &Space<'_>, state: &Located, words: &[u32]) -> Option<usize> {
        let Watched::Fullest(part) = self.watched else { return None };
        let mailbox = |slot: usize| space.agents.brief(state.slot(slot).id).mailbox(state.tail(words, slot));
        let of_part =
            (0..state.slots().len()).filter(|&slot| space.program.agent(state.slot(slot).agent).part == part);
        let fullest = of_part.max_by_key(|&slot| mailbox(slot))?;
        (state.slot(fullest).count == 1).then_some(fullest)
    }

    /// Whether the agent's steps are unaffected by the other agents, which may send `others`.
    fn is_undisturbed(
        &self,
        space: &Space<'_>,
        footprint: &Footprint,
        agent: AgentId,
        others: Performatives,
    ) -> bool {
        let part = space.program.agent(agent).part;
        let disturbed_by = match footprint.takes && self.watched == Watched::Agent(agent) {
            true => Performatives::MAX,
            false => footprint.changed_by,
        };
        others & disturbed_by & space.agents.messages().sent_to(part) == 0
    }
}

/// Whether one of these is sent by some act of an agent state.
fn sends_now(space: &Space<'_>, id: StateId, performatives: Performatives) -> bool {
    let sends = space.agents.brief(id).summary.footprint.sends;
    let mut sent = space.local(id).acts().filter_map(|step| step.sent());
    sends && sent.any(|sent| bit(sent.performative) & performatives != 0)
}

/// Whether the sends of the agent in the slot `sender` commute with everything its recipients, and others that send
/// to them, can do. No recipient's mailbox is full.
fn sends_commute(space: &Space<'_>, state: &Located, sender: usize, others: Performatives) -> bool {
    // By name: whoever adds a fault decides which sends commute under it.
    let Network { unordered, delayed: _, losses: _, crashes: _ } = space.bounds.network;
    let messages = space.agents.messages();
    let acts = space.local(state.slot(sender).id).acts();
    acts.filter_map(|step| step.sent()).all(|sent| {
        let sent = sent.performative;
        // Unordered mailboxes are bags.
        let is_alone = unordered || messages.is_uniform(sent) || others & bit(sent) == 0;
        state.slots().iter().enumerate().all(|(to, slot)| {
            let brief = space.agents.brief(slot.id);
            let part = space.program.agent(slot.agent).part;
            let missed = &space.local(slot.id).outline().missed;
            (to == sender && slot.count == 1)
                || brief.status != Status::Running
                || messages.sent_to(part) & bit(sent) == 0
                || ((is_alone || messages.is_unordered(part, sent))
                    && !missed.contains(bit(sent), others & messages.sent_to(part)))
        })
    })
}

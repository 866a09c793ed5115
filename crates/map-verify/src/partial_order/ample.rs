//! Partial order: when it is enough to expand the steps of one agent.
//!
//! The steps of an agent are an *ample set* of a state if whatever the others do meanwhile neither changes them nor is
//! changed by them. The argument for each condition is in `docs/book/src/reductions.md`.

use map_ir::AgentId;
use map_semantics::Status;

use crate::footprint::{Firmness, Performatives, bit};
use crate::state::space::Space;
use crate::state::{Located, Slot};

#[cfg(test)]
mod tests;

/// What partial order may rely on.
#[derive(Clone, Debug)]
pub(crate) struct Trust {
    /// By part: no mailbox of its agents can overflow, in whatever order messages are sent and taken.
    pub(crate) roomy: Vec<bool>,
}

/// Agents of one part that are tried together.
#[derive(Clone, Copy)]
enum Group {
    /// A fixed agent, by its slot.
    Fixed(usize),
    /// The slots of a class.
    Class(usize),
}

/// Chooses ample sets (D. Peled, "All from one, one for all", 1993).
pub(crate) struct Orders {
    trust: Trust,
    /// The agents in the order in which they are tried: the many go before the few, for one that serves all others then
    /// finds all that they have to say.
    preference: Vec<Group>,
}

impl Orders {
    pub(crate) fn new(space: &Space<'_>, trust: Trust) -> Self {
        let program = space.program;
        let fixed = space.fixed_agents().iter().enumerate().map(|(slot, &agent)| (agent, Group::Fixed(slot)));
        let classes = space.agents.symmetry().classes().iter().enumerate();
        let classes = classes.map(|(class, members)| (members[0], Group::Class(class)));
        let mut preference: Vec<(AgentId, Group)> = fixed.chain(classes).collect();
        preference.sort_by_key(|&(agent, _)| {
            let part = program.agent(agent).part;
            (std::cmp::Reverse(program.part(part).agents.len()), part, agent)
        });
        Self { trust, preference: preference.into_iter().map(|(_, group)| group).collect() }
    }

    /// The slot of an agent whose steps are an ample set of a state: its acts, its timeouts where time may run out for anybody
    /// who waits, and its crash if agents may still crash.
    pub(crate) fn choose(&self, space: &Space<'_>, state: &Located, words: &[u32]) -> Option<usize> {
        // What somebody, and what more than one may send from this state on.
        let (mut some, mut several) = (0, 0);
        for slot in state.slots() {
            let may_send = space.agents.brief(slot.id).summary.footprint.may_send;
            several |= may_send & if slot.count > 1 { Performatives::MAX } else { some };
            some |= may_send;
        }
        let is_ample = |slot: &usize| {
            let Slot { id, agent, .. } = *state.slot(*slot);
            let firmness = &space.agents.brief(id).summary.footprint;
            // Most agents rest.
            if !firmness.firm {
                return false;
            }
            let others = several | (some & !firmness.may_send);
            self.is_undisturbed(space, firmness, agent, others)
                && (!firmness.sends || sends_commute(space, state, words, *slot, others))
        };
        self.preference.iter().find_map(|&group| match group {
            Group::Fixed(slot) => Some(slot).filter(is_ample),
            Group::Class(class) => state.of_class(class).find(is_ample),
        })
    }

    /// Whether nothing that the others, who may send `others`, do changes the agent's steps.
    fn is_undisturbed(
        &self,
        space: &Space<'_>,
        firmness: &Firmness,
        agent: AgentId,
        others: Performatives,
    ) -> bool {
        let part = space.program.agent(agent).part;
        let disturbed_by = match firmness.takes && !self.trust.roomy[part.index()] {
            true => Performatives::MAX,
            false => firmness.changed_by,
        };
        others & disturbed_by & space.agents.messages().sent_to(part) == 0
    }
}

/// Whether it makes no difference to the recipients of what an agent in a slot sends, and to others who send to them, when
/// it does.
fn sends_commute(
    space: &Space<'_>,
    state: &Located,
    words: &[u32],
    sender: usize,
    others: Performatives,
) -> bool {
    let messages = space.agents.messages();
    let acts = space.local(state.slot(sender).id).acts();
    acts.filter_map(|step| step.sent()).all(|sent| {
        let sent = sent.performative;
        // Bags have no order.
        let is_alone = space.bounds.network.unordered || messages.is_uniform(sent) || others & bit(sent) == 0;
        state.slots().iter().enumerate().all(|(to, slot)| {
            let brief = space.agents.brief(slot.id);
            let part = space.program.agent(slot.agent).part;
            let missed = &space.local(slot.id).outline().missed;
            (to == sender && slot.count == 1)
                || brief.status != Status::Running
                || messages.sent_to(part) & bit(sent) == 0
                || ((is_alone || messages.is_unordered(part, sent))
                    && !missed.contains(bit(sent), others & messages.sent_to(part))
                    && brief.mailbox(state.tail(words, to)) < space.bounds.mailbox)
        })
    })
}

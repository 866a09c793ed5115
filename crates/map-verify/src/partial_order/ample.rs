//! Partial order: when it is enough to expand the steps of one agent.
//!
//! The steps of an agent are an *ample set* of a state if whatever the others do meanwhile neither changes them nor is
//! changed by them. The argument for each condition is in `docs/book/src/reductions.md`.

use map_ir::{AgentId, Program};
use map_semantics::Status;

use crate::agents::Locals;
use crate::footprint::{Performatives, bit};
use crate::state::Scratch;
use crate::state::space::Space;

#[cfg(test)]
mod tests;

/// What partial order may rely on.
#[derive(Clone, Debug)]
pub(crate) struct Trust {
    /// By part: no mailbox of its agents can overflow, in whatever order messages are sent and taken.
    pub(crate) roomy: Vec<bool>,
}

/// Chooses ample sets.
pub(crate) struct Orders {
    trust: Trust,
    /// The agents in the order in which they are tried: the many go before the few, for one that serves all others then
    /// finds all that they have to say.
    preference: Vec<AgentId>,
}

impl Orders {
    pub(crate) fn new(program: &Program, trust: Trust) -> Self {
        let mut preference: Vec<AgentId> = program.cast().collect();
        preference.sort_by_key(|&agent| {
            let part = program.agent(agent).part;
            (std::cmp::Reverse(program.part(part).agents.len()), part)
        });
        Self { trust, preference }
    }

    /// An agent whose steps are an ample set of a state, which has been located.
    pub(crate) fn choose(&self, space: &Space<'_>, scratch: &Scratch, state: &[u32]) -> Option<AgentId> {
        let ids = &state[..space.agent_count()];
        // What somebody, and what more than one may send from this state on.
        let (mut some, mut several) = (0, 0);
        // Of interchangeable agents many are in the same state, one after the other.
        let (mut last, mut may_send) = (None, 0);
        for &id in ids {
            if last.replace(id) != Some(id) {
                may_send = space.local(id).outline().firmness.may_send;
            }
            several |= some & may_send;
            some |= may_send;
        }
        let mut before = None;
        self.preference.iter().copied().find(|&agent| {
            let id = ids[agent.index()];
            if before.replace(id) == Some(id) {
                return false;
            }
            let locals = space.local(id);
            let firmness = &locals.outline().firmness;
            let others = several | (some & !firmness.may_send);
            self.is_undisturbed(space, locals, agent, others)
                && (!firmness.sends || sends_commute(space, scratch, state, agent, others))
        })
    }

    /// Whether nothing that the others, who may send `others`, do changes the agent's steps.
    fn is_undisturbed(
        &self,
        space: &Space<'_>,
        locals: Locals<'_>,
        agent: AgentId,
        others: Performatives,
    ) -> bool {
        let firmness = &locals.outline().firmness;
        let part = space.program.agent(agent).part;
        let messages = space.agents.messages();
        let disturbed_by = match firmness.takes && !self.trust.roomy[part.index()] {
            true => Performatives::MAX,
            false => firmness.changed_by & messages.received_by[part.index()],
        };
        firmness.firm && others & disturbed_by & messages.sent_to(part) == 0
    }
}

/// Whether it makes no difference to the recipients of what an agent sends, and to others who send to them, when it
/// does.
fn sends_commute(
    space: &Space<'_>,
    scratch: &Scratch,
    state: &[u32],
    agent: AgentId,
    others: Performatives,
) -> bool {
    let messages = space.agents.messages();
    let acts = space.local(state[agent.index()]).acts();
    acts.filter_map(|step| step.sent).all(|sent| {
        let sent = sent.performative;
        let is_alone = messages.is_uniform(sent) || others & bit(sent) == 0;
        space.program.cast().filter(|&it| it != agent).all(|to| {
            let brief = space.agents.brief(state[to.index()]);
            let part = space.program.agent(to).part;
            brief.status != Status::Running
                || messages.sent_to(part) & bit(sent) == 0
                || ((is_alone || messages.is_unordered(part, sent))
                    && !messages.is_missed(part, sent)
                    && brief.mailbox(scratch.tail(state, to.index())) < space.bounds.mailbox)
        })
    })
}

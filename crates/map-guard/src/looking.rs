//! Looks ahead: whether a conversation can still end well after a message.
//!
//! What each agent may be doing depends on its own messages alone. So the states of a conversation are all combinations
//! of the states of its agents, and a message dooms it only if no good end can be reached from any of them.

use std::sync::Arc;

use map_conform::{Follower, LoggedMessage};
use map_ir::{AgentId, Symbol};
use map_semantics::{AgentState, SceneState};

use crate::conversation::Conversation;
use crate::foresight::{Ahead, Outlook};
use crate::rules::{OnDoomed, Rules};

/// The most states of a conversation that are looked at.
const MAX_STATES: usize = 4_096;

impl Conversation {
    /// Whether it can end well after another message, behind which the sender is as given.
    pub(crate) fn ahead(&self, rules: &Rules, message: &LoggedMessage, after: Option<&Follower>) -> Ahead {
        let Some(foresight) = rules.foresight.as_ref().filter(|_| rules.policy.on_doomed != OnDoomed::Off)
        else {
            return Ahead::Unasked;
        };
        let outlook = foresight.outlook();
        let is_assumed = rules.is_strict() && self.members.iter().all(|member| !member.is_silenced);
        let Some(after) = after.filter(|_| is_assumed) else { return Ahead::Unknown };
        match outlook {
            Outlook::Bright => Ahead::Clear,
            Outlook::Pending | Outlook::Blind => Ahead::Unknown,
            Outlook::Mixed => {
                let states = self.states_after(rules, message, after);
                let Some(good) = states.and_then(|states| foresight.good_ends(states)) else {
                    return Ahead::Unknown;
                };
                match (good.contains(&true), good.contains(&false)) {
                    (true, false) => Ahead::Clear,
                    (true, true) => Ahead::AtRisk,
                    (false, true) => Ahead::Doomed,
                    (false, false) => Ahead::Unknown,
                }
            }
        }
    }

    /// The states that the conversation may be in after a message; `None` if there are too many, or not all are known.
    fn states_after(
        &self,
        rules: &Rules,
        message: &LoggedMessage,
        after: &Follower,
    ) -> Option<Vec<SceneState>> {
        let mut by_agent: Vec<Vec<Arc<AgentState>>> = Vec::new();
        let (mut count, mut symbols) = (1_usize, 0);
        for member in &self.members {
            let follower = self.follower_after(rules, message, after, member.agent);
            count = count.checked_mul(follower.states().len()).filter(|&it| it > 0 && it <= MAX_STATES)?;
            if follower.is_cut() {
                return None;
            }
            // Values that are not known have names of their own in each agent.
            let (first, mut most) = (symbols, symbols);
            let apart = |state: &AgentState| {
                let mut state = state.clone();
                state.rename_symbols(&mut |symbol| {
                    most = most.max(first + symbol.0 + 1);
                    Symbol(first + symbol.0)
                });
                Arc::new(state)
            };
            by_agent.push(follower.states().map(apart).collect());
            symbols = most;
        }
        let mut all = vec![Vec::new()];
        for states in by_agent {
            let longer = |agents: &Vec<Arc<AgentState>>| {
                let agents = agents.clone();
                states.iter().map(move |state| [&agents[..], &[Arc::clone(state)]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        let state = |agents| SceneState { agents, fresh: Symbol(symbols), lost: 0 };
        Some(all.into_iter().map(state).collect())
    }

    fn follower_after(
        &self,
        rules: &Rules,
        message: &LoggedMessage,
        after: &Follower,
        agent: AgentId,
    ) -> Follower {
        if agent == message.from {
            return after.clone();
        }
        let mut follower = self.members[agent.index()].follower.clone();
        if message.to.contains(&agent) {
            follower.arrive(rules.of(agent), &message.message);
        }
        follower
    }
}

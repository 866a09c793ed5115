//! Time in a conversation: who is silent, whose time runs out, when it has ended or is stuck.

use map_ir::{AgentId, PointId};

use crate::conversation::{Conversation, Ending};
use crate::member::Posture;
use crate::rules::{Arrival, Moment, OnSilent, Rules, Wait};

/// Something that happens because it is time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Occurrence {
    /// An agent owes a message for too long; whether it is given up.
    Silent(AgentId, bool),
    /// An agent that may be at rest is taken to be.
    Rest(AgentId),
    /// Time runs out for an agent at a place.
    Timeout(AgentId, PointId),
    /// The conversation is over.
    Closed(Closing),
    /// Nothing can happen any more.
    Stuck,
}

/// Why a conversation is closed in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Closing {
    Complete,
    Expired,
}

impl Closing {
    pub(crate) fn ending(self) -> Ending {
        match self {
            Self::Complete => Ending::Complete,
            Self::Expired => Ending::Expired,
        }
    }
}

/// The most often that time runs out in a conversation without a message: agents that wait again and again at once
/// would keep it busy for ever.
const MAX_TIMEOUTS: u32 = 1_000;

impl Conversation {
    /// What happens next because it is time, and when.
    pub(crate) fn next_occurrence(&mut self, rules: &Rules) -> Option<(Moment, Occurrence)> {
        if self.ending.is_some() {
            return None;
        }
        let expired =
            (self.touched.saturating_add(rules.policy.limits.idle), Occurrence::Closed(Closing::Expired));
        if self.is_unguarded {
            return Some(expired);
        }
        let timeout = self.timeout(rules);
        let at_rest = if timeout.is_none() { self.rest_of_all(rules) } else { None };
        let first = self.answers(rules).into_iter().chain(timeout).chain([expired]).min();
        first.into_iter().chain(at_rest).min_by_key(|(due, _)| *due)
    }

    /// Who is the next to have taken too long.
    fn answers(&self, rules: &Rules) -> Option<(Moment, Occurrence)> {
        let gives_up = rules.policy.on_silent == OnSilent::GiveUp;
        self.live()
            .filter_map(|member| {
                let due = member.since.saturating_add(rules.policy.answers[member.agent.index()]?);
                match member.posture {
                    Posture::Owes if !member.is_silent => {
                        Some((due, Occurrence::Silent(member.agent, gives_up)))
                    }
                    Posture::Free => Some((due, Occurrence::Rest(member.agent))),
                    Posture::Owes | Posture::AtRest | Posture::Unsure => None,
                }
            })
            .min()
    }

    /// Whose time is the next to run out: early, or because everybody is at rest.
    fn timeout(&mut self, rules: &Rules) -> Option<(Moment, Occurrence)> {
        if self.timeouts >= MAX_TIMEOUTS {
            return None;
        }
        let all_at_rest = self.restless(rules).next().is_none();
        if !all_at_rest && !rules.policy.has_early_waits() {
            return None;
        }
        let quiet_since = self.live().map(|member| member.since).max().unwrap_or(0);
        let mut next: Option<(Moment, Occurrence)> = None;
        let told = |agent: AgentId| rules.arrival(agent) != Arrival::Pushed;
        for member in self.members.iter_mut().filter(|member| !member.is_silenced && told(member.agent)) {
            if member.posture != Posture::AtRest || member.awaits_handing(rules) {
                continue;
            }
            let (agent, since) = (member.agent, member.since);
            let in_vain = member.in_vain.clone();
            for &place in member.waits(rules).iter().filter(|place| !in_vain.contains(place)) {
                let due = match rules.wait(place) {
                    Wait::Early(after) => since.saturating_add(after),
                    Wait::Quiescent(after) if all_at_rest => quiet_since.saturating_add(after),
                    Wait::Quiescent(_) => continue,
                };
                let found = (due, Occurrence::Timeout(agent, place));
                next = Some(next.map_or(found, |known| known.min(found)));
            }
        }
        next
    }

    /// That the conversation is over or stuck, if nobody can do anything any more; no time is to run out.
    fn rest_of_all(&mut self, rules: &Rules) -> Option<(Moment, Occurrence)> {
        if self.is_stuck || self.restless(rules).next().is_some() {
            return None;
        }
        // The time of who is called may run out without anybody knowing.
        let may_act = |agent: AgentId| rules.arrival(agent) == Arrival::Pushed;
        let live: Vec<AgentId> = self.live().map(|member| member.agent).collect();
        let mut can_send = false;
        for agent in live.into_iter().filter(|&agent| may_act(agent)) {
            can_send |= !self.member(agent).follower.offers(rules.of(agent)).is_empty();
        }
        if can_send {
            return None;
        }
        let since = self.live().map(|member| member.since).max().unwrap_or(self.touched);
        let have_ended = self.live().all(|member| member.stance.may_have_ended);
        let what = if have_ended { Occurrence::Closed(Closing::Complete) } else { Occurrence::Stuck };
        Some((since, what))
    }

    /// Until when an agent has to have done something, or waits.
    pub(crate) fn until(&mut self, rules: &Rules, agent: AgentId) -> Option<Moment> {
        if self.ending.is_some() || self.is_unguarded {
            return None;
        }
        let member = &self.members[agent.index()];
        match member.posture {
            Posture::Owes | Posture::Free => {
                rules.policy.answers[agent.index()].map(|answers| member.since.saturating_add(answers))
            }
            Posture::AtRest => match self.timeout(rules) {
                Some((due, Occurrence::Timeout(its, _))) if its == agent => Some(due),
                _ => None,
            },
            Posture::Unsure => None,
        }
    }
}

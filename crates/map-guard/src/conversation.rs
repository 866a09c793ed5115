//! A conversation that is guarded.

use map_conform::Cast;
use map_ir::AgentId;

use crate::budgets::Spent;
use crate::member::{Member, Posture};
use crate::rules::{Moment, Rules};

/// Why a conversation is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All agents have ended, but for those who were given up.
    Complete,
    /// Nothing had happened for too long.
    Expired,
    /// The guard failed: nothing more can be said of it.
    Failed,
}

impl Ending {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Complete, Self::Expired, Self::Failed];

    /// The word for it in answers and journals.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Complete => "ended",
            Self::Expired => "expired",
            Self::Failed => "failed",
        }
    }
}

/// A conversation that is guarded.
#[derive(Clone)]
pub(crate) struct Conversation {
    /// Who is who.
    pub(crate) cast: Cast,
    /// By agent.
    pub(crate) members: Vec<Member>,
    /// How many messages were accepted.
    pub(crate) messages: u64,
    /// What has been made of the budgets.
    pub(crate) spent: Spent,
    pub(crate) ending: Option<Ending>,
    /// When something last happened.
    pub(crate) touched: Moment,
    /// Whether it has been reported that nothing can happen any more.
    pub(crate) is_stuck: bool,
    /// Whether a message was delivered of which it is not known whether it fits.
    pub(crate) is_unguarded: bool,
    /// Whether an acceptance was not certain.
    pub(crate) is_doubtful: bool,
    /// How often time has run out since the last message.
    pub(crate) timeouts: u32,
}

impl Conversation {
    pub(crate) fn new(rules: &Rules, now: Moment) -> Self {
        Self {
            cast: Cast::default(),
            members: rules.program().cast().map(|agent| Member::new(rules, agent, now)).collect(),
            messages: 0,
            spent: rules.budgets.unspent(),
            ending: None,
            touched: now,
            is_stuck: false,
            is_unguarded: false,
            is_doubtful: false,
            timeouts: 0,
        }
    }

    pub(crate) fn member(&mut self, agent: AgentId) -> &mut Member {
        &mut self.members[agent.index()]
    }

    /// Those who still take part.
    pub(crate) fn live(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| !member.is_silenced)
    }

    /// Those who are not at rest, or have not been handed what may change that.
    pub(crate) fn restless(&self, rules: &Rules) -> impl Iterator<Item = AgentId> {
        self.live()
            .filter(|member| member.posture != Posture::AtRest || member.awaits_handing(rules))
            .map(|member| member.agent)
    }
}

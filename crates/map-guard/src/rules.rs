//! What a guard enforces, and how.

use std::collections::BTreeMap;
use std::sync::Arc;

use map_conform::{FollowRules, Roles, Scene};
use map_ir::{AgentId, PointId, Program};
use map_semantics::Bounds;

use crate::budgets::Budgets;
use crate::foresight::{Foresight, Outlook};

/// A moment, in nanoseconds since 1970, and also a duration.
pub type Moment = u64;

/// When messages to an agent arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// When they are accepted.
    Strict,
    /// When they are handed over.
    Fetched,
    /// At any time after they were accepted: the agent is called, and nobody knows when it looks at them.
    Pushed,
}

/// When the time of a wait runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// When everybody has been at rest for so long.
    Quiescent(Moment),
    /// When the agent itself has been at rest for so long, whatever the others do.
    Early(Moment),
}

/// What is done about an agent that owes a message for too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnSilent {
    /// It is treated as if it had crashed.
    GiveUp,
    /// It is reported.
    Tell,
}

/// What is done about a message after which no good end can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDoomed {
    /// It is refused.
    Refuse,
    /// It is delivered, and the sender is told.
    Warn,
    /// Nobody looks ahead.
    Off,
}

/// What is done about a message of which it is not known whether it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnUnsure {
    /// It is refused.
    Refuse,
    /// It is delivered, and the conversation is unguarded from there on.
    Accept,
}

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most conversations that are open.
    pub conversations: usize,
    /// The most messages and events that an agent has not acknowledged.
    pub undelivered: usize,
    /// The most bytes of the arguments of a message, as JSON.
    pub body: usize,
    /// The most bytes of the texts of a conversation that are not in the file.
    pub texts: usize,
    /// The most keys that are remembered of an agent in a conversation.
    pub keys: usize,
    /// After how long a conversation in which nothing happens expires; for as long the key and the verdict of one that
    /// has ended are kept.
    pub idle: Moment,
}

/// A second.
const SECOND: Moment = 1_000_000_000;

impl Default for Limits {
    fn default() -> Self {
        Self {
            conversations: 10_000,
            undelivered: 1_000,
            body: 1 << 20,
            texts: 16 << 20,
            keys: 10_000,
            idle: 7 * 24 * 3600 * SECOND,
        }
    }
}

/// What a configuration says.
#[derive(Clone, Debug)]
pub struct Policy {
    /// By agent: when messages to it arrive.
    pub arrivals: Vec<Arrival>,
    /// By agent: how long it may take until it has sent what it owes, or is taken to rest.
    pub answers: Vec<Option<Moment>>,
    /// When time runs out, by the place of the wait; without an entry, as soon as everybody is at rest.
    pub waits: BTreeMap<PointId, Wait>,
    /// The most messages of a conversation.
    pub messages: Option<u64>,
    /// By agent: the most messages that those of its role send in a conversation.
    pub messages_of: Vec<Option<u64>>,
    /// What is done about who is silent.
    pub on_silent: OnSilent,
    /// What is done about a message after which no good end can be reached.
    pub on_doomed: OnDoomed,
    /// What is done if it is not known whether a message fits.
    pub on_unsure: OnUnsure,
    /// Whether a message is refused that rests on values that nobody has seen.
    pub refuses_doubtful: bool,
    /// How much is kept.
    pub limits: Limits,
}

impl Policy {
    /// Whether the time of some wait runs out whatever the others do.
    #[must_use]
    pub fn has_early_waits(&self) -> bool {
        self.waits.values().any(|wait| matches!(wait, Wait::Early(_)))
    }

    /// Messages arrive at once, nobody is hurried, and nothing is limited but what is kept.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let agents = program.agents.len();
        Self {
            arrivals: vec![Arrival::Strict; agents],
            answers: vec![None; agents],
            waits: BTreeMap::new(),
            messages: None,
            messages_of: vec![None; agents],
            on_silent: OnSilent::Tell,
            on_doomed: OnDoomed::Off,
            on_unsure: OnUnsure::Refuse,
            refuses_doubtful: false,
            limits: Limits::default(),
        }
    }
}

/// A scene with what is enforced of it.
pub struct Rules {
    /// The scene.
    pub scene: Arc<Scene>,
    /// What is enforced.
    pub policy: Policy,
    /// The properties that are enforced.
    pub budgets: Budgets,
    /// Who looks ahead.
    pub(crate) foresight: Option<Box<dyn Foresight + Send>>,
    pub(crate) roles: Roles,
    takes_forced: bool,
    fetching: FollowRules,
    pushed: FollowRules,
}

impl Rules {
    /// With `roles`, which say who plays what.
    #[must_use]
    pub fn new(scene: Arc<Scene>, roles: Roles, policy: Policy) -> Self {
        let (fetching, pushed) = (FollowRules::fetching(&scene), FollowRules::pushed(&scene));
        let budgets = Budgets::default();
        Self { scene, policy, budgets, foresight: None, roles, takes_forced: true, fetching, pushed }
    }

    /// The same, with properties that are enforced.
    #[must_use]
    pub fn with_budgets(self, budgets: Budgets) -> Self {
        Self { budgets, ..self }
    }

    /// The same, with somebody who looks ahead; see [`Policy::on_doomed`].
    #[must_use]
    pub fn with_foresight(self, foresight: Box<dyn Foresight + Send>) -> Self {
        Self { foresight: Some(foresight), ..self }
    }

    /// The same, but that agents are not taken to have received what they cannot but receive: the answers are the same,
    /// and more states are kept.
    #[must_use]
    pub fn without_forced_receives(self) -> Self {
        Self { takes_forced: false, ..self }
    }

    /// What is known of what lies ahead; `None` if nobody looks.
    #[must_use]
    pub fn outlook(&self) -> Option<Outlook> {
        let foresight = self.foresight.as_ref().filter(|_| self.policy.on_doomed != OnDoomed::Off)?;
        Some(if self.is_strict() { foresight.outlook() } else { Outlook::Blind })
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        self.scene.program()
    }

    /// The program, with the bounds within which it is followed.
    pub(crate) fn meaning(&self) -> (&Program, &Bounds) {
        (self.scene.program(), self.scene.bounds())
    }

    /// How an agent is followed.
    pub(crate) fn of(&self, agent: AgentId) -> &FollowRules {
        match self.arrival(agent) {
            Arrival::Strict | Arrival::Fetched => &self.fetching,
            Arrival::Pushed => &self.pushed,
        }
    }

    pub(crate) fn arrival(&self, agent: AgentId) -> Arrival {
        self.policy.arrivals[agent.index()]
    }

    /// Whether all messages arrive when they are accepted.
    pub(crate) fn is_strict(&self) -> bool {
        self.policy.arrivals.iter().all(|&arrival| arrival == Arrival::Strict)
    }

    /// Whether agents are taken to have received what they cannot but receive. Whoever looks ahead may know of some
    /// states only, which are those in which agents are between what can be seen.
    pub(crate) fn takes_forced(&self) -> bool {
        let looks = self.foresight.is_some() && self.policy.on_doomed != OnDoomed::Off;
        self.takes_forced && !looks
    }

    /// When the time of a wait runs out.
    pub(crate) fn wait(&self, place: PointId) -> Wait {
        self.policy.waits.get(&place).copied().unwrap_or(Wait::Quiescent(0))
    }
}

//! What events cost, in compiled form.

use crate::{AgentId, MessagePattern, ProcedureId};

/// A sum that grows with the events of a dialogue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cost {
    /// What is added up.
    pub charges: Vec<Charge>,
}

/// What an event costs each time it happens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Charge {
    /// Who bears the cost.
    pub bearer: Whom,
    /// The event.
    pub event: ChargedEvent,
    /// The price of an occurrence.
    pub price: Price,
}

/// Some agents.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Whom {
    /// Any agent.
    Anybody,
    /// These, in order.
    These(Vec<AgentId>),
}

impl Whom {
    /// Whether an agent is one of them.
    #[must_use]
    pub fn has(&self, agent: AgentId) -> bool {
        match self {
            Self::Anybody => true,
            Self::These(agents) => agents.binary_search(&agent).is_ok(),
        }
    }

    /// The agents that are named, in order.
    #[must_use]
    pub fn named(&self) -> &[AgentId] {
        match self {
            Self::Anybody => &[],
            Self::These(agents) => agents,
        }
    }

    /// Those that are also among these agents, which are in order.
    #[must_use]
    pub fn among(&self, agents: &[AgentId]) -> Self {
        Self::These(agents.iter().copied().filter(|&agent| self.has(agent)).collect())
    }
}

/// An event that costs something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ChargedEvent {
    /// Asks the procedure, whatever the answer: a "no" on the way to a step, too.
    Asks(ProcedureId),
    /// Sends a message that has one of these among its recipients.
    Sends(MessagePattern, Whom),
    /// Receives a message from one of these.
    Receives(MessagePattern, Whom),
    /// Makes a step, of whatever kind. A crash is none, and neither is the arrival of a message.
    Steps,
    /// Sends a copy of a message, whether it is lost or not.
    Copies,
    /// Makes a call.
    Calls,
}

impl ChargedEvent {
    /// The messages that it is about, and the other party of the agent that bears the cost.
    #[must_use]
    pub fn message(&self) -> Option<(&MessagePattern, &Whom)> {
        match self {
            Self::Sends(pattern, other) | Self::Receives(pattern, other) => Some((pattern, other)),
            Self::Asks(_) | Self::Steps | Self::Copies | Self::Calls => None,
        }
    }
}

/// The price of an occurrence of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Price {
    /// This much, from 0 on.
    Amount(i64),
    /// The argument of the message at this place, if that is an integer from 0 on; otherwise 0.
    Argument(usize),
}

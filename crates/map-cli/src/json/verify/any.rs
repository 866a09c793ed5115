//! The output of `map verify --agents bidder=any`.

use serde::Serialize;

use super::super::{Header, Origin};
use super::Verified;

/// A file for which the verdict was asked for any number of agents of a role.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AnyOutput {
    #[serde(flatten)]
    pub(crate) header: Header,
    #[serde(flatten)]
    pub(crate) origin: Origin,
    /// Always `any`.
    pub(crate) scope: String,
    pub(crate) role: String,
    /// The least number of agents that the verdict is about.
    pub(crate) from: u32,
    /// `terminates`, `terminates if fair`, `no failure and no deadlock`, `no proof`, or a violation.
    pub(crate) verdict: String,
    /// Whether the verdict is proved for every number. A violation is one with some number.
    pub(crate) proved: bool,
    /// What could not be excluded, if there is no proof. It may never happen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) obstacle: Option<String>,
    /// What can be done if there is no proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) advice: Option<String>,
    /// Answers with which all agents end, whatever happened before, if there are two of the role or more.
    pub(crate) habits: Vec<HabitOutput>,
    /// How it is proved for two agents or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) method: Option<MethodOutput>,
    /// The numbers of agents that were verified one by one.
    pub(crate) verified: Vec<AnyNumberOutput>,
    /// What was found about the properties; none if they were not judged.
    pub(crate) properties: Vec<AnyPropertyOutput>,
    /// The number of agents since which states have shown no new views, of those that were looked at; absent if the
    /// largest number still had new ones. Nothing follows from it for other numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) no_new_views_since: Option<u32>,
    /// The violation, of the verdict or of a property, with the least of these numbers that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) violation: Option<Box<Verified>>,
    /// What the verdict takes for granted.
    pub(crate) assumptions: Vec<String>,
    pub(crate) seconds: f64,
}

/// An answer of a decision, whenever it is asked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct HabitOutput {
    pub(crate) procedure: String,
    /// Whether it answers; otherwise it says "no".
    pub(crate) answers: bool,
}

/// The views behind a proof.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MethodOutput {
    /// The number of agents of the role that a view shows.
    pub(crate) members: u32,
    /// The number of views.
    pub(crate) views: usize,
    /// How many equal messages of an agent are told apart.
    pub(crate) copies: u8,
    /// The same for agents that a view does not show.
    pub(crate) copies_of_others: u8,
    /// The cells that are told apart by who has contributed to them.
    pub(crate) counting: Vec<String>,
}

/// The verdict for one number of agents.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AnyNumberOutput {
    pub(crate) agents: u32,
    pub(crate) verdict: String,
    /// Every reachable state was seen and nothing was cut.
    pub(crate) complete: bool,
    pub(crate) states: usize,
    /// The number of views that states with fewer agents did not show; absent if the states were not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) new_views: Option<usize>,
    /// The fullest mailboxes, by role; none if the states were not looked at.
    pub(crate) mailboxes: Vec<MailboxOutput>,
}

/// A property of the file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AnyPropertyOutput {
    pub(crate) name: String,
    /// `holds` for any number of agents, `violated` with some number, or `not judged`.
    pub(crate) verdict: String,
    /// The number of agents with which it is violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) with: Option<u32>,
    /// Why it is not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// From the least number of agents up to this one it was verified, and holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) holds_up_to: Option<u32>,
}

/// The fullest mailbox of the agents of a role.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MailboxOutput {
    pub(crate) role: String,
    /// The number of messages in it.
    pub(crate) messages: usize,
}

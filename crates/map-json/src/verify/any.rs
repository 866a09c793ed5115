//! The output of `map verify --agents bidder=any`.

use map_session::{AnyPropertyWord, AnyVerdictWord};
use map_verify::Verdict;
use serde::Serialize;

use crate::{CostRangeOutput, Header, Origin, VerifiedOutput, Word};

/// A file for which the verdict was asked for any number of agents of a role.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnyOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// What it was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// Always `any`.
    pub scope: String,
    /// The role.
    pub role: String,
    /// The least number of agents that the verdict is about.
    pub from: u32,
    /// The verdict.
    pub verdict: Word<AnyVerdictWord>,
    /// Whether the verdict is proved for every number. A violation is one with some number.
    pub proved: bool,
    /// What could not be excluded, if there is no proof. It may never happen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<String>,
    /// What can be done if there is no proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// Answers with which all agents end, whatever happened before, if there are two of the role or more.
    pub habits: Vec<HabitOutput>,
    /// How it is proved for two agents or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<MethodOutput>,
    /// The numbers of agents that were verified one by one.
    pub verified: Vec<AnyNumberOutput>,
    /// What was found about the properties; none if they were not judged.
    pub properties: Vec<AnyPropertyOutput>,
    /// What the costs come to that the text declares; none if they were not added up.
    pub costs: Vec<AnyCostOutput>,
    /// The number of agents since which states have shown no new views, of those that were looked at; absent if the
    /// largest number still had new ones. Nothing follows from it for other numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_new_views_since: Option<u32>,
    /// The violation, of the verdict or of a property, with the least of these numbers that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<Box<VerifiedOutput>>,
    /// What the verdict takes for granted.
    pub assumptions: Vec<String>,
    /// How long it took.
    pub seconds: f64,
}

/// An answer of a decision, whenever it is asked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HabitOutput {
    /// The decision.
    pub procedure: String,
    /// Whether it answers; otherwise it says "no".
    pub answers: bool,
}

/// The views behind a proof.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MethodOutput {
    /// The number of agents of the role that a view shows.
    pub members: u32,
    /// The number of views.
    pub views: usize,
    /// How many equal messages of an agent are told apart.
    pub copies: u8,
    /// The same for agents that a view does not show.
    pub copies_of_others: u8,
    /// The cells that are told apart by who has contributed to them.
    pub counting: Vec<String>,
}

/// The verdict for one number of agents.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnyNumberOutput {
    /// How many agents there are of the role.
    pub agents: u32,
    /// The verdict with so many.
    pub verdict: Word<Verdict>,
    /// Every reachable state was seen and nothing was cut.
    pub complete: bool,
    /// How many states were found.
    pub states: usize,
    /// The number of views that states with fewer agents did not show; absent if the states were not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_views: Option<usize>,
    /// The fullest mailboxes, by role; none if the states were not looked at.
    pub mailboxes: Vec<MailboxOutput>,
}

/// A property of the file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnyPropertyOutput {
    /// Its name.
    pub name: String,
    /// `holds` for any number of agents, `violated` with some number, or `not judged`.
    pub verdict: Word<AnyPropertyWord>,
    /// The number of agents with which it is violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<u32>,
    /// Why it is not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// From the least number of agents up to this one it was verified, and holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds_up_to: Option<u32>,
}

/// A cost that the file declares.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnyCostOutput {
    /// Its name, which is its unit.
    pub name: String,
    /// The most that each agent of the role pays in any run, whatever their number; absent if no bound was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each: Option<i64>,
    /// Why no bound was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What all agents pay together with some numbers of agents. Nothing follows from it for other numbers.
    pub together: Vec<CostOfNumberOutput>,
}

/// What all agents pay together with some number of agents of a role.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CostOfNumberOutput {
    /// The number.
    pub agents: u32,
    /// What they pay.
    #[serde(flatten)]
    pub range: CostRangeOutput,
}

/// The fullest mailbox of the agents of a role.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MailboxOutput {
    /// The role.
    pub role: String,
    /// The number of messages in it.
    pub messages: usize,
}

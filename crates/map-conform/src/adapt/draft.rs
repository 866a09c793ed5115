//! A record in the making.

use serde_json::Value as Json;

use crate::line::Fragment;
use crate::record::{Fault, FaultKind, Record, checked, parsed_time};

/// What an adapter has found in a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) time: Option<Json>,
    pub(crate) arrives: bool,
    pub(crate) id: Option<String>,
    pub(crate) conversation: Option<String>,
    pub(crate) from: Option<String>,
    pub(crate) to: Vec<String>,
    pub(crate) performative: Option<String>,
    pub(crate) args: Vec<Json>,
    /// Whether it is no message, and its answers are none either.
    pub(crate) is_other: bool,
    /// The key under which its answers find it.
    pub(crate) remember: Option<String>,
    /// The key of the request that it answers.
    pub(crate) recall: Option<String>,
    /// Another id of its conversation.
    pub(crate) same_as: Option<String>,
    /// The state of a task that it tells.
    pub(crate) status: Option<Status>,
}

/// The state of a task of A2A, as an answer tells it: an agent tells each once, however often it is asked.
#[derive(Clone, Debug)]
pub(crate) struct Status {
    /// The task, by its agent and its id.
    pub(crate) task: String,
    /// What is told, as a hash: the state, and the message that goes with it.
    pub(crate) told: u64,
    /// When the task came to it, as the agent says; a hash likewise.
    pub(crate) since: Option<u64>,
    /// Whether it is an event of a stream: else it is how the task stands, which may have been told before.
    pub(crate) is_event: bool,
}

impl Draft {
    /// What can be read of it, should it be no record.
    pub(super) fn fragment(&self) -> Fragment {
        let names = self.from.iter().filter(|_| !self.to.is_empty()).chain(&self.to).cloned().collect();
        Fragment { conversation: self.conversation.clone(), names }
    }

    /// The record, by the rules for native ones.
    pub(super) fn finish(self) -> Result<Record, Fault> {
        let missing = |what: &str| wrong(format!("the line does not say `{what}`"));
        let record = Record {
            time: parsed_time(self.time).map_err(|it| wrong(it.text))?,
            conversation: self.conversation.unwrap_or_default(),
            arrives: self.arrives,
            id: self.id,
            from: self.from.ok_or_else(|| missing("from"))?,
            to: self.to,
            performative: self.performative.ok_or_else(|| missing("performative"))?,
            args: self.args,
        };
        checked(record).map_err(|it| wrong(it.text))
    }
}

/// Why a line cannot be adapted.
pub(super) fn wrong(text: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Unadapted, text)
}

/// A value as a name: a text, a number or a truth value; nothing if it is absent or null.
pub(super) fn name(value: Option<&Json>, what: &str) -> Result<Option<String>, Fault> {
    match value {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text.clone())),
        Some(Json::Number(number)) => Ok(Some(number.to_string())),
        Some(Json::Bool(value)) => Ok(Some(value.to_string())),
        Some(Json::Array(_) | Json::Object(_)) => {
            Err(wrong(format!("`{what}` is no name but a list or an object")))
        }
    }
}

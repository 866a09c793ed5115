//! A record in the making.

use serde_json::{Map, Value as Json};

use crate::line::Fragment;
use crate::record::{ANYBODY, Fault, FaultKind, Record, checked};
use crate::times::Times;

/// What an adapter has found in a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) time: Option<Json>,
    pub(crate) arrives: bool,
    pub(crate) arrives_unlogged: bool,
    pub(crate) id: Option<String>,
    pub(crate) conversation: Option<String>,
    pub(crate) from: Option<String>,
    pub(crate) to: Vec<String>,
    pub(crate) performative: Option<String>,
    pub(crate) args: Vec<Json>,
    /// How many of the last arguments are the result of a task.
    pub(crate) results: usize,
    /// Whether its arguments are all that it has, so that the artifacts of its task are none.
    pub(crate) takes_no_result: bool,
    /// The arguments by their names, if they have names.
    pub(crate) named: Option<Map<String, Json>>,
    /// Whether it is no message, and its answers are none either.
    pub(crate) is_other: bool,
    /// Whether it repeats a message that has not been answered: only its answers are new.
    pub(crate) is_repeated: bool,
    /// The key under which its answers find it.
    pub(crate) remember: Option<String>,
    /// The key of the request that it answers.
    pub(crate) recall: Option<String>,
    /// Another id of its conversation.
    pub(crate) same_as: Option<String>,
    /// What its conversation is called, if it is more than an id of a request.
    pub(crate) alias: Option<String>,
    /// The state of a task that it tells.
    pub(crate) status: Option<Status>,
    /// The part of a result that it brings.
    pub(crate) artifact: Option<Artifact>,
}

/// Parts of an artifact of A2A, as an event of a stream brings them.
#[derive(Clone, Debug)]
pub(crate) struct Artifact {
    /// The task, by its agent and its id.
    pub(crate) task: String,
    /// Which of its artifacts.
    pub(crate) id: String,
    /// Whether they come behind those that there are, and not in their place.
    pub(crate) appends: bool,
    pub(crate) parts: Vec<Json>,
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
    /// Whether the task is over: the message has the result as arguments.
    pub(crate) is_final: bool,
    /// The artifacts of the task by their ids, if all of them are told.
    pub(crate) artifacts: Option<Vec<(String, Vec<Json>)>>,
}

impl Draft {
    /// What can be read of it, should it be no record.
    pub(super) fn fragment(&self) -> Fragment {
        let is_known = !self.to.is_empty() && !self.to.iter().any(|name| name == ANYBODY);
        let names = self.from.iter().chain(&self.to).filter(|_| is_known).cloned().collect();
        Fragment { conversation: self.conversation.clone(), names }
    }

    /// The record, by the rules for native ones.
    pub(super) fn finish(self, times: &mut Times) -> Result<Record, Fault> {
        let missing = |what: &str| wrong(format!("the line does not say `{what}`"));
        let record = Record {
            time: times.read(self.time).map_err(|fault| match fault.kind {
                FaultKind::UnclearTime => fault,
                _ => wrong(fault.text),
            })?,
            conversation: self.conversation.unwrap_or_default(),
            alias: self.alias,
            arrives: self.arrives,
            arrives_unlogged: self.arrives_unlogged,
            id: self.id,
            from: self.from.ok_or_else(|| missing("from"))?,
            to: self.to,
            performative: self.performative.ok_or_else(|| missing("performative"))?,
            args: self.args,
            results: self.results,
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

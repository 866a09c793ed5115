//! What a line of a log is, with what can be told of it if it cannot be used.

use std::collections::VecDeque;

use serde_json::Value as Json;

use crate::record::{ANYBODY, Fault, Record};

/// A line of a log, or one of the records in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A record.
    Record(Record),
    /// It is about something else, and why.
    Other(String),
    /// It cannot be used: what is wrong, and what can be read of it all the same.
    Bad(Fault, Fragment),
}

impl Line {
    /// The record, if it is one.
    #[must_use]
    pub fn record(&self) -> Option<&Record> {
        match self {
            Self::Record(record) => Some(record),
            Self::Other(_) | Self::Bad(..) => None,
        }
    }
}

/// Lines with their numbers.
pub type Records = VecDeque<(u64, Line)>;

/// What can be read of a line that cannot be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// The conversation, which is empty if the line has none; `None` if it cannot be read.
    pub conversation: Option<String>,
    /// The real names of the agents that it concerns; none if they cannot be read.
    pub names: Vec<String>,
}

impl Fragment {
    /// What can be read of a record in JSON.
    pub(crate) fn of_text(line: &[u8]) -> Self {
        let Ok(Json::Object(fields)) = serde_json::from_slice(line) else { return Self::default() };
        let is_message = ["from", "to", "performative"].iter().any(|key| fields.contains_key(*key));
        let conversation = match fields.get("conversation") {
            None | Some(Json::Null) => is_message.then(String::new),
            Some(Json::String(name)) => Some(name.clone()),
            Some(Json::Number(number)) => Some(number.to_string()),
            Some(_) => None,
        };
        // One of several names that cannot be read may be anybody.
        let read = |key: &str| match fields.get(key) {
            Some(Json::String(name)) => Some(vec![name.clone()]),
            Some(Json::Array(all)) => all.iter().map(|it| it.as_str().map(str::to_owned)).collect(),
            _ => None,
        };
        let names = match (read("from"), read("to")) {
            (Some(from), Some(to)) => from.into_iter().chain(to).collect(),
            _ => Vec::new(),
        };
        Self { conversation, names }
    }

    /// What a record says that cannot be used for another reason.
    pub(crate) fn of_record(record: &Record) -> Self {
        // If the log does not say who heard it, it may concern all.
        let is_known = !record.to.iter().any(|name| name == ANYBODY);
        let names = record.to.iter().chain([&record.from]).filter(|_| is_known).cloned().collect();
        Self { conversation: Some(record.conversation.clone()), names }
    }
}

#[cfg(test)]
mod tests {
    use super::Fragment;

    #[test]
    fn of_a_bad_line_its_conversation_and_agents_are_read() {
        let read = |line: &str| {
            let Fragment { conversation, names } = Fragment::of_text(line.as_bytes());
            (conversation, names.join(" "))
        };
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(
            read(r#"{"conversation":"z","from":"a","to":["b","c"]}"#),
            (some("z"), "a b c".to_owned())
        );
        assert_eq!(read(r#"{"conversation":7,"from":"a","to":["b",1]}"#), (some("7"), String::new()));
        assert_eq!(read(r#"{"from":"a"}"#), (some(""), String::new()));
        assert_eq!(read(r#"{"conversation":[],"from":"a","to":"b"}"#), (None, "a b".to_owned()));
        assert_eq!(read(r#"{"conversation":"z""#), (None, String::new()));
        assert_eq!(read(r#"{"level":"info"}"#), (None, String::new()));
        assert_eq!(read("[]"), (None, String::new()));
    }
}

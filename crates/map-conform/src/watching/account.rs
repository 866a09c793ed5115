//! What became of the lines of the logs: how many were judged, and why others were not.

use serde::{Deserialize, Serialize};

use crate::record::FaultKind;
use crate::report::Mark;

/// The maximum number of reasons that are told apart, and of conversations that are remembered by name.
const MAX_REASONS: usize = 32;
const MAX_NAMES: usize = 1_000;

/// What is said of further reasons.
const OTHERS: &str = "other reasons";

/// What became of the lines of the logs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Account {
    /// The number of lines, without blank ones.
    pub lines: u64,
    /// The number of messages that were judged.
    pub messages: u64,
    /// The lines and messages that were passed over, by reason, in the order of the first ones.
    pub passed_over: Vec<PassedOver>,
    /// The lines that cannot be used, by kind, in the order of the first ones.
    pub bad: Vec<BadLines>,
    /// The first conversations that were passed over because others were asked for.
    pub other_conversations: Vec<String>,
    last: Option<(usize, u64)>,
}

/// Lines and messages that were passed over for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedOver {
    /// The reason.
    pub reason: String,
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first: Mark,
}

/// Lines that cannot be used, of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadLines {
    /// The kind.
    pub kind: FaultKind,
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first: Mark,
}

impl Account {
    /// The number of lines that cannot be used.
    #[must_use]
    pub fn bad_lines(&self) -> u64 {
        self.bad.iter().map(|of_kind| of_kind.count).sum()
    }

    /// The number of lines and messages that were passed over.
    #[must_use]
    pub fn lines_passed_over(&self) -> u64 {
        self.passed_over.iter().map(|of_reason| of_reason.count).sum()
    }

    /// Whether people should see it: something is bad, or nearly everything was passed over.
    #[must_use]
    pub fn is_remarkable(&self) -> bool {
        !self.bad.is_empty() || self.lines_passed_over() > 9 * self.messages
    }

    /// Counts a line, of which there may be several records.
    pub(super) fn count_line(&mut self, mark: Mark) {
        let line = Some((mark.log, mark.line));
        self.lines += u64::from(self.last != line);
        self.last = line;
    }

    /// Counts what is passed over.
    pub(super) fn count_passed_over(&mut self, mark: Mark, reason: &str) {
        let known = |reason: &str| self.passed_over.iter().position(|of_reason| of_reason.reason == reason);
        let is_full = self.passed_over.len() >= MAX_REASONS;
        let reason = if is_full && known(reason).is_none() { OTHERS } else { reason };
        match known(reason) {
            Some(at) => self.passed_over[at].count += 1,
            None => self.passed_over.push(PassedOver { reason: reason.to_owned(), count: 1, first: mark }),
        }
    }

    /// Counts a line that cannot be used.
    pub(super) fn count_bad(&mut self, mark: Mark, kind: FaultKind) {
        match self.bad.iter_mut().find(|of_kind| of_kind.kind == kind) {
            Some(known) => known.count += 1,
            None => self.bad.push(BadLines { kind, count: 1, first: mark }),
        }
    }

    /// Remembers a conversation that nobody asked for.
    pub(super) fn note_conversation(&mut self, name: &str) {
        if self.other_conversations.len() < MAX_NAMES
            && !self.other_conversations.iter().any(|known| known == name)
        {
            self.other_conversations.push(name.to_owned());
        }
    }
}

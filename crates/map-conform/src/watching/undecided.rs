//! Lines of conversations of which it is not known yet whether they are the one that is asked for: an answer may tell
//! its name.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::Watcher;
use super::open::Heard;
use crate::record::Record;
use crate::report::Mark;

/// The maximum number of conversations whose names are waited for, and of lines of each.
const MAX_CONVERSATIONS: usize = 1_024;
const MAX_LINES: usize = 64;

const OTHER: &str = "it belongs to another conversation";

/// What is kept until the names of conversations are known.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Undecided {
    /// By what a conversation is called at first: its lines.
    lines: BTreeMap<String, Vec<(Mark, Record)>>,
    /// The conversations from the oldest on.
    order: VecDeque<String>,
    /// What the conversation that is asked for is called at first.
    chosen: BTreeSet<String>,
}

impl Undecided {
    pub(super) fn is_chosen(&self, conversation: &str) -> bool {
        self.chosen.contains(conversation)
    }

    /// Keeps a line; returns the lines that are not waited for any more.
    fn keep(&mut self, mark: Mark, record: &Record) -> Vec<(Mark, Record)> {
        let name = &record.conversation;
        if !self.lines.contains_key(name) {
            self.order.push_back(name.clone());
        }
        let lines = self.lines.entry(name.clone()).or_default();
        lines.push((mark, record.clone()));
        if lines.len() > MAX_LINES {
            return self.take(&name.clone());
        }
        match self.order.front().filter(|_| self.order.len() > MAX_CONVERSATIONS).cloned() {
            Some(oldest) => self.take(&oldest),
            None => Vec::new(),
        }
    }

    fn take(&mut self, name: &str) -> Vec<(Mark, Record)> {
        self.order.retain(|it| it != name);
        self.lines.remove(name).unwrap_or_default()
    }
}

impl Watcher<'_> {
    /// Keeps a line until it is known to which conversation it belongs; returns whether it did. Those that were kept
    /// are judged as soon as this one tells that it is theirs.
    pub(super) fn defers(&mut self, mark: Mark, record: &Record) -> bool {
        let Some(only) = self.policy.only.as_ref().filter(|_| self.policy.learns_names) else { return false };
        let name = &record.conversation;
        if only == name || self.undecided.is_chosen(name) {
            return false;
        }
        let Some(called) = &record.alias else {
            let gone = self.undecided.keep(mark, record);
            self.pass_over(&gone);
            return true;
        };
        let is_it = called == only;
        let kept = self.undecided.take(name);
        if !is_it {
            self.pass_over(&kept);
            return false;
        }
        self.undecided.chosen.insert(name.clone());
        for (mark, record) in kept {
            match self.hear(mark, &record) {
                Ok(Heard::Message) => self.account.messages += 1,
                Ok(Heard::Nothing(reason)) => self.account.count_passed_over(mark, reason),
                Err(fault) => self.account.count_bad(mark, fault.kind),
            }
        }
        false
    }

    /// Those of which nothing became known are others.
    pub(super) fn give_up_undecided(&mut self) {
        let kept: Vec<(Mark, Record)> =
            std::mem::take(&mut self.undecided.lines).into_values().flatten().collect();
        self.undecided.order.clear();
        self.pass_over(&kept);
    }

    fn pass_over(&mut self, lines: &[(Mark, Record)]) {
        for (mark, record) in lines {
            self.account.note_conversation(&record.conversation);
            self.account.count_passed_over(*mark, OTHER);
        }
    }
}

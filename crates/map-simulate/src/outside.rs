//! Answers from outside: a respondent that decides for the agents instead of chance.

use std::collections::BTreeMap;

use map_ir::Value;
use map_semantics::{Question, Reply};

/// Answers procedures that have no body or answer from a domain. What is no value of the domain ends the run, as if
/// the respondent had left.
pub type Respondent<'a> = dyn FnMut(&Question<'_>) -> Response + 'a;

/// The reaction of a [`Respondent`] to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// Leaves it to chance.
    Chance,
    /// Answers, or reports that it cannot.
    Reply(Reply),
    /// Ends the run before the step.
    Stop,
    /// Has left and will answer no more: the run ends before the step.
    Leave,
}

/// The distinct values received from outside, in the order of their first occurrence.
#[derive(Default)]
pub(crate) struct Values {
    list: Vec<Value>,
    positions: BTreeMap<Value, u32>,
}

impl Values {
    /// The index of a value, which is added if it is new.
    pub(crate) fn position(&mut self, value: Value) -> u32 {
        let next = self.list.len() as u32;
        *self.positions.entry(value).or_insert_with(|| {
            self.list.push(value);
            next
        })
    }

    pub(crate) fn into_list(self) -> Vec<Value> {
        self.list
    }
}

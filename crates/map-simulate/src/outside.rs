//! Answers from outside: whoever decides for the agents instead of chance.

use std::collections::BTreeMap;

use map_ir::Value;
use map_semantics::{Question, Reply};

/// Answers procedures that have no body.
pub type Respondent<'a> = dyn FnMut(&Question<'_>) -> Response + 'a;

/// What a [`Respondent`] does with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// Leaves it to chance.
    Chance,
    /// Answers, or fails to.
    Reply(Reply),
    /// Wants the run to end, before the step.
    Stop,
    /// Will not answer any more: the run ends before the step.
    Leave,
}

/// The values that came from outside, each once, in the order in which they came.
#[derive(Default)]
pub(crate) struct Values {
    list: Vec<Value>,
    positions: BTreeMap<Value, u32>,
}

impl Values {
    /// Where the value stands.
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

//! Resolves open questions as recorded.

use map_ir::{Symbol, Value};

use crate::{Choice, Choices, Question, Reply};

/// The options recorded for a step, to be taken again.
#[derive(Clone, Debug)]
pub struct RecordedOptions<'a> {
    options: &'a [u32],
    values: &'a [Value],
    fresh: Symbol,
    position: usize,
    fits: bool,
}

impl<'a> RecordedOptions<'a> {
    /// Takes these options, one per question. `values` are the values that options from outside refer to
    /// ([`Reply::from_option`]); their symbols must be below `fresh`.
    #[must_use]
    pub fn new(options: &'a [u32], values: &'a [Value], fresh: Symbol) -> Self {
        Self { options, values, fresh, position: 0, fits: true }
    }

    /// Whether every question so far had a valid option and no option is left over.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.fits && self.position == self.options.len()
    }
}

impl Choices for RecordedOptions<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        let recorded = self.options.get(self.position).copied();
        self.position += 1;
        recorded.filter(|&option| option < choice.options()).unwrap_or_else(|| {
            self.fits = false;
            0
        })
    }

    fn reply(&mut self, question: &Question<'_>) -> Reply {
        let recorded = self.options.get(self.position).copied();
        // For a procedure that may not refuse, only replies from outside are recorded: a smaller option belongs to a
        // later comparison of the step.
        if !question.may_refuse && recorded.is_none_or(|option| option < 2) {
            return Reply::Unknown;
        }
        self.position += 1;
        let known = |reply: &Reply| match reply {
            Reply::Value(value) => value.symbol().is_none_or(|symbol| symbol < self.fresh),
            _ => true,
        };
        let reply = recorded.and_then(|option| Reply::from_option(option, self.values));
        reply.filter(known).unwrap_or_else(|| {
            self.fits = false;
            Reply::Unknown
        })
    }
}

//! A conversation with what was found out about it.

use std::sync::Arc;

use map_ir::Program;

use crate::cast::Cast;
use crate::explaining::Explanation;
use crate::own::Own;
use crate::report::{Mark, Report, Violation};
use crate::scene::Scene;

/// What became known of the conversations of a log.
pub enum Event {
    /// A violation was found.
    Violation(Box<FoundViolation>),
    /// A conversation was judged.
    Judged(Box<ConversationResult>),
}

/// A violation, as soon as it is found.
pub struct FoundViolation {
    /// The conversation.
    pub conversation: String,
    /// The scene with its cast.
    pub scene: Arc<Scene>,
    /// Who in it is who.
    pub cast: Cast,
    /// The violation.
    pub violation: Violation,
}

/// Why a conversation is not followed to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenUp {
    /// There were too many, and nothing had been heard of it for the longest time.
    TooMany,
    /// The texts in it, or in all conversations, take too much memory.
    TooLarge,
}

/// A conversation that has been judged.
pub struct ConversationResult {
    /// Its name.
    pub name: String,
    /// What else it was called.
    pub aliases: Vec<String>,
    /// The scene with its cast.
    pub scene: Arc<Scene>,
    /// Who in it is who.
    pub cast: Cast,
    /// What is known of it.
    pub report: Report,
    /// Why it was given up, if it was.
    pub given_up: Option<GivenUp>,
    /// Whether it may be the rest of one that was given up.
    pub may_be_a_rest: bool,
    /// Whether it has been judged before, as one that conforms.
    pub again: bool,
    /// The number of its violations that there were events for.
    pub told: usize,
    /// Its number, in the order of the first lines.
    pub number: u64,
    /// The number of conversations that had begun by then.
    pub begun: u64,
    /// A run that explains it, if the settings ask for one ([`crate::Settings::keeps_lines`]), or why there is none.
    pub explanation: Option<Result<Explanation, String>>,
    /// Its lines with their places, if the settings ask for them.
    pub lines: Vec<(Mark, Own)>,
}

impl ConversationResult {
    /// The program with its cast.
    #[must_use]
    pub fn program(&self) -> &Program {
        self.scene.program()
    }
}

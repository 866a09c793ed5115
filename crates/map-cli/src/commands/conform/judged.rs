//! A conversation with what was found out about it.

use std::rc::Rc;

use map_conform::{Cast, Report, Scene};
use map_ir::Program;

/// Why a conversation is not followed to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GivenUp {
    /// There were too many, and nothing had been heard of it for the longest time.
    TooMany,
    /// The texts in it, or in all conversations, take too much memory.
    TooLarge,
}

/// A conversation that has been judged.
pub(super) struct Judged {
    pub(super) name: String,
    pub(super) scene: Rc<Scene>,
    pub(super) cast: Cast,
    pub(super) report: Report,
    /// Why it was given up, if it was.
    pub(super) given_up: Option<GivenUp>,
    /// Whether it may be the rest of one that was given up.
    pub(super) may_be_a_rest: bool,
    /// Whether it has been reported before, as one that conforms.
    pub(super) again: bool,
    /// How many of its violations have been printed already.
    pub(super) told: usize,
    /// Its number, in the order of the first lines.
    pub(super) number: u64,
}

impl Judged {
    pub(super) fn program(&self) -> &Program {
        self.scene.program()
    }
}

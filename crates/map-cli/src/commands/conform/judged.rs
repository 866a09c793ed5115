//! A conversation with what was found out about it.

use std::rc::Rc;

use map_conform::{Cast, Report, Scene};
use map_ir::Program;

/// A conversation that has been judged.
pub(super) struct Judged {
    pub(super) name: String,
    pub(super) scene: Rc<Scene>,
    pub(super) cast: Cast,
    pub(super) report: Report,
    /// Whether it was given up, because there were too many.
    pub(super) given_up: bool,
    /// Whether it may be the rest of one that was given up.
    pub(super) may_be_a_rest: bool,
    /// Whether it has been reported before, as one that conforms.
    pub(super) again: bool,
    /// Its number, in the order of the first lines.
    pub(super) number: u64,
}

impl Judged {
    pub(super) fn program(&self) -> &Program {
        self.scene.program()
    }
}

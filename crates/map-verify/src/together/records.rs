//! What a search by several processes records.

use map_ir::Program;
use map_semantics::Judgement;

use crate::agents::Missing;
use crate::explore::Source;
use crate::state::Successor;
use crate::state::space::Space;
use crate::system::System;

/// Records the states and steps of one process.
///
/// `source` is a state of this process, and whether some shortest trace to it is free of open comparisons.
pub(crate) trait Records: Sized {
    /// Whether each step is a transition: also one that equals another, and one that leads back to its state.
    const KEEPS_ALL: bool;

    /// Called after the tables of agents have been filled.
    fn grown(&mut self, space: &Space<'_>);

    /// Adds to `missing` the entries of the tables that it needs for a state before that is stored.
    fn require(_space: &Space<'_>, _words: &[u32], _missing: &mut Vec<Missing>) {}

    /// Called before a state is expanded. Discards what was recorded of one that was not closed.
    fn open(&mut self);

    /// Records a step of the state being expanded. Returns what is kept of it with its transition: with the agent,
    /// the thread and the kind of step it tells apart the transitions between the same two states.
    fn step(&mut self, program: &Program, source: (Source, bool), successor: &Successor<'_>) -> u32;

    /// Called when all steps of the state are known. Returns its [marks](crate::mark).
    fn close(
        &mut self,
        system: &System<'_>,
        source: (Source, bool),
        judgement: Judgement,
        words: &[u32],
    ) -> u8;

    /// Whether some violation was found.
    fn is_violated(&self) -> bool {
        false
    }

    /// Bytes in use.
    fn bytes(&self) -> usize;
}

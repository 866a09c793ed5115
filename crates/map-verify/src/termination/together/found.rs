//! What a process records in a search for termination.

use map_ir::Program;
use map_semantics::Judgement;

use super::Explorer;
use crate::coverage::Coverage;
use crate::explore::Source;
use crate::report::ViolationKind;
use crate::state::Successor;
use crate::state::space::Space;
use crate::system::System;
use crate::termination::along::note_violations;
use crate::termination::notes::{Notes, Sites};
use crate::termination::site::Site;
use crate::together::Records;

/// The violations found here, and what never happened.
pub(super) struct Found {
    pub(super) notes: Notes,
    pub(super) sites: Sites,
    /// Without this the search ends with the level of the first violation.
    pub(super) keep_going: bool,
}

impl Records for Found {
    const KEEPS_ALL: bool = false;

    fn grown(&mut self, space: &Space<'_>) {
        self.notes.make_room(space.agents.after_count());
    }

    fn open(&mut self) {
        self.notes.open();
    }

    fn step(&mut self, program: &Program, source: (Source, bool), successor: &Successor<'_>) -> u32 {
        self.notes.step(program, source, &self.sites, successor);
        successor.weight
    }

    fn close(
        &mut self,
        system: &System<'_>,
        source: (Source, bool),
        judgement: Judgement,
        words: &[u32],
    ) -> u8 {
        let marks = self.notes.close(source, &self.sites, judgement, || system.unread(words));
        for (kind, site) in std::mem::take(&mut self.notes.sites) {
            if site.is_better(self.sites.get(&kind)) {
                self.sites.insert(kind, site);
            }
        }
        marks
    }

    fn is_violated(&self) -> bool {
        !self.sites.is_empty()
    }

    fn bytes(&self) -> usize {
        self.notes.bytes()
    }
}

/// What a violation of this kind at one of this process's states looks like.
pub(super) fn violation_at(
    explorer: &Explorer<'_>,
    kind: ViolationKind,
    state: usize,
    depth: usize,
) -> Option<Site> {
    let Explorer { system, shard, .. } = explorer;
    let mut notes = Notes::new(Coverage::new(system.program()));
    let words = shard.words(&system.space, state);
    let source = (Source { state: state as u32, depth }, shard.is_clean(state));
    note_violations(system, &mut notes, source, &words);
    notes.sites.remove(&kind)
}

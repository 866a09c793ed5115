//! What is kept of what the observer has recorded.

use std::io;

use super::along::note_violations;
use super::observer::Termination;
use super::site::Place;
use crate::explore::{Explorer, Observer, Source};
use crate::mark;
use crate::partial_order::overflow::{Weight, Weights};
use crate::saved::{In, Out};

impl Termination<'_> {
    /// Writes what was recorded. Of the sites of violations only the states: these are expanded again.
    pub(super) fn write(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.bytes(&self.marks)?;
        self.edges.save(out)?;
        out.number(self.weights.len())?;
        self.weights.iter().try_for_each(|weight| out.words(weight))?;
        out.number(self.unclean)?;
        self.coverage.save(out)?;
        let states = self.sites.values().filter_map(|site| match site.place {
            Place::State(state) => Some(state),
            // Found again with the initial states.
            Place::Start(_) => None,
        });
        out.words(&Vec::from_iter(states))
    }

    fn restore(&mut self, from: &mut In<'_>) -> io::Result<Vec<u32>> {
        self.marks = from.bytes()?;
        self.edges.restore(from)?;
        let weights = (0..from.number()?).map(|_| from.words());
        self.weights = weights.collect::<io::Result<Vec<Weight>>>().map(Weights::from_iter)?;
        self.unclean = from.number()?;
        self.coverage.restore(from)?;
        from.words()
    }
}

/// Goes on with a search from what was kept of it. It has its initial states.
///
/// # Errors
/// Those of the reader; [`io::ErrorKind::OutOfMemory`] if a table has no room.
pub(super) fn go_on(explorer: &mut Explorer<'_, Termination<'_>>, mut from: In<'_>) -> io::Result<()> {
    explorer.restore(&mut from)?;
    let states = explorer.observer.restore(&mut from)?;
    from.finish()?;
    states.into_iter().for_each(|state| find_sites(explorer, state));
    Ok(())
}

/// Finds the violations at a state again.
fn find_sites(explorer: &mut Explorer<'_, Termination<'_>>, state: u32) {
    let source = Source { state, depth: explorer.depth_of(state as usize) };
    let is_clean = explorer.observer.marks[state as usize] & mark::CLEAN != 0;
    let words = explorer.words(state);
    let Explorer { system, observer, .. } = explorer;
    let mut notes = observer.notes();
    note_violations(system, &mut notes, (source, is_clean), &words);
    for (kind, site) in std::mem::take(&mut notes.sites) {
        observer.offer(kind, site);
    }
}

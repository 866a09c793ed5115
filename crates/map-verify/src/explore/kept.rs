//! What is kept of a search, so that it can go on later as if it had never ended.
//!
//! The visited set, the counts and what the observer has recorded are written as they are. The tables of agents are
//! not: they are filled again, in the same order, by expanding the states that found an entry missing. So local states
//! get the numbers that the visited set refers to. Entries for states that are found between two batches are all that
//! matters: what a batch that was not finished has added to the tables is found again.

use std::io;

use map_semantics::BoundHit;

use super::{Explorer, Observer};
use crate::budget::Progress;
use crate::keep::Keep;
use crate::saved::{In, Out, misfit};
use crate::state::store::{Folder, Store};
use crate::system::Buffers;

/// The order in which the tables of agents were filled.
#[derive(Default)]
pub(super) struct Fills {
    /// Round by round the states that lacked an entry, in ascending order.
    states: Vec<u32>,
    /// The end of each round.
    ends: Vec<usize>,
}

impl Fills {
    /// Notes a round; of adjacent equal states one counts.
    pub(super) fn note(&mut self, mut states: Vec<u32>) {
        states.dedup();
        self.states.append(&mut states);
        self.ends.push(self.states.len());
    }

    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<u32>() + self.ends.capacity() * size_of::<usize>()
    }
}

const BOUNDS: [BoundHit; 2] = [BoundHit::Depth, BoundHit::Rounds];

impl<O: Observer> Explorer<'_, O> {
    /// Begins to note what is needed to keep the search. To be called before it runs.
    pub(crate) fn prepare_to_keep(&mut self) {
        self.fills.get_or_insert_default();
    }

    /// Offers what the search needs to go on. `ends` if it ends here.
    pub(super) fn keep(&self, progress: &mut dyn Progress, ends: bool) {
        // A search with a fault has no result, now or later.
        if O::IS_KEPT && self.fills.is_some() && self.fault.is_none() {
            let finished = ends && self.limit.is_none();
            if ends || progress.is_due() {
                let write = &|out: &mut dyn io::Write| self.save(Out::new(out));
                progress.keep(&Keep { ends, finished, part: None, write });
            }
        }
    }

    /// Writes the search as it was after the last finished batch.
    fn save(&self, mut out: Out<'_>) -> io::Result<()> {
        let fills = self.fills.as_ref().expect("it was prepared to be kept");
        out.number(self.initial_states)?;
        self.store.save(&mut out)?;
        out.words(&fills.states)?;
        out.numbers(&fills.ends)?;
        out.numbers(&[self.expanded, self.transitions, self.level_end])?;
        out.numbers(&self.levels)?;
        out.flags(&BOUNDS.map(|bound| self.cut_by.contains(&bound)))?;
        out.flags(&[self.too_long])?;
        self.observer.save(&mut out)?;
        out.finish()
    }

    /// Goes on with a search that has its initial states from what was written, but for what the observer wrote.
    ///
    /// # Errors
    /// Those of the reader; [`io::ErrorKind::OutOfMemory`] if a table has no room.
    pub(crate) fn restore(&mut self, from: &mut In<'_>) -> io::Result<()> {
        if from.number()? != self.initial_states {
            return Err(misfit("other initial states"));
        }
        let mut store = Store::new(self.system.space.shape(), self.threads(), self.tuning.store);
        store.restore(from)?;
        self.store = store;
        let fills = Fills { states: from.words()?, ends: from.numbers()? };
        self.fill_again(&fills);
        self.fills = Some(fills);
        let counts = from.numbers()?;
        let &[expanded, transitions, level_end] = counts.as_slice() else { return Err(misfit("no counts")) };
        (self.expanded, self.transitions, self.level_end) = (expanded, transitions, level_end);
        self.levels = from.numbers()?;
        let cut = from.flags()?;
        self.cut_by.extend(BOUNDS.into_iter().zip(cut).filter(|it| it.1).map(|(bound, _)| bound));
        self.too_long |= from.flags()?.contains(&true);
        Ok(())
    }

    /// Fills the tables of agents in the order in which they were filled before.
    fn fill_again(&mut self, fills: &Fills) {
        let (mut buffers, mut folder, mut words) = (Buffers::default(), Folder::default(), Vec::new());
        let mut start = 0;
        for &end in &fills.ends {
            let mut missing = Vec::new();
            for &state in &fills.states[start..end] {
                let space = &self.system.space;
                self.store.load(&mut folder, state, &mut words, |id| space.tail_of(id));
                self.system.expand(&mut buffers, &words, &mut |_| {});
                missing.append(&mut buffers.missing);
            }
            missing.into_iter().for_each(|missing| self.system.space.agents.fill(missing));
            start = end;
        }
    }
}

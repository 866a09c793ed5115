//! The states found, level by level, and those that are expanded in a round.

use map_store::{Added, Bundles};

use super::Silence;
use crate::space::Bundle;
use crate::store::Store;

/// Bundles of a level that are expanded before the agent tables are filled in; few in debug builds, so that tests see many
/// rounds.
const ROUND: usize = if cfg!(debug_assertions) { 16 } else { 1 << 14 };

/// Bundles, and nodes of the trees of their halves, that are made room for: for each bundle of a round, and at least. In
/// debug builds it is not enough.
const ROOM_EACH: usize = if cfg!(debug_assertions) { 1 } else { 4 };
const ROOM_LEAST: usize = if cfg!(debug_assertions) { 1 } else { 1 << 9 };

/// The visited set, and its frontier.
pub(super) struct Visited {
    /// The trees of halves.
    pub(super) store: Store,
    pub(super) found: Bundles,
    /// Where there are bundles with states of the next level.
    next: Vec<u32>,
    /// The bundles of the level that are to be expanded, and how many of them were, or are being so.
    level: Vec<Bundle>,
    begun: usize,
    /// What is expanded in this round.
    pub(super) round: Vec<Bundle>,
}

impl Visited {
    /// With the states that were added first.
    pub(super) fn new(store: Store, found: Bundles, added: Added) -> Self {
        let next = vec![added.slot];
        Self { store, found, next, level: Vec::new(), begun: 0, round: Vec::new() }
    }

    /// Takes over where there are bundles of the next level.
    pub(super) fn take_over(&mut self, slots: &mut Vec<u32>) {
        self.next.append(slots);
    }

    /// Room for what a round of so many bundles may come to, and more, with so many bytes for all that is kept here.
    pub(super) fn make_room_for(&mut self, bundles: usize, memory: usize) -> Result<(), Silence> {
        self.make_room(bundles * ROOM_EACH, memory)
    }

    /// Room for so many more bundles and nodes.
    pub(super) fn make_room(&mut self, more: usize, memory: usize) -> Result<(), Silence> {
        let more = more.max(ROOM_LEAST);
        let tables = self.found.bytes_with_room(more) + self.store.bytes_with_room(0, more);
        if self.other_bytes() + tables > memory {
            return Err(Silence::Unusual);
        }
        self.store.make_room_for_nodes(more)?;
        if self.found.make_room(more)? {
            self.next = self.found.with_fresh().collect();
        }
        Ok(())
    }

    /// Adds to the round what is next in the level, and makes room for what comes of it. If nothing is left of the level the next
    /// one begins, and is told by how many states it has.
    pub(super) fn next_round(&mut self, memory: usize) -> Result<bool, Silence> {
        let is_over = self.round.is_empty() && self.begun == self.level.len();
        if is_over {
            self.next_level();
        }
        let end = self.level.len().min(self.begun + ROUND);
        self.round.extend_from_slice(&self.level[self.begun..end]);
        self.begun = end;
        self.make_room_for(self.round.len(), memory)?;
        Ok(is_over)
    }

    fn next_level(&mut self) {
        let Self { found, next, level, .. } = self;
        level.clear();
        level.extend(next.drain(..).map(|slot| {
            let (key, lefts) = found.take_fresh(slot);
            Bundle::with_key(key, lefts)
        }));
        level.sort_unstable_by_key(|bundle| (bundle.right, bundle.base));
        self.begun = 0;
    }

    fn other_bytes(&self) -> usize {
        (self.level.capacity() + self.round.capacity()) * size_of::<Bundle>()
            + self.next.capacity() * size_of::<u32>()
    }

    pub(super) fn bytes(&self) -> usize {
        self.store.bytes() + self.found.bytes() + self.other_bytes()
    }
}

//! The states found, level by level, and those that are expanded in a round.

use map_store::Bundles;

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
    /// The states of the next level: those with one key may be in several bundles.
    next: Vec<Bundle>,
    /// The bundles of the level that are to be expanded, in the order of their right halves, and how many of them were, or are
    /// being so.
    level: Vec<Bundle>,
    begun: usize,
    /// What is expanded in this round.
    pub(super) round: Vec<Bundle>,
}

impl Visited {
    /// With the first states, which were added.
    pub(super) fn new(store: Store, found: Bundles, first: Bundle) -> Self {
        Self { store, found, next: vec![first], level: Vec::new(), begun: 0, round: Vec::new() }
    }

    /// Takes over states of the next level, mostly in order.
    pub(super) fn take_over(&mut self, added: &mut Vec<Bundle>) {
        self.next.append(added);
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
        self.found.make_room(more)?;
        Ok(())
    }

    /// Adds to the round what is next in the level, and makes room for what comes of it. If nothing is left of the level the next
    /// one begins; whether it did.
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
        self.level.clear();
        std::mem::swap(&mut self.level, &mut self.next);
        // Not many runs: each is what a thread has found in a round. A stable sort merges them.
        self.level.sort_by_key(|bundle| bundle.place());
        self.level.dedup_by(|again, bundle| {
            let is_same = again.key() == bundle.key();
            bundle.lefts |= if is_same { again.lefts } else { 0 };
            is_same
        });
        self.begun = 0;
    }

    fn other_bytes(&self) -> usize {
        // To put a level in order takes as much again.
        let level = 2 * self.level.capacity();
        (self.next.capacity() + level + self.round.capacity()) * size_of::<Bundle>()
    }

    pub(super) fn bytes(&self) -> usize {
        self.store.bytes() + self.found.bytes() + self.other_bytes()
    }
}

//! The transitions between states, packed. They serve to find parents, and for verdicts about infinite runs.
//!
//! States are numbered in the order in which they are found, so the new states found by a state are consecutive: only
//! their number is stored. Consecutive states mostly lead to consecutive states too, so every other target is encoded
//! relative to one of the last few targets: half a byte selects it, and a distance of a few bytes follows unless the
//! target is its successor.

use std::io;

use map_store::Full;

use crate::budget::{Budget, Limit};
use crate::saved::{In, Out};
use lists::Which;

pub(crate) use lists::Lists;
pub(crate) use piece::Piece;

mod lists;
mod piece;
mod recent;

/// Number of states whose lists are unpacked together.
pub(crate) const BLOCK: usize = 32;

/// Blocks between two checks of the budget.
pub(crate) const TICK: usize = 1 << 11;

/// A transition to be packed.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) target: u32,
    /// Whether it is a fault: a crash or a loss.
    pub(crate) unlucky: bool,
    /// The number of its weight, if weights are kept.
    pub(crate) weight: u32,
}

/// What is kept of transitions besides their targets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Keeps {
    pub(crate) faults: bool,
    pub(crate) weights: bool,
}

/// The successors of every state, in the order of the states' numbers. Transitions may be faults, that is crashes or
/// losses: the good end must be reachable without them, and no run has infinitely many.
pub(crate) struct Edges {
    packed: Piece,
}

impl Edges {
    /// No transitions; only the initial state has been found.
    pub(crate) fn new(keeps: Keeps) -> Self {
        let mut packed = Piece::new(keeps);
        packed.start(1);
        Self { packed }
    }

    /// Begins anew when this many initial states have been found.
    pub(crate) fn start(&mut self, initial: u32) {
        self.packed.start(initial);
    }

    /// The piece to which the list of the next state is added.
    pub(crate) fn end(&mut self) -> &mut Piece {
        &mut self.packed
    }

    /// Appends lists that were packed separately. The states so far must fill whole blocks, and the piece must have
    /// been started with the next state to be found.
    pub(crate) fn append(&mut self, piece: &Piece) {
        self.packed.append(piece);
    }

    /// Writes all lists.
    pub(crate) fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        self.packed.save(out)
    }

    /// Replaces the lists by what [`Edges::save`] wrote.
    pub(crate) fn restore(&mut self, from: &mut In<'_>) -> io::Result<()> {
        self.packed.restore(from)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.packed.bytes()
    }

    /// Makes room for lists that take this many bytes.
    ///
    /// # Errors
    /// [`Full`] if the system has no memory for them.
    pub(crate) fn make_room(&mut self, more: usize) -> Result<(), Full> {
        self.packed.try_make_room(more)
    }

    /// Bytes that more lists may take.
    pub(crate) fn bytes_for(states: usize, targets: usize) -> usize {
        2 * states + 7 * targets
    }

    /// Calls `see` for every state with its targets and, if they are kept, the weights of these transitions.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(crate) fn for_each(
        &self,
        budget: &mut Budget<'_>,
        mut see: impl FnMut(u32, &[u32], &[u32]),
    ) -> Result<(), Limit> {
        let mut lists = Lists::default();
        for block in 0..self.block_count() {
            if block.is_multiple_of(TICK) {
                budget.check()?;
            }
            self.unpack(block, &mut lists, Which::All);
            for (place, state) in self.block(block).enumerate() {
                see(state as u32, lists.of(place), lists.weights_of(place));
            }
        }
        Ok(())
    }

    /// The first state with a transition to `state`.
    pub(crate) fn parent(&self, state: u32) -> u32 {
        let block = self.packed.blocks.finding(state);
        let mut lists = Lists::default();
        self.unpack(block, &mut lists, Which::All);
        let place = (0..lists.len()).find(|&place| lists.of(place).contains(&state));
        (block * BLOCK + place.expect("every state but the initial ones was found by an earlier one")) as u32
    }

    /// The states whose transitions are all faults.
    pub(crate) fn ends(&self) -> impl Iterator<Item = usize> {
        (0..self.block_count())
            .flat_map(|block| self.packed.blocks.ends(block).map(move |place| block * BLOCK + place))
    }

    /// Number of blocks.
    pub(crate) fn block_count(&self) -> usize {
        self.packed.blocks.len()
    }

    /// The states of a block.
    pub(crate) fn block(&self, block: usize) -> std::ops::Range<usize> {
        block * BLOCK..((block + 1) * BLOCK).min(self.packed.states)
    }

    /// Unpacks the lists of a block without faults.
    pub(crate) fn read_block(&self, block: usize, lists: &mut Lists) {
        self.unpack(block, lists, Which::Lucky);
    }

    /// Unpacks the lists of a block.
    pub(crate) fn read_whole_block(&self, block: usize, lists: &mut Lists) {
        self.unpack(block, lists, Which::All);
    }

    fn unpack(&self, block: usize, lists: &mut Lists, which: Which) {
        lists.unpack(&self.packed, block, self.block(block).len(), which);
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Edge, Edges, Keeps, Lists, Piece};

    /// The successors of a state without faults.
    fn targets(edges: &Edges, state: usize) -> Vec<u32> {
        let mut lists = Lists::default();
        edges.read_block(state / BLOCK, &mut lists);
        lists.of(state % BLOCK).to_vec()
    }

    /// A generator of small random numbers (xorshift).
    fn random(seed: &mut u64) -> u64 {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        *seed
    }

    /// The lists, added alternately one by one and in pieces packed separately.
    fn in_pieces(
        keeps: Keeps,
        lists: &[Vec<u32>],
        seed: &mut u64,
        edge: impl Fn(usize, u32) -> Edge,
    ) -> Edges {
        let (mut edges, mut piece) = (Edges::new(keeps), Piece::new(keeps));
        let (mut next, mut fresh) = (0, 1);
        while next < lists.len() {
            let apart = next % BLOCK == 0 && random(seed).is_multiple_of(2);
            let most = if apart { random(seed) as usize % (4 * BLOCK) } else { BLOCK - next % BLOCK };
            let end = (next + 1 + most).min(lists.len());
            piece.start(fresh);
            for (state, targets) in lists.iter().enumerate().take(end).skip(next) {
                let list = targets.iter().map(|&target| edge(state, target));
                match apart {
                    true => piece.push_state(list),
                    false => edges.end().push_state(list),
                }
                fresh = targets.iter().fold(fresh, |fresh, &it| fresh.max(it + 1));
            }
            if apart {
                edges.append(&piece);
            }
            next = end;
        }
        edges
    }

    #[test]
    fn lists_come_back_and_parents_are_the_first_finders() {
        for start in 1..40_u64 {
            let mut seed = start * 0x9e37_79b9;
            let mut lists: Vec<Vec<u32>> = Vec::new();
            let mut parents = vec![0];
            while lists.len() < parents.len() && lists.len() < 700 {
                let mut list = Vec::new();
                let most = if random(&mut seed).is_multiple_of(40) { 60 } else { 5 };
                for _ in 0..random(&mut seed) % most {
                    if random(&mut seed).is_multiple_of(3) {
                        list.push(parents.len() as u32);
                        parents.push(lists.len() as u32);
                    } else {
                        list.push((random(&mut seed) % parents.len() as u64) as u32);
                    }
                }
                lists.push(list);
            }
            let with_faults = start % 2 == 0;
            let unlucky =
                |state: usize, target: u32| with_faults && (state as u32 + target).is_multiple_of(3);
            let weight = |state: usize, target: u32| (state as u32).wrapping_mul(target) >> (target % 13);
            let edge = |state: usize, target: u32| Edge {
                target,
                unlucky: unlucky(state, target),
                weight: weight(state, target),
            };
            let keeps = Keeps { faults: with_faults, weights: start % 3 == 0 };
            let mut edges = Edges::new(keeps);
            for (state, list) in lists.iter().enumerate() {
                edges.end().push_state(list.iter().map(|&target| edge(state, target)));
            }
            let pieces = in_pieces(keeps, &lists, &mut seed, edge).packed;
            assert_eq!(pieces.packed(), edges.packed.packed(), "seed {start}");
            assert_eq!(pieces.blocks, edges.packed.blocks, "seed {start}");
            for state in (0..lists.len()).filter(|_| start % 3 == 0) {
                let mut unpacked = Lists::default();
                edges.read_whole_block(state / BLOCK, &mut unpacked);
                let place = state % BLOCK;
                let (targets, weights) = (unpacked.of(place), unpacked.weights_of(place));
                assert_eq!(targets.len(), lists[state].len(), "seed {start}, state {state}");
                let expected: Vec<u32> = targets.iter().map(|&target| weight(state, target)).collect();
                assert_eq!(weights, expected, "seed {start}, state {state}");
            }
            for (state, list) in lists.iter().enumerate() {
                let mut expected = list.clone();
                expected.retain(|&target| !unlucky(state, target));
                let mut found = targets(&edges, state);
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "seed {start}, state {state}");
            }
            for (state, &parent) in parents.iter().enumerate().skip(1) {
                assert_eq!(edges.parent(state as u32), parent, "seed {start}, state {state}");
            }
        }
    }

    #[test]
    fn distances_of_any_size_are_kept() {
        let mut edges = Edges::new(Keeps::default());
        let to = |target| Edge { target, unlucky: false, weight: 0 };
        edges.end().push_state((1..5).map(to));
        edges.end().push_state([0, (1 << 31) - 1, 0, 3, 5].map(to));
        assert_eq!(targets(&edges, 1), [5, 0, (1 << 31) - 1, 0, 3]);
    }
}

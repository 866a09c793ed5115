//! Packing of transition lists.

use std::io;

use map_store::Full;

use super::recent::{Recent, SOON};
use super::{BLOCK, Edge, Keeps};
use crate::saved::{In, Out, misfit};

/// Minimum number of spare bytes after growing.
const SPARE: usize = 1 << 10;

/// Upper bound on the bytes of a transition, and on half those of the counts.
const MOST_EACH: usize = 12;

/// Nibble of a count that is too large for it and follows as a number.
pub(super) const MANY: u8 = 15;

/// The bit of a number's byte that marks that more follow.
pub(super) const MORE: u32 = 0x80;

/// The bit of a code that marks that a distance follows after the codes. The other bits select a recent target.
pub(super) const FAR: u8 = 8;

/// The packed lists of consecutive states. Blocks can be unpacked independently of each other.
#[derive(Default)]
pub(crate) struct Piece {
    /// What is kept of each transition besides its target.
    pub(super) keeps: Keeps,
    /// The lists, up to `written`; then spare room.
    bytes: Vec<u8>,
    written: usize,
    pub(super) blocks: Blocks,
    pub(super) states: usize,
    /// The first state that its lists may find.
    first_fresh: u32,
    /// The next state to be found.
    fresh: u32,
    recent: Recent,
    /// A buffer for the current list: targets that were found before.
    others: Vec<u32>,
    /// Buffers for the current list, if more than targets is kept: transitions to new states, and the others.
    beside: [Vec<Edge>; 2],
}

/// The index of the blocks.
#[derive(Default, Debug, PartialEq)]
pub(super) struct Blocks {
    all: Vec<Block>,
    /// The blocks at which the high half of the start increases by one.
    carries: Vec<usize>,
}

#[derive(Debug, PartialEq)]
struct Block {
    /// The low half of the start of its lists.
    start: u32,
    /// The first state that they may find.
    fresh: u32,
    /// Bits of those of its states whose transitions are all faults.
    ends: u32,
}

// `Block::ends` has a bit for each state.
const _: () = assert!(BLOCK <= u32::BITS as usize);

impl Piece {
    /// An empty piece.
    pub(crate) fn new(keeps: Keeps) -> Self {
        Self { keeps, ..Self::default() }
    }

    /// Clears it for lists that start with the first state of a block. `fresh` is the next state to be found.
    pub(crate) fn start(&mut self, fresh: u32) {
        self.written = 0;
        self.blocks.all.clear();
        self.blocks.carries.clear();
        self.states = 0;
        (self.first_fresh, self.fresh) = (fresh, fresh);
    }

    /// Adds the list of the next state. New states must occur in the order of their numbers.
    pub(crate) fn push_state(&mut self, edges: impl IntoIterator<Item = Edge>) {
        if self.keeps.faults || self.keeps.weights {
            let place = self.begin_state();
            if self.push_whole(edges) {
                self.blocks.note_end(place);
            }
        } else {
            let targets: Vec<u32> = edges.into_iter().map(|edge| edge.target).collect();
            self.push_targets(targets.into_iter());
        }
    }

    /// The same for transitions of which only the targets matter.
    #[inline]
    pub(crate) fn push_targets(&mut self, targets: impl ExactSizeIterator<Item = u32>) {
        if self.keeps.faults || self.keeps.weights {
            return self.push_state(targets.map(|target| Edge { target, unlucky: false, weight: 0 }));
        }
        let place = self.begin_state();
        let most = targets.len();
        if most == 0 {
            self.blocks.note_end(place);
        }
        if self.others.len() < most {
            self.others.resize(2 * most, 0);
        }
        let (mut fresh, mut count) = (self.fresh, 0);
        let others = &mut self.others[..most];
        for target in targets {
            others[count] = target;
            // Branch-free: whether the target is new cannot be predicted.
            let is_found = target == fresh;
            fresh += u32::from(is_found);
            count += usize::from(!is_found);
        }
        let found = fresh - std::mem::replace(&mut self.fresh, fresh);
        self.make_room((2 + most) * MOST_EACH);
        let mut writer = Writer { bytes: &mut self.bytes[self.written..], at: 0 };
        writer.counts(found, count as u32);
        writer.others(&self.others[..count], &mut self.recent);
        self.written += writer.at;
    }

    /// Begins the list of the next state; returns its place in the block.
    #[inline]
    fn begin_state(&mut self) -> usize {
        let place = self.states % BLOCK;
        if place == 0 {
            self.blocks.push(self.written, self.fresh, 0);
            self.recent = Recent::new(self.fresh);
        }
        self.states += 1;
        place
    }

    /// Adds a list with what is kept besides the targets; whether all its transitions are faults.
    fn push_whole(&mut self, edges: impl IntoIterator<Item = Edge>) -> bool {
        let first = self.fresh;
        let [found, others] = &mut self.beside;
        found.clear();
        others.clear();
        for edge in edges {
            let is_found = edge.target == self.fresh;
            self.fresh += u32::from(is_found);
            if is_found { found.push(edge) } else { others.push(edge) }
        }
        self.others.clear();
        self.others.extend(others.iter().map(|edge| edge.target));
        self.make_room((2 + self.beside.iter().map(Vec::len).sum::<usize>()) * MOST_EACH);
        let beside = || self.beside.iter().flatten();
        let mut writer = Writer { bytes: &mut self.bytes[self.written..], at: 0 };
        writer.counts(self.fresh - first, self.others.len() as u32);
        if self.keeps.faults {
            writer.flags(beside().map(|edge| edge.unlucky));
        }
        writer.others(&self.others, &mut self.recent);
        if self.keeps.weights {
            beside().for_each(|edge| writer.number(edge.weight));
        }
        self.written += writer.at;
        beside().all(|edge| edge.unlucky)
    }

    /// Writes the lists.
    pub(super) fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.bytes(self.packed())?;
        out.number(self.blocks.all.len())?;
        for &Block { start, fresh, ends } in &self.blocks.all {
            out.words(&[start, fresh, ends])?;
        }
        out.numbers(&self.blocks.carries)?;
        out.numbers(&[self.states, self.first_fresh as usize, self.fresh as usize])?;
        self.recent.save(out)
    }

    /// Reads what [`Piece::save`] wrote, for a piece that keeps the same.
    pub(super) fn restore(&mut self, from: &mut In<'_>) -> io::Result<()> {
        self.bytes = from.bytes()?;
        self.written = self.bytes.len();
        self.blocks.all.clear();
        for _ in 0..from.number()? {
            let block = from.words()?;
            let &[start, fresh, ends] = block.as_slice() else { return Err(misfit("no block")) };
            self.blocks.all.push(Block { start, fresh, ends });
        }
        self.blocks.carries = from.numbers()?;
        let counts = from.numbers()?;
        let &[states, first_fresh, fresh] = counts.as_slice() else { return Err(misfit("no counts")) };
        (self.states, self.first_fresh, self.fresh) = (states, first_fresh as u32, fresh as u32);
        self.recent = Recent::restored(from)?;
        Ok(())
    }

    /// Makes room for `more` bytes, and perhaps for some after them.
    ///
    /// # Errors
    /// [`Full`] if the system has no memory for them.
    pub(super) fn try_make_room(&mut self, more: usize) -> Result<(), Full> {
        let least = self.written + more + SPARE;
        if self.bytes.capacity() >= least {
            return Ok(());
        }
        let more = least - self.bytes.len();
        self.bytes.try_reserve_exact(more.max(self.bytes.len() / 8)).map_err(|_| Full)
    }

    /// Makes room for `more` bytes.
    fn make_room(&mut self, more: usize) {
        let least = self.written + more;
        if self.bytes.len() < least {
            self.lengthen(least);
        }
    }

    #[cold]
    fn lengthen(&mut self, least: usize) {
        if self.bytes.capacity() < least {
            // Grows by an eighth, not twofold: this is a good part of the memory of a search.
            self.bytes.reserve_exact(least + SPARE + self.bytes.len() / 8 - self.bytes.len());
        }
        self.bytes.resize((least + SPARE).min(self.bytes.capacity()), 0);
    }

    /// Appends the lists of the subsequent states.
    pub(super) fn append(&mut self, next: &Self) {
        assert!(self.states.is_multiple_of(BLOCK) && self.fresh == next.first_fresh, "a piece that follows");
        self.make_room(next.written);
        let start = self.written;
        self.written += next.written;
        self.bytes[start..self.written].copy_from_slice(next.packed());
        for block in 0..next.blocks.len() {
            let (at, fresh) = next.blocks.get(block);
            self.blocks.push(start + at, fresh, next.blocks.all[block].ends);
        }
        self.states += next.states;
        self.fresh = next.fresh;
        self.recent = next.recent.clone();
    }

    pub(super) fn packed(&self) -> &[u8] {
        &self.bytes[..self.written]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.capacity() + self.blocks.bytes()
    }
}

impl Blocks {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    fn push(&mut self, start: usize, fresh: u32, ends: u32) {
        if self.all.len() == self.all.capacity() {
            self.all.reserve_exact(4 + self.all.len() / 8);
        }
        if start as u64 >> 32 > self.carries.len() as u64 {
            self.carries.push(self.all.len());
        }
        self.all.push(Block { start: start as u32, fresh, ends });
    }

    /// Records that all transitions of a state of the last block are faults.
    fn note_end(&mut self, place: usize) {
        if let Some(block) = self.all.last_mut() {
            block.ends |= 1 << place;
        }
    }

    /// The start of a block's lists, and the first state that they may find.
    pub(super) fn get(&self, block: usize) -> (usize, u32) {
        let Block { start, fresh, .. } = self.all[block];
        let high = self.carries.partition_point(|&carry| carry <= block) as u64;
        ((high << 32 | u64::from(start)) as usize, fresh)
    }

    /// The places in a block of states whose transitions are all faults.
    pub(super) fn ends(&self, block: usize) -> impl Iterator<Item = usize> + use<> {
        let mut ends = self.all[block].ends;
        std::iter::from_fn(move || {
            let place = (ends != 0).then_some(ends.trailing_zeros() as usize);
            ends &= ends.wrapping_sub(1);
            place
        })
    }

    /// The block that first finds a state.
    pub(super) fn finding(&self, state: u32) -> usize {
        self.all.partition_point(|block| block.fresh <= state) - 1
    }

    fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Block>() + self.carries.capacity() * size_of::<usize>()
    }
}

/// Writes into a buffer that must have room.
struct Writer<'b> {
    bytes: &'b mut [u8],
    at: usize,
}

impl Writer<'_> {
    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        self.bytes[self.at] = byte;
        self.at += 1;
    }

    /// LEB128: seven bits per byte, low ones first; the high bit marks that more follow.
    fn number(&mut self, mut number: u32) {
        while number >= MORE {
            self.byte((number | MORE) as u8);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    #[inline(always)]
    fn counts(&mut self, found: u32, others: u32) {
        match found.max(others) < u32::from(MANY) {
            true => self.byte((found | others << 4) as u8),
            false => self.large_counts(found, others),
        }
    }

    #[cold]
    fn large_counts(&mut self, found: u32, others: u32) {
        let nibble = |count: u32| count.min(u32::from(MANY)) as u8;
        self.byte(nibble(found) | nibble(others) << 4);
        for count in [found, others] {
            if count >= u32::from(MANY) {
                self.number(count);
            }
        }
    }

    /// Eight flags per byte, low bits first.
    fn flags(&mut self, flags: impl Iterator<Item = bool>) {
        let mut flags = flags.peekable();
        while flags.peek().is_some() {
            let byte =
                flags.by_ref().take(8).zip(0..).fold(0, |byte, (flag, bit)| byte | u8::from(flag) << bit);
            self.byte(byte);
        }
    }

    /// Half a byte for each target, then the nonzero distances.
    #[inline(always)]
    fn others(&mut self, others: &[u32], recent: &mut Recent) {
        let codes = self.at;
        self.at += others.len().div_ceil(2);
        for (pair, code_at) in others.chunks(2).zip(codes..) {
            let low = self.other(pair[0], recent);
            let high = match pair.get(1) {
                Some(&target) => self.other(target, recent),
                None => 0,
            };
            self.bytes[code_at] = low | high << 4;
        }
    }

    /// Writes the distance of a target, and returns its code.
    #[inline(always)]
    fn other(&mut self, target: u32, recent: &mut Recent) -> u8 {
        let Some((place, later)) = recent.soonest(target) else { return self.other_far(target, recent) };
        recent.replace(place, target);
        // Overwritten if the distance is 0.
        self.bytes[self.at] = fold(later as i32) as u8;
        let follows = u8::from(later != 0);
        self.at += usize::from(follows);
        place | (follows * FAR)
    }

    /// The same for a target that is not shortly after any recent one.
    fn other_far(&mut self, target: u32, recent: &mut Recent) -> u8 {
        let (place, distance) = recent.nearest(target);
        let folded = fold(distance);
        self.number(folded);
        if folded < MORE {
            recent.replace(place, target);
        } else {
            recent.add(target);
        }
        place | FAR
    }
}

/// Zigzag encoding: a distance with its sign in the lowest bit.
fn fold(distance: i32) -> u32 {
    ((distance << 1) ^ (distance >> 31)) as u32
}

// The distance of a target that comes soon takes one byte.
const _: () = assert!(2 * SOON < MORE as u64);

#[cfg(test)]
mod tests {
    use super::Blocks;

    #[test]
    fn blocks_may_start_anywhere() {
        let mut blocks = Blocks::default();
        let starts = [0, 5, (1 << 32) - 1, 1 << 32, (1 << 32) + 9, 3 << 31, (2 << 32) + 7, 3 << 32];
        starts.iter().zip(1..).for_each(|(&start, fresh)| blocks.push(start, fresh, 0));
        for (block, (&start, fresh)) in starts.iter().zip(1..).enumerate() {
            assert_eq!(blocks.get(block), (start, fresh));
            assert_eq!(blocks.finding(fresh), block);
        }
    }
}

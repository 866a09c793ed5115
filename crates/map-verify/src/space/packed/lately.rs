//! What a thread has put together lately: agents as they are, as their steps change them, as deliveries change them. Each thing
//! is where its hash says, until another is. Orders of the same steps meet again soon, so that most is found here, and
//! a step is put into a state by comparing a few words.

use super::seats::{LETTER, Letter, Place, Taken, Turned, UNKNOWN};

/// One thread's tables.
#[derive(Default)]
pub(super) struct Lately {
    places: Vec<Place>,
    /// What steps make of their agents, agent by agent; and where that is.
    pub(super) turns: Vec<Turned>,
    turners: Vec<Turner>,
    deliveries: Vec<Posted>,
}

/// An agent whose steps have been looked at.
#[derive(Clone, Copy)]
struct Turner {
    leaf: u32,
    /// How many names are in use in the whole scene: new symbols get the next.
    unused: u8,
    /// Where its turns start.
    turns: u32,
}

/// A delivery to an agent, by its leaf.
#[derive(Clone, Copy)]
struct Posted {
    leaf: u32,
    letter: Letter,
    taken: Taken,
}

/// How many there are of each, as powers of two; few in debug builds, so that tests see them replaced.
const PLACES: u32 = if cfg!(debug_assertions) { 3 } else { 11 };
const TURNERS: u32 = if cfg!(debug_assertions) { 4 } else { 12 };
const DELIVERIES: u32 = if cfg!(debug_assertions) { 4 } else { 12 };
/// About a megabyte of turns.
const TURNS: usize = if cfg!(debug_assertions) { 40 } else { 1 << 14 };

const NO_TURNER: Turner = Turner { leaf: UNKNOWN, unused: 0, turns: 0 };
const NO_DELIVERY: Posted = Posted { leaf: UNKNOWN, letter: Letter::NONE, taken: Place::NONE.taken };

/// The upper bits of a product with odd constants.
#[inline]
fn slot(words: u64, more: u64, bits: u32) -> usize {
    let mixed = words.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ more.wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((mixed ^ mixed >> 32).wrapping_mul(0xa076_1d64_78bd_642f) >> (u64::BITS - bits)) as usize
}

impl Lately {
    /// Before a state: room for the turns of its agents. Whether all that were there are forgotten.
    #[inline]
    pub(super) fn make_room(&mut self) -> bool {
        let full = self.turners.is_empty() || self.turns.len() > TURNS;
        if full {
            self.turns.clear();
            self.turners.clear();
            self.turners.resize(1 << TURNERS, NO_TURNER);
            self.deliveries.resize(1 << DELIVERIES, NO_DELIVERY);
        }
        full
    }

    /// The agent that a leaf stands for, but for the names in use before it and its turns.
    #[inline]
    pub(super) fn place(&self, leaf: u32) -> Option<Place> {
        let known = self.places.get(slot(u64::from(leaf), 0, PLACES))?;
        (known.taken.leaf == leaf).then_some(*known)
    }

    pub(super) fn note_place(&mut self, place: Place) {
        if self.places.is_empty() {
            self.places.resize(1 << PLACES, Place::NONE);
        }
        self.places[slot(u64::from(place.taken.leaf), 0, PLACES)] = place;
    }

    /// Where the turns of an agent start, if they are there.
    #[inline]
    pub(super) fn turns(&self, leaf: u32, unused: u8) -> Option<u32> {
        let known = &self.turners[slot(u64::from(leaf), u64::from(unused), TURNERS)];
        (known.leaf == leaf && known.unused == unused).then_some(known.turns)
    }

    /// Where turns that are added start.
    pub(super) fn start_turns(&self) -> u32 {
        self.turns.len() as u32
    }

    /// Notes that the turns of an agent were added from there on.
    pub(super) fn note_turns(&mut self, leaf: u32, unused: u8, turns: u32) {
        self.turners[slot(u64::from(leaf), u64::from(unused), TURNERS)] = Turner { leaf, unused, turns };
    }

    /// What becomes of an agent by a delivery, if that is there, and where it is noted.
    #[inline]
    pub(super) fn delivery(&self, leaf: u32, letter: &Letter) -> (u32, Option<Taken>) {
        let held: [u8; LETTER] = letter.held;
        let words = u64::from(leaf) | u64::from(letter.message) << 32;
        let slot = slot(words, u64::from_le_bytes(held), DELIVERIES);
        let known = &self.deliveries[slot];
        (slot as u32, (known.leaf == leaf && known.letter == *letter).then_some(known.taken))
    }

    pub(super) fn note_delivery(&mut self, slot: u32, leaf: u32, letter: &Letter, taken: Taken) {
        self.deliveries[slot as usize] = Posted { leaf, letter: *letter, taken };
    }

    /// Notes the leaf of what was found in a slot or put there, unless it has been replaced.
    pub(super) fn note_leaf(&mut self, slot: u32, found: &Taken) {
        let noted = &mut self.deliveries[slot as usize].taken;
        if noted.seat == found.seat {
            noted.leaf = found.leaf;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
            + self.turns.capacity() * size_of::<Turned>()
            + self.turners.capacity() * size_of::<Turner>()
            + self.deliveries.capacity() * size_of::<Posted>()
    }
}

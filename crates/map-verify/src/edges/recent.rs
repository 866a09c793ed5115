//! The targets met last, by which the next ones are told.

use std::ops::Range;

/// How many are remembered. With twice as many a place would no longer be told by half a byte.
pub(super) const REMEMBERED: usize = 8;

/// How far from what is expected a target is near. States are met in the order of their numbers, so that mostly a few are
/// left out, and hardly any comes again: what comes nearest on either side makes the transitions of auctions two in a hundred
/// larger, and takes longer to find.
const NEAR: Range<i32> = -1..23;

/// The targets met last.
#[derive(Clone, Default)]
pub(super) struct Recent {
    /// For each the state after it.
    expected: [u32; REMEMBERED],
    /// The one that makes room next.
    oldest: u8,
}

impl Recent {
    /// As if they all had been one state.
    pub(super) fn new(target: u32) -> Self {
        Self { expected: [target.wrapping_add(1); REMEMBERED], oldest: 0 }
    }

    /// The place of one that a target comes right after.
    #[inline(always)]
    pub(super) fn exact(&self, target: u32) -> Option<u8> {
        self.last(|expected| expected == target)
    }

    /// The place of one that a target comes soon after, else the place of the one that it comes nearest to coming right after;
    /// and how far it is from that.
    #[inline(always)]
    pub(super) fn near(&self, target: u32) -> (u8, i32) {
        const SPAN: u32 = (NEAR.end - NEAR.start) as u32;
        let is_near = |expected| target.wrapping_sub(expected).wrapping_add_signed(-NEAR.start) < SPAN;
        let place = self.last(is_near).unwrap_or_else(|| self.nearest(target));
        (place, target.wrapping_sub(self.expected(place)) as i32)
    }

    /// The last place of which something is true.
    #[inline(always)]
    fn last(&self, is: impl Fn(u32) -> bool) -> Option<u8> {
        let mut places = 0;
        for (place, &expected) in self.expected.iter().enumerate() {
            // From the second bit on: as there is none that need not be shifted, compilers look at all places at once.
            places |= u32::from(is(expected)) << (place + 1);
        }
        (places != 0).then(|| (30 - places.leading_zeros()) as u8)
    }

    fn nearest(&self, target: u32) -> u8 {
        let mut nearest = (u32::MAX, 0);
        for (place, &expected) in self.expected.iter().enumerate() {
            let distance = (target.wrapping_sub(expected) as i32).unsigned_abs();
            nearest = nearest.min((distance, place));
        }
        nearest.1 as u8
    }

    /// The state after the target at a place.
    #[inline(always)]
    pub(super) fn expected(&self, place: u8) -> u32 {
        self.expected[usize::from(place) % REMEMBERED]
    }

    /// Remembers a target in place of one that it is near to.
    #[inline(always)]
    pub(super) fn replace(&mut self, place: u8, target: u32) {
        self.expected[usize::from(place) % REMEMBERED] = target.wrapping_add(1);
    }

    /// Remembers a target that is far from all in place of the one that has been there longest.
    pub(super) fn add(&mut self, target: u32) {
        self.replace(self.oldest, target);
        self.oldest = self.oldest.wrapping_add(1);
    }
}

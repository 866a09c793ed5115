//! The most recent targets, relative to which the next ones are encoded.

use std::io;

use crate::saved::{In, Out, misfit};

/// Number of remembered targets. Twice as many places would not fit into half a byte with the flag.
pub(super) const REMEMBERED: usize = 8;

/// The distance from the expected state below which a target comes soon. Targets mostly ascend with small gaps and
/// hardly ever repeat: choosing the nearest on either side instead makes transitions 2% larger.
pub(super) const SOON: u64 = 24;

/// The most recent targets.
#[derive(Clone, Default)]
pub(super) struct Recent {
    /// For each the state after it.
    expected: [u32; REMEMBERED],
    /// The one to be replaced next.
    oldest: u8,
}

impl Recent {
    /// As if all had been this state.
    pub(super) fn new(target: u32) -> Self {
        Self { expected: [target.wrapping_add(1); REMEMBERED], oldest: 0 }
    }

    pub(super) fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.words(&self.expected)?;
        out.number(usize::from(self.oldest))
    }

    /// Reads what [`Recent::save`] wrote.
    pub(super) fn restored(from: &mut In<'_>) -> io::Result<Self> {
        let expected = from.words()?.try_into().map_err(|_| misfit("not as many targets"))?;
        Ok(Self { expected, oldest: from.number()? as u8 })
    }

    /// The place of the recent target that `target` follows most closely, and its distance from the expected state,
    /// if that is small.
    #[inline(always)]
    pub(super) fn soonest(&self, target: u32) -> Option<(u8, u32)> {
        // No loop with branches, which would be badly predicted, and no vector instructions: loading a vector right
        // after a store to part of it would stall.
        let order = |place: usize| {
            let later = u64::from(target.wrapping_sub(self.expected[place]));
            later * REMEMBERED as u64 + (REMEMBERED - 1 - place) as u64
        };
        let first = order(0).min(order(1)).min(order(2).min(order(3)));
        let last = order(4).min(order(5)).min(order(6).min(order(7)));
        let soonest = first.min(last);
        let (later, place) = (soonest / REMEMBERED as u64, soonest % REMEMBERED as u64);
        (later < SOON).then(|| ((REMEMBERED - 1) as u8 - place as u8, later as u32))
    }

    /// The place whose expected state is nearest to a target, and the signed distance.
    pub(super) fn nearest(&self, target: u32) -> (u8, i32) {
        let mut nearest = (u32::MAX, 0);
        for (place, &expected) in self.expected.iter().enumerate() {
            let distance = (target.wrapping_sub(expected) as i32).unsigned_abs();
            nearest = nearest.min((distance, place));
        }
        let place = nearest.1 as u8;
        (place, target.wrapping_sub(self.expected(place)) as i32)
    }

    /// The state after the target at a place.
    #[inline(always)]
    pub(super) fn expected(&self, place: u8) -> u32 {
        self.expected[usize::from(place) % REMEMBERED]
    }

    /// Remembers a target in place of one near it.
    #[inline(always)]
    pub(super) fn replace(&mut self, place: u8, target: u32) {
        self.expected[usize::from(place) % REMEMBERED] = target.wrapping_add(1);
    }

    /// Remembers a target far from all others in place of the oldest.
    pub(super) fn add(&mut self, target: u32) {
        self.replace(self.oldest, target);
        self.oldest = self.oldest.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::{REMEMBERED, Recent, SOON};

    /// The place by definition.
    fn naive(recent: &Recent, target: u32) -> u8 {
        let later = |place: u8| u64::from(target.wrapping_sub(recent.expected(place)));
        let distance = |place: u8| (target.wrapping_sub(recent.expected(place)) as i32).unsigned_abs();
        let places = 0..REMEMBERED as u8;
        let soonest = places.clone().rev().min_by_key(|&place| later(place)).expect("there are places");
        let nearest = places.min_by_key(|&place| distance(place)).expect("there are places");
        if later(soonest) < SOON { soonest } else { nearest }
    }

    #[test]
    fn a_target_is_told_by_the_one_that_it_comes_soonest_after() {
        for start in 1..50_u32 {
            let mut seed = start.wrapping_mul(0x9e37_79b9);
            let mut random = |below: u32| {
                seed ^= seed << 13;
                seed ^= seed >> 17;
                seed ^= seed << 5;
                seed % below
            };
            let mut recent = Recent::new(random(1000));
            for _ in 0..200 {
                let target = match random(4) {
                    0 => random(u32::MAX),
                    _ => recent.expected(random(8) as u8).wrapping_add(random(40)).wrapping_sub(10),
                };
                let (place, distance) = match recent.soonest(target) {
                    Some((place, later)) => (place, later as i32),
                    None => recent.nearest(target),
                };
                assert_eq!(place, naive(&recent, target), "seed {start}, target {target}");
                assert_eq!(recent.expected(place).wrapping_add_signed(distance), target);
                if random(5) == 0 { recent.add(target) } else { recent.replace(place, target) }
            }
        }
    }
}

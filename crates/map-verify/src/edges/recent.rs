//! The targets met last, by which the next ones are told.

/// How many are remembered. With twice as many a place would no longer be told by half a byte.
pub(super) const REMEMBERED: usize = 8;

/// The targets met last.
#[derive(Clone, Default)]
pub(super) struct Recent {
    targets: [u32; REMEMBERED],
    /// The one that makes room next.
    oldest: u8,
}

impl Recent {
    /// As if they all had been one state.
    pub(super) fn new(target: u32) -> Self {
        Self { targets: [target; REMEMBERED], oldest: 0 }
    }

    /// The place of one that a target comes right after.
    pub(super) fn exact(&self, target: u32) -> Option<u8> {
        let before = target.wrapping_sub(1);
        self.targets.iter().position(|&it| it == before).map(|place| place as u8)
    }

    /// The place of the one that a target comes nearest to coming right after, and how far it is from that.
    pub(super) fn nearest(&self, target: u32) -> (u8, i32) {
        let distance = |place: u8| target.wrapping_sub(self.after(place)) as i32;
        let order = |place: u8| u64::from(distance(place).unsigned_abs()) << 8 | u64::from(place);
        let nearest = (0..REMEMBERED as u8).map(order).min().unwrap_or_default() as u8;
        (nearest, distance(nearest))
    }

    /// The state after the target at a place.
    pub(super) fn after(&self, place: u8) -> u32 {
        self.targets[usize::from(place) % REMEMBERED].wrapping_add(1)
    }

    /// Remembers a target in place of one that it is near to.
    pub(super) fn replace(&mut self, place: u8, target: u32) {
        self.targets[usize::from(place) % REMEMBERED] = target;
    }

    /// Remembers a target that is far from all in place of the one that has been there longest.
    pub(super) fn add(&mut self, target: u32) {
        self.replace(self.oldest, target);
        self.oldest = self.oldest.wrapping_add(1);
    }
}

//! Keys of 64 bits in six bytes, as long as none needs more.

use crate::atomic::{AtomicBool, AtomicU16, Ordering};
use crate::grown;

/// Keys by their numbers: the low bits of each, or all once there is one that needs more.
pub(crate) struct Packed {
    /// The parts of a key follow each other, low ones first.
    parts: Vec<AtomicU16>,
    /// How many parts a key has.
    width: usize,
    /// Some key did not fit.
    too_narrow: AtomicBool,
}

/// Few in debug builds, so that tests see keys that need more.
const NARROW: usize = if cfg!(debug_assertions) { 1 } else { 3 };
const WIDE: usize = 4;

/// Keys below two to the power of this take the fewest bytes.
pub const NARROW_BITS: u32 = 16 * NARROW as u32;

impl Packed {
    /// None so far.
    pub(crate) fn new(wide: bool) -> Self {
        let width = if wide { WIDE } else { NARROW };
        Self { parts: Vec::new(), width, too_narrow: AtomicBool::new(false) }
    }

    /// For how many keys there are places.
    pub(crate) fn len(&self) -> usize {
        self.parts.len() / self.width
    }

    /// Whether a key can be stored. If not, [`Packed::widen`] is asked for.
    pub(crate) fn fits(&self, key: u64) -> bool {
        let fits = self.width == WIDE || key >> NARROW_BITS == 0;
        if !fits {
            self.too_narrow.store(true, Ordering::Relaxed);
        }
        fits
    }

    #[inline]
    pub(crate) fn get(&self, number: usize) -> u64 {
        if self.width == WIDE { self.read::<WIDE>(number) } else { self.read::<NARROW>(number) }
    }

    #[inline]
    fn read<const WIDTH: usize>(&self, number: usize) -> u64 {
        let parts: &[_; WIDTH] = self.parts[number * WIDTH..].first_chunk().expect("there is such a key");
        (0..WIDTH).fold(0, |key, place| key | u64::from(parts[place].load(Ordering::Relaxed)) << (16 * place))
    }

    /// Stores a key that fits.
    #[inline]
    pub(crate) fn set(&self, number: usize, key: u64) {
        if self.width == WIDE { self.write::<WIDE>(number, key) } else { self.write::<NARROW>(number, key) }
    }

    #[inline]
    fn write<const WIDTH: usize>(&self, number: usize, key: u64) {
        let parts: &[_; WIDTH] = self.parts[number * WIDTH..].first_chunk().expect("there is such a key");
        for (place, part) in parts.iter().enumerate() {
            part.store((key >> (16 * place)) as u16, Ordering::Relaxed);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.parts.capacity() * size_of::<AtomicU16>()
    }

    /// Bytes after [`Packed::make_room`].
    pub(crate) fn bytes_with_room(&self, wanted: usize) -> usize {
        let width = if self.too_narrow.load(Ordering::Relaxed) { WIDE } else { self.width };
        let places = if wanted > self.len() { grown(wanted) } else { self.len() };
        self.bytes().max(places * width * size_of::<AtomicU16>())
    }

    /// Places for that many keys in all, each wide enough for all that were asked for.
    pub(crate) fn make_room(&mut self, wanted: usize) {
        if self.too_narrow.load(Ordering::Relaxed) && self.width == NARROW {
            self.widen();
        }
        if wanted > self.len() {
            self.resize(grown(wanted));
        }
    }

    fn resize(&mut self, places: usize) {
        let parts = places * self.width;
        self.parts.reserve_exact(parts - self.parts.len());
        self.parts.resize_with(parts, || AtomicU16::new(0));
    }

    /// Moves every key to where it is when all have more parts, the last one first.
    fn widen(&mut self) {
        let places = self.len();
        self.width = WIDE;
        self.resize(places);
        for number in (0..places).rev() {
            self.set(number, self.read::<NARROW>(number));
        }
    }
}

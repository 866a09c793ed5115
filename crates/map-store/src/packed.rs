//! An array of 64-bit keys, stored in fewer bytes as long as all of them fit.

use crate::atomic::{AtomicBool, AtomicU16, Ordering};
use crate::{Full, NarrowKeys, grown, reserve};

/// Keys by number: only the low bits of each, or all 64 once some key needs them.
pub(crate) struct Packed {
    /// The parts of a key are adjacent, low ones first.
    parts: Vec<AtomicU16>,
    /// Number of parts of a key: 1, 3 or 4.
    width: usize,
    narrow: NarrowKeys,
    /// Whether some key did not fit.
    too_narrow: AtomicBool,
}

const WIDE: usize = 4;

impl Packed {
    /// An empty array whose keys are narrow as long as possible.
    pub(crate) fn new(narrow: NarrowKeys) -> Self {
        let width = (narrow.bits() / u16::BITS) as usize;
        Self { parts: Vec::new(), width, narrow, too_narrow: AtomicBool::new(false) }
    }

    /// Capacity: the number of keys for which there are places.
    pub(crate) fn len(&self) -> usize {
        self.parts.len() / self.width
    }

    /// Whether a key can be stored. If not, [`Packed::make_room`] widens the places.
    #[inline]
    pub(crate) fn fits(&self, key: u64) -> bool {
        let fits = self.width == WIDE || key >> self.narrow.bits() == 0;
        if !fits {
            self.too_narrow.store(true, Ordering::Relaxed);
        }
        fits
    }

    #[inline]
    pub(crate) fn get(&self, number: usize) -> u64 {
        match self.width {
            3 => self.read::<3>(number),
            WIDE => self.read::<WIDE>(number),
            _ => self.read::<1>(number),
        }
    }

    #[inline]
    fn read<const WIDTH: usize>(&self, number: usize) -> u64 {
        let parts: &[_; WIDTH] = self.parts[number * WIDTH..].first_chunk().expect("there is such a key");
        (0..WIDTH).fold(0, |key, place| key | u64::from(parts[place].load(Ordering::Relaxed)) << (16 * place))
    }

    /// Stores a key that fits.
    #[inline]
    pub(crate) fn set(&self, number: usize, key: u64) {
        match self.width {
            3 => self.write::<3>(number, key),
            WIDE => self.write::<WIDE>(number, key),
            _ => self.write::<1>(number, key),
        }
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

    /// Makes places for `wanted` keys in total, wide enough for every key tried so far.
    ///
    /// # Errors
    /// [`Full`] if there is no memory; every key is where it was.
    pub(crate) fn make_room(&mut self, wanted: usize) -> Result<(), Full> {
        if self.too_narrow.load(Ordering::Relaxed) && self.width != WIDE {
            self.widen()?;
        }
        if wanted > self.len() { self.lengthen(grown(wanted) * self.width) } else { Ok(()) }
    }

    fn lengthen(&mut self, parts: usize) -> Result<(), Full> {
        reserve(&mut self.parts, parts)?;
        self.parts.resize_with(parts, || AtomicU16::new(0));
        Ok(())
    }

    /// Moves every key to its wide place, last key first, since the array is widened in place.
    fn widen(&mut self) -> Result<(), Full> {
        let places = self.len();
        self.lengthen(places * WIDE)?;
        self.width = WIDE;
        for number in (0..places).rev() {
            let key = match self.narrow {
                NarrowKeys::Bits16 => self.read::<1>(number),
                NarrowKeys::Bits48 => self.read::<3>(number),
            };
            self.set(number, key);
        }
        Ok(())
    }
}

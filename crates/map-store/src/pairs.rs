//! Numbers for pairs of words.

use std::num::NonZeroUsize;

use crate::atomic::{AtomicU64, Ordering};
use crate::index::Index;
use crate::numbers::Numbers;
use crate::{Full, Spare, Tuning, grown, hash, reserve};

/// Numbers are below this, which leaves two bits of a word free.
const MOST: usize = 1 << 30;

/// Content of unused numbers. No pair has this value.
const UNUSED: u64 = u64::MAX;

/// Pairs of words, numbered below 2^30 in the order in which threads store them: the inner nodes of the trees of tree
/// compression. With several threads some numbers are reserved and never used.
pub struct Pairs {
    pairs: Vec<AtomicU64>,
    index: Index,
    numbers: Numbers,
}

impl Pairs {
    /// An empty table, without room. At most `threads` threads insert pairs at the same time. Pairs are not packed,
    /// so [`Tuning::narrow`] has no effect.
    #[must_use]
    pub fn new(threads: NonZeroUsize, tuning: Tuning) -> Self {
        Self {
            pairs: Vec::new(),
            index: Index::new(threads, tuning.region_bits),
            numbers: Numbers::new(threads, tuning.reserved),
        }
    }

    /// The number of a pair, stored if it is new. Not both words may be `u32::MAX`. `spare` is the thread's own for
    /// this table.
    ///
    /// # Errors
    /// [`Full`] if the pair is new and there is no room for it.
    pub fn insert(&self, left: u32, right: u32, spare: &mut Spare) -> Result<u32, Full> {
        let pair = u64::from(left) | u64::from(right) << 32;
        debug_assert_ne!(pair, UNUSED, "no word of a state has all bits set");
        let is_it = |number: u32| self.pairs[number as usize].load(Ordering::Relaxed) == pair;
        let Spare { made, reserved } = spare;
        let make = |made: Option<u32>| {
            let number = match made {
                Some(number) => number,
                None => self.numbers.take(self.room(), reserved)?,
            };
            self.pairs[number as usize].store(pair, Ordering::Relaxed);
            Ok(number)
        };
        let hash = hash(pair);
        let found = self.index.find_or_insert((hash, self.index.home(hash)), made, is_it, make)?;
        if let Some(unused) = *made {
            self.pairs[unused as usize].store(UNUSED, Ordering::Relaxed);
        }
        Ok(found.number)
    }

    #[cfg(all(test, loom))]
    pub(crate) fn with_slots(slots: usize) -> Self {
        let threads = NonZeroUsize::MIN.saturating_add(1);
        Self { index: Index::with_slots(slots), ..Self::new(threads, Tuning::TINY) }
    }

    /// Numbers are below this until there is more room.
    fn room(&self) -> usize {
        self.pairs.len().min(self.index.room())
    }

    /// The pair with this number.
    #[must_use]
    pub fn get(&self, number: u32) -> (u32, u32) {
        let pair = self.pairs[number as usize].load(Ordering::Relaxed);
        (pair as u32, (pair >> 32) as u32)
    }

    /// Fills an empty table with the pairs of another one, as [`Pairs::get`] gave them for each of its `len` numbers.
    ///
    /// # Errors
    /// If there is no room for them, or what `next` fails with.
    pub fn restore<E: From<Full>>(
        &mut self,
        len: usize,
        mut next: impl FnMut() -> Result<(u32, u32), E>,
    ) -> Result<(), E> {
        debug_assert!(self.is_empty(), "only an empty table is filled");
        self.make_room(len)?;
        for number in 0..len {
            let (left, right) = next()?;
            let pair = u64::from(left) | u64::from(right) << 32;
            self.pairs[number].store(pair, Ordering::Relaxed);
            if pair != UNUSED {
                self.index.add(hash(pair), number as u32);
            }
        }
        self.numbers.restart(len as u32);
        Ok(())
    }

    /// How many pairs there are, counting reserved numbers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is no pair.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<AtomicU64>() + self.index.bytes()
    }

    /// Maximum number of bytes in use during and after [`Pairs::make_room`].
    #[must_use]
    pub fn bytes_with_room(&self, more: usize) -> usize {
        let wanted = self.len() + more;
        let pairs = if wanted > self.pairs.len() { grown(wanted) } else { self.pairs.capacity() };
        pairs * size_of::<AtomicU64>() + self.index.bytes_with_room(wanted, 1)
    }

    /// Makes room for `more` pairs.
    ///
    /// # Errors
    /// [`Full`] if there would be 2^30 numbers or more, or if there is no memory. What is in the table stays there.
    pub fn make_room(&mut self, more: usize) -> Result<(), Full> {
        let (len, wanted) = (self.len(), self.len() + more);
        if wanted > MOST {
            return Err(Full);
        }
        if wanted > self.pairs.len() {
            reserve(&mut self.pairs, grown(wanted))?;
            self.pairs.resize_with(grown(wanted), || AtomicU64::new(UNUSED));
        }
        if wanted > self.index.room() {
            let pairs = &self.pairs;
            let stored =
                |number: usize| Some(pairs[number].load(Ordering::Relaxed)).filter(|&it| it != UNUSED);
            self.index.rebuild(wanted, (len, 1), |number| stored(number).map(hash))?;
        }
        Ok(())
    }
}

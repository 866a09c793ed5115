//! States that a thread has found and not yet added to the visited set: those of one bundle are added together, and a look
//! into the set, which is mostly a cache miss, overlaps with others.

use map_store::{Bundles, Full, Spare};

use crate::space::Bundle;

/// One thread's bundles on their way to the visited set.
#[derive(Default)]
pub(super) struct Gathered {
    /// Keys and members.
    waiting: Vec<(u64, u64)>,
    /// Bundles met lately, each where its key says, until another is.
    lately: Vec<Met>,
    /// Those for which there was no room.
    left_over: Vec<(u64, u64)>,
    spare: Spare,
}

#[derive(Clone, Copy)]
struct Met {
    key: u64,
    /// Members that are in the visited set.
    known: u64,
    /// Where it was put to wait last.
    place: u32,
}

/// Bundles that wait; few in debug builds, so that tests see them added one by one.
const MOST: usize = if cfg!(debug_assertions) { 4 } else { 256 };

/// Bundles met lately, as a power of two.
const LATELY: u32 = if cfg!(debug_assertions) { 3 } else { 13 };

fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - LATELY)) as usize
}

impl Gathered {
    /// Takes states that were found. Calls `fresh` for those that are added now and nobody had found before.
    #[inline]
    pub(super) fn take(&mut self, set: &Bundles, found: Bundle, fresh: &mut impl FnMut(Bundle)) {
        if self.lately.is_empty() {
            self.lately.resize(1 << LATELY, Met { key: u64::MAX, known: 0, place: 0 });
        }
        let key = found.key();
        let met = &mut self.lately[place(key)];
        if met.key != key {
            *met = Met { key, known: 0, place: u32::MAX };
        }
        let unknown = found.lefts & !met.known;
        if unknown == 0 {
            return;
        }
        match self.waiting.get_mut(met.place as usize) {
            Some((its, members)) if *its == key => *members |= unknown,
            _ => {
                met.place = self.waiting.len() as u32;
                self.waiting.push((key, unknown));
                if self.waiting.len() >= MOST {
                    self.add(set, fresh);
                }
            }
        }
    }

    /// Adds all that wait.
    pub(super) fn add(&mut self, set: &Bundles, fresh: &mut impl FnMut(Bundle)) {
        let touched = self.waiting.iter().fold(0, |sum, &(key, _)| sum ^ set.touch(key));
        std::hint::black_box(touched);
        for (key, members) in self.waiting.drain(..) {
            match set.add(key, members, &mut self.spare) {
                Ok(added) => {
                    let met = &mut self.lately[place(key)];
                    if met.key == key {
                        met.known |= added.members;
                    }
                    if added.fresh != 0 {
                        fresh(Bundle::with_key(key, added.fresh));
                    }
                }
                Err(Full) => self.left_over.push((key, members)),
            }
        }
    }

    /// Adds what there was no room for, now that there is, if there is.
    pub(super) fn add_left_over(&mut self, set: &Bundles, fresh: &mut impl FnMut(Bundle)) {
        self.waiting.append(&mut self.left_over);
        self.add(set, fresh);
    }

    /// How many bundles there was no room for.
    pub(super) fn left_over(&self) -> usize {
        self.left_over.len()
    }

    pub(super) fn bytes(&self) -> usize {
        (self.waiting.capacity() + self.left_over.capacity()) * size_of::<(u64, u64)>()
            + self.lately.capacity() * size_of::<Met>()
    }
}

//! Unpacking of transition lists.

use super::BLOCK;
use super::piece::{FAR, MANY, MORE, Piece};
use super::recent::Recent;

/// Which transitions of a list to unpack.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    All,
    Lucky,
}

/// Most lists find at most this many new states.
const FEW: usize = 4;

/// The lists of one block, unpacked.
#[derive(Default)]
pub(crate) struct Lists {
    /// The targets, then spare room after the last end.
    targets: Vec<u32>,
    /// Parallel to the targets, if weights are kept and all lists were unpacked.
    weights: Vec<u32>,
    /// The end of each list.
    ends: [u32; BLOCK],
    len: usize,
}

impl Lists {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The list of the `place`th state of the block.
    pub(crate) fn of(&self, place: usize) -> &[u32] {
        &self.targets[self.range(place)]
    }

    /// The weights of its transitions, if weights are kept and all transitions were unpacked; else empty.
    pub(crate) fn weights_of(&self, place: usize) -> &[u32] {
        self.weights.get(self.range(place)).unwrap_or_default()
    }

    fn range(&self, place: usize) -> std::ops::Range<usize> {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        start as usize..self.ends[place] as usize
    }

    /// Unpacks the lists of a block of `states` states.
    pub(super) fn unpack(&mut self, packed: &Piece, block: usize, states: usize, which: Which) {
        let keeps = packed.keeps;
        let (start, mut fresh) = packed.blocks.get(block);
        let mut reader = Reader { bytes: packed.packed(), at: start };
        let mut recent = Recent::new(fresh);
        let mut end = 0;
        self.weights.clear();
        self.len = states;
        for place in 0..states {
            let (found, others) = reader.counts();
            let count = found + others;
            let flags = if keeps.faults { reader.take(count.div_ceil(8)) } else { &[] };
            if self.targets.len() < end + count + FEW {
                self.targets.resize(2 * (end + count + FEW), 0);
            }
            let list = &mut self.targets[end..end + count + FEW];
            if found <= FEW {
                // A fixed number of writes instead of a loop: surplus ones are overwritten by the other targets.
                for (target, number) in list[..FEW].iter_mut().zip(fresh..) {
                    *target = number;
                }
            } else {
                list[..found].iter_mut().zip(fresh..).for_each(|(target, number)| *target = number);
            }
            fresh += found as u32;
            reader.others(&mut list[found..count], &mut recent);
            if keeps.weights {
                self.weights.extend((0..count).map(|_| reader.number()));
            }
            end += match which {
                Which::Lucky if keeps.faults => keep_lucky(&mut list[..count], flags),
                _ => count,
            };
            self.ends[place] = end as u32;
        }
    }
}

/// Moves the targets of transitions that are no faults to the front; returns their number.
fn keep_lucky(list: &mut [u32], flags: &[u8]) -> usize {
    let mut kept = 0;
    for place in 0..list.len() {
        if flags[place / 8] >> (place % 8) & 1 == 0 {
            list[kept] = list[place];
            kept += 1;
        }
    }
    kept
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> &'b [u8] {
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        taken
    }

    fn number(&mut self) -> u32 {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let byte = self.bytes[self.at];
            self.at += 1;
            number |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        number
    }

    /// The number of new states that a list finds, and of its other targets.
    fn counts(&mut self) -> (usize, usize) {
        let header = self.bytes[self.at];
        self.at += 1;
        let mut count = |nibble: u8| match nibble {
            MANY => self.number() as usize,
            few => usize::from(few),
        };
        (count(header & 15), count(header >> 4))
    }

    fn others(&mut self, targets: &mut [u32], recent: &mut Recent) {
        let mut codes = self.at;
        self.at += targets.len().div_ceil(2);
        for few in targets.chunks_mut(16) {
            let mut word = self.word(codes);
            codes += 8;
            for target in few {
                *target = self.other(word as u8 & 15, recent);
                word >>= 4;
            }
        }
    }

    /// Reads eight bytes, little-endian, padded with zeros at the end.
    fn word(&self, at: usize) -> u64 {
        match self.bytes[at..].first_chunk() {
            Some(&bytes) => u64::from_le_bytes(bytes),
            None => self.bytes[at..].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        }
    }

    /// Decodes a target. There is no branch on whether a distance follows, because it would be badly predicted:
    /// without one, the byte read is masked out.
    #[inline(always)]
    fn other(&mut self, code: u8, recent: &mut Recent) -> u32 {
        let place = code & (FAR - 1);
        let follows = code / FAR;
        let byte = self.bytes.get(self.at).map_or(0, |byte| byte & follows.wrapping_neg());
        let near = u32::from(byte) < MORE;
        let distance = match near {
            true => {
                self.at += usize::from(follows);
                u32::from(byte)
            }
            false => self.number(),
        };
        let target = recent.expected(place).wrapping_add(unfold(distance));
        match near {
            true => recent.replace(place, target),
            false => recent.add(target),
        }
        target
    }
}

/// Inverse of `fold`: the distance whose sign is in the lowest bit.
fn unfold(folded: u32) -> u32 {
    (folded >> 1) ^ (folded & 1).wrapping_neg()
}

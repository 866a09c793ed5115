//! The transitions of one process's states.
//!
//! A process keeps for each of its states, in order, to which process each transition leads. The numbers that their
//! targets have there are kept by that process, in the order in which it heard of them, which is the same order. So
//! neither has to tell the other a number while states are explored.

use std::io;

use super::wire::{Reader, put};
use crate::saved::{In, Out};

/// Number of states, or of numbers, between two samples.
const BLOCK: usize = 64;

/// A transition of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    /// The process that has its target.
    pub(crate) owner: usize,
    /// What [`Records::step`](super::records::Records::step) made of its steps.
    pub(crate) label: u32,
    /// Whether all its steps depend on open comparisons.
    pub(crate) compared: bool,
    /// Whether it is a fault.
    pub(crate) unlucky: bool,
}

/// The transitions of the states of a process.
pub(crate) struct Transitions {
    /// State by state their number, then each.
    bytes: Vec<u8>,
    /// The beginning of every [`BLOCK`]th state in `bytes`.
    starts: Vec<usize>,
    /// For each of these, by process: how many transitions of earlier states lead there.
    led: Vec<u64>,
    /// By process: how many lead there.
    total: Vec<u64>,
    states: usize,
    has_labels: bool,
}

impl Transitions {
    pub(crate) fn new(processes: usize, has_labels: bool) -> Self {
        let total = vec![0; processes];
        Self { bytes: Vec::new(), starts: Vec::new(), led: Vec::new(), total, states: 0, has_labels }
    }

    /// Appends the transitions of the next state.
    pub(crate) fn push(&mut self, transitions: &[Transition]) {
        if self.states.is_multiple_of(BLOCK) {
            make_room(&mut self.bytes, 16 * BLOCK);
            self.starts.push(self.bytes.len());
            self.led.extend_from_slice(&self.total);
        }
        self.states += 1;
        put(&mut self.bytes, transitions.len() as u64);
        for it in transitions {
            let flags = u64::from(it.compared) << 1 | u64::from(it.unlucky);
            put(&mut self.bytes, (it.owner as u64) << 2 | flags);
            if self.has_labels {
                put(&mut self.bytes, u64::from(it.label));
            }
            self.total[it.owner] += 1;
        }
    }

    /// Calls `see` for the states of a range with their transitions and, by process, how many of earlier states lead
    /// there.
    pub(crate) fn for_each(
        &self,
        range: std::ops::Range<usize>,
        mut see: impl FnMut(usize, &[Transition], &[u64]),
    ) {
        if range.is_empty() {
            return;
        }
        let block = range.start / BLOCK;
        let processes = self.total.len();
        let mut led = self.led[block * processes..][..processes].to_vec();
        let mut from = Reader(&self.bytes[self.starts[block]..]);
        let mut transitions = Vec::new();
        for state in block * BLOCK..range.end {
            transitions.clear();
            for _ in 0..from.number() {
                let head = from.number();
                let label = if self.has_labels { from.word() } else { 0 };
                let (owner, compared, unlucky) = ((head >> 2) as usize, head & 2 != 0, head & 1 != 0);
                transitions.push(Transition { owner, label, compared, unlucky });
            }
            if state >= range.start {
                see(state, &transitions, &led);
            }
            transitions.iter().for_each(|it| led[it.owner] += 1);
        }
    }

    /// By process: how many transitions of the states before this one lead there.
    pub(crate) fn led_before(&self, state: usize) -> Vec<u64> {
        let mut led = self.total.clone();
        if state < self.states {
            self.for_each(state..state + 1, |_, _, before| led.copy_from_slice(before));
        }
        led
    }

    pub(crate) fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.bytes(&self.bytes)?;
        out.numbers(&self.starts)?;
        out.longs(&self.led)?;
        out.longs(&self.total)?;
        out.number(self.states)
    }

    pub(crate) fn restore(&mut self, from: &mut In<'_>) -> io::Result<()> {
        self.bytes = from.bytes()?;
        self.starts = from.numbers()?;
        self.led = from.longs()?;
        self.total = from.longs()?;
        self.states = from.number()?;
        Ok(())
    }

    /// Number of states whose transitions are there.
    pub(crate) fn states(&self) -> usize {
        self.states
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.capacity()
            + self.starts.capacity() * size_of::<usize>()
            + self.led.capacity() * size_of::<u64>()
    }
}

/// A list of numbers that are mostly close to the ones before.
#[derive(Default)]
pub(crate) struct Numbers {
    /// The difference of each from the one before, zigzag.
    bytes: Vec<u8>,
    /// For every [`BLOCK`]th number: its beginning in `bytes`, and the number before.
    samples: Vec<(usize, u32)>,
    len: usize,
    last: u32,
}

impl Numbers {
    pub(crate) fn push(&mut self, number: u32) {
        if self.len.is_multiple_of(BLOCK) {
            make_room(&mut self.bytes, 5 * BLOCK);
            self.samples.push((self.bytes.len(), self.last));
        }
        let difference = number.wrapping_sub(self.last) as i32;
        put(&mut self.bytes, u64::from((difference << 1 ^ difference >> 31) as u32));
        self.len += 1;
        self.last = number;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.bytes(&self.bytes)?;
        out.number(self.samples.len())?;
        for &(start, last) in &self.samples {
            out.numbers(&[start, last as usize])?;
        }
        out.numbers(&[self.len, self.last as usize])
    }

    pub(crate) fn restore(from: &mut In<'_>) -> io::Result<Self> {
        let bytes = from.bytes()?;
        let samples = (0..from.number()?).map(|_| from.pair().map(|(start, last)| (start, last as u32)));
        let samples = samples.collect::<io::Result<_>>()?;
        let (len, last) = from.pair()?;
        Ok(Self { bytes, samples, len, last: last as u32 })
    }

    /// The numbers from a place on.
    pub(crate) fn from(&self, place: usize) -> From<'_> {
        let mut numbers = From { numbers: self, left: Reader(&[]), last: 0, place: usize::MAX };
        numbers.seek(place);
        numbers
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.capacity() + self.samples.capacity() * size_of::<(usize, u32)>()
    }
}

/// The numbers of a list from a place on.
pub(crate) struct From<'n> {
    numbers: &'n Numbers,
    left: Reader<'n>,
    last: u32,
    place: usize,
}

impl From<'_> {
    /// Goes to another place.
    pub(crate) fn seek(&mut self, place: usize) {
        if place < self.place || place - self.place > BLOCK {
            let sample = self.numbers.samples.get(place / BLOCK).copied();
            let (start, last) = sample.unwrap_or((self.numbers.bytes.len(), 0));
            self.left = Reader(&self.numbers.bytes[start..]);
            (self.last, self.place) = (last, place / BLOCK * BLOCK);
        }
        while self.place < place && self.next().is_some() {}
    }
}

impl Iterator for From<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.left.is_empty() {
            return None;
        }
        let word = self.left.word();
        self.last = self.last.wrapping_add(word >> 1 ^ (word & 1).wrapping_neg());
        self.place += 1;
        Some(self.last)
    }
}

/// Makes room for more bytes, by at most an eighth of what there is.
fn make_room(bytes: &mut Vec<u8>, more: usize) {
    if bytes.capacity() - bytes.len() < more {
        bytes.reserve_exact(more.max(bytes.len() / 8));
    }
}

#[cfg(test)]
mod tests {
    use map_testkit::scenes::Random;

    use super::{Numbers, Transition, Transitions};

    #[test]
    fn numbers_come_back_from_any_place() {
        let mut random = Random::new(1, 0);
        let all: Vec<u32> = (0..1_000).map(|_| *random.pick(&[0, 5, 6, 1 << 20, u32::MAX])).collect();
        let mut numbers = Numbers::default();
        all.iter().for_each(|&number| numbers.push(number));
        for place in [0, 1, 63, 64, 65, 500, 999, 1_000] {
            assert_eq!(Vec::from_iter(numbers.from(place)), all[place..], "from {place}");
        }
    }

    #[test]
    fn transitions_come_back_with_how_many_came_before() {
        const PROCESSES: usize = 3;
        let mut random = Random::new(2, 0);
        let mut all: Vec<Vec<Transition>> = Vec::new();
        let mut transitions = Transitions::new(PROCESSES, true);
        for _ in 0..300 {
            let of_state = (0..random.below(5)).map(|_| Transition {
                owner: random.below(PROCESSES),
                label: random.below(200) as u32,
                compared: random.percent(50),
                unlucky: random.percent(50),
            });
            all.push(of_state.collect());
            transitions.push(all.last().expect("one was pushed"));
        }
        for range in [0..300, 64..65, 63..128, 299..300, 10..10] {
            let mut seen = Vec::new();
            transitions.for_each(range.clone(), |state, of_state, led| {
                assert_eq!(of_state, all[state]);
                let before =
                    |owner| all[..state].iter().flatten().filter(|it| it.owner == owner).count() as u64;
                assert_eq!(led, [before(0), before(1), before(2)]);
                seen.push(state);
            });
            assert_eq!(seen, Vec::from_iter(range));
        }
    }
}

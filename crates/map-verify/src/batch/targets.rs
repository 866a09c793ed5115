//! The steps that a thread has found in a batch, by the numbers of the states that they lead to.

use std::ops::Range;
use std::sync::atomic::AtomicU32;

use crate::space::Made;

/// What is said of a step beside where it leads: mostly nothing.
#[derive(Clone, Default)]
pub(crate) struct Beside {
    /// Whether it rests on an open comparison.
    pub(crate) compared: bool,
    /// Whether it is bad luck.
    pub(crate) unlucky: bool,
    /// The number of its weight, as the thread numbers them.
    pub(crate) weight: u32,
}

/// Where the targets of a state are, and what is said of each beside.
#[derive(Clone, Copy, Default)]
pub(crate) struct Listed {
    start: u32,
    len: u32,
    beside: u32,
}

/// Where nothing is said beside any target.
const NOTHING: u32 = u32::MAX;

/// Where steps lead, state by state.
#[derive(Default)]
pub(crate) struct Targets {
    /// Provisional numbers are replaced when the batch is settled.
    numbers: Vec<AtomicU32>,
    /// For the states of which something is said beside.
    beside: Vec<Beside>,
}

impl Targets {
    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.beside.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<AtomicU32>() + self.beside.capacity() * size_of::<Beside>()
    }

    /// The numbers of a state's targets.
    #[inline]
    pub(crate) fn numbers(&self, listed: Listed) -> &[AtomicU32] {
        &self.numbers[listed.start as usize..][..listed.len as usize]
    }

    /// What is said beside each of a state's targets, if anything is.
    #[inline]
    pub(crate) fn beside(&self, listed: Listed) -> Option<&[Beside]> {
        (listed.beside != NOTHING).then(|| &self.beside[listed.beside as usize..][..listed.len as usize])
    }

    /// Takes over the targets of a chunk's states, which mostly stay one after the other; where they begin.
    pub(super) fn take_all(&mut self, numbers: &[u32]) -> usize {
        let start = self.numbers.len();
        self.numbers.extend(numbers.iter().map(|&number| AtomicU32::new(number)));
        start
    }

    /// Lists targets that were taken over as they are.
    pub(super) fn listed(&self, taken: Range<usize>) -> Listed {
        Listed { start: taken.start as u32, len: taken.len() as u32, beside: NOTHING }
    }

    /// Takes over steps one by one, and how many transitions they are: steps of one thread of an agent that come to the same
    /// are one.
    pub(super) fn take(&mut self, steps: &[Made], numbers: &[u32]) -> (Listed, usize) {
        let (start, beside) = (self.numbers.len(), self.beside.len());
        let (mut group, mut transitions) = (0, 0);
        let mut is_told = false;
        for (index, (made, &number)) in steps.iter().zip(numbers).enumerate() {
            let Made { kind, compared, unlucky, weight, .. } = *made;
            if made.by() != steps[group].by() {
                group = index;
            }
            let mut before = steps[group..index].iter().zip(&numbers[group..]);
            let is_known = before.any(|(it, &its)| (its, it.kind, it.weight) == (number, kind, weight));
            transitions += usize::from(!is_known);
            if !is_known || !compared {
                self.numbers.push(AtomicU32::new(number));
                self.beside.push(Beside { compared, unlucky, weight });
                is_told |= compared | unlucky | (weight != 0);
            }
        }
        let len = self.numbers.len() - start;
        if !is_told {
            self.beside.truncate(beside);
        }
        let beside = if is_told { beside as u32 } else { NOTHING };
        (Listed { start: start as u32, len: len as u32, beside }, transitions)
    }
}

/// Whether each of some steps is a transition of which nothing is said but where it leads. May be wrong in saying no.
#[inline]
pub(super) fn are_plain(steps: &[Made], numbers: &[u32]) -> bool {
    let by = |made: &Made| u64::from(made.agent) | u64::from(made.thread) << u32::BITS;
    let (mut last, mut first) = (u64::MAX, 0);
    for (index, made) in steps.iter().enumerate() {
        if made.compared | made.unlucky | (made.weight != 0) {
            return false;
        }
        if by(made) != last {
            (last, first) = (by(made), index);
        } else if index - first > 1 || numbers[index] == numbers[first] {
            return false;
        }
    }
    true
}

//! The steps that a thread has found in a batch: the numbers of their targets, and what is kept of them.

use std::ops::Range;

/// Locates the targets of a state, and what is kept of the steps to them.
#[derive(Clone, Copy, Default)]
pub(super) struct Listed {
    start: u32,
    len: u32,
    steps: u32,
}

/// Stands for no steps: only targets are kept.
const NOTHING: u32 = u32::MAX;

/// The targets of steps, state by state.
pub(super) struct Targets<S> {
    /// Provisional numbers are replaced when the batch is finished.
    numbers: Vec<u32>,
    /// What is kept of the steps, for states that keep anything.
    steps: Vec<S>,
    /// A buffer: the places of the steps to keep.
    kept: Vec<u32>,
}

impl<S> Default for Targets<S> {
    fn default() -> Self {
        Self { numbers: Vec::new(), steps: Vec::new(), kept: Vec::new() }
    }
}

impl<S: Copy> Targets<S> {
    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.steps.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<u32>() + self.steps.capacity() * size_of::<S>()
    }

    /// The numbers of a state's targets.
    #[inline]
    pub(super) fn numbers(&self, listed: Listed) -> &[u32] {
        &self.numbers[listed.start as usize..][..listed.len as usize]
    }

    #[inline]
    pub(super) fn numbers_mut(&mut self, listed: Listed) -> &mut [u32] {
        &mut self.numbers[listed.start as usize..][..listed.len as usize]
    }

    /// What is kept of the steps to a state's targets, if anything is.
    #[inline]
    pub(super) fn steps(&self, listed: Listed) -> Option<&[S]> {
        (listed.steps != NOTHING).then(|| &self.steps[listed.steps as usize..][..listed.len as usize])
    }

    /// Appends the targets of all states of a chunk; returns the index of the first.
    pub(super) fn take_all(&mut self, numbers: &[u32]) -> usize {
        let start = self.numbers.len();
        self.numbers.extend_from_slice(numbers);
        start
    }

    /// Lists a range of appended targets.
    pub(super) fn listed(&self, taken: Range<usize>) -> Listed {
        Listed { start: taken.start as u32, len: taken.len() as u32, steps: NOTHING }
    }

    /// Lists a range of appended targets, with what is kept of the steps to them.
    pub(super) fn listed_with(&mut self, taken: Range<usize>, steps: &[S]) -> Listed {
        let first = self.steps.len() as u32;
        self.steps.extend_from_slice(steps);
        Listed { steps: first, ..self.listed(taken) }
    }

    /// Appends the steps of a state chosen by `select`, which also returns their number of transitions. Only targets
    /// are kept if `is_kept` holds for none of them.
    pub(super) fn take(
        &mut self,
        steps: &[S],
        numbers: &[u32],
        select: impl FnOnce(&[S], &[u32], &mut Vec<u32>) -> usize,
        is_kept: impl Fn(&S) -> bool,
    ) -> (Listed, usize) {
        let (start, first) = (self.numbers.len(), self.steps.len());
        self.kept.clear();
        let transitions = select(steps, numbers, &mut self.kept);
        self.numbers.extend(self.kept.iter().map(|&place| numbers[place as usize]));
        let kept = || self.kept.iter().map(|&place| steps[place as usize]);
        let any = kept().any(|step| is_kept(&step));
        if any {
            self.steps.extend(kept());
        }
        let steps = if any { first as u32 } else { NOTHING };
        (Listed { start: start as u32, len: self.kept.len() as u32, steps }, transitions)
    }
}

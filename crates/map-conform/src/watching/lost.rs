//! Lines of which the conversation cannot be read: they may belong to any that is open, or begin one.

use crate::report::Mark;

/// The maximum number of lines that are told apart: of later ones the last counts.
const MAX_KEPT: usize = 65_536;

/// Lines of which the conversation cannot be read, with what they are counted by.
#[derive(Default)]
pub(super) struct LostLines(Vec<(u64, Mark)>);

impl From<Vec<(u64, Mark)>> for LostLines {
    fn from(all: Vec<(u64, Mark)>) -> Self {
        Self(all)
    }
}

impl LostLines {
    /// All that are told apart.
    pub(super) fn all(&self) -> &[(u64, Mark)] {
        &self.0
    }

    /// Adds one; numbers grow.
    pub(super) fn push(&mut self, number: u64, mark: Mark) {
        if self.0.len() >= MAX_KEPT {
            self.0.pop();
        }
        self.0.push((number, mark));
    }

    /// Those after a number.
    pub(super) fn after(&self, number: u64) -> &[(u64, Mark)] {
        &self.0[self.0.partition_point(|(its, _)| *its <= number)..]
    }

    /// The last one.
    pub(super) fn last(&self) -> Option<Mark> {
        self.0.last().map(|(_, mark)| *mark)
    }
}

#[cfg(test)]
mod tests {
    use super::{LostLines, MAX_KEPT};
    use crate::report::Mark;

    #[test]
    fn none_is_missed_however_many_there_are() {
        let mut lost = LostLines::default();
        let most = MAX_KEPT as u64 + 10;
        for number in 1..=most {
            lost.push(number, Mark { line: number, ..Mark::default() });
        }
        assert_eq!(lost.after(3)[0].0, 4);
        assert_eq!(lost.after(most - 1).len(), 1);
        assert!(lost.after(most).is_empty());
        assert_eq!(lost.last().map(|mark| mark.line), Some(most));
    }
}

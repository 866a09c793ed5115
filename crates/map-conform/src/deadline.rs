//! How long agents may owe something, by the times of the log.

use map_ir::PartId;

/// How long, in nanoseconds, an agent may take until it has sent what it owes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deadlines {
    /// Agents of all other parts; `None` for as long as they like.
    pub all: Option<u64>,
    /// Agents of these parts.
    pub parts: Vec<(PartId, u64)>,
}

impl Deadlines {
    /// Whether nobody has one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_none() && self.parts.is_empty()
    }

    pub(crate) fn of(&self, part: PartId) -> Option<u64> {
        self.parts.iter().rfind(|(its, _)| *its == part).map(|it| it.1).or(self.all)
    }
}

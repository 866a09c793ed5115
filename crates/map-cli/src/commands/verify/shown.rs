//! A run to show or save.

use map_verify::Replayed;

/// A run to show or save.
pub(super) struct Shown<'s> {
    /// The verdict to record in a saved trace.
    pub(super) verdict: String,
    pub(super) replayed: &'s Replayed,
    /// The steps from this one on are repeated for ever.
    pub(super) repeated_from: Option<usize>,
}

impl Shown<'_> {
    /// Whether the other run takes the same steps.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let steps = |run: &Self| run.replayed.steps.iter().map(|it| it.step.clone()).collect::<Vec<_>>();
        self.repeated_from == other.repeated_from && steps(self) == steps(other)
    }
}

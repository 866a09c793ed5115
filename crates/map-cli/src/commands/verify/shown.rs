//! A run that is shown.

use map_verify::Replayed;

/// A run that is shown, or saved.
pub(super) struct Shown<'s> {
    /// What it is called in its trace.
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

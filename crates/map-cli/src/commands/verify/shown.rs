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
    /// That the first steps of the other run are the steps of this one, in words; `None` if it does not begin with them, or if
    /// only one of them goes on for ever.
    pub(super) fn as_part_of(&self, whole: &Self) -> Option<String> {
        let (steps, all) = (&self.replayed.steps, &whole.replayed.steps);
        let starts = self.replayed.initial == whole.replayed.initial
            && steps.len() <= all.len()
            && steps.iter().zip(all).all(|(one, other)| one.step == other.step);
        let fits = match self.repeated_from {
            None => starts,
            Some(_) => self.is_same(whole),
        };
        match steps.len() {
            _ if !fits => None,
            0 => None,
            count if count == all.len() => Some("the run above shows it".to_owned()),
            1 => Some("the first step above shows it".to_owned()),
            some => Some(format!("the first {some} steps above show it")),
        }
    }

    /// Whether the other run takes the same steps.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let steps = |run: &Self| run.replayed.steps.iter().map(|it| it.step.clone()).collect::<Vec<_>>();
        self.replayed.initial == other.replayed.initial
            && self.repeated_from == other.repeated_from
            && steps(self) == steps(other)
    }
}

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

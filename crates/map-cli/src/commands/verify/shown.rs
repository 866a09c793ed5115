//! A run that shows a verdict.

use map_session::Evidence;

/// A run that shows a verdict.
pub(super) struct Shown<'a> {
    /// The verdict to record.
    pub(super) verdict: String,
    pub(super) evidence: Evidence<'a>,
}

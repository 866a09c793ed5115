//! Many runs at each point of a sweep.

use crate::many_runs::ManyRuns;

/// Many runs at each point of a sweep.
pub struct SweptRuns {
    /// What was swept, as it was given; one or two.
    pub names: Vec<String>,
    /// How many points there are; fewer were reached if it was interrupted.
    pub wanted: usize,
    /// The points that were reached, in order; at least one.
    pub points: Vec<SweptPoint>,
}

/// A point of a sweep.
pub struct SweptPoint {
    /// The value of each thing that is swept, in source form.
    pub at: Vec<String>,
    /// The runs.
    pub played: ManyRuns,
}

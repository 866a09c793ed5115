//! Many runs at each point of a sweep.

use map_simulate::Distribution;

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

impl SweptRuns {
    /// The names of what was collected at some point, in order: where there are more agents, more of them have a
    /// measure.
    #[must_use]
    pub fn measures(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (measure, _) in self.points.iter().flat_map(|point| point.played.measures()) {
            if !names.contains(&&*measure.name) {
                names.push(&measure.name);
            }
        }
        names
    }
}

impl SweptPoint {
    /// The values of a measure, if it was collected at this point.
    #[must_use]
    pub fn measure(&self, name: &str) -> Option<&Distribution> {
        self.played.measures().find(|(measure, _)| measure.name == name).map(|(_, found)| found)
    }
}

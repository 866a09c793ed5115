//! The runs of a sweep, for programs.

use map_session::{ManyRuns, SweptPoint, SweptRuns};

use crate::{Header, PointOutput, StatisticsOutput, SweepOutput, SweptValue};

impl SweepOutput {
    /// How the runs of a sweep came out. `statistics` is what is printed of the point with an index, if it is alone,
    /// and `repeat` the command that makes all runs.
    ///
    /// # Panics
    /// If no point was reached.
    #[must_use]
    pub fn new(
        swept: &SweptRuns,
        statistics: &dyn Fn(usize, &ManyRuns) -> StatisticsOutput,
        repeat: String,
    ) -> Self {
        let first = &swept.points[0].played;
        let point = |(index, point): (usize, &SweptPoint)| PointOutput {
            at: swept.names.iter().cloned().zip(point.at.iter().map(|it| SweptValue::new(it))).collect(),
            statistics: statistics(index, &point.played),
        };
        Self {
            header: Header::new("run"),
            file: first.scene.source.name().to_owned(),
            scene: first.scene.program.scene.clone(),
            seed: first.options.seed.into(),
            wanted: first.wanted,
            swept: swept.names.clone(),
            wanted_points: swept.wanted,
            points: swept.points.iter().enumerate().map(point).collect(),
            repeat,
        }
    }
}

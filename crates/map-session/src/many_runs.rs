//! Many runs that were played, and how they came out.

use map_ir::Measure;
use map_simulate::{Distribution, SimulationOptions, Statistics, wilson};

use crate::scene::Scene;

/// Many runs that were played.
pub struct ManyRuns {
    /// The scene.
    pub scene: Scene,
    /// How they were drawn.
    pub options: SimulationOptions,
    /// How many were asked for; fewer were played if it was interrupted.
    pub wanted: u64,
    /// How they came out.
    pub statistics: Statistics,
}

/// The runs that violate a property.
pub struct ViolatingRuns<'a> {
    /// The property.
    pub name: &'a str,
    /// How many violate it.
    pub runs: u64,
    /// Their share of all runs, with the limits of its confidence interval of 95 %.
    pub share: (f64, f64, f64),
    /// The number and the seed of the first one.
    pub first: Option<(u64, u64)>,
}

impl ManyRuns {
    /// For each measure the values that were collected.
    pub fn measures(&self) -> impl Iterator<Item = (&Measure, &Distribution)> {
        self.scene.properties.measures.compiled.list.iter().zip(&self.statistics.collected)
    }

    /// For each property about single runs, the runs that violate it.
    pub fn properties(&self) -> impl Iterator<Item = ViolatingRuns<'_>> {
        let list = self.scene.properties.compiled.list.iter().enumerate();
        let about_runs = list.filter(|(_, property)| !property.formula.is_about_all_runs());
        let played = self.statistics.runs;
        about_runs.map(move |(index, property)| {
            let violating = self.statistics.violations.get(&index);
            let runs = violating.map_or(0, |violating| violating.runs);
            let (low, high) = wilson(runs, played);
            let share = if played == 0 { 0.0 } else { runs as f64 / played as f64 };
            let first = violating.map(|violating| violating.first);
            ViolatingRuns { name: &property.name, runs, share: (share, low, high), first }
        })
    }
}

//! What the declared costs of a scene come to.

use map_semantics::Happening;
use map_verify::{CostBounds, CostReport, InternalError, MostCost, ReplayedRun, RunEnding, replay};

use crate::evidence::Evidence;
use crate::scene::Scene;

/// What the costs of a scene come to.
pub struct CostAnswers {
    /// The search.
    pub report: CostReport,
    /// Each cost of the report with its run, in order.
    pub costs: Vec<CostAnswer>,
}

/// What a cost comes to.
pub struct CostAnswer {
    /// The least and the most.
    pub bounds: CostBounds,
    /// A shortest run that costs most or, without bound, one that ends with a round of a loop that costs something.
    pub run: Option<ReplayedRun>,
    /// The step from which that run repeats itself.
    pub repeated_from: Option<usize>,
    /// What the run costs, or a round of its loop.
    pub paid: i64,
}

impl CostAnswer {
    /// The run that shows the most.
    #[must_use]
    pub fn evidence(&self) -> Option<Evidence<'_>> {
        self.run.as_ref().map(|replayed| Evidence { replayed, repeated_from: self.repeated_from })
    }
}

impl CostAnswers {
    /// Replays the runs of a report, and adds up again what they cost.
    pub(crate) fn new(scene: &Scene, report: CostReport) -> Result<Self, InternalError> {
        let costs = &scene.properties.costs.compiled;
        let answers = costs.list.iter().zip(&report.costs).map(|(declared, bounds)| {
            let shown = bounds.shown.as_ref();
            let run = shown.map(|shown| replay(&scene.program, &scene.bounds, &shown.trace)).transpose()?;
            let repeated_from = shown.and_then(|shown| match shown.ending {
                RunEnding::Loop(from) => Some(from),
                RunEnding::Shown | RunEnding::TooLate => None,
            });
            let steps = run.iter().flat_map(|run| &run.steps[repeated_from.unwrap_or(0)..]);
            let paid = steps.fold(0, |sum: i64, step| {
                let (agent, outcome) = (step.step.agent, &step.observed.outcome);
                let happening = Happening::of_step(&scene.program, &costs.tables, agent, outcome);
                sum.saturating_add(happening.costs[declared.total])
            });
            let is_right = match bounds.total.most {
                MostCost::Bounded(most) => run.is_none() || paid == most,
                MostCost::Unbounded => paid > 0,
                MostCost::TooMuch => true,
            };
            if !is_right {
                return Err(InternalError(format!(
                    "the run that shows the cost `{}` costs {paid}",
                    bounds.name
                )));
            }
            let run = run.map(|run| scene.whole_run(run)).transpose()?;
            let repeated_from = repeated_from.map(|from| from + scene.steps_before());
            Ok(CostAnswer { bounds: bounds.clone(), run, repeated_from, paid })
        });
        let costs = answers.collect::<Result<_, _>>()?;
        Ok(Self { report, costs })
    }
}

//! Scenes whose runs begin with given steps: what is asked of them is asked of the state that these lead to.

use std::sync::Arc;

use map_semantics::{Bounds, NoPrefix, Prefix, Step};
use map_verify::{Endless, Growth, InternalError, ReplayedRun, RunEnding, ShownRun, Trace, replay};

use crate::scene::Scene;

impl Scene {
    /// The scene with only those runs that begin with these steps, after a start with these initial values. Every
    /// question can be asked of it: what is reached is what can be reached from here, and a property is to hold from
    /// here on. Its formula is read at the state that the steps lead to; no event happens at this moment, but `before`,
    /// counts, totals and costs in it remember the steps, as the agents do.
    ///
    /// The runs in answers are whole: they begin with these steps. Only [`crate::Simulate`] and [`crate::Walk`] show
    /// what comes after them.
    ///
    /// # Errors
    /// If the steps cannot be taken, or the last one goes wrong.
    pub fn after(&self, initial: Vec<u32>, steps: Vec<Step>) -> Result<Self, NoPrefix> {
        let prefix = Prefix::new(&self.program, &self.bounds, initial, steps)?;
        let bounds = Bounds { after: Some(Arc::new(prefix)), ..self.bounds.clone() };
        Ok(Self { bounds, ..self.clone() })
    }

    /// How many steps its runs begin with.
    pub(crate) fn steps_before(&self) -> usize {
        self.bounds.after.as_ref().map_or(0, |prefix| prefix.steps.len())
    }

    /// A trace from the start, of one that begins after those steps.
    pub(crate) fn whole(&self, trace: Trace) -> Trace {
        let Some(prefix) = &self.bounds.after else { return trace };
        let steps = prefix.steps.iter().cloned().chain(trace.steps).collect();
        Trace { initial: prefix.initial.clone(), steps }
    }

    /// The same of a run that is shown.
    pub(crate) fn whole_shown(&self, ShownRun { trace, ending }: ShownRun) -> ShownRun {
        let ending = match ending {
            RunEnding::Loop(from) => RunEnding::Loop(from + self.steps_before()),
            RunEnding::Shown | RunEnding::TooLate => ending,
        };
        ShownRun { trace: self.whole(trace), ending }
    }

    /// A run from the start, of one that begins after those steps.
    pub(crate) fn whole_run(&self, later: ReplayedRun) -> Result<ReplayedRun, InternalError> {
        if self.bounds.after.is_none() {
            return Ok(later);
        }
        let steps = later.steps.into_iter().map(|it| it.step).collect();
        self.replay_whole(&self.whole(Trace { initial: later.initial, steps }))
    }

    /// The same of a run that goes on for ever.
    pub(crate) fn whole_endless(&self, endless: Endless) -> Result<Endless, InternalError> {
        let Endless { replayed, repeated_from } = endless;
        let repeated_from = repeated_from + self.steps_before();
        Ok(Endless { replayed: self.whole_run(replayed)?, repeated_from })
    }

    /// The same of a run on which integers grow.
    pub(crate) fn whole_growth(&self, growth: Growth) -> Result<Growth, InternalError> {
        let Growth { replayed, repeated_from, rounds, grown } = growth;
        let repeated_from = repeated_from + self.steps_before();
        Ok(Growth { replayed: self.whole_run(replayed)?, repeated_from, rounds, grown })
    }

    /// Replays a trace from the start.
    pub(crate) fn replay_whole(&self, whole: &Trace) -> Result<ReplayedRun, InternalError> {
        replay(&self.program, &self.bounds.without_prefix(), whole)
    }
}

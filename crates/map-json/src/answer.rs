//! From answers to outputs.

mod any;
mod conformance;
mod costs;
pub(crate) mod guard;
mod limits;
mod many_runs;
mod properties;
mod swept_runs;
mod verification;

use map_explain::Namer;
use map_session::taken_steps;
use map_verify::ReplayedRun;

use crate::{StepOutput, choice};

/// The steps of a run, and the choices that replay it.
fn steps_output(namer: &mut Namer<'_>, replayed: &ReplayedRun) -> (Vec<StepOutput>, Vec<String>) {
    namer.begin_run();
    let steps = taken_steps(replayed).map(|step| {
        namer.learn(&step.observed.outcome);
        (StepOutput::new(namer, &step), choice(step.step))
    });
    steps.unzip()
}

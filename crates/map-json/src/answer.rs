//! From answers to outputs.

mod any;
mod conformance;
mod limits;
mod many_runs;
mod properties;
mod verification;

use map_explain::Namer;
use map_session::taken_steps;
use map_verify::ReplayedRun;

use crate::{StepOutput, choice};

/// The steps of a run, and the choices that replay it.
fn steps_output(teller: &mut Namer<'_>, replayed: &ReplayedRun) -> (Vec<StepOutput>, Vec<String>) {
    teller.begin_run();
    let steps = taken_steps(replayed).map(|step| {
        teller.learn(&step.observed.outcome);
        (StepOutput::new(teller, &step), choice(step.step))
    });
    steps.unzip()
}

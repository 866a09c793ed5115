//! Where in the source a run ended.

use std::collections::BTreeSet;

use map_ir::{PointId, Program, SourceSpan};
use map_semantics::{Ending, Outcome, Status, StepError};

use super::EndWord;
use crate::{NoHonestAnswer, Run, RunEnd};

/// The operation whose failure made the agent fail, if this step made it fail.
pub(super) fn failed(program: &Program, outcome: &Outcome) -> Option<SourceSpan> {
    let Ending::State(next) = &outcome.ending else { return None };
    if next.status != Status::Failed {
        return None;
    }
    let root = outcome.events.iter().rev().find(|event| event.is_first_failure());
    root.map(|event| program.point(event.point()).span)
}

/// The places involved in the end of a run; for a failure, those that [`failed`] found in its steps.
pub(super) fn places(program: &Program, run: &Run, failed_in: BTreeSet<SourceSpan>) -> BTreeSet<SourceSpan> {
    let of = |point: PointId| BTreeSet::from([program.point(point).span]);
    match (EndWord::of(run), run.end) {
        (EndWord::Done, _) => BTreeSet::new(),
        (EndWord::Failure, _) => {
            let start = run.start.iter().filter_map(|outcome| failed(program, outcome));
            failed_in.into_iter().chain(start).collect()
        }
        (_, RunEnd::NoHonestAnswer(_, _, NoHonestAnswer::Error(error))) => BTreeSet::from([error.span]),
        (_, RunEnd::Wrong(_, StepError::Runaway(point)) | RunEnd::TooLong(_, point)) => of(point),
        (_, RunEnd::NoHonestAnswer(_, point, _)) => of(point),
        (_, RunEnd::Wrong(_, StepError::RunError(error))) => BTreeSet::from([error.span]),
        _ => resting(program, run),
    }
}

/// Where threads rest.
fn resting(program: &Program, run: &Run) -> BTreeSet<SourceSpan> {
    let agents = run.state.iter().flat_map(|state| &state.agents);
    let places = agents.flat_map(|agent| agent.control.threads().map(|node| agent.control.place(node)));
    let points: BTreeSet<PointId> = places.collect();
    points.into_iter().map(|point| program.point(point).span).collect()
}

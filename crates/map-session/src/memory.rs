//! What is recorded during a run in order to explain how it ended.

use map_ir::{AgentId, PointId, Value};
use map_semantics::{Action, AgentState, Ending, Event, ObservedStep, SceneStep, Status, Step};
use map_simulate::SimulatedStep;

use crate::evidence::TakenStep;

/// What is recorded during a run in order to explain how it ended.
#[derive(Clone, Debug, Default)]
pub struct RunMemory {
    /// The step that went wrong.
    pub wrong: Option<Box<KeptStep>>,
    /// The agents that failed, with the events of the step in which they did.
    pub failures: Vec<(AgentId, Vec<Event>)>,
    /// Answers that are no small integers, with the asks that got them: what an error of computation may be put down
    /// to.
    pub unfit: Vec<(PointId, Value)>,
    /// What happened instead of the last answer from outside, if there was none.
    pub unanswered: Option<String>,
}

/// A recorded step.
#[derive(Clone, Debug)]
pub struct KeptStep {
    step: Step,
    place: PointId,
    before: AgentState,
    observed: ObservedStep,
}

/// How many unfit answers are recorded.
const MAX_UNFIT: usize = 64;

/// Whether an answer is no integer, or one of 32 bits or more.
const fn is_unfit(answer: Value) -> bool {
    match answer {
        Value::Integer(number) => number.unsigned_abs() >= 1 << 31,
        Value::Abstract(_) => false,
        _ => true,
    }
}

impl RunMemory {
    /// Records what matters of a step.
    pub fn keep(&mut self, seen: &SimulatedStep<'_>) {
        let outcome = &seen.observed.outcome;
        if let Some(Action::Ask { point, answer, .. }) = outcome.action
            && is_unfit(answer)
            && self.unfit.len() < MAX_UNFIT
            && !self.unfit.contains(&(point, answer))
        {
            self.unfit.push((point, answer));
        }
        if let Ending::State(next) = &outcome.ending
            && next.status == Status::Failed
        {
            self.failures.push((seen.step.agent, outcome.events.clone()));
        }
        // Only a step that goes wrong is explained in full, and it is the last.
        if matches!(seen.observed.result, SceneStep::Wrong(_)) {
            self.wrong = Some(Box::new(KeptStep {
                step: seen.step.clone(),
                place: seen.place,
                before: seen.before.clone(),
                observed: seen.observed.clone(),
            }));
        }
    }
}

impl KeptStep {
    /// The step as it was taken.
    #[must_use]
    pub fn taken(&self) -> TakenStep<'_> {
        TakenStep { step: &self.step, place: self.place, before: &self.before, observed: &self.observed }
    }
}

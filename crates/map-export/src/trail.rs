//! SPIN's trails as steps of the dialogue.
//!
//! A trail names lines of the model. The first line of every step is known, and whose process makes it; what was
//! answered and how comparisons came out is not read off the trail but found by following all ways that fit.

use map_ir::{AgentId, Program};
use map_semantics::{
    Action, Bounds, EnabledStep, SceneState, SceneStep, Status, Step, StepError, Turn, scene_steps,
};

use crate::model::{Model, StepMark};
use crate::walk::Wrong;

/// The most ways that are followed at once.
pub(crate) const MAX_WAYS: usize = 2_000;

/// A step that a trail shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Who makes it.
    pub agent: AgentId,
    /// Where it begins.
    pub mark: StepMark,
}

/// What a trail leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A step that goes wrong.
    Wrong(Wrong),
    /// A state without steps.
    Deadlock,
}

impl Model {
    /// The steps of a trail as `spin -t -p` prints it.
    #[must_use]
    pub fn sightings(&self, trail: &str) -> Vec<Sighting> {
        trail.lines().filter_map(|line| self.sighting(line)).collect()
    }

    /// Lines look like ` 12: proc  2 (Bidder:1) model.pml:360 (state 5) [guard]`, with tabs before `proc` and the guard;
    /// process 0 starts the others.
    fn sighting(&self, line: &str) -> Option<Sighting> {
        let (_, rest) = line.split_once(":\tproc")?;
        let mut words = rest.split_whitespace();
        let process: usize = words.next()?.parse().ok()?;
        let place = words.find(|word| word.contains(".pml:"))?;
        let line: usize = place.rsplit(':').next()?.parse().ok()?;
        let agent = *self.processes.get(process.checked_sub(1)?)?;
        let (_, mark) = *self.steps.iter().find(|(its, _)| *its == line)?;
        Some(Sighting { agent, mark })
    }
}

/// Repeats a trail on plain states. `None` if no way that fits it leads there.
#[must_use]
pub fn retrace(
    program: &Program,
    bounds: &Bounds,
    sightings: &[Sighting],
    destination: Destination,
) -> Option<Vec<Step>> {
    let mut ways: Vec<(SceneState, Vec<Step>)> = vec![(SceneState::start(program, bounds).0?, Vec::new())];
    for (index, sighting) in sightings.iter().enumerate() {
        let mut next: Vec<(SceneState, Vec<Step>)> = Vec::new();
        for (state, steps) in &ways {
            for fit in fitting(program, bounds, state, sighting) {
                let wrong = match (&fit.observed.result, fit.next_state(bounds, state)) {
                    (_, Some(after)) if after.agents[fit.step.agent.index()].status == Status::Failed => {
                        Wrong::Failure
                    }
                    (_, Some(after)) => {
                        if !next.iter().any(|(known, _)| same(known, &after)) {
                            next.push((after, with(steps, fit.step)));
                        }
                        continue;
                    }
                    // What a bound cuts is not made; the process is where it was.
                    (SceneStep::Cut(_), None) => {
                        if !next.iter().any(|(known, _)| same(known, state)) {
                            next.push((state.clone(), steps.clone()));
                        }
                        continue;
                    }
                    (SceneStep::Wrong(error), None) => (*error).into(),
                    (SceneStep::Made | SceneStep::Nothing | SceneStep::TooLong(_), None) => continue,
                };
                if index + 1 == sightings.len() && destination == Destination::Wrong(wrong) {
                    return Some(with(steps, fit.step));
                }
            }
        }
        next.truncate(MAX_WAYS);
        ways = next;
    }
    match destination {
        Destination::Deadlock => {}
        // An agent may have failed before the first step.
        Destination::Wrong(Wrong::Failure) if sightings.is_empty() => {
            let failed = |state: &SceneState| state.agents.iter().any(|it| it.status == Status::Failed);
            return ways.into_iter().find(|(state, _)| failed(state)).map(|(_, steps)| steps);
        }
        Destination::Wrong(_) => return None,
    }
    let stuck =
        ways.into_iter().find(|(state, _)| scene_steps(program, bounds, state).judgement().stands_still);
    stuck.map(|(_, steps)| steps)
}

/// The same but for the numbers of values made later.
fn same(one: &SceneState, other: &SceneState) -> bool {
    one.agents == other.agents && one.lost == other.lost
}

fn with(steps: &[Step], step: Step) -> Vec<Step> {
    let mut steps = steps.to_vec();
    steps.push(step);
    steps
}

/// The steps of an agent that begin where a trail saw one begin. What the agent cannot know, such as which messages are
/// lost, is settled in every way.
pub(crate) fn fitting(
    program: &Program,
    bounds: &Bounds,
    state: &SceneState,
    sighting: &Sighting,
) -> Vec<EnabledStep> {
    let Sighting { agent, mark } = *sighting;
    let turn = if mark.timeout { Turn::Timeout } else { Turn::Act };
    let fits = |it: &EnabledStep| {
        let action = it.observed.outcome.action.as_ref().map(Action::point);
        it.place == mark.place && it.step.turn == turn && action == mark.action
    };
    scene_steps(program, bounds, state).of_agent(agent).filter(fits).collect()
}

impl From<StepError> for Wrong {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Overflow(_) => Self::Overflow,
            StepError::Runaway(_) => Self::Runaway,
            StepError::RunError(_) => Self::RunError,
        }
    }
}

//! Translates SPIN's trails back to steps of the dialogue.
//!
//! A trail names lines of the model, from which the beginning of every step and its agent are known. Answers and
//! the outcomes of comparisons are not read off the trail but found by following all runs that match it.

use map_ir::{AgentId, Program};
use map_semantics::{
    Action, Bounds, EnabledStep, SceneState, SceneStep, Status, Step, StepError, Turn, scene_steps,
};

use crate::marks::StepMark;
use crate::model::Model;
use crate::walk::Wrong;

/// The maximum number of candidate runs that are followed at once.
pub(crate) const MAX_WAYS: usize = 2_000;

/// A step in a trail, as far as the trail determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrailStep {
    /// The agent that takes it.
    pub agent: AgentId,
    /// Where it begins.
    pub mark: StepMark,
}

/// A trail, as far as it determines a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail {
    /// The initial values, as options of [`map_semantics::open_cells`].
    pub initial: Vec<u32>,
    /// The steps.
    pub steps: Vec<TrailStep>,
}

/// What is expected at the end of a trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A step that goes wrong.
    Wrong(Wrong),
    /// A state without steps.
    Deadlock,
}

impl Model {
    /// A trail as `spin -t -p` prints it.
    #[must_use]
    pub fn trail(&self, trail: &str) -> Trail {
        Trail { initial: self.initial_options(trail), steps: self.trail_steps(trail) }
    }

    pub(crate) fn trail_steps(&self, trail: &str) -> Vec<TrailStep> {
        trail.lines().filter_map(|line| self.trail_step(line)).collect()
    }

    /// The initial values of a trail, as options of [`map_semantics::open_cells`]. If the trail ends before they are
    /// chosen for an agent, they do not matter: the first ones.
    pub(crate) fn initial_options(&self, trail: &str) -> Vec<u32> {
        let lines: Vec<usize> =
            trail.lines().filter_map(line_of).filter(|it| it.0 == 0).map(|it| it.1).collect();
        let of_agent = self.initial.chunk_by(|(_, one, _), (_, other, _)| one == other);
        let chosen =
            of_agent.map(|all| all.iter().find(|(line, ..)| lines.contains(line)).unwrap_or(&all[0]));
        chosen.flat_map(|(.., options)| options.iter().copied()).collect()
    }

    fn trail_step(&self, line: &str) -> Option<TrailStep> {
        let (process, line) = line_of(line)?;
        let agent = *self.processes.get(process.checked_sub(1)?)?;
        let (_, mark) = *self.steps.iter().find(|(its, _)| *its == line)?;
        Some(TrailStep { agent, mark })
    }
}

/// The process and the line of the model that a line of a trail names. It looks like
/// ` 12: proc  2 (Bidder:1) model.pml:360 (state 5) [guard]`, with tabs before `proc` and the guard; process 0 is the
/// one that starts the others.
fn line_of(line: &str) -> Option<(usize, usize)> {
    let (_, rest) = line.split_once(":\tproc")?;
    let mut words = rest.split_whitespace();
    let process = words.next()?.parse().ok()?;
    let place = words.find(|word| word.contains(".pml:"))?;
    Some((process, place.rsplit(':').next()?.parse().ok()?))
}

/// Replays a trail under the semantics of the dialogue. Returns the steps of a run that matches the trail and ends
/// as expected; `None` if there is none.
#[must_use]
pub fn retrace(
    program: &Program,
    bounds: &Bounds,
    trail: &Trail,
    destination: Destination,
) -> Option<Vec<Step>> {
    let Trail { initial, steps: trail_steps } = trail;
    let mut ways: Vec<(SceneState, Vec<Step>)> =
        vec![(SceneState::start(program, bounds, initial).0?, Vec::new())];
    for (index, trail_step) in trail_steps.iter().enumerate() {
        let mut next: Vec<(SceneState, Vec<Step>)> = Vec::new();
        for (state, steps) in &ways {
            for fit in fitting(program, bounds, state, trail_step) {
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
                    // A step that a bound cuts is not taken: the agent stays where it is.
                    (SceneStep::Cut(_), None) => {
                        if !next.iter().any(|(known, _)| same(known, state)) {
                            next.push((state.clone(), steps.clone()));
                        }
                        continue;
                    }
                    (SceneStep::Wrong(error), None) => (*error).into(),
                    (SceneStep::Made | SceneStep::Nothing | SceneStep::TooLong(_), None) => continue,
                };
                if index + 1 == trail_steps.len() && destination == Destination::Wrong(wrong) {
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
        Destination::Wrong(Wrong::Failure) if trail_steps.is_empty() => {
            let failed = |state: &SceneState| state.agents.iter().any(|it| it.status == Status::Failed);
            return ways.into_iter().find(|(state, _)| failed(state)).map(|(_, steps)| steps);
        }
        Destination::Wrong(_) => return None,
    }
    let stuck =
        ways.into_iter().find(|(state, _)| scene_steps(program, bounds, state).judgement().stands_still);
    stuck.map(|(_, steps)| steps)
}

/// Whether two states differ at most in the numbers that future new values will get.
fn same(one: &SceneState, other: &SceneState) -> bool {
    one.agents == other.agents && one.lost == other.lost
}

fn with(steps: &[Step], step: Step) -> Vec<Step> {
    let mut steps = steps.to_vec();
    steps.push(step);
    steps
}

/// The possible steps that match a step of a trail, with every resolution of what the trail leaves open, such as
/// which messages are lost.
pub(crate) fn fitting(
    program: &Program,
    bounds: &Bounds,
    state: &SceneState,
    trail_step: &TrailStep,
) -> Vec<EnabledStep> {
    let TrailStep { agent, mark } = *trail_step;
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

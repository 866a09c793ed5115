//! SPIN's trails as steps of the dialogue.
//!
//! A trail names lines of the model. The first line of every step is known, and whose process makes it; what was
//! answered and how comparisons came out is not read off the trail but found by following all ways that fit.

use map_ir::{AgentId, Program};
use map_semantics::{
    AgentState, Bounds, Choice, Choices, Observed, Path, SceneState, SceneStep, Status, Step, StepError,
    Turn, agent_steps, may_time_out,
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
            for (step, observed, after) in fitting(program, bounds, state, sighting) {
                match observed.result {
                    SceneStep::Wrong(error) => {
                        if index + 1 == sightings.len() && destination == Destination::Wrong(error.into()) {
                            return Some(with(steps, step));
                        }
                    }
                    SceneStep::Made if after.agents[step.agent.index()].status == Status::Failed => {
                        if index + 1 == sightings.len() && destination == Destination::Wrong(Wrong::Failure) {
                            return Some(with(steps, step));
                        }
                    }
                    SceneStep::Made => {
                        if !next.iter().any(|(known, _)| same(known, &after)) {
                            next.push((after, with(steps, step)));
                        }
                    }
                    // What a bound cuts is not made; the process is where it was.
                    SceneStep::Cut(_) => {
                        if !next.iter().any(|(known, _)| same(known, state)) {
                            next.push((state.clone(), steps.clone()));
                        }
                    }
                    SceneStep::Nothing | SceneStep::TooLong(_) => {}
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
    let stuck = ways.into_iter().find(|(state, _)| is_stuck(program, bounds, state));
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

/// The steps of an agent that begin where a trail saw one begin, with what they come to and the state after them.
pub(crate) fn fitting(
    program: &Program,
    bounds: &Bounds,
    state: &SceneState,
    sighting: &Sighting,
) -> Vec<(Step, Observed, SceneState)> {
    let Sighting { agent, mark } = *sighting;
    let own = &state.agents[agent.index()];
    let all_waiting = state
        .agents
        .iter()
        .zip(program.cast())
        .all(|(it, agent)| agent_steps(program, bounds, agent, it).all_waiting());
    let steps = agent_steps(program, bounds, agent, own);
    let mut found = Vec::new();
    for (thread, its) in steps.threads.iter().enumerate() {
        if place(own, its.thread) != Some(mark.place) {
            continue;
        }
        let in_time = may_time_out(bounds, its.waiting, all_waiting);
        let ways = match mark.timeout {
            true if in_time => &its.timeouts,
            true => continue,
            false => &its.acts,
        };
        for way in ways {
            if way.outcome.action.as_ref().map(map_semantics::Action::point) == mark.action {
                let turn = if mark.timeout { Turn::Timeout } else { Turn::Act };
                // What the agent cannot know, such as which messages are lost, is settled in every way.
                let mut further = Path::default();
                loop {
                    let mut after = state.clone();
                    let mut options = Follow(way.options.iter(), further);
                    let observed = after.step(program, bounds, agent, thread, turn, &mut options);
                    further = options.1;
                    let options = way.options.iter().copied().chain(further.options()).collect();
                    found.push((Step { agent, thread, turn, options }, observed, after));
                    if further.advance(false).is_err() {
                        break;
                    }
                }
            }
        }
    }
    found
}

fn place(state: &AgentState, node: usize) -> Option<map_ir::PointId> {
    state.control.threads().any(|it| it == node).then(|| state.control.place(node))
}

/// Whether not all have ended and nothing can happen.
fn is_stuck(program: &Program, bounds: &Bounds, state: &SceneState) -> bool {
    let steps: Vec<_> = program
        .cast()
        .zip(&state.agents)
        .map(|(agent, it)| agent_steps(program, bounds, agent, it))
        .collect();
    let all_waiting = steps.iter().all(map_semantics::AgentSteps::all_waiting);
    let happens = |agent: AgentId, thread: usize, turn: Turn, options: &[u32]| {
        let mut options = Follow(options.iter(), Path::default());
        let observed = state.attempt(program, bounds, agent, thread, turn, &mut options);
        observed.result != SceneStep::Nothing
    };
    let moves = program.cast().zip(&steps).any(|(agent, steps)| {
        steps.threads.iter().enumerate().any(|(index, thread)| {
            thread.acts.iter().any(|act| happens(agent, index, Turn::Act, &act.options))
                || (may_time_out(bounds, thread.waiting, all_waiting)
                    && thread.timeouts.iter().any(|it| happens(agent, index, Turn::Timeout, &it.options)))
        })
    });
    !moves && state.agents.iter().any(|agent| agent.status == Status::Running)
}

/// Settles open questions as they were settled when the steps were enumerated, and further ones on a path of their own.
struct Follow<'a>(std::slice::Iter<'a, u32>, Path);

impl Choices for Follow<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        self.0.next().copied().unwrap_or_else(|| self.1.choose(choice))
    }
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

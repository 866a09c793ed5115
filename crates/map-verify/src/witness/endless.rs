//! Endless runs: the trace to a livelock, or to any state to which a run can return, then steps that lead back to it.

use std::collections::{HashMap, VecDeque};

use map_graph::strong_components;
use map_ir::Program;
use map_semantics::{Bounds, SceneState, Step, open_cells, scene_steps};

use super::replay::{ReplayedRun, replay};
use crate::report::{InternalError, Trace};
use crate::state::space::Space;

/// Maximum number of states explored after a livelock, where all runs go on for ever.
const NEARBY: usize = 300;

/// Maximum number of states explored from the start.
const FROM_START: usize = 20_000;

/// Maximum number of states of which a way back to themselves is looked for.
const TRIED: usize = 300;

/// Maximum number of agents looked at, summed over all steps explored: a step costs as much as the scene has agents.
const MOST_AGENTS: usize = 1 << 20;

/// An endless run, up to the end of its first cycle.
#[derive(Clone, Debug)]
pub struct Endless {
    /// The given trace and its continuation, replayed.
    pub replayed: ReplayedRun,
    /// The steps from this index on lead back to the state before them.
    pub repeated_from: usize,
}

/// An endless continuation of a trace: a shortest one among the states nearby, preferably one that depends on no open
/// comparison. `None` if there is none nearby, or if only polls can happen.
///
/// # Errors
/// If the run does not replay, which would be a defect of the engine.
pub fn go_on_for_ever(
    program: &Program,
    bounds: &Bounds,
    trace: &Trace,
) -> Result<Option<Endless>, InternalError> {
    let reached = replay(program, bounds, trace)?;
    let Some(last) = reached.states.last() else { return Ok(None) };
    if reached.states.len() <= trace.steps.len() {
        // The last step goes wrong.
        return Ok(None);
    }
    extended(program, bounds, trace, last, NEARBY)
}

/// An endless run from the start, for a scene that has some: a short one among the states near the start, preferably
/// one that depends on no open comparison. `None` if there is none nearby, or if only polls can happen.
///
/// # Errors
/// If the run does not replay, which would be a defect of the engine.
pub fn endless_run(program: &Program, bounds: &Bounds) -> Result<Option<Endless>, InternalError> {
    // The first of the possible values of each cell.
    let initial = vec![0; open_cells(program).count()];
    let (first, _) = SceneState::start(program, bounds, &initial);
    match first {
        Some(first) => {
            let trace = Trace { initial, steps: Vec::new() };
            extended(program, bounds, &trace, &first, FROM_START)
        }
        None => Ok(None),
    }
}

/// The trace to this state, and an endless continuation among at most this many states near it. More and more of them
/// are looked at, until there is one that depends on no open comparison.
fn extended(
    program: &Program,
    bounds: &Bounds,
    trace: &Trace,
    last: &SceneState,
    most_states: usize,
) -> Result<Option<Endless>, InternalError> {
    let mut limit = NEARBY;
    let lasso = loop {
        let graph = Graph::explore(program, bounds, last, limit);
        let certain = graph.lasso(false);
        // A smaller graph is a complete one.
        if certain.is_some() || limit >= most_states || graph.steps.len() < limit {
            break certain.or_else(|| graph.lasso(true));
        }
        limit = most_states.min(limit * 3);
    };
    let Some((path, cycle)) = lasso else { return Ok(None) };
    let repeated_from = trace.steps.len() + path.len();
    let steps = trace.steps.iter().cloned().chain(path).chain(cycle).collect();
    let replayed = replay(program, bounds, &Trace { initial: trace.initial.clone(), steps })?;
    if !leads_back(program, bounds, &replayed, repeated_from) {
        return Err(InternalError("what is repeated for ever does not lead back".to_owned()));
    }
    Ok(Some(Endless { replayed, repeated_from }))
}

/// Whether the steps from index `from` on lead back to the state before them, up to the names of abstract values.
#[must_use]
pub fn leads_back(program: &Program, bounds: &Bounds, replayed: &ReplayedRun, from: usize) -> bool {
    let mut space = Space::new(program, bounds);
    let (before, last) = (replayed.states.get(from), replayed.states.last());
    let all_made = replayed.states.len() == replayed.steps.len() + 1;
    match before.zip(last).filter(|_| all_made && from < replayed.steps.len()) {
        Some((before, last)) => key(&mut space, before) == key(&mut space, last),
        None => false,
    }
}

/// The key of a state, equal for states that differ only in the names of abstract values.
fn key(space: &mut Space<'_>, state: &SceneState) -> Vec<u32> {
    space.abstracted(state)
}

/// States near an initial one, and the steps between them.
struct Graph {
    /// By state: its distance from the initial one.
    distances: Vec<usize>,
    /// By state: its steps, each with its target and whether it depends on an open comparison.
    steps: Vec<Vec<(usize, bool, Step)>>,
}

impl Graph {
    fn explore(program: &Program, bounds: &Bounds, first: &SceneState, most_states: usize) -> Self {
        let mut space = Space::new(program, bounds);
        let mut numbers = HashMap::from([(key(&mut space, first), 0)]);
        let mut graph = Self { distances: vec![0], steps: vec![Vec::new()] };
        let mut todo = VecDeque::from([(0, first.clone())]);
        let mut agents = 0;
        while let Some((number, state)) = todo.pop_front() {
            for step in scene_steps(program, bounds, &state).fault_free(|_| true) {
                agents += program.agents.len();
                if agents > MOST_AGENTS {
                    return graph;
                }
                let Some(next_state) = step.next_state(bounds, &state) else { continue };
                let next = key(&mut space, &next_state);
                let count = graph.distances.len();
                let target = match numbers.get(&next) {
                    Some(&target) => target,
                    None if count == most_states => continue,
                    None => {
                        numbers.insert(next, count);
                        graph.distances.push(graph.distances[number] + 1);
                        graph.steps.push(Vec::new());
                        todo.push_back((count, next_state));
                        count
                    }
                };
                graph.steps[number].push((target, step.compared, step.step));
            }
        }
        graph
    }

    /// A shortest path to a state and from there back to it.
    fn lasso(&self, compared: bool) -> Option<(Vec<Step>, Vec<Step>)> {
        let mut best: Option<(Vec<Step>, Vec<Step>)> = None;
        for state in self.on_cycles(compared).into_iter().take(TRIED) {
            let length = best.as_ref().map_or(usize::MAX, |(path, cycle)| path.len() + cycle.len());
            if self.distances[state] + 1 >= length {
                break;
            }
            let path = if state == 0 { Some(Vec::new()) } else { self.path(0, state, compared) };
            let found = path.and_then(|path| Some((path, self.path(state, state, compared)?)));
            if let Some(found) = found.filter(|(path, cycle)| path.len() + cycle.len() < length) {
                best = Some(found);
            }
        }
        best
    }

    /// The states that can be reached from themselves, the nearest ones first.
    fn on_cycles(&self, compared: bool) -> Vec<usize> {
        let counts = |open: bool| compared || !open;
        let successor = |state: u32, cursor: &mut usize| {
            let rest = self.steps[state as usize][*cursor..].iter().zip(*cursor + 1..);
            let (target, next) =
                rest.filter(|((_, open, _), _)| counts(*open)).map(|((to, ..), next)| (*to, next)).next()?;
            *cursor = next;
            Some(target as u32)
        };
        let mut found = Vec::new();
        strong_components(self.steps.len(), [0], successor, |component| {
            let repeats = |&state: &u32| {
                self.steps[state as usize].iter().any(|(to, open, _)| *to == state as usize && counts(*open))
            };
            if component.len() > 1 || component.iter().any(repeats) {
                found.extend(component.iter().map(|&state| state as usize));
            }
        });
        // States are numbered in the order of their distances.
        found.sort_unstable();
        found
    }

    /// A shortest path of at least one step; with `compared` it may depend on open comparisons.
    fn path(&self, from: usize, to: usize, compared: bool) -> Option<Vec<Step>> {
        let mut parents: Vec<Option<(usize, &Step)>> = vec![None; self.steps.len()];
        let mut todo = VecDeque::from([from]);
        while let Some(state) = todo.pop_front() {
            for (target, _, step) in self.steps[state].iter().filter(|(_, open, _)| compared || !open) {
                if *target == to {
                    let mut path = vec![step.clone()];
                    let mut at = state;
                    while at != from {
                        let Some((before, step)) = parents[at] else { break };
                        path.push(step.clone());
                        at = before;
                    }
                    path.reverse();
                    return Some(path);
                }
                if parents[*target].is_none() && *target != from {
                    parents[*target] = Some((state, step));
                    todo.push_back(*target);
                }
            }
        }
        None
    }
}

//! What goes on for ever in a livelock: the trace to it, then steps that lead back to a state that was there before.

use std::collections::{HashMap, VecDeque};

use map_ir::Program;
use map_semantics::{Bounds, SceneState, Step, scene_steps};

use super::replay::{Replayed, replay};
use crate::report::{InternalError, Trace};
use crate::state::space::Space;

/// The most states that are looked at.
const MOST_STATES: usize = 300;

/// A run without end, as far as it has to be shown.
#[derive(Clone, Debug)]
pub struct Endless {
    /// The trace that was given, and how it can go on, replayed.
    pub replayed: Replayed,
    /// The steps from this one on (counted from 0) lead back to the state before them.
    pub repeated_from: usize,
}

/// How the scene can go on for ever after a trace: a shortest such run among the states that are near, free of open
/// comparisons if there is one. None if none is near, or if nothing but polls can happen.
///
/// # Errors
/// If what was found does not replay, which would be a defect of the engine.
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
    let graph = Graph::explore(program, bounds, last);
    let Some((way, cycle)) = graph.lasso(false).or_else(|| graph.lasso(true)) else { return Ok(None) };
    let repeated_from = trace.steps.len() + way.len();
    let steps = trace.steps.iter().cloned().chain(way).chain(cycle).collect();
    let replayed = replay(program, bounds, &Trace { steps })?;
    if !leads_back(program, bounds, &replayed, repeated_from) {
        return Err(InternalError("what is repeated for ever does not lead back".to_owned()));
    }
    Ok(Some(Endless { replayed, repeated_from }))
}

/// Whether the steps from this one on (counted from 0) lead back to the state before them, but for the names of abstract
/// values.
#[must_use]
pub fn leads_back(program: &Program, bounds: &Bounds, replayed: &Replayed, from: usize) -> bool {
    let mut space = Space::new(program, bounds);
    let (before, last) = (replayed.states.get(from), replayed.states.last());
    let all_made = replayed.states.len() == replayed.steps.len() + 1;
    match before.zip(last).filter(|_| all_made && from < replayed.steps.len()) {
        Some((before, last)) => known(&mut space, before) == known(&mut space, last),
        None => false,
    }
}

/// What a state is known by.
fn known(space: &mut Space<'_>, state: &SceneState) -> Vec<u32> {
    space.abstracted(state)
}

/// States near the first one, and the steps between them.
struct Graph {
    /// Of each state how far it is from the first.
    distances: Vec<usize>,
    /// Of each state its steps: the state they lead to, and whether they rest on an open comparison.
    steps: Vec<Vec<(usize, bool, Step)>>,
}

impl Graph {
    fn explore(program: &Program, bounds: &Bounds, first: &SceneState) -> Self {
        let mut space = Space::new(program, bounds);
        let mut numbers = HashMap::from([(known(&mut space, first), 0)]);
        let mut graph = Self { distances: vec![0], steps: vec![Vec::new()] };
        let mut todo = VecDeque::from([(0, first.clone())]);
        while let Some((number, state)) = todo.pop_front() {
            for step in scene_steps(program, bounds, &state).fault_free(|_| true) {
                let Some(next_state) = step.next_state(bounds, &state) else { continue };
                let next = known(&mut space, &next_state);
                let count = graph.distances.len();
                let target = match numbers.get(&next) {
                    Some(&target) => target,
                    None if count == MOST_STATES => continue,
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

    /// A shortest way to a state and from there back to it.
    fn lasso(&self, compared: bool) -> Option<(Vec<Step>, Vec<Step>)> {
        let mut best: Option<(Vec<Step>, Vec<Step>)> = None;
        for state in 0..self.distances.len() {
            let length = best.as_ref().map_or(usize::MAX, |(way, cycle)| way.len() + cycle.len());
            if self.distances[state] + 1 >= length {
                break;
            }
            let way = if state == 0 { Some(Vec::new()) } else { self.way(0, state, compared) };
            let found = way.and_then(|way| Some((way, self.way(state, state, compared)?)));
            if let Some(found) = found.filter(|(way, cycle)| way.len() + cycle.len() < length) {
                best = Some(found);
            }
        }
        best
    }

    /// A shortest way of at least one step; with `compared` it may rest on open comparisons.
    fn way(&self, from: usize, to: usize, compared: bool) -> Option<Vec<Step>> {
        let mut parents: Vec<Option<(usize, &Step)>> = vec![None; self.steps.len()];
        let mut todo = VecDeque::from([from]);
        while let Some(state) = todo.pop_front() {
            for (target, _, step) in self.steps[state].iter().filter(|(_, open, _)| compared || !open) {
                if *target == to {
                    let mut way = vec![step.clone()];
                    let mut at = state;
                    while at != from {
                        let Some((before, step)) = parents[at] else { break };
                        way.push(step.clone());
                        at = before;
                    }
                    way.reverse();
                    return Some(way);
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

//! What single searches of the labelled graph show: invariants, what is possible, and the fair `eventually`, `leadsto` and
//! `until`. All of them find a shortest run.
//!
//! The last three are judged as runs are in `terminates if fair`: what can still happen from every state that is reached
//! does happen in the end. So they are violated where it cannot happen any more (Queille and Sifakis, "Fairness and
//! related properties in transition systems", 1983).

use std::collections::VecDeque;

use super::form::Literal;
use super::graph::{LabelledGraph, LetterId, NOBODY, Transition};

/// A run up to a point: the transitions it takes, each with its source.
pub(super) type Path = Vec<(u32, Transition)>;

/// Whether a literal holds at a moment.
pub(super) fn holds(graph: &LabelledGraph, literal: Literal, letter: LetterId) -> bool {
    graph.holds(letter, literal.proposition) == literal.positive
}

/// A shortest run to a moment at which the literal holds.
pub(super) fn to_moment(graph: &LabelledGraph, literal: Literal) -> Option<Path> {
    in_order(graph, &[literal])
}

/// A shortest run in which the literals hold in this order, each at a later moment than the one before.
pub(super) fn in_order(graph: &LabelledGraph, literals: &[Literal]) -> Option<Path> {
    let last = literals.len() as u32;
    let advance = |phase: u32, letter| match literals.get(phase as usize) {
        Some(&literal) if holds(graph, literal, letter) => phase + 1,
        _ => phase,
    };
    search(
        graph,
        advance(0, graph.initial()),
        last,
        |phase, letter| vec![advance(phase, letter)],
        |_, phase| phase == last,
    )
}

/// For each state whether the literal can still come to hold, in a step from there and without further bad luck. Where a
/// bound cut a step, it can.
fn can_still(graph: &LabelledGraph, literal: Literal) -> Vec<bool> {
    let states = graph.len();
    let (starts, sources) = predecessors(graph);
    let mut can: Vec<bool> = (0..states as u32)
        .map(|state| graph.is_cut(state) || graph.lucky(state).any(|it| holds(graph, literal, it.letter)))
        .collect();
    let mut todo: Vec<u32> = (0..states as u32).filter(|&state| can[state as usize]).collect();
    while let Some(state) = todo.pop() {
        for &source in &sources[starts[state as usize]..starts[state as usize + 1]] {
            if !can[source as usize] {
                can[source as usize] = true;
                todo.push(source);
            }
        }
    }
    can
}

/// The sources of transitions that need no bad luck, by target: where each target's list starts, and the sources.
fn predecessors(graph: &LabelledGraph) -> (Vec<usize>, Vec<u32>) {
    let states = graph.len();
    let mut starts = vec![0_usize; states + 1];
    for state in 0..states as u32 {
        for transition in graph.lucky(state) {
            starts[transition.target as usize + 1] += 1;
        }
    }
    for index in 0..states {
        starts[index + 1] += starts[index];
    }
    let mut next = starts.clone();
    let mut sources = vec![0_u32; starts[states]];
    for source in 0..states as u32 {
        for transition in graph.lucky(source) {
            sources[next[transition.target as usize]] = source;
            next[transition.target as usize] += 1;
        }
    }
    (starts, sources)
}

/// A shortest run to a state from which the literal cannot come to hold any more, without it having held.
pub(super) fn never_after_all(graph: &LabelledGraph, goal: Literal) -> Option<Path> {
    const DONE: u32 = 1;
    let can = can_still(graph, goal);
    let phase = |letter| u32::from(holds(graph, goal, letter));
    search(
        graph,
        phase(graph.initial()),
        DONE,
        |before, letter| if before == DONE { Vec::new() } else { vec![phase(letter)] },
        |state, phase| phase != DONE && !can[state as usize],
    )
}

/// A shortest run in which the premise holds, and which then comes to a state from which the goal cannot come to hold any
/// more, without it having held.
pub(super) fn unanswered(graph: &LabelledGraph, premise: Literal, goal: Literal) -> Option<Path> {
    const OPEN: u32 = 1;
    let can = can_still(graph, goal);
    let opens = |letter| holds(graph, premise, letter) && !holds(graph, goal, letter);
    // From the first moment on, any moment may be the one at which the premise holds.
    let next = |phase, letter| {
        let mut phases = Vec::new();
        if phase == 0 {
            phases.push(0);
        }
        if opens(letter) || (phase == OPEN && !holds(graph, goal, letter)) {
            phases.push(OPEN);
        }
        phases
    };
    let wrong = |state: u32, phase| phase == OPEN && !can[state as usize];
    // Either the first moment is the one at which the premise holds, or a later one is.
    let later = search(graph, 0, OPEN, next, wrong);
    let at_once = opens(graph.initial()).then(|| search(graph, OPEN, OPEN, next, wrong)).flatten();
    match (at_once, later) {
        (Some(at_once), Some(later)) => Some(if later.len() < at_once.len() { later } else { at_once }),
        (at_once, later) => at_once.or(later),
    }
}

/// A shortest run in which the first literal fails before the second has held, or which comes to a state from which the
/// second cannot come to hold any more, without it having held.
pub(super) fn broken_off(graph: &LabelledGraph, left: Literal, goal: Literal) -> Option<Path> {
    const DONE: u32 = 1;
    const BROKEN: u32 = 2;
    let can = can_still(graph, goal);
    let phase = |letter| {
        if holds(graph, goal, letter) {
            DONE
        } else if holds(graph, left, letter) {
            0
        } else {
            BROKEN
        }
    };
    search(
        graph,
        phase(graph.initial()),
        BROKEN,
        |before, letter| if before == 0 { vec![phase(letter)] } else { Vec::new() },
        |state, phase| phase == BROKEN || (phase == 0 && !can[state as usize]),
    )
}

/// Breadth first over states and phases `0..=last`: a run of fewest steps to a pair for which `goal` holds. Staying where
/// it is takes no step, so such moves go to the front of the queue.
fn search(
    graph: &LabelledGraph,
    first: u32,
    last: u32,
    next: impl Fn(u32, LetterId) -> Vec<u32>,
    goal: impl Fn(u32, u32) -> bool,
) -> Option<Path> {
    if graph.len() == 0 {
        return None;
    }
    const FAR: u32 = u32::MAX;
    let width = last as usize + 1;
    let index = |state: u32, phase: u32| state as usize * width + phase as usize;
    let start = index(0, first);
    // For each pair the pair it was reached from, and how many steps it takes. The first is reached from itself.
    let mut parents = vec![FAR; graph.len() * width];
    let mut steps = vec![FAR; graph.len() * width];
    (parents[start], steps[start]) = (start as u32, 0);
    let mut todo = VecDeque::from([(0, 0_u32, first)]);
    while let Some((found_in, state, phase)) = todo.pop_front() {
        let here = index(state, phase);
        if found_in > steps[here] {
            continue;
        }
        if goal(state, phase) {
            return Some(path(graph, &parents, width, here, &next));
        }
        for transition in graph.successors(state) {
            let stays = transition.agent == NOBODY;
            let needed = found_in + u32::from(!stays);
            for after in next(phase, transition.letter) {
                let there = index(transition.target, after);
                if needed >= steps[there] {
                    continue;
                }
                (parents[there], steps[there]) = (here as u32, needed);
                let reached = (needed, transition.target, after);
                if stays { todo.push_front(reached) } else { todo.push_back(reached) }
            }
        }
    }
    None
}

fn path(
    graph: &LabelledGraph,
    parents: &[u32],
    width: usize,
    last: usize,
    next: &impl Fn(u32, LetterId) -> Vec<u32>,
) -> Path {
    let mut path = Path::new();
    let mut at = last;
    while parents[at] as usize != at {
        let before = parents[at] as usize;
        let (source, phase) = ((before / width) as u32, (before % width) as u32);
        let (target, after) = ((at / width) as u32, (at % width) as u32);
        let leads_there = |it: &&Transition| it.target == target && next(phase, it.letter).contains(&after);
        // Of those that lead there, one that takes no step is what was found.
        let transition = graph
            .successors(source)
            .iter()
            .filter(leads_there)
            .min_by_key(|it| it.agent != NOBODY)
            .expect("a pair is reached by a transition");
        path.push((source, *transition));
        at = before;
    }
    path.reverse();
    path
}

//! What single searches of the labelled graph show: invariants, what is possible, and the fair `eventually`, `leadsto` and
//! `until`. All of them find a shortest run.
//!
//! The last three are judged as runs are in `terminates if fair`: what can still happen from every state that is reached
//! does happen in the end. So they are violated where it cannot happen any more (Queille and Sifakis, "Fairness and
//! related properties in transition systems", 1983).

use std::collections::VecDeque;

use super::run::{Path, Run, steps};
use crate::budget::{Budget, Limit};
use crate::property::form::Literal;
use crate::property::graph::{BYTES_PER_PAIR, LabelledGraph, LetterId, NOBODY, Nature, Transition};
use crate::property::verdict::RunEnding;

/// How often it is asked whether to go on, in pairs and in states.
const TICK: usize = 1 << 16;

/// Whether a literal holds at a moment.
pub(super) fn holds(graph: &LabelledGraph, literal: Literal, letter: LetterId) -> bool {
    graph.holds(letter, literal.proposition) == literal.positive
}

/// Whether a literal holds at some moment.
pub(super) fn is_seen(graph: &LabelledGraph, literal: Literal) -> bool {
    (0..graph.letter_count() as LetterId).any(|letter| holds(graph, literal, letter))
}

/// A shortest run to a moment at which the literal holds.
pub(super) fn to_moment(
    graph: &LabelledGraph,
    literal: Literal,
    budget: &mut Budget<'_>,
) -> Result<Option<Run>, Limit> {
    in_order(graph, &[literal], budget)
}

/// A shortest run in which the literals hold in this order, each at a later moment than the one before.
pub(super) fn in_order(
    graph: &LabelledGraph,
    literals: &[Literal],
    budget: &mut Budget<'_>,
) -> Result<Option<Run>, Limit> {
    if !literals.iter().all(|&literal| is_seen(graph, literal)) {
        return Ok(None);
    }
    let last = literals.len() as u32;
    let advance = |phase: u32, letter| match literals.get(phase as usize) {
        Some(&literal) if holds(graph, literal, letter) => phase + 1,
        _ => phase,
    };
    let task = Task {
        first: advance(0, graph.initial()),
        last,
        next: |phase, letter| [Some(advance(phase, letter)), None],
        goal: |_, phase| phase == last,
        ending: RunEnding::Shown,
    };
    task.search(graph, budget)
}

/// A shortest run to a state from which the literal cannot come to hold any more, without it having held.
pub(super) fn never_after_all(
    graph: &LabelledGraph,
    goal: Literal,
    budget: &mut Budget<'_>,
) -> Result<Option<Run>, Limit> {
    const DONE: u32 = 1;
    let can = can_still(graph, goal, budget)?;
    let phase = |letter| u32::from(holds(graph, goal, letter));
    let task = Task {
        first: phase(graph.initial()),
        last: DONE,
        next: |before, letter| [(before != DONE).then(|| phase(letter)), None],
        goal: |state: u32, phase| phase != DONE && !can[state as usize],
        ending: RunEnding::TooLate,
    };
    task.search(graph, budget)
}

/// A shortest run in which the premise holds, and which then comes to a state from which the goal cannot come to hold any
/// more, without it having held.
pub(super) fn unanswered(
    graph: &LabelledGraph,
    premise: Literal,
    goal: Literal,
    budget: &mut Budget<'_>,
) -> Result<Option<Run>, Limit> {
    const OPEN: u32 = 1;
    let can = can_still(graph, goal, budget)?;
    let opens = |letter| holds(graph, premise, letter) && !holds(graph, goal, letter);
    // From the first moment on, any moment may be the one at which the premise holds.
    let next = |phase, letter| {
        let open = opens(letter) || (phase == OPEN && !holds(graph, goal, letter));
        [(phase == 0).then_some(0), open.then_some(OPEN)]
    };
    let wrong = |state: u32, phase| phase == OPEN && !can[state as usize];
    let mut from = |first| {
        let task = Task { first, last: OPEN, next, goal: wrong, ending: RunEnding::TooLate };
        task.search(graph, budget)
    };
    // Either the first moment is the one at which the premise holds, or a later one is.
    let later = from(0)?;
    let at_once = if opens(graph.initial()) { from(OPEN)? } else { None };
    Ok(match (at_once, later) {
        (Some(at_once), Some(later)) => {
            let order = |run: &Run| (steps(&run.path), run.open);
            Some(if order(&later) < order(&at_once) { later } else { at_once })
        }
        (at_once, later) => at_once.or(later),
    })
}

/// A shortest run in which the first literal fails before the second has held, or which comes to a state from which the
/// second cannot come to hold any more, without it having held.
pub(super) fn broken_off(
    graph: &LabelledGraph,
    left: Literal,
    goal: Literal,
    budget: &mut Budget<'_>,
) -> Result<Option<Run>, Limit> {
    const DONE: u32 = 1;
    const BROKEN: u32 = 2;
    let can = can_still(graph, goal, budget)?;
    let phase = |letter| {
        if holds(graph, goal, letter) {
            DONE
        } else if holds(graph, left, letter) {
            0
        } else {
            BROKEN
        }
    };
    let task = Task {
        first: phase(graph.initial()),
        last: BROKEN,
        next: |before, letter| [(before == 0).then(|| phase(letter)), None],
        goal: |state: u32, phase| phase == BROKEN || (phase == 0 && !can[state as usize]),
        ending: RunEnding::TooLate,
    };
    let mut found = task.search(graph, budget)?;
    if let Some(run) = &mut found {
        let last = run.path.last().map_or(graph.initial(), |(_, it)| it.letter);
        if phase(last) == BROKEN {
            run.ending = RunEnding::Shown;
        }
    }
    Ok(found)
}

/// For each state whether the literal can still come to hold, in a step from there and without further bad luck. Where a
/// bound cut a step, it can.
fn can_still(graph: &LabelledGraph, literal: Literal, budget: &mut Budget<'_>) -> Result<Vec<bool>, Limit> {
    let states = graph.len() as u32;
    let (starts, sources) = predecessors(graph, budget)?;
    let mut can: Vec<bool> = (0..states)
        .map(|state| graph.is_cut(state) || graph.lucky(state).any(|it| holds(graph, literal, it.letter)))
        .collect();
    let mut todo: Vec<u32> = (0..states).filter(|&state| can[state as usize]).collect();
    let mut clock = Clock::default();
    while let Some(state) = todo.pop() {
        clock.tick(budget)?;
        for &source in &sources[starts[state as usize]..starts[state as usize + 1]] {
            if !can[source as usize] {
                can[source as usize] = true;
                todo.push(source);
            }
        }
    }
    Ok(can)
}

/// The sources of transitions that need no bad luck, by target: where each target's list starts, and the sources.
fn predecessors(graph: &LabelledGraph, budget: &mut Budget<'_>) -> Result<(Vec<usize>, Vec<u32>), Limit> {
    let states = graph.len();
    // With what is kept for each state beside.
    budget.afford(graph.transition_count() * size_of::<u32>() + states * (2 * size_of::<usize>() + 5))?;
    let mut clock = Clock::default();
    let mut starts = vec![0_usize; states + 1];
    for state in 0..states as u32 {
        clock.tick(budget)?;
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
        clock.tick(budget)?;
        for transition in graph.lucky(source) {
            sources[next[transition.target as usize]] = source;
            next[transition.target as usize] += 1;
        }
    }
    Ok((starts, sources))
}

/// Asks now and then whether to go on.
#[derive(Default)]
struct Clock(usize);

impl Clock {
    fn tick(&mut self, budget: &mut Budget<'_>) -> Result<(), Limit> {
        self.0 += 1;
        if self.0.is_multiple_of(TICK) { budget.check() } else { Ok(()) }
    }
}

/// What is searched for: phases `0..=last`, which change with the letters of the moments, and the pairs of a state and a
/// phase that are wanted.
struct Task<N, G> {
    first: u32,
    last: u32,
    /// The phases that a letter leads to: one, two or none.
    next: N,
    goal: G,
    /// How the run goes on behind the pair.
    ending: RunEnding,
}

/// A pair that has been reached, or a wanted one that is reached from it by staying where it is so many times.
#[derive(Clone, Copy)]
struct Reached {
    pair: u32,
    stays: u32,
}

/// The pairs to be looked at, by the number of steps; of one number first those that rest on no open comparison.
#[derive(Default)]
struct Todo {
    steps: u32,
    now: [VecDeque<Reached>; 2],
    next: [VecDeque<Reached>; 2],
}

impl Todo {
    /// The next one with its cost, which is twice the steps and one more if an open comparison is needed.
    fn pop(&mut self) -> Option<(u32, Reached)> {
        if self.now.iter().all(VecDeque::is_empty) {
            self.steps += 1;
            std::mem::swap(&mut self.now, &mut self.next);
        }
        let open = u32::from(self.now[0].is_empty());
        self.now[open as usize].pop_front().map(|reached| (2 * self.steps + open, reached))
    }

    fn push(&mut self, cost: u32, reached: Reached) {
        let queues = if cost / 2 == self.steps { &mut self.now } else { &mut self.next };
        queues[(cost % 2) as usize].push_back(reached);
    }
}

/// What a run costs with one more transition. To stay, or to be left with nothing to do, is no step.
fn cost_with(cost: u32, transition: &Transition, nature: Nature) -> u32 {
    (cost + 2 * u32::from(transition.agent != NOBODY)) | u32::from(nature.open)
}

const FAR: u32 = u32::MAX;

impl<N, G> Task<N, G>
where
    N: Fn(u32, LetterId) -> [Option<u32>; 2],
    G: Fn(u32, u32) -> bool,
{
    /// Breadth first: a run of fewest steps to a wanted pair, and of these one that rests on no open comparison if there is
    /// one. A run that stays where it is does so for ever, so a pair that is reached by that is looked at, but not left.
    fn search(&self, graph: &LabelledGraph, budget: &mut Budget<'_>) -> Result<Option<Run>, Limit> {
        if graph.len() == 0 {
            return Ok(None);
        }
        let width = self.last as usize + 1;
        let pairs = graph.len().saturating_mul(width);
        budget.afford(pairs.saturating_mul(BYTES_PER_PAIR))?;
        if pairs >= FAR as usize {
            return Err(Limit::Memory);
        }
        let pair_of = |state: u32, phase: u32| state * width as u32 + phase;
        // For each pair the pair it was reached from, and what it costs. The first is reached from itself.
        let mut parents = vec![FAR; pairs];
        let mut costs = vec![FAR; pairs];
        let start = pair_of(0, self.first);
        (parents[start as usize], costs[start as usize]) = (start, 0);
        let mut todo = Todo::default();
        todo.push(0, Reached { pair: start, stays: 0 });
        let mut clock = Clock::default();
        while let Some((cost, reached)) = todo.pop() {
            clock.tick(budget)?;
            let Reached { pair, stays } = reached;
            let (state, phase) = (pair / width as u32, pair % width as u32);
            if stays == 0 && cost > costs[pair as usize] {
                continue;
            }
            if stays > 0 || (self.goal)(state, phase) {
                let path = self.path(graph, &parents, &costs, reached);
                return Ok(Some(Run { path, ending: self.ending, open: cost % 2 == 1 }));
            }
            for (transition, nature) in graph.moves(state) {
                let needed = cost_with(cost, transition, nature);
                if transition.stays(state) {
                    if let Some(stays) = self.stays_until(state, phase, transition.letter) {
                        todo.push(needed, Reached { pair, stays });
                    }
                    continue;
                }
                for after in (self.next)(phase, transition.letter).into_iter().flatten() {
                    let there = pair_of(transition.target, after);
                    if needed < costs[there as usize] {
                        (parents[there as usize], costs[there as usize]) = (pair, needed);
                        todo.push(needed, Reached { pair: there, stays: 0 });
                    }
                }
            }
        }
        Ok(None)
    }

    /// How many moments a run has to stay in a state to get to a wanted phase.
    fn stays_until(&self, state: u32, phase: u32, letter: LetterId) -> Option<u32> {
        let mut phases = vec![phase];
        for stays in 1..=self.last + 1 {
            let after = phases.iter().flat_map(|&phase| (self.next)(phase, letter)).flatten();
            let mut after: Vec<u32> = after.collect();
            after.sort_unstable();
            after.dedup();
            if after.iter().any(|&phase| (self.goal)(state, phase)) {
                return Some(stays);
            }
            if after == phases {
                return None;
            }
            phases = after;
        }
        None
    }

    fn path(&self, graph: &LabelledGraph, parents: &[u32], costs: &[u32], reached: Reached) -> Path {
        let width = self.last + 1;
        let mut path = Path::new();
        let mut at = reached.pair;
        let state = at / width;
        while parents[at as usize] != at {
            let before = parents[at as usize];
            let (source, phase) = (before / width, before % width);
            let (target, after) = (at / width, at % width);
            let leads_there = |(transition, nature): &(&Transition, Nature)| {
                transition.target == target
                    && !transition.stays(source)
                    && cost_with(costs[before as usize], transition, *nature) == costs[at as usize]
                    && (self.next)(phase, transition.letter).contains(&Some(after))
            };
            let (transition, _) =
                graph.moves(source).find(leads_there).expect("a pair is reached by a transition");
            path.push((source, *transition));
            at = before;
        }
        path.reverse();
        let stay = graph.successors(state).iter().find(|it| it.stays(state));
        path.extend(stay.into_iter().flat_map(|it| (0..reached.stays).map(|_| (state, *it))));
        path
    }
}

//! What single searches of the labelled graph show: invariants, what is possible, and the fair `eventually`, `leadsto` and
//! `until`. All of them find a shortest run.
//!
//! The last three are judged as runs are in `terminates if fair`: what can still happen from every state that is reached
//! does happen in the end. So they are violated where it cannot happen any more (Queille and Sifakis, "Fairness and
//! related properties in transition systems", 1983).

use std::collections::VecDeque;

use super::graphs::{Graphs, Sources};
use super::run::{Path, Run, steps};
use crate::budget::{Budget, Clock, Limit};
use crate::property::form::Literal;
use crate::property::graph::{BYTES_PER_PAIR, LabelId, LabelledGraph, LetterId, NOBODY, Nature, Packed};
use crate::property::verdict::RunEnding;

#[cfg(test)]
mod tests;

/// Whether a literal holds at a moment.
pub(super) fn holds(graph: &LabelledGraph, literal: Literal, letter: LetterId) -> bool {
    graph.holds(letter, literal.proposition) == literal.positive
}

/// Whether a literal holds at some moment.
pub(super) fn is_seen(graph: &LabelledGraph, literal: Literal) -> bool {
    (0..graph.letter_count() as LetterId).any(|letter| holds(graph, literal, letter))
}

/// For each label whether a literal holds at moments that have it.
struct Moments(Vec<bool>);

impl Moments {
    fn of(graph: &LabelledGraph, literal: Literal) -> Self {
        Self(graph.labels().map(|(_, letter)| holds(graph, literal, letter)).collect())
    }

    fn have(&self, label: LabelId) -> bool {
        self.0[label as usize]
    }
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
    let moments: Vec<Moments> = literals.iter().map(|&literal| Moments::of(graph, literal)).collect();
    let advance = |phase: u32, label| match moments.get(phase as usize) {
        Some(moments) if moments.have(label) => phase + 1,
        _ => phase,
    };
    let task = Task {
        first: advance(0, graph.initial_label()),
        last,
        next: |phase, label| [Some(advance(phase, label)), None],
        goal: |_, phase, _| phase == last,
        ending: RunEnding::Shown,
    };
    task.search(graph, budget)
}

/// A shortest run to a state from which the literal cannot come to hold any more, without it having held.
pub(super) fn never_after_all(
    graphs: &Graphs<'_>,
    goal: Literal,
    budget: &mut Budget<'_>,
) -> Result<Option<Run>, Limit> {
    const DONE: u32 = 1;
    let graph = graphs.all;
    let goal = Moments::of(graph, goal);
    let can = can_still(graphs, &goal, budget)?;
    let phase = |label| u32::from(goal.have(label));
    let task = Task {
        first: phase(graph.initial_label()),
        last: DONE,
        next: |before, label| [(before != DONE).then(|| phase(label)), None],
        goal: |state: u32, phase, _| phase != DONE && !can[state as usize],
        ending: RunEnding::TooLate,
    };
    task.search(graph, budget)
}

/// A shortest run in which the premise holds, and which then comes to a state from which the goal cannot come to hold any
/// more, without it having held.
pub(super) fn unanswered(
    graphs: &Graphs<'_>,
    premise: Literal,
    goal: Literal,
    budget: &mut Budget<'_>,
) -> Result<Option<Run>, Limit> {
    const OPEN: u32 = 1;
    let graph = graphs.all;
    let (premise, goal) = (Moments::of(graph, premise), Moments::of(graph, goal));
    let can = can_still(graphs, &goal, budget)?;
    let opens = |label| premise.have(label) && !goal.have(label);
    // From the first moment on, any moment may be the one at which the premise holds.
    let next = |phase, label| {
        let open = opens(label) || (phase == OPEN && !goal.have(label));
        [(phase == 0).then_some(0), open.then_some(OPEN)]
    };
    // Whoever polls in vain for ever avoids being answered, which no fair run does: nothing opens by that.
    let wrong = |state: u32, phase, by_staying: bool| {
        phase == OPEN && !can[state as usize] && !(by_staying && may_be_left(graph, state))
    };
    let mut from = |first| {
        let task = Task { first, last: OPEN, next, goal: wrong, ending: RunEnding::TooLate };
        task.search(graph, budget)
    };
    // Either the first moment is the one at which the premise holds, or a later one is.
    let later = from(0)?;
    let at_once = if opens(graph.initial_label()) { from(OPEN)? } else { None };
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
    graphs: &Graphs<'_>,
    left: Literal,
    goal: Literal,
    budget: &mut Budget<'_>,
) -> Result<Option<Run>, Limit> {
    const DONE: u32 = 1;
    const BROKEN: u32 = 2;
    let graph = graphs.all;
    let (before, done) = (Moments::of(graph, left), Moments::of(graph, goal));
    let can = can_still(graphs, &done, budget)?;
    let phase = |label| {
        if done.have(label) {
            DONE
        } else if before.have(label) {
            0
        } else {
            BROKEN
        }
    };
    let task = Task {
        first: phase(graph.initial_label()),
        last: BROKEN,
        next: |before, label| [(before == 0).then(|| phase(label)), None],
        goal: |state: u32, phase, _| phase == BROKEN || (phase == 0 && !can[state as usize]),
        ending: RunEnding::TooLate,
    };
    let mut found = task.search(graph, budget)?;
    if let Some(run) = &mut found {
        let last = run.path.last().map_or(graph.initial(), |(_, it)| it.letter);
        if !holds(graph, goal, last) && !holds(graph, left, last) {
            run.ending = RunEnding::Shown;
        }
    }
    Ok(found)
}

/// For each state whether the literal can still come to hold, in a step from there and without further bad luck. Where a
/// bound cut a step, it can.
fn can_still(graphs: &Graphs<'_>, goal: &Moments, budget: &mut Budget<'_>) -> Result<Vec<bool>, Limit> {
    let graph = graphs.all;
    let states = graph.len() as u32;
    // With what is kept for each state beside.
    budget.afford(Sources::bytes(graph) + graph.len() * (size_of::<bool>() + size_of::<u32>()))?;
    let sources = graphs.sources(budget)?;
    let mut can: Vec<bool> = (0..states)
        .map(|state| graph.is_cut(state) || graph.lucky(state).any(|it| goal.have(it.label)))
        .collect();
    let mut todo: Vec<u32> = (0..states).filter(|&state| can[state as usize]).collect();
    let mut clock = Clock::default();
    while let Some(state) = todo.pop() {
        clock.tick(budget)?;
        for &source in sources.of(state) {
            if !can[source as usize] {
                can[source as usize] = true;
                todo.push(source);
            }
        }
    }
    Ok(can)
}

/// Whether something beside staying can happen in a state, also behind a bound. Bad luck need not: a run may be at its end
/// where an agent could still crash.
fn may_be_left(graph: &LabelledGraph, state: u32) -> bool {
    graph.is_cut(state) || graph.lucky(state).count() > 1
}

/// What is searched for: phases `0..=last`, which change with the letters of the moments, and the pairs of a state and a
/// phase that are wanted.
struct Task<N, G> {
    first: u32,
    last: u32,
    /// The phases that a label leads to: one, two or none.
    next: N,
    /// Whether a pair is wanted, given whether the run came to it by staying where it was.
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
fn cost_with(cost: u32, is_made: bool, nature: Nature) -> u32 {
    (cost + 2 * u32::from(is_made)) | u32::from(nature.open)
}

const FAR: u32 = u32::MAX;

impl<N, G> Task<N, G>
where
    N: Fn(u32, LabelId) -> [Option<u32>; 2],
    G: Fn(u32, u32, bool) -> bool,
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
        // For each label whether somebody makes the step.
        let made: Vec<bool> = graph.labels().map(|(agent, _)| agent != NOBODY).collect();
        let mut clock = Clock::default();
        while let Some((cost, reached)) = todo.pop() {
            clock.tick(budget)?;
            let Reached { pair, stays } = reached;
            let (state, phase) = (pair / width as u32, pair % width as u32);
            if stays == 0 && cost > costs[pair as usize] {
                continue;
            }
            if stays > 0 || (self.goal)(state, phase, false) {
                let path = self.path(graph, &parents, &costs, reached);
                return Ok(Some(Run { path, ending: self.ending, open: cost % 2 == 1 }));
            }
            for (Packed { target, label }, nature) in graph.moves(state) {
                let is_made = made[label as usize];
                let needed = cost_with(cost, is_made, nature);
                if target == state && !is_made {
                    if let Some(stays) = self.stays_until(state, phase, label) {
                        todo.push(needed, Reached { pair, stays });
                    }
                    continue;
                }
                for after in (self.next)(phase, label).into_iter().flatten() {
                    let there = pair_of(target, after);
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
    fn stays_until(&self, state: u32, phase: u32, label: LabelId) -> Option<u32> {
        let mut phases = vec![phase];
        for stays in 1..=self.last + 1 {
            let after = phases.iter().flat_map(|&phase| (self.next)(phase, label)).flatten();
            let mut after: Vec<u32> = after.collect();
            after.sort_unstable();
            after.dedup();
            if after.iter().any(|&phase| (self.goal)(state, phase, true)) {
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
            let leads_there = |(packed, nature): (Packed, Nature)| {
                let transition = graph.unpack(packed);
                let needed = cost_with(costs[before as usize], transition.agent != NOBODY, nature);
                let leads_there = transition.target == target
                    && !transition.stays(source)
                    && needed == costs[at as usize]
                    && (self.next)(phase, packed.label).contains(&Some(after));
                leads_there.then_some(transition)
            };
            let transition = graph.moves(source).find_map(leads_there);
            path.push((source, transition.expect("a pair is reached by a transition")));
            at = before;
        }
        path.reverse();
        let stay = graph.packed(state).iter().map(|&it| graph.unpack(it)).find(|it| it.stays(state));
        path.extend(stay.into_iter().flat_map(|it| std::iter::repeat_n((state, it), reached.stays as usize)));
        path
    }
}

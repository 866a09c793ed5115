//! Single searches of the labelled graph: invariants, possibilities, and the fair `eventually`, `leadsto` and
//! `until`. All find a shortest run.
//!
//! The last three use the fairness of `terminates if fair`: what remains reachable from every state of a run happens
//! eventually. So they are violated only where the goal is no longer reachable (J.-P. Queille and J. Sifakis,
//! "Fairness and related properties in transition systems", 1983).

use std::collections::VecDeque;

use super::graphs::{Graphs, Sources};
use super::run::{Path, Run, steps};
use crate::budget::{Budget, Clock, Limit};
use crate::property::form::Literal;
use crate::property::graph::{BYTES_PER_PAIR, Flags, LabelId, LabelledGraph, LetterId, NOBODY, Packed};
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

/// For each label whether a literal holds at its moments.
struct Moments(Vec<bool>);

impl Moments {
    fn of(graph: &LabelledGraph, literal: Literal) -> Self {
        Self(graph.labels().map(|(_, letter)| holds(graph, literal, letter)).collect())
    }

    fn have(&self, label: LabelId) -> bool {
        self.0[label as usize]
    }
}

/// A shortest run in which the literals hold in this order, each at a later moment than the previous one. With
/// `fair`, one that does not poll in vain for ever where it could go on.
pub(super) fn in_order(
    graph: &LabelledGraph,
    literals: &[Literal],
    fair: bool,
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
        first: |label| Some(advance(0, label)),
        last,
        next: |phase, label| [Some(advance(phase, label)), None],
        goal: |_, phase| phase == last,
        in_vain: !fair,
        ending: RunEnding::Shown,
    };
    task.search(graph, budget)
}

/// A shortest run to a state from which the goal is unreachable, without the goal having held.
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
        first: |label| Some(phase(label)),
        last: DONE,
        next: |before, label| [(before != DONE).then(|| phase(label)), None],
        goal: |state: u32, phase| phase != DONE && !can[state as usize],
        in_vain: false,
        ending: RunEnding::TooLate,
    };
    task.search(graph, budget)
}

/// A shortest run in which the premise holds and which then reaches a state from which the goal is unreachable,
/// without the goal having held since.
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
    // Nondeterministic: any moment at which the premise holds may be chosen as the one to be answered.
    let next = |phase, label| {
        let open = opens(label) || (phase == OPEN && !goal.have(label));
        [(phase == 0).then_some(0), open.then_some(OPEN)]
    };
    let wrong = |state: u32, phase| phase == OPEN && !can[state as usize];
    let mut from = |first: &dyn Fn(LabelId) -> Option<u32>| {
        let task = Task { first, last: OPEN, next, goal: wrong, in_vain: false, ending: RunEnding::TooLate };
        task.search(graph, budget)
    };
    // The premise may hold at the first moment or at a later one.
    let later = from(&|_| Some(0))?;
    let at_once = from(&|label| opens(label).then_some(OPEN))?;
    Ok(match (at_once, later) {
        (Some(at_once), Some(later)) => {
            let order = |run: &Run| (steps(&run.path), run.open);
            Some(if order(&later) < order(&at_once) { later } else { at_once })
        }
        (at_once, later) => at_once.or(later),
    })
}

/// A shortest run in which `left` fails before the goal has held, or which reaches a state from which the goal is
/// unreachable, without the goal having held.
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
        first: |label| Some(phase(label)),
        last: BROKEN,
        next: |before, label| [(before == 0).then(|| phase(label)), None],
        goal: |state: u32, phase| phase == BROKEN || (phase == 0 && !can[state as usize]),
        in_vain: false,
        ending: RunEnding::TooLate,
    };
    let mut found = task.search(graph, budget)?;
    if let Some(run) = &mut found {
        let last = run.path.last().map_or_else(|| graph.initial_letter(run.first), |(_, it)| it.letter);
        if !holds(graph, goal, last) && !holds(graph, left, last) {
            run.ending = RunEnding::Shown;
        }
    }
    Ok(found)
}

/// For each state whether the goal can still hold after one or more steps without faults. If a bound cut off a step,
/// it can.
fn can_still(graphs: &Graphs<'_>, goal: &Moments, budget: &mut Budget<'_>) -> Result<Vec<bool>, Limit> {
    let graph = graphs.all;
    let states = graph.len() as u32;
    // Plus `can` and `todo`.
    budget.afford(Sources::bytes(graph) + graph.len() * (size_of::<bool>() + size_of::<u32>()))?;
    let sources = graphs.sources(budget)?;
    let mut can: Vec<bool> = (0..states)
        .map(|state| graph.is_cut(state) || graph.drawn(state).any(|(it, _)| goal.have(it.label)))
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

/// A search task: an automaton with phases `0..=last` that reads labels, and the wanted pairs of state and phase.
struct Task<F, N, G> {
    /// The phase that the label of the first moment leads to; `None` if runs do not begin like this.
    first: F,
    last: u32,
    /// The phases that a label leads to: up to two.
    next: N,
    /// Whether a pair is wanted.
    goal: G,
    /// Whether runs count that stay for ever where they could go on.
    in_vain: bool,
    /// How the run continues after the pair.
    ending: RunEnding,
}

/// A reached pair; or, if `stays` is positive, a wanted one reached from it by staying this many times.
#[derive(Clone, Copy)]
struct Reached {
    pair: u32,
    stays: u32,
}

/// The queue of pairs, by number of steps; among equals, those that depend on no open comparison come first.
#[derive(Default)]
struct Todo {
    steps: u32,
    now: [VecDeque<Reached>; 2],
    next: [VecDeque<Reached>; 2],
}

impl Todo {
    /// The next pair with its cost: twice the number of steps, plus one if it depends on an open comparison.
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

/// The cost of a run extended by a transition. Transitions of nobody are no steps.
fn cost_with(cost: u32, is_made: bool, flags: Flags) -> u32 {
    (cost + 2 * u32::from(is_made)) | u32::from(flags.open)
}

const FAR: u32 = u32::MAX;

impl<F, N, G> Task<F, N, G>
where
    F: Fn(LabelId) -> Option<u32>,
    N: Fn(u32, LabelId) -> [Option<u32>; 2],
    G: Fn(u32, u32) -> bool,
{
    /// Breadth-first search for a shortest run to a wanted pair, preferring one that depends on no open comparison. A
    /// run that stays in a state does so for ever, so pairs reached that way are tested but not expanded.
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
        // For each pair its predecessor and its cost. A first pair is its own predecessor.
        let mut parents = vec![FAR; pairs];
        let mut costs = vec![FAR; pairs];
        let mut todo = Todo::default();
        for (state, label) in graph.initial_labels() {
            let Some(phase) = (self.first)(label) else { continue };
            let start = pair_of(state, phase);
            (parents[start as usize], costs[start as usize]) = (start, 0);
            todo.push(0, Reached { pair: start, stays: 0 });
        }
        // For each label whether it is a step.
        let made: Vec<bool> = graph.labels().map(|(mover, _)| mover != NOBODY).collect();
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
                let first = path.first().map_or(state, |&(first, _)| first);
                return Ok(Some(Run { first, path, ending: self.ending, open: cost % 2 == 1 }));
            }
            for (Packed { target, label }, flags) in graph.moves(state) {
                let is_made = made[label as usize];
                let needed = cost_with(cost, is_made, flags);
                if target == state && !is_made {
                    if (self.in_vain || !graph.may_be_left(state))
                        && let Some(stays) = self.stays_until(state, phase, label)
                    {
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

    /// The number of moments that a run has to stay in a state to reach a wanted phase.
    fn stays_until(&self, state: u32, phase: u32, label: LabelId) -> Option<u32> {
        let mut phases = vec![phase];
        for stays in 1..=self.last + 1 {
            let after = phases.iter().flat_map(|&phase| (self.next)(phase, label)).flatten();
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
            let leads_there = |(packed, flags): (Packed, Flags)| {
                let transition = graph.unpack(packed);
                let needed = cost_with(costs[before as usize], transition.mover != NOBODY, flags);
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

//! The most that a run costs, and a shortest run that costs so much.
//!
//! Where a step costs something from which a run can come back to it, there is no bound. Otherwise all steps within a
//! strongly connected component cost nothing, and longest ways through the components, from the ends backwards, are all
//! that is needed.

use std::collections::VecDeque;

use map_graph::strong_components;

use super::run::{Path, Run};
use super::weights::Weights;
use crate::budget::{Budget, Clock, Limit};
use crate::property::graph::{LabelledGraph, Packed};
use crate::property::verdict::RunEnding;

/// The most that a run costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MostCost {
    /// This much.
    Bounded(i64),
    /// More than any number.
    Unbounded,
    /// [`i64::MAX`] or more, which is not told apart.
    TooMuch,
}

/// The most that a run costs, and how.
pub(in crate::property) struct Dearest {
    pub(in crate::property) most: MostCost,
    /// A shortest run that costs so much; without bound, one that comes back to a step that costs something.
    pub(in crate::property) run: Option<Run>,
}

/// Judges the graph, which has an initial state.
pub(in crate::property) fn dearest(
    graph: &LabelledGraph,
    weights: &Weights,
    budget: &mut Budget<'_>,
) -> Result<Dearest, Limit> {
    const EACH: usize = size_of::<u32>() + size_of::<i64>() + size_of::<Option<(u32, u32)>>();
    // Thrice the numbers, for what the search for components keeps.
    budget.afford(graph.len() * (EACH + 3 * size_of::<u32>()))?;
    let components = Components::new(graph);
    budget.check()?;
    if let Some(run) = costly_loop(graph, weights, &components, budget)? {
        return Ok(Dearest { most: MostCost::Unbounded, run: Some(run) });
    }
    let to_come = most_to_come(graph, weights, &components, budget)?;
    let most = graph.initial_labels().map(|(state, _)| to_come[state as usize]).max().unwrap_or(0);
    if most == i64::MAX {
        return Ok(Dearest { most: MostCost::TooMuch, run: None });
    }
    let is_tight = |state: u32, packed: Packed| {
        to_come[state as usize] == weights.of(packed.label).saturating_add(to_come[packed.target as usize])
    };
    let starts = graph.initial_labels().map(|(state, _)| state).filter(|&it| to_come[it as usize] == most);
    let path = shortest(graph, starts, is_tight, |state| to_come[state as usize] == 0, budget)?;
    let run = path.map(|(first, path)| run(graph, first, path, RunEnding::Shown));
    Ok(Dearest { most: MostCost::Bounded(most), run })
}

/// The strongly connected components.
struct Components {
    /// By state: the number of its component. Transitions lead to no higher numbers.
    of: Vec<u32>,
    /// The states, those of lower components first.
    order: Vec<u32>,
}

impl Components {
    fn new(graph: &LabelledGraph) -> Self {
        let next = |state: u32, cursor: &mut usize| {
            *cursor += 1;
            graph.packed(state).get(*cursor - 1).map(|it| it.target)
        };
        let (mut of, mut order, mut number) = (vec![0; graph.len()], Vec::new(), 0);
        strong_components(graph.len(), graph.initial_labels().map(|(state, _)| state), next, |members| {
            members.iter().for_each(|&member| of[member as usize] = number);
            order.extend_from_slice(members);
            number += 1;
        });
        Self { of, order }
    }

    fn is_inner(&self, state: u32, packed: Packed) -> bool {
        self.of[state as usize] == self.of[packed.target as usize]
    }
}

/// A run that comes to a step that costs something as soon as possible, and back to it.
fn costly_loop(
    graph: &LabelledGraph,
    weights: &Weights,
    components: &Components,
    budget: &mut Budget<'_>,
) -> Result<Option<Run>, Limit> {
    let costly = |state: u32| {
        let mut all = graph.packed(state).iter();
        all.find(|&&packed| components.is_inner(state, packed) && weights.of(packed.label) > 0).copied()
    };
    if !components.order.iter().any(|&state| costly(state).is_some()) {
        return Ok(None);
    }
    let starts = graph.initial_labels().map(|(state, _)| state);
    let there = shortest(graph, starts, |_, _| true, |state| costly(state).is_some(), budget)?;
    let Some((first, mut path)) = there else { return Ok(None) };
    let state = path.last().map_or(first, |(_, transition)| transition.target);
    let Some(packed) = costly(state) else { return Ok(None) };
    let from = path.len();
    path.push((state, graph.unpack(packed)));
    let inner = |state: u32, packed: Packed| components.is_inner(state, packed);
    let back = shortest(graph, [packed.target].into_iter(), inner, |it| it == state, budget)?;
    path.extend(back.into_iter().flat_map(|(_, path)| path));
    Ok(Some(run(graph, first, path, RunEnding::Loop(from))))
}

/// By state: the most that is still to be paid from there on.
fn most_to_come(
    graph: &LabelledGraph,
    weights: &Weights,
    components: &Components,
    budget: &mut Budget<'_>,
) -> Result<Vec<i64>, Limit> {
    let mut to_come = vec![0; graph.len()];
    let mut clock = Clock::default();
    let same = |one: &u32, other: &u32| components.of[*one as usize] == components.of[*other as usize];
    for members in components.order.chunk_by(same) {
        let mut most = 0;
        for &state in members {
            clock.tick(budget)?;
            let leaving = graph.packed(state).iter().filter(|&&packed| !components.is_inner(state, packed));
            let paid = leaving.map(|it| weights.of(it.label).saturating_add(to_come[it.target as usize]));
            most = paid.fold(most, i64::max);
        }
        members.iter().for_each(|&state| to_come[state as usize] = most);
    }
    Ok(to_come)
}

/// A shortest path along some transitions from one of some states to a wanted one, with the state that it starts from.
fn shortest(
    graph: &LabelledGraph,
    starts: impl Iterator<Item = u32>,
    may_take: impl Fn(u32, Packed) -> bool,
    is_wanted: impl Fn(u32) -> bool,
    budget: &mut Budget<'_>,
) -> Result<Option<(u32, Path)>, Limit> {
    // By state: whether it was found and, unless it is a start, from which state by which of its transitions.
    let mut found: Vec<bool> = vec![false; graph.len()];
    let mut by: Vec<Option<(u32, u32)>> = vec![None; graph.len()];
    let mut todo = VecDeque::new();
    for start in starts {
        if !std::mem::replace(&mut found[start as usize], true) {
            todo.push_back(start);
        }
    }
    let mut clock = Clock::default();
    while let Some(state) = todo.pop_front() {
        clock.tick(budget)?;
        if is_wanted(state) {
            let mut path = Path::new();
            let mut at = state;
            while let Some((source, place)) = by[at as usize] {
                path.push((source, graph.unpack(graph.packed(source)[place as usize])));
                at = source;
            }
            path.reverse();
            return Ok(Some((at, path)));
        }
        for (place, &packed) in (0..).zip(graph.packed(state)) {
            if may_take(state, packed) && !std::mem::replace(&mut found[packed.target as usize], true) {
                by[packed.target as usize] = Some((state, place));
                todo.push_back(packed.target);
            }
        }
    }
    Ok(None)
}

fn run(graph: &LabelledGraph, first: u32, path: Path, ending: RunEnding) -> Run {
    let open = path.iter().any(|(source, transition)| graph.is_open(*source, transition));
    Run { first, path, ending, open }
}

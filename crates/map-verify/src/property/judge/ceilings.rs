//! Runs in which a cost comes to more than it should, found from what steps cost: first whether there is one, by the
//! most that runs cost, then a shortest one.

use super::dearest::{Dearest, MostCost, dearest};
use super::graphs::Graphs;
use super::run::{Path, Run};
use super::weights::Weights;
use crate::budget::{Budget, Clock, Limit};
use crate::property::graph::{LabelledGraph, NOBODY};
use crate::property::plan::ceilings::Ceiling;
use crate::property::verdict::RunEnding;

/// If costs have no bound, a shortest run that pays too much is shown if it has no more steps than this; otherwise the
/// steps that can be repeated until it is too much.
const MOST_STEPS: usize = 1_000;

/// Likewise, the most ways that are followed for each state.
const MOST_WAYS: usize = 100;

/// A run that pays too much, if there is one.
pub(super) fn exceeding(
    graphs: &Graphs<'_>,
    ceiling: &Ceiling,
    budget: &mut Budget<'_>,
) -> Result<Option<Run>, Limit> {
    let graph = graphs.all;
    if ceiling.too_much <= 0 {
        return Ok(Some(Run { first: 0, path: Path::new(), ending: RunEnding::Shown, open: false }));
    }
    let weights = Weights::new(graph, ceiling.cost);
    let Dearest { most, run } = dearest(graph, &weights, budget)?;
    let at_most = if let MostCost::Bounded(most) = most { most } else { i64::MAX };
    if i128::from(at_most) < ceiling.too_much {
        return Ok(None);
    }
    let has_bound = most != MostCost::Unbounded;
    match Layers::new(graph, &weights, ceiling.too_much).search(has_bound, budget) {
        Ok(Some(run)) => return Ok(Some(run)),
        Ok(None) | Err(Limit::Memory | Limit::NoRoom) => {}
        Err(limit) => return Err(limit),
    }
    // A loop that does not depend on open comparisons is better to show.
    if let (MostCost::Unbounded, Some(certain)) = (most, graphs.certain()) {
        let Dearest { most, run } = dearest(certain, &Weights::new(certain, ceiling.cost), budget)?;
        if most == MostCost::Unbounded {
            return Ok(run);
        }
    }
    run.map(Some).ok_or(Limit::Memory)
}

/// A way to a state that pays more than all that are as short: what it has paid, and how it goes.
struct Way {
    state: u32,
    paid: i64,
    /// Whether it depends on open comparisons.
    open: bool,
    /// The way that it extends, and by which transition of its state; none if it is a start.
    extends: Option<(u32, u32)>,
}

/// The search for a shortest run that pays too much, step by step: of the ways to a state with as many steps only the
/// dearest is followed, and only if it is dearer than all shorter ones. Those that depend on open comparisons and those
/// that do not are told apart.
struct Layers<'g> {
    graph: &'g LabelledGraph,
    weights: &'g Weights,
    too_much: i128,
    ways: Vec<Way>,
    /// By state the most that has been paid: on ways that are certain, and on all; -1 if there is none.
    most: Vec<[i64; 2]>,
    /// By state the last such way of each kind.
    last: Vec<[u32; 2]>,
}

impl<'g> Layers<'g> {
    fn new(graph: &'g LabelledGraph, weights: &'g Weights, too_much: i128) -> Self {
        Self { graph, weights, too_much, ways: Vec::new(), most: Vec::new(), last: Vec::new() }
    }

    /// Gives up at some time if there are always dearer ways.
    fn search(&mut self, has_bound: bool, budget: &mut Budget<'_>) -> Result<Option<Run>, Limit> {
        let graph = self.graph;
        budget.afford(graph.len() * size_of::<([i64; 2], [u32; 2])>())?;
        self.most = vec![[-1; 2]; graph.len()];
        self.last = vec![[u32::MAX; 2]; graph.len()];
        for (state, _) in graph.initial_labels() {
            self.reach(0, Way { state, paid: 0, open: false, extends: None });
        }
        // For each label whether it is a step.
        let made: Vec<bool> = graph.labels().map(|(mover, _)| mover != NOBODY).collect();
        let mut clock = Clock::default();
        let (mut layer, mut steps) = (0..self.ways.len(), 0);
        while !layer.is_empty() {
            let is_enough = steps == MOST_STEPS || self.ways.len() / MOST_WAYS > graph.len();
            if is_enough && !has_bound {
                break;
            }
            let next = layer.end;
            let mut wanted: Option<usize> = None;
            for number in layer {
                clock.tick(budget)?;
                let Way { state, paid, open, .. } = self.ways[number];
                for (place, (packed, flags)) in graph.moves(state).enumerate() {
                    if !made[packed.label as usize] {
                        continue;
                    }
                    let paid = paid.saturating_add(self.weights.of(packed.label));
                    let extends = Some((number as u32, place as u32));
                    let way = Way { state: packed.target, paid, open: open || flags.open, extends };
                    let Some(reached) = self.reach(next, way) else { continue };
                    let is_better = wanted.is_none_or(|it| self.ways[it].open && !self.ways[reached].open);
                    if i128::from(paid) >= self.too_much && is_better {
                        wanted = Some(reached);
                    }
                }
            }
            if let Some(wanted) = wanted {
                return Ok(Some(self.run(wanted)));
            }
            budget.afford(self.ways.capacity() * size_of::<Way>())?;
            (layer, steps) = (next..self.ways.len(), steps + 1);
        }
        Ok(None)
    }

    /// Notes a way, if it is dearer than all known ones; its number. Ways of the same layer begin with the number
    /// `layer`: of these one replaces the other.
    fn reach(&mut self, layer: usize, way: Way) -> Option<usize> {
        let state = way.state as usize;
        let kind = usize::from(way.open);
        let [certain, any] = &mut self.most[state];
        if way.paid <= if way.open { *any } else { *certain } {
            return None;
        }
        *any = way.paid.max(*any);
        if !way.open {
            *certain = way.paid;
        }
        let last = self.last[state][kind];
        if last != u32::MAX && last as usize >= layer {
            self.ways[last as usize] = way;
            return Some(last as usize);
        }
        self.last[state][kind] = self.ways.len() as u32;
        self.ways.push(way);
        Some(self.ways.len() - 1)
    }

    fn run(&self, wanted: usize) -> Run {
        let Way { open, .. } = self.ways[wanted];
        let (mut at, mut path) = (&self.ways[wanted], Path::new());
        while let Some((before, place)) = at.extends {
            at = &self.ways[before as usize];
            let packed = self.graph.packed(at.state)[place as usize];
            path.push((at.state, self.graph.unpack(packed)));
        }
        path.reverse();
        Run { first: at.state, path, ending: RunEnding::Shown, open }
    }
}

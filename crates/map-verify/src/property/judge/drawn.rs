//! Runs that are drawn by lot: which formulas does such a run violate with some probability?
//!
//! After finitely many steps such a run stays in a bottom component of the graph, and takes all of its transitions
//! again and again, in every order. So the automaton of the negated formula is followed by the graph as far as a
//! bottom component; there it guesses for the last time, and from then on its states are followed all together, with
//! those that have met an acceptance condition since the last breakpoint. The formula is violated if and only if the
//! product then has a bottom component with breakpoints. (C. Courcoubetis and M. Yannakakis, "The complexity of
//! probabilistic verification", JACM 1995.)

use std::collections::VecDeque;

use indexmap::IndexSet;
use map_graph::strong_components;
use rustc_hash::FxBuildHasher;

use super::lasso::{Lasso, nearest_node};
use super::product::{Move, Product};
use crate::budget::{Budget, Clock, Limit};
use crate::property::graph::LabelledGraph;

/// A run that the automaton accepts, and from whose last part on runs drawn by lot are accepted, too; `None` if a run
/// drawn by lot is never accepted. Nothing is known of runs behind a cut: they are not accepted.
///
/// The product is that of the graph from which beginnings are taken, which is `graph` or its certain part. With
/// `certain`, the last part has to be certain, too.
///
/// # Errors
/// The limit that was reached.
pub(super) fn drawn_lasso(
    product: &Product<'_>,
    graph: &LabelledGraph,
    certain: bool,
    budget: &mut Budget<'_>,
) -> Result<Option<Lasso>, Limit> {
    let bottoms = Bottoms::new(graph, certain, budget)?;
    let waits_in_vain = |node: u32| product.has_stayed(node) && graph.may_be_left(product.state(node));
    let mut guesses = Vec::new();
    let refuted = nearest_node(product, budget, |node| {
        if waits_in_vain(node) {
            return false;
        }
        if bottoms.has(product.state(node)) {
            guesses.push(node);
        }
        product.accepts_all(node)
    })?;
    if let Some((_, lasso)) = refuted {
        return Ok(Some(lasso));
    }
    let mut subsets = Subsets { product, graph, nodes: IndexSet::default(), steps: Vec::new() };
    subsets.explore(&guesses, budget)?;
    let ends = subsets.ends();
    let mut starts = guesses.iter().map(|&node| (node, subsets.number(node)));
    let Some((node, start)) = starts.find(|&(_, start)| ends.leads_to_breakpoints(start)) else {
        return Ok(None);
    };
    let Some((_, mut lasso)) = nearest_node(product, budget, |other| other == node)? else {
        return Ok(None);
    };
    let (entry, path) = subsets.nearest(start, |at| ends.has_breakpoints(at), |_| false).unwrap_or_default();
    lasso.prefix.extend(path);
    let (at, mut cycle) = subsets.nearest(entry, |_| false, |step| step.breakpoint).unwrap_or_default();
    if at != entry {
        let (_, back) = subsets.nearest(at, |at| at == entry, |_| false).unwrap_or_default();
        cycle.extend(back);
    }
    lasso.cycle = cycle;
    Ok(Some(lasso))
}

/// The states of the graph in bottom components without a cut.
struct Bottoms(Vec<bool>);

impl Bottoms {
    /// With `certain`, only of those without open transitions.
    fn new(graph: &LabelledGraph, certain: bool, budget: &mut Budget<'_>) -> Result<Self, Limit> {
        const BYTES_PER_STATE: usize = 24;
        let states = graph.len();
        budget.afford(states.saturating_mul(BYTES_PER_STATE))?;
        let mut clock = Clock::default();
        let mut stopped = None;
        let mut inside = vec![u32::MAX; states];
        let mut bottom = vec![false; states];
        let mut number = 0;
        let next = |state: u32, cursor: &mut usize| {
            stopped = stopped.or(clock.tick(budget).err());
            if stopped.is_some() {
                return None;
            }
            // Self-loops do not matter here.
            let (index, transition) = graph.lucky_from(state, *cursor)?;
            *cursor = index + 1;
            Some(transition.target)
        };
        strong_components(states, 0..states as u32, next, |members| {
            members.iter().for_each(|&state| inside[state as usize] = number);
            let closed = members.iter().all(|&state| {
                !graph.is_cut(state)
                    && graph.drawn(state).all(|(transition, flags)| {
                        inside[transition.target as usize] == number && !(certain && flags.open)
                    })
            });
            members.iter().for_each(|&state| bottom[state as usize] = closed);
            number += 1;
        });
        stopped.map_or(Ok(Self(bottom)), Err)
    }

    fn has(&self, state: u32) -> bool {
        self.0[state as usize]
    }
}

/// A state of the graph with all states in which the automaton may be since its last guess.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Subset {
    state: u32,
    /// Ascending.
    readings: Vec<u32>,
    /// Those of them reached with the awaited acceptance condition since it is awaited; ascending.
    fulfilled: Vec<u32>,
    /// The acceptance condition that is awaited.
    awaited: u32,
}

/// A step between subsets.
#[derive(Clone, Copy)]
struct SubsetStep {
    target: usize,
    made: Move,
    /// Whether it fulfils the last of the acceptance conditions.
    breakpoint: bool,
}

/// The subsets reached from some guesses.
struct Subsets<'s, 'g> {
    product: &'s Product<'g>,
    graph: &'s LabelledGraph,
    nodes: IndexSet<Subset, FxBuildHasher>,
    steps: Vec<Vec<SubsetStep>>,
}

impl Subsets<'_, '_> {
    /// The subset of a node of the product alone.
    fn start(&self, node: u32) -> Subset {
        let (state, reading) = (self.product.state(node), self.product.reading(node));
        Subset { state, readings: vec![reading], fulfilled: Vec::new(), awaited: 0 }
    }

    /// The number of the subset of a node that was explored from.
    fn number(&self, node: u32) -> usize {
        self.nodes.get_index_of(&self.start(node)).expect("it was explored")
    }

    fn explore(&mut self, guesses: &[u32], budget: &mut Budget<'_>) -> Result<(), Limit> {
        /// Of a subset without its lists.
        const BYTES: usize = 160;
        let mut bytes = 0_usize;
        let mut clock = Clock::default();
        for &node in guesses {
            let start = self.start(node);
            self.nodes.insert(start);
        }
        while let Some(subset) = self.nodes.get_index(self.steps.len()).cloned() {
            clock.tick(budget)?;
            bytes += BYTES + (subset.readings.len() + subset.fulfilled.len()) * size_of::<u32>();
            budget.afford(bytes)?;
            let mut steps = Vec::new();
            // Where no state of the automaton is left nothing is accepted.
            let drawn = self.graph.drawn(subset.state).filter(|_| !subset.readings.is_empty());
            for (packed, _) in drawn {
                let (next, breakpoint) = self.after(&subset, packed.label, packed.target);
                let made = Move { source: subset.state, transition: self.graph.unpack(packed) };
                steps.push(SubsetStep { target: self.nodes.insert_full(next).0, made, breakpoint });
            }
            bytes += steps.len() * size_of::<SubsetStep>();
            self.steps.push(steps);
        }
        Ok(())
    }

    /// The subset after a transition, and whether that is a breakpoint.
    fn after(&self, subset: &Subset, label: u32, target: u32) -> (Subset, bool) {
        let conditions = self.product.conditions();
        let (mut readings, mut fulfilled) = (Vec::new(), Vec::new());
        for reading in &subset.readings {
            let before = subset.fulfilled.binary_search(reading).is_ok();
            for &(next, marks) in self.product.read(label, *reading) {
                readings.push(next);
                if before || marks.checked_shr(subset.awaited).unwrap_or(0) & 1 == 1 {
                    fulfilled.push(next);
                }
            }
        }
        for list in [&mut readings, &mut fulfilled] {
            list.sort_unstable();
            list.dedup();
        }
        let mut next = Subset { state: target, readings, fulfilled, awaited: subset.awaited };
        let all = conditions == 0 || next.fulfilled == next.readings;
        let breakpoint = all && !next.readings.is_empty() && subset.awaited + 1 >= conditions;
        if all {
            next.fulfilled.clear();
            next.awaited = if breakpoint { 0 } else { subset.awaited + 1 };
        }
        if next.readings.is_empty() {
            next.awaited = 0;
        }
        (next, breakpoint)
    }

    fn ends(&self) -> Ends {
        let count = self.nodes.len();
        let mut ends = Ends { inside: vec![u32::MAX; count], components: Vec::new() };
        let next = |node: u32, cursor: &mut usize| {
            let step = self.steps[node as usize].get(*cursor);
            *cursor += 1;
            step.map(|step| step.target as u32)
        };
        strong_components(count, 0..count as u32, next, |members| {
            let number = ends.components.len() as u32;
            members.iter().for_each(|&node| ends.inside[node as usize] = number);
            let steps = || members.iter().flat_map(|&node| &self.steps[node as usize]);
            let closed = steps().all(|step| ends.inside[step.target] == number);
            let end = closed && steps().any(|step| step.breakpoint);
            // Components that can be reached are known before.
            let other = |step: &SubsetStep| ends.inside[step.target] != number;
            let leads = end || steps().any(|step| other(step) && ends.leads_to_breakpoints(step.target));
            ends.components.push(Component { has_breakpoints: end, leads_to_breakpoints: leads });
        });
        ends
    }

    /// A shortest path from a node to a wanted one, or ending with a wanted step; with where it ends.
    fn nearest(
        &self,
        from: usize,
        wanted: impl Fn(usize) -> bool,
        wanted_step: impl Fn(&SubsetStep) -> bool,
    ) -> Option<(usize, Vec<Move>)> {
        // By node the place from which it was reached, and the step.
        let mut reached: Vec<Option<(usize, Move)>> = vec![None; self.nodes.len()];
        let path_to = |reached: &[Option<(usize, Move)>], mut at: usize| {
            let mut path = Vec::new();
            while at != from {
                let (before, made) = reached[at].expect("it was reached");
                path.push(made);
                at = before;
            }
            path.reverse();
            path
        };
        let mut todo = VecDeque::from([from]);
        while let Some(node) = todo.pop_front() {
            if wanted(node) {
                return Some((node, path_to(&reached, node)));
            }
            for step in &self.steps[node] {
                if wanted_step(step) {
                    let mut path = path_to(&reached, node);
                    path.push(step.made);
                    return Some((step.target, path));
                }
                if step.target != from && reached[step.target].is_none() {
                    reached[step.target] = Some((node, step.made));
                    todo.push_back(step.target);
                }
            }
        }
        None
    }
}

/// The components of the subsets.
struct Ends {
    /// The component of each subset.
    inside: Vec<u32>,
    components: Vec<Component>,
}

struct Component {
    /// Whether it is a bottom component with a breakpoint.
    has_breakpoints: bool,
    /// Whether such a component can be reached.
    leads_to_breakpoints: bool,
}

impl Ends {
    fn has_breakpoints(&self, subset: usize) -> bool {
        self.components[self.inside[subset] as usize].has_breakpoints
    }

    fn leads_to_breakpoints(&self, subset: usize) -> bool {
        self.components[self.inside[subset] as usize].leads_to_breakpoints
    }
}

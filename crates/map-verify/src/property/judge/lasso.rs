//! Runs that an automaton accepts, with short prefixes and cycles, out of the accepting components of its product with the
//! graph.

use std::collections::VecDeque;

use map_ltl::Automaton;
use rustc_hash::FxHashMap;

use super::product::{Components, Move, Product, Step};
use crate::budget::{Budget, Limit};
use crate::property::graph::LabelledGraph;

#[cfg(test)]
mod tests;

/// An infinite run: the prefix once, then the cycle for ever. A run that stays where it is does so by a transition of nobody.
/// If the cycle is empty, the prefix is accepted however the run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lasso {
    pub(super) prefix: Vec<Move>,
    pub(super) cycle: Vec<Move>,
}

/// A run that the automaton accepts, with the shortest prefix and a short cycle; `None` if there is none. A cut state has
/// no moves beyond those made: with cuts `None` speaks of the runs within the bounds only. But where the automaton is
/// content with whatever comes, a cut does no harm: from every state there is a fair way to go on.
///
/// The run is fair to the agents `0..fair_to`.
///
/// # Errors
/// The limit that came first.
pub(super) fn accepting_lasso(
    graph: &LabelledGraph,
    automaton: &Automaton,
    fair_to: usize,
    budget: &mut Budget<'_>,
) -> Result<Option<Lasso>, Limit> {
    let product = Product::new(graph, automaton, fair_to, budget)?;
    let Some(components) = product.components(budget)? else { return Ok(None) };
    Ok(shortest_lasso(&product, &components))
}

/// The nearest node from which an accepting fair run need not leave its component, and a cycle through it that meets
/// everything. The prefix is as short as any can be; the cycle goes to what is nearest of the things still owed, then back.
fn shortest_lasso(product: &Product<'_>, components: &Components) -> Option<Lasso> {
    const NEW: u32 = u32::MAX;
    let mut parents = vec![NEW; product.nodes];
    let mut todo = VecDeque::new();
    for root in product.roots() {
        if std::mem::replace(&mut parents[root as usize], root) == NEW {
            todo.push_back(root);
        }
    }
    while let Some(node) = todo.pop_front() {
        if let Some(component) = components.accepting_of(node) {
            let prefix = way_back(product, node, |node| parents[node as usize]);
            return Some(Lasso {
                prefix: moves(product, &prefix),
                cycle: cycle(product, components, component, node),
            });
        }
        for step in product.steps(node) {
            let parent = &mut parents[step.target as usize];
            if *parent == NEW {
                *parent = node;
                todo.push_back(step.target);
            }
        }
    }
    None
}

fn cycle(product: &Product<'_>, components: &Components, component: u32, start: u32) -> Vec<Move> {
    let within = |step: &Step| components.is_in(step.target, component);
    if product.is_content(start) {
        return Vec::new();
    }
    let mut owed = product.owed_at(start);
    let mut cycle = Vec::new();
    let mut at = start;
    while !owed.is_nothing() {
        let Some(way) = nearest(product, at, within, |step| owed.is_met_by(product, step)) else { break };
        for &(_, step) in &way {
            owed.meet(product, step);
            at = step.target;
        }
        cycle.extend(moves(product, &way));
    }
    if at != start || cycle.is_empty() {
        let back = nearest(product, at, within, |step| step.target == start).unwrap_or_default();
        cycle.extend(moves(product, &back));
    }
    cycle
}

/// The shortest way from a node that ends with a wanted step; at least one step.
fn nearest(
    product: &Product<'_>,
    from: u32,
    within: impl Fn(&Step) -> bool,
    wanted: impl Fn(Step) -> bool,
) -> Option<Vec<(u32, Step)>> {
    let mut parents: FxHashMap<u32, u32> = FxHashMap::from_iter([(from, from)]);
    let mut todo = VecDeque::from([from]);
    while let Some(node) = todo.pop_front() {
        for step in product.steps(node).filter(&within) {
            if wanted(step) {
                let mut way = way_back(product, node, |node| parents[&node]);
                way.push((node, step));
                return Some(way);
            }
            parents.entry(step.target).or_insert_with(|| {
                todo.push_back(step.target);
                node
            });
        }
    }
    None
}

/// The way to a node from the one that is its own parent.
fn way_back(product: &Product<'_>, node: u32, parent: impl Fn(u32) -> u32) -> Vec<(u32, Step)> {
    let mut way = Vec::new();
    let mut at = node;
    while parent(at) != at {
        let before = parent(at);
        let step = product.steps(before).find(|step| step.target == at);
        way.extend(step.map(|step| (before, step)));
        at = before;
    }
    way.reverse();
    way
}

fn moves(product: &Product<'_>, way: &[(u32, Step)]) -> Vec<Move> {
    way.iter().map(|&(node, step)| product.move_of(node, step)).collect()
}

//! Extracts accepting runs with short prefixes and cycles from the accepting components of a product.

use std::collections::VecDeque;

use map_ltl::Automaton;
use rustc_hash::FxHashMap;

use super::product::{Components, Move, Product, ProductStep};
use crate::budget::{Budget, Clock, Limit};
use crate::property::graph::LabelledGraph;

#[cfg(test)]
mod tests;

/// An infinite run: the prefix once, then the cycle for ever. A run stays in a state by a transition of nobody. If
/// the cycle is empty, every continuation of the prefix is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lasso {
    /// The initial state.
    pub(super) first: u32,
    pub(super) prefix: Vec<Move>,
    pub(super) cycle: Vec<Move>,
}

/// A run that the automaton accepts, with a shortest prefix and a short cycle; `None` if there is none. Steps cut off
/// by a bound are not considered, so `None` covers only runs within the bounds. If the automaton accepts every
/// continuation, a cut does no harm: every state has a fair continuation.
///
/// The run is fair to the movers `0..fair_to`.
///
/// # Errors
/// The limit that was reached.
pub(super) fn accepting_lasso(
    graph: &LabelledGraph,
    automaton: &Automaton,
    fair_to: usize,
    budget: &mut Budget<'_>,
) -> Result<Option<Lasso>, Limit> {
    let product = Product::new(graph, automaton, fair_to, budget)?;
    let Some(components) = product.components(budget)? else { return Ok(None) };
    shortest_lasso(&product, &components, budget)
}

/// The path to the nearest node of an accepting component, and a cycle through it that fulfils everything owed. The
/// prefix is shortest; the cycle is greedy: it repeatedly takes a shortest path to something still owed, then
/// returns.
fn shortest_lasso(
    product: &Product<'_>,
    components: &Components,
    budget: &mut Budget<'_>,
) -> Result<Option<Lasso>, Limit> {
    let nearest = nearest_node(product, budget, |node| components.accepting_of(node).is_some())?;
    Ok(nearest.and_then(|(node, lasso)| {
        let component = components.accepting_of(node)?;
        Some(Lasso { cycle: cycle(product, components, component, node), ..lasso })
    }))
}

/// The nearest wanted node, with a shortest prefix to it and no cycle yet. Nodes are asked for in the order of their
/// distance, each once.
///
/// # Errors
/// The limit that was reached.
pub(super) fn nearest_node(
    product: &Product<'_>,
    budget: &mut Budget<'_>,
    mut wanted: impl FnMut(u32) -> bool,
) -> Result<Option<(u32, Lasso)>, Limit> {
    const NEW: u32 = u32::MAX;
    let mut parents = vec![NEW; product.nodes];
    let mut todo = VecDeque::new();
    for root in product.roots() {
        if std::mem::replace(&mut parents[root as usize], root) == NEW {
            todo.push_back(root);
        }
    }
    let mut clock = Clock::default();
    while let Some(node) = todo.pop_front() {
        clock.tick(budget)?;
        if wanted(node) {
            let prefix = path_to(product, node, |node| parents[node as usize]);
            let root = prefix.first().map_or(node, |&(root, _)| root);
            let (first, prefix) = (product.state(root), moves(product, &prefix));
            return Ok(Some((node, Lasso { first, prefix, cycle: Vec::new() })));
        }
        for step in product.steps(node) {
            let parent = &mut parents[step.target as usize];
            if *parent == NEW {
                *parent = node;
                todo.push_back(step.target);
            }
        }
    }
    Ok(None)
}

fn cycle(product: &Product<'_>, components: &Components, component: u32, start: u32) -> Vec<Move> {
    let within = |step: &ProductStep| components.is_in(step.target, component);
    if product.accepts_all(start) {
        return Vec::new();
    }
    let mut owed = product.owed_at(start);
    let mut cycle = Vec::new();
    let mut at = start;
    while !owed.is_empty() {
        let Some(path) = nearest(product, at, within, |step| owed.is_fulfilled_by(product, step)) else {
            break;
        };
        for &(_, step) in &path {
            owed.fulfil(product, step);
            at = step.target;
        }
        cycle.extend(moves(product, &path));
    }
    if at != start || cycle.is_empty() {
        let back = nearest(product, at, within, |step| step.target == start).unwrap_or_default();
        cycle.extend(moves(product, &back));
    }
    cycle
}

/// A shortest path from a node that ends with a wanted step; at least one step.
fn nearest(
    product: &Product<'_>,
    from: u32,
    within: impl Fn(&ProductStep) -> bool,
    wanted: impl Fn(ProductStep) -> bool,
) -> Option<Vec<(u32, ProductStep)>> {
    let mut parents: FxHashMap<u32, u32> = FxHashMap::from_iter([(from, from)]);
    let mut todo = VecDeque::from([from]);
    while let Some(node) = todo.pop_front() {
        for step in product.steps(node).filter(&within) {
            if wanted(step) {
                let mut path = path_to(product, node, |node| parents[&node]);
                path.push((node, step));
                return Some(path);
            }
            parents.entry(step.target).or_insert_with(|| {
                todo.push_back(step.target);
                node
            });
        }
    }
    None
}

/// The path to a node from its root, the node that is its own parent.
fn path_to(product: &Product<'_>, node: u32, parent: impl Fn(u32) -> u32) -> Vec<(u32, ProductStep)> {
    let mut path = Vec::new();
    let mut at = node;
    while parent(at) != at {
        let before = parent(at);
        let step = product.steps(before).find(|step| step.target == at);
        path.extend(step.map(|step| (before, step)));
        at = before;
    }
    path.reverse();
    path
}

fn moves(product: &Product<'_>, path: &[(u32, ProductStep)]) -> Vec<Move> {
    path.iter().map(|&(node, step)| product.move_of(node, step)).collect()
}

//! Backward reachability: which states can reach a set of states without faults (crashes and losses).
//!
//! Only successors are stored. States are numbered breadth-first, so most transitions lead to higher numbers, and a
//! few passes from the last state to the first and back settle nearly all states. The rest is settled with explicit
//! predecessors, in memory proportional to the transitions between unsettled states.

use map_graph::BitSet;

use super::edges::Edges;
use super::visit::{Order, visit};
use crate::budget::{Budget, Limit};

/// Passes continue as long as two of them settle at least one in this many of the remaining states.
const WORTH: usize = 16;

/// Whether every state can reach one whose transitions are all faults.
pub(crate) fn always_ends(edges: &Edges, states: usize, budget: &mut Budget<'_>) -> Result<bool, Limit> {
    budget.afford(BitSet::bytes_for(states))?;
    let mut ends = BitSet::new(states);
    edges.ends().for_each(|state| ends.insert(state));
    let reached = reach(edges, ends, budget)?;
    Ok(reached.complement().first().is_none())
}

/// The states that can reach one for which `goal` holds.
///
/// # Errors
/// The limit that was reached.
pub(crate) fn reaches(
    edges: &Edges,
    states: usize,
    goal: impl Fn(usize) -> bool,
    budget: &mut Budget<'_>,
) -> Result<BitSet, Limit> {
    let mut goals = BitSet::new(states);
    for state in (0..states).filter(|&state| goal(state)) {
        goals.insert(state);
    }
    reach(edges, goals, budget)
}

/// Adds to a set the states that can reach it.
fn reach(edges: &Edges, mut reached: BitSet, budget: &mut Budget<'_>) -> Result<BitSet, Limit> {
    if !passes(edges, &mut reached, budget)? {
        reach_back(edges, &mut reached, budget)?;
    }
    Ok(reached)
}

/// Number of states processed between two checks of the budget.
const STRIDE: usize = 1 << 12;

/// Adds the states that can reach a set, by searching backwards over the transitions between states outside it.
fn reach_back(edges: &Edges, reached: &mut BitSet, budget: &mut Budget<'_>) -> Result<(), Limit> {
    let mut inner = Vec::new();
    let mut todo = Vec::new();
    for_each_left(edges, reached, budget, |state, targets, budget| {
        if targets.iter().any(|&it| reached.contains(it as usize)) {
            todo.push(state);
        }
        inner.extend(targets.iter().filter(|&&it| !reached.contains(it as usize)).map(|&it| (it, state)));
        budget.afford(inner.capacity() * size_of::<(u32, u32)>())
    })?;
    inner.sort_unstable();
    let mut processed = 0_usize;
    while let Some(state) = todo.pop() {
        processed += 1;
        if processed.is_multiple_of(STRIDE) {
            budget.check()?;
        }
        if reached.contains(state as usize) {
            continue;
        }
        reached.insert(state as usize);
        let start = inner.partition_point(|&(target, _)| target < state);
        let sources = inner[start..].iter().take_while(|&&(target, _)| target == state);
        todo.extend(sources.map(|&(_, source)| source).filter(|&it| !reached.contains(it as usize)));
    }
    Ok(())
}

/// Adds states that can reach a set, in alternating downward and upward passes, as long as these pay off. Whether the
/// set is complete.
fn passes(edges: &Edges, set: &mut BitSet, budget: &mut Budget<'_>) -> Result<bool, Limit> {
    budget.afford(2 * BitSet::bytes_for(set.bound()))?;
    let mut order = Order::Downwards;
    let mut joined_before = usize::MAX;
    loop {
        let (mut joined, mut left) = (0_usize, 0_usize);
        let before = set.clone();
        visit(edges, order, &before, budget, |block, lists, _| {
            let states = edges.block(block);
            for place in (0..states.len()).map(|place| order.at(place, states.len())) {
                let state = states.start + place;
                if set.contains(state) {
                    continue;
                }
                if lists.of(place).iter().any(|&it| set.contains(it as usize)) {
                    set.insert(state);
                    joined += 1;
                } else {
                    left += 1;
                }
            }
            Ok(())
        })?;
        if left == 0 || joined == 0 {
            return Ok(true);
        }
        if joined.saturating_add(joined_before).saturating_mul(WORTH) < left {
            return Ok(false);
        }
        joined_before = joined;
        order = order.reversed();
    }
}

/// Calls `see` for each state that is not in a set, with its successors.
fn for_each_left(
    edges: &Edges,
    set: &BitSet,
    budget: &mut Budget<'_>,
    mut see: impl FnMut(u32, &[u32], &Budget<'_>) -> Result<(), Limit>,
) -> Result<(), Limit> {
    visit(edges, Order::Upwards, set, budget, |block, lists, budget| {
        let mut states = edges.block(block).enumerate().filter(|&(_, state)| !set.contains(state));
        states.try_for_each(|(place, state)| see(state as u32, lists.of(place), budget))
    })
}

//! How many messages each part can be sent in one run at most.

use crate::analysis::Means;
use crate::edges::{Edges, Lists};
use crate::report::Limit;
use crate::system::Weight;

/// What runs send, and whether they end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    /// For every part the most messages that a run sends to its agents together; `None` if there is no bound.
    pub(crate) most: Vec<Option<u32>>,
    /// Whether some run goes in a circle.
    pub(crate) cyclic: bool,
}

/// Finds out what runs send. `sent` says for each weight of a transition how many messages it sends to each part; rows may
/// end early.
///
/// # Errors
/// The limit that came first.
pub(crate) fn most_sent(
    edges: &Edges,
    sent: &[Weight],
    states: usize,
    parts: usize,
    means: &mut Means<'_>,
) -> Result<Sent, Limit> {
    means.afford(states * (parts + 1) * size_of::<u32>())?;
    let mut flow = Flow {
        edges,
        sent,
        parts,
        incoming: vec![0; states],
        most: vec![0; states * parts],
        ready: Vec::new(),
        left: states,
        circles: false,
    };
    flow.count_incoming(means)?;
    flow.sort(means)?;
    flow.judge(means)
}

/// A longest path, by a topological order.
struct Flow<'e> {
    edges: &'e Edges,
    sent: &'e [Weight],
    parts: usize,
    /// By state: transitions from other states that have not been sorted yet; [`SORTED`] if it has been itself.
    incoming: Vec<u32>,
    /// By state and part: the most that runs to the state send.
    most: Vec<u32>,
    /// States all of whose predecessors have been sorted, and which have been passed.
    ready: Vec<u32>,
    /// How many states have not been sorted.
    left: usize,
    /// Whether some transition leads back to its own state.
    circles: bool,
}

const SORTED: u32 = u32::MAX;

impl Flow<'_> {
    fn sent(&self, weight: u32, part: usize) -> u32 {
        self.sent[weight as usize].get(part).copied().unwrap_or(0)
    }

    fn count_incoming(&mut self, means: &mut Means<'_>) -> Result<(), Limit> {
        let edges = self.edges;
        edges.for_each(means, |state, targets, _| {
            for &target in targets {
                match target == state {
                    true => self.circles = true,
                    false => self.incoming[target as usize] += 1,
                }
            }
        })
    }

    /// Sorts all states that lie neither on cycles nor behind them; a cycle of one state is none here. Most transitions lead
    /// to higher numbers, so that nearly all are sorted in the first pass.
    fn sort(&mut self, means: &mut Means<'_>) -> Result<(), Limit> {
        let edges = self.edges;
        edges.for_each(means, |state, targets, weights| {
            if self.incoming[state as usize] == 0 {
                self.pass(state, targets, weights, state);
            }
        })?;
        let mut lists = Lists::default();
        while let Some(state) = self.ready.pop() {
            let (targets, weights) = edges.weighted(state, &mut lists);
            self.pass(state, targets, weights, u32::MAX);
        }
        Ok(())
    }

    /// Sorts a state. Those up to `passed` that become ready by it are noted; the others will be met.
    fn pass(&mut self, state: u32, targets: &[u32], weights: &[u32], passed: u32) {
        self.incoming[state as usize] = SORTED;
        self.left -= 1;
        for (&target, &weight) in targets.iter().zip(weights).filter(|(target, _)| **target != state) {
            for part in 0..self.parts {
                let most = self.most[state as usize * self.parts + part];
                let so_far = most.saturating_add(self.sent(weight, part));
                let known = &mut self.most[target as usize * self.parts + part];
                *known = so_far.max(*known);
            }
            let left = &mut self.incoming[target as usize];
            *left -= 1;
            if *left == 0 && target < passed {
                self.ready.push(target);
            }
        }
    }

    fn judge(&mut self, means: &mut Means<'_>) -> Result<Sent, Limit> {
        let cyclic = self.left > 0 || self.circles;
        let repeated = if cyclic { self.repeated(means)? } else { vec![false; self.parts] };
        let most = |part: usize| self.most.iter().skip(part).step_by(self.parts).max().copied();
        let most = (0..self.parts).map(|part| if repeated[part] { None } else { most(part) });
        Ok(Sent { most: most.collect(), cyclic })
    }

    /// The parts that something is sent to on a cycle, or behind one.
    fn repeated(&self, means: &mut Means<'_>) -> Result<Vec<bool>, Limit> {
        let mut repeated = vec![false; self.parts];
        self.edges.for_each(means, |state, targets, weights| {
            let is_left = self.incoming[state as usize] != SORTED;
            for (&target, &weight) in targets.iter().zip(weights) {
                if is_left || target == state {
                    for (part, repeated) in repeated.iter_mut().enumerate() {
                        *repeated |= self.sent(weight, part) > 0;
                    }
                }
            }
        })?;
        Ok(repeated)
    }
}

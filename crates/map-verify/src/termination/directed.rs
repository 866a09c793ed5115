//! A directed search for a mailbox overflow: the states in which a mailbox of one part is fullest come first, and its
//! owner rests as long as others can go on. What it finds is a run; that it finds nothing means nothing.

use std::collections::{BinaryHeap, HashSet};

use map_ir::PartId;
use map_semantics::Step;

use super::along::Path;
use super::site::{Place, Site};
use crate::budget::Budget;
use crate::report::{InternalError, Violation, ViolationKind};
use crate::state::Next;
use crate::system::{Buffers, System};
use crate::witness::replay::NoTrace;

/// Number of states expanded in a row without a fuller mailbox, after which the search gives up.
const PATIENCE: usize = 512;

/// Number of states that are expanded at most.
const EFFORT: usize = 1 << 16;

/// Number of states expanded between two checks of the budget.
const STRIDE: usize = 1 << 8;

/// A state on the way.
struct Node {
    words: Vec<u32>,
    /// The state before it, if it is not the first one.
    before: Option<usize>,
    /// Number of steps from the first state, merged ones counted as one.
    depth: usize,
}

/// A run to an overflow, which uses no open comparison; none if the search gives up or has reached a limit. The
/// system's ample sets should be those of [`crate::partial_order::ample::Watched::Fullest`].
///
/// # Errors
/// If a run does not replay, which would be a defect of the engine.
pub(super) fn find_overflow(
    system: &mut System<'_>,
    part: PartId,
    budget: &mut Budget<'_>,
) -> Result<Option<Violation>, InternalError> {
    let initial = system.space.initial_choices().options().to_vec();
    let Some((Some(first), _)) = system.space.start(&initial) else { return Ok(None) };
    let Some(words) = system.space.abstracted_unless(&first, &budget.stop) else { return Ok(None) };
    let mut search = DirectedSearch {
        nodes: vec![Node { words: words.clone(), before: None, depth: 0 }],
        known: HashSet::from([words]),
        queue: BinaryHeap::from([(0, 0)]),
        bytes: 0,
    };
    let Some(last) = search.run(system, part, budget) else { return Ok(None) };
    let site = Site {
        steps: last.depth + 1,
        clean: true,
        place: Place::State(last.state as u32),
        step: Some(last.step),
    };
    let path = Path { initial, states: search.path_to(last.state), last: site.step.clone() };
    match path.trace(system, ViolationKind::MailboxOverflow, &site, budget) {
        Ok(trace) => {
            let steps = trace.steps.len();
            Ok(Some(Violation { kind: ViolationKind::MailboxOverflow, steps, possible: false, trace }))
        }
        Err(NoTrace::Limit(_) | NoTrace::Unlifted) => Ok(None),
        Err(NoTrace::Broken(error)) => Err(error),
    }
}

/// The search, best states first.
struct DirectedSearch {
    nodes: Vec<Node>,
    known: HashSet<Vec<u32>>,
    /// States to be expanded, by their fullest mailbox; of equal ones the state found last comes first.
    queue: BinaryHeap<(u32, usize)>,
    /// Bytes of the states.
    bytes: usize,
}

/// The last step of a run.
struct LastStep {
    /// The number of the state in which it is taken.
    state: usize,
    depth: usize,
    step: Step,
}

impl DirectedSearch {
    /// The step at which a mailbox overflows first.
    fn run(&mut self, system: &mut System<'_>, part: PartId, budget: &mut Budget<'_>) -> Option<LastStep> {
        let mut buffers = Buffers::default();
        let (mut fullest, mut in_vain) = (0, 0);
        for expanded in 0..EFFORT {
            let (full, state) = self.queue.pop()?;
            in_vain = if full > fullest { 0 } else { in_vain + 1 };
            fullest = fullest.max(full);
            let within_limits = !expanded.is_multiple_of(STRIDE)
                || budget
                    .check()
                    .and_then(|()| budget.afford(self.bytes + system.space.agents.bytes()))
                    .is_ok();
            if in_vain > PATIENCE || !within_limits {
                return None;
            }
            if let Some(step) = self.expand(system, &mut buffers, part, state, budget)? {
                return Some(LastStep { state, depth: self.nodes[state].depth, step });
            }
        }
        None
    }

    /// Adds the states that the steps of a state lead to; a step at which a mailbox overflows. `None` if the work was
    /// stopped.
    fn expand(
        &mut self,
        system: &mut System<'_>,
        buffers: &mut Buffers,
        part: PartId,
        state: usize,
        budget: &Budget<'_>,
    ) -> Option<Option<Step>> {
        let words = self.nodes[state].words.clone();
        loop {
            let (mut overflow, mut found) = (None, Vec::new());
            let judgement = system.expand(buffers, &words, &mut |successor| match successor.result {
                _ if successor.compared => {}
                Next::State(next) if !successor.passed => found.push(next.to_vec()),
                Next::Overflow => _ = overflow.get_or_insert_with(|| successor.as_step()),
                _ => {}
            });
            if budget.stop.is_raised() {
                return None;
            }
            if judgement.is_none() {
                std::mem::take(&mut buffers.missing)
                    .into_iter()
                    .for_each(|missing| system.space.agents.fill(missing));
                continue;
            }
            if overflow.is_none() {
                found.into_iter().for_each(|next| self.add(system, part, state, next));
            }
            return Some(overflow);
        }
    }

    /// Adds a state that a step leads to, unless it is known.
    fn add(&mut self, system: &System<'_>, part: PartId, before: usize, words: Vec<u32>) {
        if self.known.insert(words.clone()) {
            self.queue.push((system.space.fullest(&words, part), self.nodes.len()));
            self.bytes += 2 * size_of_val(&*words) + size_of::<Node>();
            let depth = self.nodes[before].depth + 1;
            self.nodes.push(Node { words, before: Some(before), depth });
        }
    }

    /// The states on the way to a state, which is the last one.
    fn path_to(&self, state: usize) -> Vec<Vec<u32>> {
        let before = |&state: &usize| self.nodes[state].before;
        let mut path: Vec<_> =
            std::iter::successors(Some(state), before).map(|state| self.nodes[state].words.clone()).collect();
        path.reverse();
        path
    }
}

//! A way of one agent through what happens to it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use map_ir::AgentId;
use rustc_hash::FxHashSet;

use super::{Input, NoExplanation};
use crate::hypothesis::{Frame, Hypothesis};
use crate::monitor::{first, initial_options, matched};
use crate::pending::{Alike, Arrivals};
use crate::steps::{Made, Steps, steps};
use crate::subject::Subject;
use crate::work::{MAX_WORK, Work};

/// The maximum number of states that are looked at: so many, and so many more for each input.
const MAX_STATES: usize = 2_000;
const MORE_STATES: usize = 50;

/// What an agent does.
pub(super) struct Path {
    /// The options for its cells.
    pub(super) initial: Vec<u32>,
    /// Its steps up to each input, of which the last is the send if the input is one; and those behind them.
    pub(super) steps: Vec<Vec<Made>>,
}

/// A state on the way: how many inputs are behind it, the state before, and the step between them.
struct Node {
    hypothesis: Hypothesis,
    at: usize,
    before: Option<usize>,
    made: Option<Made>,
}

/// Finds a way, which ends with the agent if it `has_to_end`. Of the states that are known, one with the most inputs
/// behind it goes on first, and of these the first that was found: an agent may do things without end.
pub(super) fn through(
    frame: &Frame,
    agent: AgentId,
    inputs: &[Input],
    has_to_end: bool,
) -> Result<Path, NoExplanation> {
    for initial in initial_options(&frame.program, agent) {
        let Ok(start) = first(frame, agent, &initial) else { continue };
        let mut nodes = vec![Node { hypothesis: start, at: 0, before: None, made: None }];
        let mut seen: FxHashSet<(Hypothesis, usize)> = FxHashSet::default();
        let mut todo = BinaryHeap::from([(0, Reverse(0))]);
        while let Some((_, Reverse(index))) = todo.pop() {
            let (hypothesis, at) = (nodes[index].hypothesis.clone(), nodes[index].at);
            if at == inputs.len() && (hypothesis.has_ended() || !has_to_end) {
                return Ok(Path { initial, steps: steps_to(nodes, index, inputs.len()) });
            }
            if !seen.insert((hypothesis.clone(), at)) {
                continue;
            }
            let limit = MAX_STATES + MORE_STATES * inputs.len();
            if seen.len() > limit || nodes.len() > 4 * limit {
                return Err(NoExplanation::Limit);
            }
            for (next, at, made) in onward(frame, agent, &hypothesis, at, inputs.get(at)) {
                todo.push((at, Reverse(nodes.len())));
                nodes.push(Node { hypothesis: next, at, before: Some(index), made });
            }
        }
    }
    Err(NoExplanation::NoOrder)
}

/// Where a state leads to. It prefers to act before it is told more, and lets time run out last of all.
fn onward(
    frame: &Frame,
    agent: AgentId,
    from: &Hypothesis,
    at: usize,
    input: Option<&Input>,
) -> Vec<(Hypothesis, usize, Option<Made>)> {
    let subject = Subject { frame, arrivals: Arrivals::Sent, work: &Work::new(MAX_WORK), agent };
    let Steps { silent, sends, .. } = steps(subject, from, &Alike::default());
    let (late, soon): (Vec<_>, Vec<_>) = silent.into_iter().partition(|it| it.timeout);
    let mut found: Vec<_> = soon.into_iter().map(|it| (it.next, at, Some(it.made))).collect();
    if let Some(Input::Arrives(message)) = input {
        let mut next = from.clone();
        map_semantics::deliver(&frame.bounds, &mut next.state, &Arc::clone(message));
        found.push((next, at + 1, None));
    }
    found.extend(late.into_iter().map(|it| (it.next, at, Some(it.made))));
    if let Some(Input::Sends(spoken)) = input {
        let sent = sends.into_iter().filter_map(|it| {
            let next = matched(frame, agent, &it, spoken).filter(|it| it.copies.is_none())?;
            Some((next, at + 1, Some(it.made)))
        });
        found.extend(sent);
    }
    found
}

/// The steps that lead to a node.
fn steps_to(mut nodes: Vec<Node>, mut index: usize, inputs: usize) -> Vec<Vec<Made>> {
    let mut steps = vec![Vec::new(); inputs + 1];
    while let Some(before) = nodes[index].before {
        steps[nodes[before].at].extend(nodes[index].made.take());
        index = before;
    }
    steps.iter_mut().for_each(|it| it.reverse());
    steps
}

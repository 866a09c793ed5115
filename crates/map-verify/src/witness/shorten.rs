//! Makes traces of violations easier to read: fewer agents in shortest traces, fewer steps in others.
//!
//! Every candidate is replayed on unreduced states, and accepted only if it shows the same kind of violation without
//! depending on further open comparisons. So the correctness of traces does not rely on this module.

use std::collections::HashSet;

use map_ir::{AgentId, Program};
use map_semantics::{
    Bounds, EnabledStep, Network, SceneState, SceneStep, Status, Step, is_waitfor, propose, scene_steps,
    time_may_run_out,
};

use super::replay::confirm;
use crate::budget::{Budget, Stop};
use crate::report::{Trace, Violation, ViolationKind};
use crate::state::space::Space;
use crate::tuning::Tuning;

/// A trace of the same length with a minimum number of agents taking steps, if there is one with fewer than in the
/// given trace and it is found before `effort` steps were tried. The trace of the violation must be a shortest one.
///
/// Livelocks and merely possible deadlocks keep their traces, since the last steps do not show what they are.
#[must_use]
pub fn fewest_agents(
    program: &Program,
    bounds: &Bounds,
    violation: &Violation,
    effort: usize,
) -> Option<Trace> {
    // The search below takes no losses, crashes or arrivals, which are steps too; the order of mailboxes is irrelevant.
    let Network { unordered: _, delayed, losses, crashes } = bounds.network;
    if !is_seen_at_the_end(violation) || delayed || losses > 0 || crashes > 0 {
        return None;
    }
    let involved: HashSet<AgentId> = violation.trace.steps.iter().map(|step| step.agent).collect();
    let first = SceneState::start(program, bounds, &violation.trace.initial).0?;
    let busy = match violation.kind {
        ViolationKind::Deadlock => busy_at_first(program, &first),
        _ => Vec::new(),
    };
    let mut effort = effort;
    for most in busy.len().max(1)..involved.len() {
        let mut search = FewAgentsSearch {
            program,
            bounds,
            violation,
            most,
            effort: &mut effort,
            space: Space::new(program, bounds),
        };
        let found = search.trace(&first, &busy)?;
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The trace without unneeded steps, if there are any and `effort` suffices to find them. Goes through the agents
/// from last to first, and removes as many of each agent's last steps as possible, until nothing changes.
#[must_use]
pub fn without_idle_steps(
    program: &Program,
    bounds: &Bounds,
    violation: &Violation,
    effort: usize,
) -> Option<Trace> {
    if !is_seen_at_the_end(violation) {
        return None;
    }
    let mut trace = violation.trace.clone();
    let mut left = effort;
    loop {
        let before = trace.steps.len();
        for agent in program.cast().collect::<Vec<_>>().into_iter().rev() {
            let own = trace.steps.iter().enumerate().filter(|(_, step)| step.agent == agent);
            let own: Vec<usize> = own.map(|(index, _)| index).collect();
            for kept in 0..own.len() {
                left = match left.checked_sub(trace.steps.len()) {
                    Some(left) => left,
                    None => return (trace.steps.len() < violation.trace.steps.len()).then_some(trace),
                };
                let steps = trace.steps.iter().enumerate();
                let steps = steps.filter(|(index, _)| !own[kept..].contains(index));
                let steps = steps.map(|(_, step)| step.clone()).collect();
                let shorter = Trace { initial: trace.initial.clone(), steps };
                if is_possible(program, bounds, violation, &shorter)
                    && shows(program, bounds, violation, &shorter)
                {
                    trace = shorter;
                    break;
                }
            }
        }
        if trace.steps.len() == before {
            return (before < violation.trace.steps.len()).then_some(trace);
        }
    }
}

/// Whether the last step of a trace tells whether it shows such a violation.
fn is_seen_at_the_end(violation: &Violation) -> bool {
    match violation.kind {
        ViolationKind::Livelock => false,
        ViolationKind::Deadlock => !violation.possible,
        _ => true,
    }
}

/// The agents that take a step in every run to a deadlock, because some thread of theirs does not begin by waiting.
fn busy_at_first(program: &Program, first: &SceneState) -> Vec<AgentId> {
    let is_busy = |agent: &AgentId| {
        let control = &first.agents[agent.index()].control;
        control.threads().any(|node| !is_waitfor(program, control.place(node)))
    };
    program.cast().filter(is_busy).collect()
}

/// Whether the steps of a trace are possible one after the other, and the last one goes wrong as the violation says, if
/// it does. Much cheaper than [`shows`], which most traces that are tried do not come to.
fn is_possible(program: &Program, bounds: &Bounds, violation: &Violation, trace: &Trace) -> bool {
    let Some(mut state) = SceneState::start(program, bounds, &trace.initial).0 else { return false };
    for (index, step) in trace.steps.iter().enumerate() {
        let in_time = || time_may_run_out(program, bounds, &state, step.agent, step.thread);
        let Ok(proposed) = propose(program, bounds, &state, step, &[], in_time) else { return false };
        if let SceneStep::Wrong(error) = proposed.observed.result {
            return index + 1 == trace.steps.len() && violation.kind == error.into();
        }
        state.follow(bounds, step.agent, &proposed.observed);
    }
    matches!(violation.kind, ViolationKind::Failure | ViolationKind::Deadlock)
}

/// Whether a trace shows the violation, and depends on no open comparison unless the violation does.
fn shows(program: &Program, bounds: &Bounds, violation: &Violation, trace: &Trace) -> bool {
    let Some(mut state) = SceneState::start(program, bounds, &trace.initial).0 else { return false };
    let Some((last, before)) = trace.steps.split_last() else { return false };
    for step in before {
        let taken = taken_by(program, bounds, violation, &state, step);
        match taken.and_then(|taken| taken.next_state(bounds, &state)) {
            Some(next) => state = next,
            None => return false,
        }
    }
    let last = taken_by(program, bounds, violation, &state, last);
    let next = |last: &EnabledStep| last.next_state(bounds, &state);
    last.is_some_and(|last| is_goal(violation, &last, next(&last).as_ref()))
        && is_confirmed(program, bounds, violation, trace)
}

fn is_confirmed(program: &Program, bounds: &Bounds, violation: &Violation, trace: &Trace) -> bool {
    let mut budget = Budget {
        memory: usize::MAX,
        threads: 1,
        tuning: Tuning::SHIPPED,
        tick: &mut || None,
        stop: Stop::default(),
    };
    confirm(program, bounds, violation.kind, violation.possible, trace, &mut budget).is_ok()
}

/// A step as enabled in a state, if it may be taken there.
fn taken_by(
    program: &Program,
    bounds: &Bounds,
    violation: &Violation,
    state: &SceneState,
    step: &Step,
) -> Option<EnabledStep> {
    let steps = scene_steps(program, bounds, state);
    let taken = steps.of_agents(|agent| agent == step.agent).find(|taken| taken.step == *step);
    taken.filter(|taken| violation.possible || !taken.compared)
}

/// Whether a step may be the one that shows the violation. `next` is the state it leads to, if any.
fn is_goal(violation: &Violation, taken: &EnabledStep, next: Option<&SceneState>) -> bool {
    match violation.kind {
        ViolationKind::Failure => {
            next.is_some_and(|next| next.agents[taken.step.agent.index()].status == Status::Failed)
        }
        ViolationKind::Deadlock => next.is_some_and(|next| {
            let failed = next.agents.iter().any(|agent| agent.status == Status::Failed);
            !failed && !next.all_done()
        }),
        kind => taken.wrong().is_some_and(|error| kind == error.into()),
    }
}

/// A search of unreduced states for a trace in which at most `most` agents take steps.
struct FewAgentsSearch<'s> {
    program: &'s Program,
    bounds: &'s Bounds,
    violation: &'s Violation,
    most: usize,
    effort: &'s mut usize,
    space: Space<'s>,
}

/// A state, the steps to it, and the agents that took these steps or will have to take some.
struct Node {
    steps: Vec<Step>,
    state: SceneState,
    involved: Vec<AgentId>,
}

impl FewAgentsSearch<'_> {
    /// A trace as long as the violation's, if there is one; the outer `None` if the effort did not suffice.
    fn trace(&mut self, first: &SceneState, busy: &[AgentId]) -> Option<Option<Trace>> {
        let length = self.violation.trace.steps.len();
        let mut level = vec![Node { steps: Vec::new(), state: first.clone(), involved: busy.to_vec() }];
        let mut seen: HashSet<(Vec<u32>, Vec<AgentId>)> = HashSet::new();
        for depth in 1..=length {
            let mut next_level = Vec::new();
            for node in &level {
                let wanted = |agent: AgentId| {
                    node.involved.len() < self.most || node.involved.binary_search(&agent).is_ok()
                };
                let steps = scene_steps(self.program, self.bounds, &node.state);
                for taken in steps.fault_free(wanted).filter(EnabledStep::is_taken) {
                    if taken.compared && !self.violation.possible {
                        continue;
                    }
                    let mut involved = node.involved.clone();
                    if let Err(place) = involved.binary_search(&taken.step.agent) {
                        involved.insert(place, taken.step.agent);
                    }
                    *self.effort = self.effort.checked_sub(1)?;
                    let steps = || node.steps.iter().cloned().chain([taken.step.clone()]).collect();
                    let next = taken.next_state(self.bounds, &node.state);
                    if depth == length {
                        let trace = Trace { initial: self.violation.trace.initial.clone(), steps: steps() };
                        if is_goal(self.violation, &taken, next.as_ref())
                            && is_confirmed(self.program, self.bounds, self.violation, &trace)
                        {
                            return Some(Some(trace));
                        }
                    } else if let Some(next) = next
                        && seen.insert((self.space.abstracted(&next), involved.clone()))
                    {
                        next_level.push(Node { steps: steps(), state: next, involved });
                    }
                }
            }
            level = next_level;
        }
        Some(None)
    }
}

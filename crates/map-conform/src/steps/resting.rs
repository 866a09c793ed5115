//! The states in which an agent is at rest: it can do nothing until a message arrives or time runs out.

use std::collections::VecDeque;

use map_ir::{AgentId, PointId};
use map_semantics::{Ending, waits};
use rustc_hash::FxHashSet;

use super::{Steps, steps, ways};
use crate::constraint::Constraint;
use crate::hypothesis::{Frame, Hypothesis};
use crate::pending::Alike;
use crate::subject::Subject;

/// The states of rest that these lead to without a send, and without a timeout unless the frame lets time run out; and
/// whether some of them were cut off. What holds if all threads wait is noted in them.
pub(crate) fn resting(subject: Subject<'_>, from: &[Hypothesis], limit: usize) -> (Vec<Hypothesis>, bool) {
    let mut queue: VecDeque<Hypothesis> = from.iter().cloned().collect();
    let mut seen: FxHashSet<Hypothesis> = queue.iter().cloned().collect();
    let mut found: FxHashSet<Hypothesis> = FxHashSet::default();
    let (mut all, mut is_cut) = (Vec::new(), false);
    while let Some(hypothesis) = queue.pop_front() {
        let Steps { silent, cut, at_rest, .. } = steps(subject, &hypothesis, &Alike::default());
        is_cut |= cut;
        if at_rest {
            let at_rest = waiting(subject.frame, subject.agent, &hypothesis).into_iter();
            all.extend(at_rest.filter(|hypothesis| found.insert(hypothesis.clone())));
        }
        for step in silent {
            if seen.len() > limit {
                is_cut = true;
            } else if seen.insert(step.next.clone()) {
                queue.push_back(step.next);
            }
        }
    }
    (all, is_cut)
}

/// The hypotheses after time has run out for an agent at rest at a place, and whether some of them were cut off.
pub(crate) fn timed_out(subject: Subject<'_>, from: &Hypothesis, place: PointId) -> (Vec<Hypothesis>, bool) {
    let Subject { frame, agent, .. } = subject;
    let control = &from.state.control;
    let at: Vec<PointId> = control.threads().map(|thread| control.place(thread)).collect();
    let Steps { silent, cut, .. } = steps(subject, from, &Alike::default());
    let ran_out = silent.into_iter().filter(|step| step.timeout && at[step.made.thread] == place);
    let mut all: Vec<Hypothesis> = ran_out.map(|step| step.next).collect();
    for thread in control.threads().filter(|&thread| control.place(thread) == place) {
        for way in ways(frame, agent, from, &from.state, thread, true) {
            // It waits again, as if nothing had happened.
            let mut again = from.clone();
            if way.outcome.ending == Ending::Nothing && again.assume(&frame.program, way.assumed) {
                again.normalise(frame, agent);
                all.push(again);
            }
        }
    }
    (all, cut)
}

/// The hypothesis with what holds if none of its threads can act, for each way in which that may be so.
fn waiting(frame: &Frame, agent: AgentId, from: &Hypothesis) -> Vec<Hypothesis> {
    let mut all = vec![from.clone()];
    if from.has_ended() {
        return all;
    }
    for thread in from.state.control.threads() {
        let place = from.state.control.place(thread);
        let mut in_vain: Vec<Vec<Constraint>> = ways(frame, agent, from, &from.state, thread, false)
            .into_iter()
            .filter(|way| waits(&frame.program, place, &way.outcome.ending))
            .map(|way| way.assumed)
            .collect();
        in_vain.sort_unstable();
        in_vain.dedup();
        let with = |hypothesis: &Hypothesis, assumed: &Vec<Constraint>| {
            let mut next = hypothesis.clone();
            next.assume(&frame.program, assumed.clone()).then_some(next)
        };
        all = all.iter().flat_map(|it| in_vain.iter().filter_map(move |assumed| with(it, assumed))).collect();
    }
    all.iter_mut().for_each(|hypothesis| hypothesis.normalise(frame, agent));
    all
}

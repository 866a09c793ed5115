//! The states that an agent may be in when a log begins in the middle of a conversation.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::before::Before;
use crate::hypothesis::Hypothesis;
use crate::pending::Alike;
use crate::steps::{Steps, steps};
use crate::subject::Subject;

/// The states that an agent may be in when the log begins, and whether there are too many.
pub(crate) fn states_before(
    subject: Subject<'_>,
    starts: Vec<Hypothesis>,
    limit: usize,
) -> (Vec<Hypothesis>, bool) {
    let mut cut = false;
    let mut found: Vec<Hypothesis> = Vec::new();
    let mut seen: FxHashSet<Hypothesis> = FxHashSet::default();
    let mut queue: VecDeque<Hypothesis> = starts.into();
    while let Some(mut hypothesis) = queue.pop_front() {
        hypothesis.before = Some(Before::default());
        hypothesis.forget_freshness();
        hypothesis.normalise(subject.frame, subject.agent);
        if !seen.insert(hypothesis.clone()) {
            continue;
        }
        if seen.len() > limit || subject.work.is_over() {
            return (found, true);
        }
        let Steps { silent, sends, cut: is_cut, .. } = steps(subject, &hypothesis, &Alike::default());
        cut |= is_cut;
        queue.extend(silent.into_iter().map(|step| step.next));
        queue.extend(sends.into_iter().map(|sending| sending.next));
        found.push(hypothesis);
    }
    (found, cut)
}

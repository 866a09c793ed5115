//! The states that an agent may be in when a log begins in the middle of a conversation.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::before::Before;
use crate::hypothesis::Hypothesis;
use crate::pending::{Alike, Arrivals};
use crate::steps::{Sending, Steps, steps};
use crate::subject::Subject;

/// How often what is known of the values of a state is copied, sorted and numbered on the way to the next ones.
const COPIES: usize = 32;

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
        hypothesis.before.get_or_insert_default();
        hypothesis.forget_freshness();
        hypothesis.normalise(subject.frame, subject.agent);
        if !seen.insert(hypothesis.clone()) {
            continue;
        }
        // What is known of its values grows from state to state where something is counted.
        subject.work.spend(COPIES * hypothesis.open.len());
        if seen.len() > limit || subject.work.is_over() {
            return (found, true);
        }
        let Steps { silent, sends, cut: is_cut, .. } = steps(subject, &hypothesis, &Alike::default());
        cut |= is_cut;
        queue.extend(silent.into_iter().map(|step| step.next));
        queue.extend(sends.iter().flat_map(|sending| sent_before(subject, sending)));
        found.push(hypothesis);
    }
    (found, cut)
}

/// The states after a message from before the log. Where messages arrive when the log says so, what the agent does
/// between two copies of a message depends on where between them the log begins.
fn sent_before(subject: Subject<'_>, sending: &Sending) -> impl Iterator<Item = Hypothesis> + use<> {
    let after = |copied| {
        let before = Some(Before { copied, ..Before::default() });
        Hypothesis { before, ..sending.next.clone() }
    };
    let arrives_at_lines = matches!(subject.arrivals, Arrivals::Logged | Arrivals::Sent);
    let may_go_on = arrives_at_lines && sending.to.len() > 1;
    let copied = may_go_on.then(|| after(Some((sending.message.performative, sending.to.clone()))));
    [Some(after(None)), copied].into_iter().flatten()
}

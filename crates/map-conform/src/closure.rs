//! What a set of hypotheses leads to without a line of the log.

use std::collections::BTreeMap;
use std::sync::Arc;

use map_ir::{AgentId, PerformativeId, PointId, Value};
use rustc_hash::FxHashSet;

use crate::colour::Colours;
use crate::folding::canonicalise;
use crate::hypothesis::Hypothesis;
use crate::orbits::Orbits;
use crate::pending::{Alike, Arrivals};
use crate::steps::{Sending, Steps, steps};
use crate::subject::Subject;

/// What a set of hypotheses leads to without sends.
#[derive(Default)]
pub(crate) struct Closure {
    /// What can be sent.
    pub(crate) sends: Vec<Sending>,
    /// States that a message would have prevented, had it arrived before, with the performatives of such messages;
    /// `None` stands for all, since time ran out.
    pub(crate) sensitive: Vec<(Arc<Hypothesis>, Option<Vec<PerformativeId>>)>,
    /// States that somebody who joins would have prevented, had they joined before.
    pub(crate) alone: Vec<Arc<Hypothesis>>,
    /// Whether a state is reached in which the agent has ended: for certain, or possibly.
    pub(crate) may_end: bool,
    /// The same for certain.
    pub(crate) certainly_ends: bool,
    /// Whether the agent comes to rest without a timeout.
    pub(crate) comes_to_rest: bool,
    /// Whether it can do nothing but end, if it has not ended yet.
    pub(crate) has_ended: bool,
    /// The points at which it waits when it is at rest.
    pub(crate) waits_at: Vec<PointId>,
    /// Where the run goes wrong: the values that are no integers and would have to be; `None` for what is too large.
    pub(crate) unfit: Vec<Option<Value>>,
    /// The number of states that were explored.
    pub(crate) explored: usize,
    /// Whether something was cut off, so that what is not found may exist all the same.
    pub(crate) cut: bool,
}

impl Closure {
    /// Whether the agent can do nothing but go wrong, because something is no number or too large.
    pub(crate) fn goes_wrong(&self) -> bool {
        let can_go_on = self.cut || self.may_end || self.comes_to_rest || !self.sends.is_empty();
        !can_go_on && !self.unfit.is_empty()
    }
}

/// The maximum [weight](Hypothesis::weight) of what is kept for each hypothesis that may be kept, on average: sides of
/// a `par` that call themselves after a timeout grow without end.
const MAX_WEIGHT: usize = 24;

/// How often a state is copied or looked at, about, until a step to it is done.
const COPIES: usize = 4;

/// Follows all silent steps from these hypotheses; the state that has taken most messages goes on first. So if a limit
/// comes first, most of what can explain an intact log has been found.
pub(crate) fn close(
    subject: Subject<'_>,
    from: &[Hypothesis],
    orbits: Option<&Orbits>,
    limit: usize,
) -> Closure {
    let Subject { frame, arrivals, work, .. } = subject;
    let mut closure = Closure { has_ended: true, ..Closure::default() };
    let mut some_end = false;
    // There may be many, and large ones: each is kept once.
    let mut queue: BTreeMap<(usize, bool, usize), Arc<Hypothesis>> = BTreeMap::new();
    let mut seen: FxHashSet<(Arc<Hypothesis>, bool)> = FxHashSet::default();
    for hypothesis in from {
        let hypothesis = Arc::new(hypothesis.clone());
        queue.insert((hypothesis.untaken(), false, seen.len()), Arc::clone(&hypothesis));
        seen.insert((hypothesis, false));
    }
    let (mut kept, mut weight) = (seen.len(), 0);
    while let Some(((_, timed_out, _), hypothesis)) = queue.pop_first() {
        if work.is_over() || weight > limit.saturating_mul(MAX_WEIGHT) {
            closure.cut = true;
            break;
        }
        let alike = orbits.map(|orbits| alike(orbits, arrivals, &hypothesis)).unwrap_or_default();
        let Steps { silent, sends, cut, unfit, at_rest } = steps(subject, &hypothesis, &alike);
        closure.explored += 1;
        weight += sends.iter().map(|it| it.next.weight()).sum::<usize>();
        closure.cut |= cut;
        closure.unfit.extend(unfit);
        closure.comes_to_rest |= at_rest && !timed_out;
        closure.has_ended &= hypothesis.has_ended() || !at_rest && sends.is_empty();
        some_end |= hypothesis.has_ended();
        if at_rest && !timed_out {
            let places = hypothesis.state.control.threads().map(|it| hypothesis.state.control.place(it));
            closure.waits_at.extend(places);
        }
        if hypothesis.has_ended() && !hypothesis.lacks_copies() {
            closure.may_end = true;
            closure.certainly_ends |= hypothesis.is_certain();
        }
        // Before the next send, all copies of the last one have to be there.
        if !hypothesis.lacks_copies() {
            closure.sends.extend(sends);
        }
        for step in silent {
            let mut next = step.next;
            if let Some(orbits) = orbits {
                canonicalise(subject, orbits, &mut next);
            }
            work.spend(COPIES * next.weight());
            let entry = (Arc::new(next), timed_out || step.timeout);
            // What is reached without timeouts need not be followed with them, too.
            let in_time = (Arc::clone(&entry.0), false);
            let known = seen.get(&in_time).or_else(|| seen.get(&entry).filter(|_| entry.1));
            let is_known = known.is_some();
            let next = Arc::clone(known.map_or(&entry.0, |(known, _)| known));
            if step.timeout || !step.missed.is_empty() {
                let missed = (!step.timeout).then_some(step.missed);
                closure.sensitive.push((Arc::clone(&next), missed));
            }
            if step.alone && frame.is_open {
                closure.alone.push(next);
            }
            if is_known {
                continue;
            }
            // A state that was reached with timeouts first is the same state.
            if !seen.contains(&(Arc::clone(&entry.0), !entry.1)) {
                kept += 1;
                weight += entry.0.weight();
            }
            seen.insert(entry.clone());
            if kept > limit {
                closure.cut = true;
                continue;
            }
            queue.insert((entry.0.untaken(), entry.1, seen.len()), entry.0);
        }
    }
    // A run that goes wrong does not end.
    closure.has_ended &= some_end;
    closure.waits_at.sort_unstable();
    closure.waits_at.dedup();
    closure.unfit.sort_unstable();
    closure.unfit.dedup();
    closure
}

/// The senders whose pending messages are alike.
fn alike(orbits: &Orbits, arrivals: Arrivals, hypothesis: &Hypothesis) -> Alike {
    let colours = Colours::of(orbits, arrivals, hypothesis);
    let mut before = vec![None; orbits.agents()];
    for class in orbits.classes() {
        let mut last_of_kind: Vec<AgentId> = Vec::new();
        for &member in class.iter().filter(|&&member| colours.agent(member).is_exact()) {
            match last_of_kind.iter_mut().find(|it| colours.agent(**it) == colours.agent(member)) {
                Some(last) => before[member.index()] = Some(std::mem::replace(last, member)),
                None => last_of_kind.push(member),
            }
        }
    }
    Alike { before }
}

//! Receives that an agent cannot but do, whatever arrives later: nobody can tell when it does them.

use map_semantics::Action;

use super::{Steps, ways};
use crate::hypothesis::Hypothesis;
use crate::subject::Subject;

/// The hypothesis after the only thing that its agent can do, if that is to take a message that is there.
///
/// It is the only thing whatever arrives later and whenever the agent acts: its one thread takes the oldest message of
/// all that match, and found nothing missing before. Then it does not wait either, so that its time cannot run out. The
/// receive commutes with every arrival, and so every run goes through the state after it before the agent sends
/// something, ends, or comes to rest.
pub(crate) fn forced_receive(subject: Subject<'_>, from: &Hypothesis) -> Option<Hypothesis> {
    let Subject { frame, work, agent, .. } = subject;
    let is_all_there = from.pending.is_empty() && from.before.is_none() && from.copies.is_none();
    if from.has_ended() || from.state.mailbox.is_empty() || !is_all_there || !work.spend(from.weight()) {
        return None;
    }
    let mut threads = from.state.control.threads();
    let (Some(thread), None) = (threads.next(), threads.next()) else { return None };
    let mut ways = ways(frame, agent, from, &from.state, thread, false);
    let way = ways.pop().filter(|_| ways.is_empty())?;
    let takes = matches!(way.outcome.action, Some(Action::Receive { .. }));
    // What it looked for in vain might arrive before it looks; what is assumed of values is no certainty.
    if !takes || !way.looked.is_empty() || !way.assumed.is_empty() {
        return None;
    }
    let mut found = Steps::default();
    found.take(subject, from, 0, way, None);
    found.silent.pop().filter(|step| !step.alone).map(|step| step.next)
}

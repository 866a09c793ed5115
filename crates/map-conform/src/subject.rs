//! Whose states are followed, and under which rules.

use std::sync::Arc;

use map_ir::{AgentId, PerformativeId, Symbol, Value};
use map_semantics::Message;

use crate::before::Before;
use crate::hypothesis::{Frame, Hypothesis};
use crate::pending::{Alike, Arrivals};
use crate::work::Work;

/// An agent whose states are followed, and the rules.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) arrivals: Arrivals,
    pub(crate) work: &'a Work,
    pub(crate) agent: AgentId,
}

impl Subject<'_> {
    /// The messages from before the log, with abstract arguments, that may still be taken; of senders that are `alike`,
    /// those of one.
    pub(crate) fn messages_before(
        self,
        from: &Hypothesis,
        wanted: &[PerformativeId],
        alike: &Alike,
    ) -> Vec<Arc<Message>> {
        let Some(before) = &from.before else { return Vec::new() };
        let fresh = from.fresh().0;
        let mut messages = Vec::new();
        for &performative in wanted {
            let senders = self.frame.words.senders[performative.index()].iter();
            for &sender in senders.filter(|sender| !before.settled.contains(&(**sender, performative))) {
                let arity = self.frame.program.performative(performative).arity;
                let value = |place| Value::Abstract(Symbol(fresh + place as u32));
                let arguments = (0..arity).map(value).collect();
                messages.push(Arc::new(Message { performative, sender, arguments }));
            }
        }
        messages.retain(|message| message.sender != self.agent && alike.before(message.sender).is_none());
        messages
    }

    /// Notes that a message of the log has been taken.
    pub(crate) fn settle(self, taken: &Message, before: &mut Before) {
        let part = self.frame.program.agent(self.agent).part;
        let takes_any = self.frame.words.takes_any[part.index()][taken.performative.index()];
        if takes_any && self.arrivals != Arrivals::Unordered {
            before.settle(taken.sender, taken.performative);
        }
    }
}

//! Messages of which the log does not say to whom they are: they are for whomever the send in the file addresses.

use std::sync::Arc;

use map_ir::AgentId;
use map_semantics::Message;

use crate::conversation::Conversation;
use crate::monitor::{LoggedMessage, matched};

/// Whom a message may be for.
pub(crate) enum Addressed {
    /// These agents.
    To(Vec<AgentId>),
    /// Nobody: its sender cannot send it now.
    Nobody,
    /// These or others, by what else happened.
    Unclear,
}

impl Conversation {
    /// Whom a message is for that an agent sends now. Of an agent that has broken the protocol it is whom it could have
    /// sent such a message before.
    pub(crate) fn addressed(&mut self, agent: AgentId, message: &Arc<Message>) -> Addressed {
        if self.window.is_some() || !self.held[agent.index()].is_empty() {
            return Addressed::Unclear;
        }
        let has_broken = self.broke[agent.index()];
        let shared = &self.scene.shared;
        let monitor = &mut self.monitors[agent.index()];
        // It may be for those to whom the last message has not been sent yet, or a second one for all.
        if monitor.copies().any(|(last, _)| last == message) {
            return Addressed::Unclear;
        }
        let closure = monitor.closure(shared);
        let mut found: Vec<&[AgentId]> = Vec::new();
        for send in &closure.sends {
            let spoken =
                LoggedMessage { from: agent, to: send.to.clone(), message: Arc::clone(message), id: None };
            if !found.contains(&send.to.as_slice()) && matched(&shared.frame, agent, send, &spoken).is_some()
            {
                found.push(&send.to);
            }
        }
        match found.as_slice() {
            _ if closure.cut || monitor.cut => Addressed::Unclear,
            // In the order of the times it may be for somebody.
            [] if has_broken || self.by_time.is_some() => Addressed::Unclear,
            [] => Addressed::Nobody,
            [only] => Addressed::To(only.to_vec()),
            _ => Addressed::Unclear,
        }
    }
}

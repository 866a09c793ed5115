//! How an agent gets into its next state.

use std::sync::Arc;

use map_ir::PerformativeId;

use crate::agent::{AgentState, Next, Status};
use crate::{Bounds, Message};

impl AgentState {
    /// Moves on to the next state. `taken` identifies the message, if any, that the step took out of the mailbox.
    /// Returns the messages that are left unread if the agent ends with this step.
    pub fn go_on(
        &mut self,
        bounds: &Bounds,
        next: Next,
        taken: Option<(PerformativeId, u64)>,
    ) -> Vec<Arc<Message>> {
        let Next { status, control, memory, calls, arrives, .. } = next;
        (self.status, self.control, self.memory, self.calls) = (status, control, memory, calls);
        if let Some((performative, arrival)) = taken {
            self.mailbox.take(performative, arrival);
        }
        if let Some(place) = arrives {
            let message = self.under_way.take(place);
            self.mailbox.receive(bounds.network, message);
        }
        if status == Status::Running {
            return Vec::new();
        }
        let (mailbox, under_way) = (std::mem::take(&mut self.mailbox), std::mem::take(&mut self.under_way));
        mailbox.iter().chain(under_way.iter()).cloned().collect()
    }
}

//! Asks the guard for an agent at its seat, whose thread waits for the answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use map_json::guard::{GuardAnswer, GuardRequest};
use map_mcp::AskError;
use serde_json::Value as Json;

use super::super::peer::{Call, Input, Peer, Speaker};
use super::Asking;

/// How often to look whether the answer is still wanted.
const LOOK: Duration = Duration::from_millis(100);

impl Asking {
    /// The answer to a request of a seat, for who may wait.
    ///
    /// # Errors
    /// If it is no request, or the guard has ended, or the answer is not wanted any more.
    pub(in super::super) fn ask_for_seat(
        &self,
        speaker: Speaker,
        request: &Json,
        is_cancelled: &AtomicBool,
    ) -> Result<Json, AskError> {
        let request: GuardRequest =
            serde_json::from_value(request.clone()).map_err(|it| AskError::Refused(it.to_string()))?;
        let answer = self.ask_and_wait(speaker, request, is_cancelled);
        let answer = answer.ok_or_else(|| AskError::Lost("the guard has ended".to_owned()))?;
        serde_json::to_value(answer).map_err(|it| AskError::Lost(it.to_string()))
    }

    /// The answer to a request; `None` if the guard has ended, or as soon as the answer is not wanted any more.
    fn ask_and_wait(
        &self,
        speaker: Speaker,
        request: GuardRequest,
        is_cancelled: &AtomicBool,
    ) -> Option<GuardAnswer> {
        let (sender, receiver) = sync_channel(1);
        let reply = Box::new(move |answer| drop(sender.send(answer)));
        let id = self.last.fetch_add(1, Ordering::Relaxed);
        self.inputs.send(Input::Called(id, Call { speaker, reply }, Box::new(request))).ok()?;
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if is_cancelled.load(Ordering::Relaxed) => {
                    let _ = self.inputs.send(Input::Left(Peer::Call(id)));
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

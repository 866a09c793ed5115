//! Asks the guard without a thread that waits for its answer.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::Duration;

use map_json::guard::{GuardAnswer, GuardRequest};
use tokio::sync::oneshot;

use super::super::asking::Asking;
use super::super::peer::{Call, CallId, Input, Peer, Speaker};

/// How long to wait if the guard has much to do.
const PAUSE: Duration = Duration::from_millis(1);
/// Who asks no longer waits if this is dropped before there is an answer.
struct Waiting {
    id: CallId,
    is_over: bool,
    inputs: SyncSender<Input>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        // If it cannot be told now, the guard answers to nobody.
        let _ = self.inputs.try_send(Input::Left(Peer::Call(self.id)));
    }
}

impl Asking {
    /// The answer to a request; `None` if the guard has ended.
    pub(super) async fn ask(&self, speaker: Speaker, request: GuardRequest) -> Option<GuardAnswer> {
        let (sender, receiver) = oneshot::channel();
        let reply = Box::new(move |answer| drop(sender.send(answer)));
        let id = self.last.fetch_add(1, Ordering::Relaxed);
        let mut input = Input::Called(id, Call { speaker, reply }, Box::new(request));
        loop {
            match self.inputs.try_send(input) {
                Ok(()) => break,
                Err(TrySendError::Full(again)) => input = again,
                Err(TrySendError::Disconnected(_)) => return None,
            }
            tokio::time::sleep(PAUSE).await;
        }
        let mut waiting = Waiting { id, is_over: false, inputs: self.inputs.clone() };
        let answer = receiver.await.ok();
        waiting.is_over = true;
        answer
    }
}

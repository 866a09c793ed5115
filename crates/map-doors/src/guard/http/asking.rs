//! Asks the guard, which answers one request after the other on a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::Duration;

use map_json::guard::{GuardAnswer, GuardRequest};
use tokio::sync::oneshot;

use super::super::peer::{Call, CallId, Input, Peer, Speaker};

/// How long to wait if the guard has much to do.
const PAUSE: Duration = Duration::from_millis(1);
/// How often to look whether the answer is still wanted.
#[cfg(feature = "mcp")]
const LOOK: Duration = Duration::from_millis(100);

/// The way to the guard.
#[derive(Clone)]
pub(super) struct Asking {
    inputs: SyncSender<Input>,
    last: Arc<AtomicU64>,
}

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
    pub(super) fn new(inputs: SyncSender<Input>) -> Self {
        Self { inputs, last: Arc::new(AtomicU64::new(0)) }
    }

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

    /// The same, for who may wait; `None` also as soon as the answer is not wanted any more.
    #[cfg(feature = "mcp")]
    pub(super) fn ask_and_wait(
        &self,
        speaker: Speaker,
        request: GuardRequest,
        is_cancelled: &std::sync::atomic::AtomicBool,
    ) -> Option<GuardAnswer> {
        use std::sync::mpsc::{RecvTimeoutError, sync_channel};

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

//! Standard input that tells when it ends: a search ends with it, not only after its answer.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf, Stdin};
use tokio::sync::watch;

/// Standard input.
pub(super) struct Input {
    stdin: Stdin,
    ended: watch::Sender<bool>,
}

/// Becomes true when the input has ended.
#[derive(Clone)]
pub(super) struct Ended(watch::Receiver<bool>);

/// Standard input, and what tells of its end.
pub(super) fn input() -> (Input, Ended) {
    let (sender, receiver) = watch::channel(false);
    (Input { stdin: tokio::io::stdin(), ended: sender }, Ended(receiver))
}

impl Ended {
    /// Waits for the end.
    pub(super) async fn wait(mut self) {
        // Without an input it has ended, too.
        let _ = self.0.wait_for(|ended| *ended).await;
    }
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stdin).poll_read(context, buffer);
        if let Poll::Ready(result) = &polled
            && (result.is_err() || buffer.filled().len() == before)
        {
            self.ended.send_replace(true);
        }
        polled
    }
}

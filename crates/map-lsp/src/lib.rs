//! The language server of MAP: a client's messages in, answers out.
//!
//! One loop (`server`) owns everything that changes: the open texts, the requests without an answer, the
//! verifications. It never computes anything long. A change of a text starts an analysis on one of a few threads
//! (`pool`), of the newest text only; requests wait for it and are answered, on those threads too, from a `Snapshot`
//! that does not change meanwhile. Scenes are verified by a thread of their own (`verifier`), within limits.
//!
//! It reads nothing but its input and writes nothing but its output. The only clock is the time limit of a
//! verification.

mod capabilities;
mod client;
mod diagnostics;
mod dispatch;
mod documents;
mod features;
mod jobs;
mod kinds;
mod lenses;
mod pending;
mod pool;
mod positions;
mod search;
mod server;
mod snapshot;
mod symbols;
mod tokens;
mod transport;
mod verdicts;
mod verification;
mod verifier;

use std::io::{self, BufRead, Write};

pub use lsp_server::Connection;
pub use server::{ConnectionEnd, serve};

/// Serves a client over two streams until it leaves.
///
/// # Errors
/// If the system allows no more threads.
pub fn serve_streams<R: BufRead + Send + 'static, W: Write + Send + 'static>(
    reader: R,
    writer: W,
) -> io::Result<ConnectionEnd> {
    let (connection, written) = transport::connect(reader, writer)?;
    let ended = serve(connection)?;
    // Everything that was answered is written before the process ends.
    let _ = written.join();
    Ok(ended)
}

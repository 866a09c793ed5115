//! The servers for agents: what they ask over the Model Context Protocol, on standard input and output. One helps to
//! write dialogues; the other is the seat of an agent that takes part in one, behind a guard.
//!
//! Requests are answered in this process, each on a thread of its own: one search at a time, quick questions beside it.
//! A request that is cancelled ends its search, and so does the end of the input.

mod answer;
mod arguments;
mod call;
mod cheatsheet;
mod check;
mod conform;
mod dialogue;
mod draw;
mod flags;
mod library;
mod limits;
mod present;
mod resources;
mod root;
mod run;
mod seat;
mod server;
mod streams;
mod surrogates;
mod tools;
mod verify;
mod watch;
mod work;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

use rmcp::ServerHandler;

use self::seat::SeatServer;
use self::server::Server;
use self::streams::{Ended, Streams};

pub use self::limits::Limits;
pub use self::root::Root;
#[cfg(feature = "http")]
pub use self::seat::HttpSeat;
pub use self::seat::{Ask, AskError, Seat};

/// What a server is started with.
pub struct Settings {
    /// The folder whose files may be named; without one none is read.
    pub root: Option<Root>,
    /// The most that a request may take.
    pub limits: Limits,
    /// The bytes that the process occupies, if that is known.
    pub resident: fn() -> Option<u64>,
    /// A number by chance, for runs without a seed.
    pub any_seed: fn() -> u64,
}

/// Serves a coding agent until it closes its side.
///
/// # Errors
/// If the conversation cannot begin, in words.
pub fn serve(settings: Settings) -> Result<(), String> {
    serve_with(|ended| Server::new(settings, ended))
}

/// Serves an agent that takes part in a dialogue until it closes its side.
///
/// # Errors
/// If the conversation cannot begin, in words.
pub fn serve_seat(seat: Seat) -> Result<(), String> {
    let server = SeatServer::new(seat)?;
    serve_with(|_| server)
}

fn serve_with<S: ServerHandler>(server: impl FnOnce(Ended) -> S) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| format!("no thread can be started: {error}"))?;
    let (streams, ended) = Streams::new();
    let server = server(ended);
    let result = runtime.block_on(async {
        match server.serve(streams).await {
            // It ends in one way only that matters: the input is closed.
            Ok(running) => running.waiting().await.map(|_| ()).map_err(|error| error.to_string()),
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    });
    // A thread may be reading standard input.
    runtime.shutdown_background();
    result
}

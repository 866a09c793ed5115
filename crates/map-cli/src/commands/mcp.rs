//! `map mcp`: what coding agents ask over the Model Context Protocol, on standard input and output. Each question is
//! answered by a process of this command line, so that it has the limits of one, and can be ended at any moment.

mod answer;
mod call;
mod flags;
mod job;
mod limits;
mod process;
mod resources;
mod root;
mod server;
mod streams;
mod surrogates;
mod tools;

use std::path::PathBuf;
use std::time::Duration;

use map_flags::{parse_bytes, parse_duration};
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

use self::limits::Limits;
use self::root::Root;
use self::server::Server;
use self::streams::Streams;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::process_group::kill_all;

/// Serves a coding agent over the Model Context Protocol
///
/// Agents start this themselves; it speaks on standard input and output. It writes no files, runs nothing but map, and
/// reads no file unless --root is given.
#[derive(clap::Args)]
#[command(after_long_help = "\
Exit code: 0 after the agent has closed its side, 1 if the conversation cannot begin.

Examples:
  map mcp                              texts, and the library
  map mcp --root .                     files below this folder, too
  map mcp --time-limit 5m --max-memory 4GiB")]
pub(crate) struct Args {
    /// Take the names of .map files in this folder and below, too
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,

    /// Give up a verification after that many states; the default is any number
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,

    /// Give up a verification when more memory is needed
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "1GiB")]
    max_memory: u64,

    /// Give up a verification after that time
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "60s")]
    time_limit: Duration,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let root = args.root.as_deref().map(Root::new).transpose().map_err(|what| Failure::Usage("mcp", what))?;
    let limits = Limits { states: args.max_states, memory: args.max_memory, time: args.time_limit };
    let served = serve(root, limits);
    // Whatever still runs has nobody left to tell.
    kill_all();
    if let Err(what) = served {
        console.set_exit(Exit::Violation);
        console.complain(&format!("error: {what}\n"))?;
    }
    Ok(())
}

/// Serves until the agent closes its side.
fn serve(root: Option<Root>, limits: Limits) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| format!("map does not find itself: {error}"))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| format!("no thread can be started: {error}"))?;
    let (streams, ended) = Streams::new();
    let server = Server::new(program, root, limits, ended);
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

//! `map mcp`: the server for coding agents, on standard input and output.

use std::path::PathBuf;
use std::time::Duration;

use map_doors::memory;
use map_flags::{parse_bytes, parse_duration};
use map_mcp::{Limits, Root, Settings, serve};

use super::run::any_seed;
use crate::exit::Exit;
use crate::failure::Failure;

/// Serves a coding agent over the Model Context Protocol
///
/// Agents start this themselves; it speaks on standard input and output. It writes no files, starts no programs,
/// and reads no file unless --root is given.
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

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let root = args.root.as_deref().map(Root::new).transpose().map_err(|what| Failure::Usage("mcp", what))?;
    let limits = Limits { states: args.max_states, memory: args.max_memory, time: args.time_limit };
    let served = serve(Settings { root, limits, resident: memory::current, any_seed });
    served.map_err(|what| Failure::Ended(Exit::Violation, what))
}

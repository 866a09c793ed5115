//! `map lsp`: the language server, on standard input and output.

use std::io::{BufReader, stdin, stdout};

use map_lsp::{ConnectionEnd, serve_streams};

use crate::exit::Exit;
use crate::failure::Failure;

/// Serves an editor over the Language Server Protocol
///
/// Editors start this themselves; it speaks on standard input and output, and reads and writes no files.
#[derive(clap::Args)]
#[command(after_long_help = "\
Exit code: 0 after the editor has said goodbye, 1 if its side ends without it.

Examples:
  map lsp                                          what an editor is told to start")]
pub(crate) struct Args {
    /// Speak on standard input and output; there is no other way
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let Args { stdio: _ } = args;
    match serve_streams(BufReader::new(stdin()), stdout()) {
        Ok(ConnectionEnd::Properly) => Ok(()),
        // The protocol wants 1.
        Ok(ConnectionEnd::Abruptly) => Err(Failure::Told(Exit::Violation)),
        Err(error) => Err(Failure::Ended(Exit::Violation, format!("no thread can be started: {error}"))),
    }
}

//! The program behind the playground: reads one request as JSON from standard input, and writes its answer as JSON to
//! standard output. While it searches it writes a line of JSON now and then to standard error.
//!
//! It is compiled to WebAssembly and run anew for each request; compiled for the machine at hand it does the same, and
//! so it is tested. Offsets in requests and answers are bytes of the text. What can be asked is in [`request`].

mod answer;
mod cast;
mod editing;
mod failure;
mod flags;
mod from_here;
mod library;
mod limits;
mod pictures;
mod pieces;
mod request;
mod run;
mod states;
mod step;
mod verify;
mod watch;
mod weather;

#[cfg(test)]
mod tests;

use std::io::{Read as _, Write as _};
use std::process::ExitCode;

/// The longest request, in bytes.
const MAX_REQUEST: u64 = 16 << 20;

fn main() -> ExitCode {
    let mut request = Vec::new();
    let read = std::io::stdin().lock().take(MAX_REQUEST).read_to_end(&mut request);
    let written = read.and_then(|_| {
        let mut out = std::io::stdout().lock();
        out.write_all(answer::answer(&request).as_bytes())?;
        out.write_all(b"\n")
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

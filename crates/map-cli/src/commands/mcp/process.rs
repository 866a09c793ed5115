//! A process of this command line: what it is given, what it says. Dropping the future kills it.

use std::io::{self, Read, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinHandle, spawn_blocking};

use crate::process_group::{End, Group};

/// The most that is read of what a process says on one of its streams.
const MAX_OUTPUT: usize = 16 << 20;

/// How long a process that has closed its streams may take to end.
const TO_END: Duration = Duration::from_secs(5);

/// What a process said, and how it ended.
#[derive(Debug)]
pub(super) struct Said {
    /// None if it was killed.
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

/// Runs a command; `text` is its standard input, which is otherwise what the command says.
///
/// # Errors
/// If it cannot be started, or says more than is read.
pub(super) async fn say(mut command: Command, text: Option<Arc<str>>) -> io::Result<Said> {
    if text.is_some() {
        command.stdin(Stdio::piped());
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut group = Group::spawn(&mut command)?;
    let (stdin, stdout) = group.pipes();
    let stderr = group.errors();
    if let (Some(mut stdin), Some(text)) = (stdin, text) {
        // One that does not read to the end says why.
        spawn_blocking(move || stdin.write_all(text.as_bytes()));
    }
    let (out, err) = (heard(stdout), heard(stderr));
    let (out, err) = (out.await??, err.await??);
    let end = spawn_blocking(move || group.wait(TO_END)).await?;
    let code = match end {
        Some(End::Code(code)) => Some(code),
        _ => None,
    };
    Ok(Said { code, out, err })
}

/// Reads a stream to its end.
fn heard(stream: Option<impl Read + Send + 'static>) -> JoinHandle<io::Result<String>> {
    spawn_blocking(move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            stream.take(MAX_OUTPUT as u64 + 1).read_to_end(&mut bytes)?;
        }
        if bytes.len() > MAX_OUTPUT {
            let what = format!("the answer has more than {} MiB", MAX_OUTPUT >> 20);
            return Err(io::Error::other(what));
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    })
}

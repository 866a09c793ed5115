//! Runs the filter of a mapping in a process of its own, which sees the lines and nothing else: it has no environment,
//! no files, 512 MiB, and a second for each line. A filter that takes more is ended, and started again for the next
//! line.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use map_conform::{Filter, MAX_RECORDS, RunFilter};
use serde_json::{Value as Json, json};

use crate::process::Group;

/// The word by which the program is told to be such a process.
pub const FILTER_VERB: &str = "filter-lines";

/// How long a line may take.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long it may take to read the filter.
const TO_START: Duration = Duration::from_secs(20);
/// How much memory the process may take, in bytes.
#[cfg(unix)]
const MEMORY: u64 = 512 << 20;

/// Runs a filter, given by its text.
#[must_use]
pub fn filtering_elsewhere(text: &str) -> RunFilter {
    let (text, running) = (text.to_owned(), Mutex::new(None));
    Arc::new(move |line| {
        let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = match running.take() {
            Some(child) => child,
            None => Running::start(&text)?,
        };
        let answer = child.ask(line, PATIENCE)?;
        *running = Some(child);
        match answer {
            Json::Array(records) => Ok(records),
            Json::String(fault) => Err(fault),
            _ => Err("the filter gives no answer".to_owned()),
        }
    })
}

/// A process that runs a filter.
struct Running {
    lines: ChildStdin,
    answers: Receiver<String>,
    /// It is killed when this is dropped.
    _group: Group,
}

impl Running {
    fn start(text: &str) -> Result<Self, String> {
        let cannot = |error: io::Error| format!("the filter cannot be run: {error}");
        let mut command = Command::new(std::env::current_exe().map_err(cannot)?);
        command.arg(FILTER_VERB).env_clear().current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut group = Group::spawn(&mut command).map_err(cannot)?;
        let (Some(lines), Some(stdout)) = group.pipes() else {
            return Err("the filter has no pipes".to_owned());
        };
        let (heard, answers) = sync_channel(1);
        let listens = move || {
            for answer in BufReader::new(stdout).lines() {
                let Ok(answer) = answer else { return };
                if heard.send(answer).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().spawn(listens).map_err(cannot)?;
        let mut running = Self { lines, answers, _group: group };
        running.ask(text, TO_START)?;
        Ok(running)
    }

    /// What it answers to a text, which is a line.
    fn ask(&mut self, text: &str, patience: Duration) -> Result<Json, String> {
        let question = format!("{}\n", Json::from(text));
        // What ends does not answer either.
        let _ = self.lines.write_all(question.as_bytes()).and_then(|()| self.lines.flush());
        match self.answers.recv_timeout(patience) {
            Ok(answer) => serde_json::from_str(&answer).map_err(|_| "the filter gives no answer".to_owned()),
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("the filter takes longer than {} s for the line", patience.as_secs()))
            }
            Err(RecvTimeoutError::Disconnected) => {
                Err("the filter takes too much memory for the line, or ends".to_owned())
            }
        }
    }
}

/// Is such a process: the first line is the filter, the others are what it is run on.
///
/// # Errors
/// If it cannot be one: the text is no filter, or its memory cannot be limited.
pub fn serve_filter() -> io::Result<()> {
    #[cfg(unix)]
    {
        let limit = rustix::process::Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) };
        if rustix::process::setrlimit(rustix::process::Resource::As, limit).is_err() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
    }
    let (sender, questions) = channel::<String>();
    // Whoever started it may be gone while a line takes for ever.
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let text = line.ok().and_then(|line| serde_json::from_str::<String>(&line).ok());
            let Some(text) = text else { break };
            if sender.send(text).is_err() {
                break;
            }
        }
        thread::sleep(PATIENCE + PATIENCE);
        std::process::exit(0);
    });
    let Some(filter) = questions.recv().ok().and_then(|text| Filter::compile(&text).ok()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let answer = |answer: Json| {
        let mut out = io::stdout().lock();
        writeln!(out, "{answer}").and_then(|()| out.flush()).is_ok()
    };
    let mut goes_on = answer(json!([]));
    while let (true, Ok(line)) = (goes_on, questions.recv()) {
        goes_on = answer(match filter.records(&line, MAX_RECORDS) {
            Ok(records) => Json::Array(records),
            Err(fault) => Json::String(fault.text),
        });
    }
    Ok(())
}

//! The door on standard input and output: requests and answers, one JSON object a line.

use std::io::{BufRead as _, Read as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use map_diagnostics::SourceFile;
use map_guard::{Guard, Moment, Notice};
use map_json::guard::{GuardAnswer, GuardError, GuardHeader, GuardLine, GuardRequest, GuardResult};
use map_json::{GuardTeller, to_line};

use super::clock::Clock;
use super::journal::Journal;
use super::requests::{Outcome, Waiting, bad_request, fetch, perform};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// The most requests whose answers share a write of the journal.
const MAX_BATCH: usize = 64;
/// The longest request in bytes: a message with the largest arguments.
const MAX_REQUEST: u64 = (1 << 20) + (64 << 10);
/// The most requests of an agent that wait for messages.
const MAX_WAITING: usize = 4;
/// How often to look whether the user wants to stop.
const PAUSE: Duration = Duration::from_millis(100);

/// A line of standard input; an error if it cannot be read.
type Line = Result<Vec<u8>, String>;

/// Serves until standard input ends.
pub(super) fn serve(
    source: &SourceFile,
    mut guard: Guard,
    journal: Option<Journal>,
    opening: GuardHeader,
    digest: String,
    console: &mut Console,
) -> Result<(), Failure> {
    let interrupt = Interrupt::install();
    let mut clock = Clock::default();
    guard.start(clock.now(), digest);
    let mut door = Door { source, guard, journal, clock, waiting: Vec::new() };
    let is_kept = door.keep(Vec::new(), console)?;
    if !is_kept {
        return Ok(());
    }
    write(console, &[GuardLine::Opening(opening)])?;
    let (sender, lines) = sync_channel(MAX_BATCH);
    std::thread::spawn(move || read(&sender));
    while !interrupt.is_set() {
        let Some(batch) = door.next_batch(&lines) else { break };
        if !door.serve(batch, console)? {
            break;
        }
    }
    if interrupt.is_set() {
        console.set_exit(Exit::Interrupted);
    }
    Ok(())
}

/// Reads lines until standard input ends, or nobody listens.
fn read(sender: &SyncSender<Line>) {
    let mut input = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        match (&mut input).take(MAX_REQUEST).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                let _ = sender.send(Err(format!("standard input cannot be read: {error}")));
                return;
            }
        }
        let is_whole = line.last() == Some(&b'\n') || (line.len() as u64) < MAX_REQUEST;
        let told = match is_whole {
            true => sender.send(Ok(line)),
            false => {
                if skip_line(&mut input).is_err() {
                    return;
                }
                sender.send(Err(format!("a request is longer than {MAX_REQUEST} bytes")))
            }
        };
        if told.is_err() {
            return;
        }
    }
}

/// Passes over the rest of a line, without keeping it.
fn skip_line(input: &mut impl std::io::BufRead) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let (length, is_end) = (end.map_or(buffer.len(), |at| at + 1), end.is_some() || buffer.is_empty());
        input.consume(length);
        if is_end {
            return Ok(());
        }
    }
}

fn write(console: &mut Console, lines: &[GuardLine]) -> Result<(), Failure> {
    for line in lines {
        console.print_exactly(&to_line(line)?)?;
    }
    console.flush()?;
    Ok(())
}

struct Door<'a> {
    source: &'a SourceFile,
    guard: Guard,
    journal: Option<Journal>,
    clock: Clock,
    waiting: Vec<Waiting>,
}

impl Door<'_> {
    /// The next requests; none if it is time for something else, `None` if there are no more.
    fn next_batch(&mut self, lines: &Receiver<Line>) -> Option<Vec<Line>> {
        let now = self.clock.now();
        let due = self.guard.next_due().into_iter().chain(self.waiting.iter().map(|it| it.until)).min();
        let pause = due.map_or(PAUSE, |due| Duration::from_nanos(due.saturating_sub(now)).min(PAUSE));
        let mut batch = match lines.recv_timeout(pause) {
            Ok(line) => vec![line],
            Err(RecvTimeoutError::Timeout) => Vec::new(),
            Err(RecvTimeoutError::Disconnected) => return None,
        };
        while batch.len() < MAX_BATCH
            && let Ok(line) = lines.try_recv()
        {
            batch.push(line);
        }
        Some(batch)
    }

    /// Answers requests, and tells what has happened; false if that is the end.
    fn serve(&mut self, batch: Vec<Line>, console: &mut Console) -> Result<bool, Failure> {
        let now = self.clock.now();
        self.guard.advance(now);
        let mut answers = Vec::new();
        for line in batch {
            match line {
                Ok(line) if line.iter().all(u8::is_ascii_whitespace) => {}
                Ok(line) => self.answer(now, &line, &mut answers),
                Err(text) => answers.push(bad_request(b"", text)),
            }
        }
        let events = self.take_events(now, &mut answers);
        let mut lines: Vec<GuardLine> = answers.into_iter().map(GuardLine::Answer).collect();
        lines.extend(events);
        self.keep(lines, console)
    }

    fn answer(&mut self, now: Moment, line: &[u8], answers: &mut Vec<GuardAnswer>) {
        let request = match serde_json::from_slice::<GuardRequest>(line) {
            Ok(request) => request,
            Err(error) => return answers.push(bad_request(line, format!("it is no request: {error}"))),
        };
        match perform(self.source, &mut self.guard, now, request) {
            Outcome::Answer(answer) => answers.push(answer),
            Outcome::Waits(waiting) => {
                let is_same =
                    |it: &&Waiting| it.conversation == waiting.conversation && it.agent == waiting.agent;
                if self.waiting.iter().filter(is_same).count() < MAX_WAITING {
                    return self.waiting.push(waiting);
                }
                let text = format!("{MAX_WAITING} requests of the agent wait already");
                let error = GuardError { kind: "too_many_waiting".to_owned(), text };
                answers.push(GuardAnswer { id: waiting.id, result: GuardResult::Error(error) });
            }
        }
    }

    /// The events, after those who wait for messages have been answered.
    fn take_events(&mut self, now: Moment, answers: &mut Vec<GuardAnswer>) -> Vec<GuardLine> {
        let mut events = Vec::new();
        loop {
            let mut changed: Vec<String> = Vec::new();
            while let Some(notice) = self.guard.next_notice() {
                changed.push(conversation_of(&notice).to_owned());
                let teller = GuardTeller::new(self.source, self.guard.rules());
                events.extend(teller.event(&notice).map(GuardLine::Event));
            }
            let (concerned, others): (Vec<Waiting>, Vec<Waiting>) = std::mem::take(&mut self.waiting)
                .into_iter()
                .partition(|waiting| waiting.until <= now || changed.contains(&waiting.conversation));
            self.waiting = others;
            if concerned.is_empty() && changed.is_empty() {
                return events;
            }
            for waiting in concerned {
                match fetch(self.source, &mut self.guard, now, waiting, false) {
                    Outcome::Answer(answer) => answers.push(answer),
                    Outcome::Waits(waiting) => self.waiting.push(waiting),
                }
            }
        }
    }

    /// Writes the journal, and then what depends on it; false if the journal cannot be written.
    fn keep(&mut self, lines: Vec<GuardLine>, console: &mut Console) -> Result<bool, Failure> {
        let records = self.guard.take_records();
        let written = self.journal.as_mut().map_or(Ok(()), |journal| journal.write(&records));
        let Err(error) = written else {
            write(console, &lines)?;
            return Ok(true);
        };
        // Nothing of it has happened: after a restart it may be asked again.
        let text = format!("the journal cannot be written: {error}");
        let refused = lines.into_iter().filter_map(|line| match line {
            GuardLine::Answer(answer) => {
                let error = GuardError { kind: "journal".to_owned(), text: text.clone() };
                Some(GuardLine::Answer(GuardAnswer { id: answer.id, result: GuardResult::Error(error) }))
            }
            GuardLine::Opening(_) | GuardLine::Event(_) => None,
        });
        let refused: Vec<GuardLine> = refused.collect();
        write(console, &refused)?;
        console.complain(&format!("error: {text}\n"))?;
        console.set_exit(Exit::Source);
        Ok(false)
    }
}

fn conversation_of(notice: &Notice) -> &str {
    match notice {
        Notice::Arrived { conversation, .. }
        | Notice::Timeout { conversation, .. }
        | Notice::Silent { conversation, .. }
        | Notice::Stuck { conversation, .. }
        | Notice::Closed { conversation, .. } => conversation,
    }
}

//! Requests come in, and answers go out after the journal has been written: one request after the other, whoever asks.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use map_diagnostics::SourceFile;
use map_guard::{Guard, Moment, Notice};
use map_json::guard::{
    GuardAnswer, GuardError, GuardEvent, GuardHeader, GuardLine, GuardRequest, GuardResult,
};
use map_json::{GuardTeller, to_line};

use super::clock::Clock;
use super::journal::Journal;
use super::peer::{Connection, ConnectionId, Input, Peer};
use super::requests::{Outcome, Waiting, bad_request, fetch, foreign, perform};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// The most requests whose answers share a write of the journal.
pub(super) const MAX_BATCH: usize = 64;
/// The most requests of an agent that wait for messages.
const MAX_WAITING: usize = 4;
/// How often to look whether the user wants to stop.
const PAUSE: Duration = Duration::from_millis(100);
/// A second, in nanoseconds.
const SECOND: Moment = 1_000_000_000;

/// What a door is opened with.
pub(super) struct Opening {
    /// What agents are told first, and whoever started the process, if that is who speaks.
    pub(super) header: GuardHeader,
    /// What is guarded, for the journal.
    pub(super) digest: String,
    /// Whether standard input and output are spoken on.
    pub(super) stdio: bool,
    /// The most requests of an agent in a second.
    pub(super) max_requests: u32,
}

/// Serves until standard input ends, or for ever.
pub(super) fn serve(
    source: &SourceFile,
    mut guard: Guard,
    journal: Option<Journal>,
    opening: Opening,
    inputs: &Receiver<Input>,
    console: &mut Console,
) -> Result<(), Failure> {
    let interrupt = Interrupt::install();
    let mut clock = Clock::default();
    guard.start(clock.now(), opening.digest.clone());
    let (waiters, connections, rates) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    let mut door = Door { source, guard, journal, clock, opening, waiters, connections, rates };
    if !door.keep(Replies::default(), console)? {
        return Ok(());
    }
    door.open(console)?;
    while !interrupt.is_set() {
        let Some(batch) = door.next_batch(inputs) else { break };
        if !door.serve(batch, console)? {
            break;
        }
    }
    if interrupt.is_set() {
        console.set_exit(Exit::Interrupted);
    }
    Ok(())
}

/// Somebody who waits for messages.
struct Waiter {
    peer: Peer,
    waiting: Waiting,
}

/// What is to be told.
#[derive(Default)]
struct Replies {
    answers: Vec<(Peer, GuardAnswer)>,
    /// For whoever started the process.
    events: Vec<GuardEvent>,
}

struct Door<'a> {
    source: &'a SourceFile,
    guard: Guard,
    journal: Option<Journal>,
    clock: Clock,
    opening: Opening,
    waiters: Vec<Waiter>,
    connections: BTreeMap<ConnectionId, Connection>,
    /// By name: the second of its last request, and how many there were in it.
    rates: BTreeMap<String, (u64, u32)>,
}

fn error(kind: &str, text: String) -> GuardResult {
    GuardResult::Error(GuardError { kind: kind.to_owned(), text })
}

impl Door<'_> {
    /// Says what is guarded.
    fn open(&self, console: &mut Console) -> Result<(), Failure> {
        let header = &self.opening.header;
        if self.opening.stdio {
            console.print_exactly(&to_line(&GuardLine::Opening(header.clone()))?)?;
        } else {
            let at = header.at.as_deref().unwrap_or_default();
            console.print(&format!("{}  {}  guarding at {at}\n", header.file, header.scene))?;
            if let Some(command) = &header.covered_by {
                console.print(&format!("so this covers it: {command}\n"))?;
            }
        }
        console.flush()?;
        Ok(())
    }

    /// What is next said; nothing if it is time for something else, `None` if there is no more.
    fn next_batch(&mut self, inputs: &Receiver<Input>) -> Option<Vec<Input>> {
        let now = self.clock.now();
        let waiting = self.waiters.iter().map(|waiter| waiter.waiting.until);
        let due = self.guard.next_due().into_iter().chain(waiting).min();
        let pause = due.map_or(PAUSE, |due| Duration::from_nanos(due.saturating_sub(now)).min(PAUSE));
        let mut batch = match inputs.recv_timeout(pause) {
            Ok(input) => vec![input],
            Err(RecvTimeoutError::Timeout) => Vec::new(),
            Err(RecvTimeoutError::Disconnected) => return None,
        };
        while batch.len() < MAX_BATCH
            && let Ok(input) = inputs.try_recv()
        {
            batch.push(input);
        }
        Some(batch)
    }

    /// Answers requests, and tells what has happened; false if that is the end.
    fn serve(&mut self, batch: Vec<Input>, console: &mut Console) -> Result<bool, Failure> {
        let now = self.clock.now();
        self.guard.advance(now);
        let mut replies = Replies::default();
        let (mut goes_on, mut left) = (true, Vec::new());
        for input in batch {
            match input {
                Input::Line(_, Ok(line)) if line.iter().all(u8::is_ascii_whitespace) => {}
                Input::Line(peer, Ok(line)) => self.answer(now, peer, &line, &mut replies),
                Input::Line(peer, Err(text)) => replies.answers.push((peer, bad_request(b"", text))),
                Input::Joined(id, connection) => self.join(id, connection),
                Input::Left(Peer::Starter) => {
                    goes_on = false;
                    break;
                }
                Input::Left(Peer::Agent(id)) => {
                    // What arrives from now on is not handed over to it.
                    self.waiters.retain(|waiter| waiter.peer != Peer::Agent(id));
                    left.push(id);
                }
            }
        }
        self.take_notices(now, &mut replies);
        let is_kept = self.keep(replies, console)?;
        for id in left {
            self.connections.remove(&id);
        }
        Ok(is_kept && goes_on)
    }

    fn join(&mut self, id: ConnectionId, connection: Connection) {
        let Ok(line) = to_line(&GuardLine::Opening(self.opening.header.clone())) else { return };
        connection.tell(line.into_bytes());
        self.connections.insert(id, connection);
    }

    fn answer(&mut self, now: Moment, peer: Peer, line: &[u8], replies: &mut Replies) {
        let request = match serde_json::from_slice::<GuardRequest>(line) {
            Ok(request) => request,
            Err(error) => {
                return replies.answers.push((peer, bad_request(line, format!("it is no request: {error}"))));
            }
        };
        if let Some(refusal) = self.refuse_agent(now, peer, &request) {
            let id = bad_request(line, String::new()).id;
            return replies.answers.push((peer, GuardAnswer { id, result: refusal }));
        }
        match perform(self.source, &mut self.guard, now, request) {
            Outcome::Answer(answer) => replies.answers.push((peer, answer)),
            Outcome::Waits(waiting) => self.wait(peer, waiting, replies),
        }
    }

    /// Why an agent may not ask for this, or not now.
    fn refuse_agent(&mut self, now: Moment, peer: Peer, request: &GuardRequest) -> Option<GuardResult> {
        let Peer::Agent(id) = peer else { return None };
        // It was cut off with requests on their way.
        let gone = || error("not_admitted", "the connection has ended".to_owned());
        let Some(connection) = self.connections.get(&id) else { return Some(gone()) };
        let (second, most) = (now / SECOND, self.opening.max_requests);
        let rate = self.rates.entry(connection.name.clone()).or_insert((second, 0));
        *rate = if rate.0 == second { (second, rate.1.saturating_add(1)) } else { (second, 1) };
        if rate.1 > most {
            let text = format!("more than {most} requests in a second: see --max-requests");
            return Some(error("too_many_requests", text));
        }
        foreign(request, &connection.name).map(|text| error("not_yours", text))
    }

    fn wait(&mut self, peer: Peer, waiting: Waiting, replies: &mut Replies) {
        let is_alike = |waiter: &&Waiter| {
            let is_same_conversation = waiter.waiting.conversation == waiting.conversation;
            match peer {
                Peer::Starter => waiter.peer == peer && is_same_conversation,
                Peer::Agent(_) => waiter.peer != Peer::Starter,
            }
        };
        let alike = self.waiters.iter().filter(is_alike);
        if alike.filter(|waiter| waiter.waiting.agent == waiting.agent).count() < MAX_WAITING {
            return self.waiters.push(Waiter { peer, waiting });
        }
        let text = format!("{MAX_WAITING} requests of the agent wait already");
        let result = error("too_many_waiting", text);
        replies.answers.push((peer, GuardAnswer { id: waiting.id, result }));
    }

    /// The events, after those who wait for messages have been answered.
    fn take_notices(&mut self, now: Moment, replies: &mut Replies) {
        loop {
            let mut changed: Vec<String> = Vec::new();
            while let Some(notice) = self.guard.next_notice() {
                changed.push(conversation_of(&notice).to_owned());
                replies.events.extend(GuardTeller::new(self.source, self.guard.rules()).event(&notice));
            }
            let (concerned, others): (Vec<Waiter>, Vec<Waiter>) =
                std::mem::take(&mut self.waiters).into_iter().partition(|Waiter { waiting, .. }| {
                    waiting.until <= now || changed.contains(&waiting.conversation)
                });
            self.waiters = others;
            if concerned.is_empty() && changed.is_empty() {
                return;
            }
            for Waiter { peer, waiting } in concerned {
                match fetch(self.source, &mut self.guard, now, waiting, false) {
                    Outcome::Answer(answer) => replies.answers.push((peer, answer)),
                    Outcome::Waits(waiting) => self.waiters.push(Waiter { peer, waiting }),
                }
            }
        }
    }

    /// Writes the journal, and then what depends on it; false if the journal cannot be written.
    fn keep(&mut self, mut replies: Replies, console: &mut Console) -> Result<bool, Failure> {
        let records = self.guard.take_records();
        let written = self.journal.as_mut().map_or(Ok(()), |journal| journal.write(&records));
        let Err(failure) = written else {
            self.tell(replies, console)?;
            return Ok(true);
        };
        // Nothing of it has happened: after a restart it may be asked again.
        let text = format!("the journal cannot be written: {failure}");
        replies.events.clear();
        for (_, answer) in &mut replies.answers {
            answer.result = error("journal", text.clone());
        }
        self.tell(replies, console)?;
        console.complain(&format!("error: {text}\n"))?;
        console.set_exit(Exit::Source);
        Ok(false)
    }

    fn tell(&mut self, replies: Replies, console: &mut Console) -> Result<(), Failure> {
        for (peer, answer) in replies.answers {
            let line = to_line(&GuardLine::Answer(answer))?;
            match peer {
                Peer::Starter => console.print_exactly(&line)?,
                Peer::Agent(id) => self.tell_agent(id, line),
            }
        }
        if self.opening.stdio {
            for event in replies.events {
                console.print_exactly(&to_line(&GuardLine::Event(event))?)?;
            }
        }
        console.flush()?;
        Ok(())
    }

    /// An agent that does not read what it has asked for is cut off.
    fn tell_agent(&mut self, id: ConnectionId, line: String) {
        let Some(connection) = self.connections.get(&id) else { return };
        if !connection.tell(line.into_bytes()) {
            connection.cut();
            self.connections.remove(&id);
            self.waiters.retain(|waiter| waiter.peer != Peer::Agent(id));
        }
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

//! Requests come in, and answers go out after the journal has been written: one request after the other, whoever asks.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use map_diagnostics::SourceFile;
use map_guard::{Guard, Moment, Notice};
use map_json::guard::{
    GuardAnswer, GuardError, GuardEvent, GuardHeader, GuardLine, GuardRequest, GuardResult,
};
use map_json::{GuardTeller, to_line};
use serde_json::Value as Json;

use super::Doors;
use super::clock::Clock;
use super::company::Company;
use super::journal::Journal;
use super::peer::{Call, CallId, Connection, ConnectionId, Input, Peer, Speaker};
use super::requests::{Outcome, Waiting, bad_request, fetch, foreign, object_of, perform, request_of};
use super::stdio::Starter;

/// The most requests whose answers share a write of the journal.
pub(super) const MAX_BATCH: usize = 64;
/// How often to look whether the user wants to stop.
const PAUSE: Duration = Duration::from_millis(100);
/// A second, in nanoseconds.
const SECOND: Moment = 1_000_000_000;

/// What a service is opened with.
pub struct Opening {
    /// What agents are told first, and whoever started the process, if that is who speaks.
    pub header: GuardHeader,
    /// What is guarded, for the journal.
    pub digest: String,
    /// The most requests of an agent in a second.
    pub max_requests: u32,
    /// The most requests of an agent that wait for messages.
    pub max_waiting: usize,
}

/// How a service ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServiceEnd {
    /// Standard input has ended.
    Left,
    /// The user wants to stop.
    Stopped,
    /// The journal cannot be written, which the text says.
    NoJournal(String),
}

/// Says something to whoever looks after the guard.
pub type Say<'a> = &'a mut dyn FnMut(&str) -> io::Result<()>;

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

/// A guard that is asked by those who come to its doors.
pub struct Service<'a> {
    source: &'a SourceFile,
    guard: Guard,
    journal: Option<Journal>,
    /// Who is played.
    company: Option<Company>,
    clock: Clock,
    opening: Opening,
    inputs: Receiver<Input>,
    /// Whoever started the process, if it speaks and is heard.
    starter: Option<Starter>,
    /// Whether agents come by connections of their own.
    has_agents: bool,
    waiters: Vec<Waiter>,
    connections: BTreeMap<ConnectionId, Connection>,
    /// The single requests that have not been answered.
    calls: BTreeMap<CallId, Call>,
    /// By who asks: the second of the last request, and how many there were in it.
    rates: BTreeMap<Speaker, (u64, u32)>,
}

fn error(kind: &str, text: String) -> GuardResult {
    GuardResult::Error(GuardError { kind: kind.to_owned(), text })
}

impl<'a> Service<'a> {
    /// A service at these doors.
    #[must_use]
    pub fn new(
        source: &'a SourceFile,
        guard: Guard,
        journal: Option<Journal>,
        opening: Opening,
        doors: Doors,
    ) -> Self {
        let Doors { inputs, starter, has_agents, .. } = doors;
        let clock = Clock::default();
        let (waiters, connections) = (Vec::new(), BTreeMap::new());
        let (calls, rates) = (BTreeMap::new(), BTreeMap::new());
        Self {
            source,
            guard,
            journal,
            company: None,
            clock,
            opening,
            inputs,
            starter,
            has_agents,
            waiters,
            connections,
            calls,
            rates,
        }
    }

    /// The same, in which agents are played.
    #[must_use]
    pub fn with_company(self, company: Option<Company>) -> Self {
        Self { company, ..self }
    }

    /// What is guarded.
    #[must_use]
    pub fn header(&self) -> &GuardHeader {
        &self.opening.header
    }

    /// Begins to guard; returns what is wrong if the journal cannot be written.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn start(&mut self, stop: &AtomicBool) -> io::Result<Option<String>> {
        self.guard.start(self.clock.now(), self.opening.digest.clone());
        if let Err(text) = self.write_journal() {
            return Ok(Some(text));
        }
        let header = GuardLine::Opening(self.opening.header.clone());
        self.tell_starter(to_line(&header)?, stop)?;
        Ok(None)
    }

    /// Serves until standard input ends, or for ever.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn serve(mut self, stop: &AtomicBool, say: Say<'_>) -> io::Result<ServiceEnd> {
        let mut end = ServiceEnd::Stopped;
        while !stop.load(Ordering::Relaxed) {
            let Some(batch) = self.next_batch() else {
                end = ServiceEnd::Left;
                break;
            };
            if let Some(how) = self.answer_all(batch, stop, say)? {
                end = how;
                break;
            }
        }
        if let Some(starter) = self.starter.take() {
            starter.close(stop)?;
        }
        Ok(if stop.load(Ordering::Relaxed) { ServiceEnd::Stopped } else { end })
    }

    /// What is next said; nothing if it is time for something else, `None` if there is no more.
    fn next_batch(&mut self) -> Option<Vec<Input>> {
        let now = self.clock.now();
        let waiting = self.waiters.iter().map(|waiter| waiter.waiting.until);
        let due = self.guard.next_due().into_iter().chain(waiting).min();
        let pause = due.map_or(PAUSE, |due| Duration::from_nanos(due.saturating_sub(now)).min(PAUSE));
        let mut batch = match self.inputs.recv_timeout(pause) {
            Ok(input) => vec![input],
            Err(RecvTimeoutError::Timeout) => Vec::new(),
            Err(RecvTimeoutError::Disconnected) => return None,
        };
        while batch.len() < MAX_BATCH
            && let Ok(input) = self.inputs.try_recv()
        {
            batch.push(input);
        }
        Some(batch)
    }

    /// Answers requests, and tells what has happened; returns how the service ends, if it does.
    fn answer_all(
        &mut self,
        batch: Vec<Input>,
        stop: &AtomicBool,
        say: Say<'_>,
    ) -> io::Result<Option<ServiceEnd>> {
        let now = self.clock.now();
        self.guard.advance(now);
        let mut replies = Replies::default();
        let (mut end, mut left) = (None, Vec::new());
        if let Some(company) = &mut self.company {
            company.next_turn(&mut self.guard, now, !batch.is_empty());
        }
        for input in batch {
            match input {
                Input::Line(_, Ok(line)) if line.iter().all(u8::is_ascii_whitespace) => {}
                // It would not hear the answer.
                Input::Line(Peer::Starter, _) if self.starter.is_none() => {}
                Input::Line(peer, Ok(line)) => self.answer(now, peer, &line, &mut replies),
                Input::Line(peer, Err(text)) => replies.answers.push((peer, bad_request(b"", text))),
                Input::Joined(id, connection) => self.join(id, connection),
                Input::Called(id, call, request) => {
                    self.calls.insert(id, call);
                    match self.refuse_speaker(now, Peer::Call(id), &request) {
                        Some(result) => {
                            replies.answers.push((Peer::Call(id), GuardAnswer { id: Json::Null, result }));
                        }
                        None => self.perform(now, Peer::Call(id), *request, &mut replies),
                    }
                }
                Input::Left(Peer::Call(id)) => {
                    self.waiters.retain(|waiter| waiter.peer != Peer::Call(id));
                    self.calls.remove(&id);
                }
                Input::Left(Peer::Starter) => {
                    end = Some(ServiceEnd::Left);
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
        let failed = self.keep(replies, stop, say)?;
        for id in left {
            self.connections.remove(&id);
        }
        Ok(failed.map(ServiceEnd::NoJournal).or(end))
    }

    fn join(&mut self, id: ConnectionId, connection: Connection) {
        let Ok(line) = to_line(&GuardLine::Opening(self.opening.header.clone())) else { return };
        connection.tell(line.into_bytes());
        self.connections.insert(id, connection);
    }

    fn answer(&mut self, now: Moment, peer: Peer, line: &[u8], replies: &mut Replies) {
        let request = match object_of(line).and_then(request_of) {
            Ok(request) => request,
            Err(text) => return replies.answers.push((peer, bad_request(line, text))),
        };
        match self.refuse_speaker(now, peer, &request) {
            Some(result) => {
                replies.answers.push((peer, GuardAnswer { id: request.id().clone(), result }));
            }
            None => self.perform(now, peer, request, replies),
        }
    }

    fn perform(&mut self, now: Moment, peer: Peer, request: GuardRequest, replies: &mut Replies) {
        if let Some(company) = &mut self.company
            && let Err(text) = company.before(&mut self.guard, now, &request)
        {
            let answer = GuardAnswer { id: request.id().clone(), result: error("played", text) };
            return replies.answers.push((peer, answer));
        }
        let conversation = request.conversation().to_owned();
        let outcome = perform(self.source, &mut self.guard, now, request);
        if let (Some(company), Outcome::Answer(answer)) = (&mut self.company, &outcome) {
            match &answer.result {
                GuardResult::Opened(_) => company.wake(&mut self.guard, now, &conversation),
                // Who asks again and again without waiting is not kept waiting for ever.
                GuardResult::Received(delivery) if delivery.items.is_empty() => {
                    company.go_on(&mut self.guard, now, &conversation);
                }
                _ => {}
            }
        }
        match outcome {
            Outcome::Answer(answer) => replies.answers.push((peer, answer)),
            Outcome::Waits(waiting) => self.wait(peer, waiting, replies),
        }
    }

    /// Why somebody may not ask for this, or not now.
    fn refuse_speaker(&mut self, now: Moment, peer: Peer, request: &GuardRequest) -> Option<GuardResult> {
        let speaker = match peer {
            Peer::Starter => return None,
            Peer::Agent(id) => self.connections.get(&id).map(|connection| &connection.speaker),
            Peer::Call(id) => self.calls.get(&id).map(|call| &call.speaker),
        };
        // It was cut off with requests on their way.
        let gone = || error("not_admitted", "the connection has ended".to_owned());
        let Some(speaker) = speaker else { return Some(gone()) };
        if *speaker == Speaker::Anybody {
            return None;
        }
        let (second, most) = (now / SECOND, self.opening.max_requests);
        let rate = self.rates.entry(speaker.clone()).or_insert((second, 0));
        *rate = if rate.0 == second { (second, rate.1.saturating_add(1)) } else { (second, 1) };
        if rate.1 > most {
            let text = format!("more than {most} requests in a second: see --max-requests");
            return Some(error("too_many_requests", text));
        }
        foreign(request, speaker).map(|text| error("not_yours", text))
    }

    fn wait(&mut self, peer: Peer, waiting: Waiting, replies: &mut Replies) {
        let most = self.opening.max_waiting;
        let is_alike = |waiter: &&Waiter| {
            let is_same_conversation = waiter.waiting.conversation == waiting.conversation;
            match peer {
                Peer::Starter => waiter.peer == peer && is_same_conversation,
                Peer::Agent(_) | Peer::Call(_) => waiter.peer != Peer::Starter,
            }
        };
        let alike = self.waiters.iter().filter(is_alike);
        if alike.filter(|waiter| waiter.waiting.agent == waiting.agent).count() < most {
            return self.waiters.push(Waiter { peer, waiting });
        }
        let text = format!("{most} requests of the agent wait already: see --max-waiting");
        let result = error("too_many_waiting", text);
        replies.answers.push((peer, GuardAnswer { id: waiting.id, result }));
    }

    /// The events, after those who wait for messages have been answered.
    fn take_notices(&mut self, now: Moment, replies: &mut Replies) {
        loop {
            let mut changed: Vec<String> = Vec::new();
            while let Some(notice) = self.guard.next_notice() {
                changed.push(conversation_of(&notice).to_owned());
                self.tell_company(now, &notice);
                replies.events.extend(GuardTeller::new(self.source, self.guard.rules()).event(&notice));
            }
            let (concerned, others): (Vec<Waiter>, Vec<Waiter>) =
                std::mem::take(&mut self.waiters).into_iter().partition(|Waiter { waiting, .. }| {
                    waiting.until <= now || changed.contains(&waiting.conversation)
                });
            self.waiters = others;
            if concerned.is_empty() && changed.is_empty() && !self.let_company_go_on(now) {
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

    fn tell_company(&mut self, now: Moment, notice: &Notice) {
        let Some(company) = &mut self.company else { return };
        match notice {
            Notice::Closed { conversation, .. } => company.leave(conversation),
            _ => company.wake(&mut self.guard, now, conversation_of(notice)),
        }
    }

    /// Whether a played agent has done something for somebody who waits.
    fn let_company_go_on(&mut self, now: Moment) -> bool {
        let Self { company: Some(company), waiters, guard, .. } = self else { return false };
        waiters.iter().any(|waiter| company.go_on(guard, now, &waiter.waiting.conversation))
    }

    /// Writes what is to be in the journal.
    fn write_journal(&mut self) -> Result<(), String> {
        let records = self.guard.take_records();
        let guard = &mut self.guard;
        let written = self.journal.as_mut().map_or(Ok(()), |journal| journal.write(&records, guard));
        written.map_err(|failure| format!("the journal cannot be written: {failure}"))
    }

    /// Writes the journal, and then what depends on it; returns what is wrong if the journal cannot be written.
    fn keep(&mut self, mut replies: Replies, stop: &AtomicBool, say: Say<'_>) -> io::Result<Option<String>> {
        let Err(text) = self.write_journal() else {
            self.tell(replies, stop, say)?;
            return Ok(None);
        };
        // Nothing of it has happened: after a restart it may be asked again.
        replies.events.clear();
        for (_, answer) in &mut replies.answers {
            answer.result = error("journal", text.clone());
        }
        self.tell(replies, stop, say)?;
        Ok(Some(text))
    }

    fn tell(&mut self, replies: Replies, stop: &AtomicBool, say: Say<'_>) -> io::Result<()> {
        for (peer, answer) in replies.answers {
            match peer {
                Peer::Starter => self.tell_starter(to_line(&GuardLine::Answer(answer))?, stop)?,
                Peer::Agent(id) => self.tell_agent(id, to_line(&GuardLine::Answer(answer))?),
                Peer::Call(id) => {
                    if let Some(call) = self.calls.remove(&id) {
                        (call.reply)(answer);
                    }
                }
            }
        }
        if self.starter.is_some() {
            for event in replies.events {
                self.tell_starter(to_line(&GuardLine::Event(event))?, stop)?;
            }
        }
        // Who waits only for itself may wait; others are not kept from speaking.
        if self.has_agents && self.starter.as_ref().is_some_and(Starter::is_behind) {
            self.starter = None;
            self.waiters.retain(|waiter| waiter.peer != Peer::Starter);
            say("note: whoever started the guard does not read what it writes, and is told nothing more")?;
        }
        Ok(())
    }

    fn tell_starter(&self, line: String, stop: &AtomicBool) -> io::Result<()> {
        let Some(starter) = &self.starter else { return Ok(()) };
        if !self.has_agents {
            starter.wait(stop)?;
        }
        starter.tell(line)
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

#[cfg(all(test, feature = "http"))]
mod tests;

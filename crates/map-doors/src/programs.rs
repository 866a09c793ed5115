//! Running programs that answer questions.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use map_explain::Namer;
use map_ir::AgentId;
use map_procedures::{Exchange, MAX_LINE, Service};
use map_semantics::{Question, Reply};

use crate::process::{Process, Silence};

/// How external programs are started and asked.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The longest time it may take to answer.
    pub patience: Duration,
    /// Whether there is one for each agent that asks something, not one for all.
    pub per_agent: bool,
    /// Whether its standard error is passed through.
    pub show_errors: bool,
    /// The run in which they answer.
    pub run: RunOfMany,
}

/// A run, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOfMany {
    /// Its number, from 0.
    pub number: u64,
    /// Its seed, for programs that draw random numbers.
    pub seed: u64,
    /// How many runs there are.
    pub runs: u64,
}

/// One program for all agents (under `None`), or one for each that has asked something.
type Peers = BTreeMap<Option<AgentId>, DecidingProgram>;

/// Programs that wait for the next of many runs; those of one run stay together.
#[derive(Default)]
pub struct IdlePrograms(Mutex<Vec<Peers>>);

impl IdlePrograms {
    fn waiting(&self) -> MutexGuard<'_, Vec<Peers>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for IdlePrograms {
    /// Asks all programs to end before waiting for the first.
    fn drop(&mut self) {
        self.waiting().iter_mut().flat_map(BTreeMap::values_mut).for_each(DecidingProgram::close);
    }
}

/// The programs that answer in one run, which are started when they are first asked.
pub struct DecidingPrograms<'a> {
    programs: Programs,
    peers: Peers,
    /// Where programs wait for the next run.
    idle: &'a IdlePrograms,
}

impl Drop for DecidingPrograms<'_> {
    /// Leaves the programs to the next run that can answer in it, and asks all others to end before waiting for the
    /// first.
    fn drop(&mut self) {
        let ready = self.peers.extract_if(.., |_, peer| peer.end_run()).collect::<Peers>();
        if !ready.is_empty() {
            self.idle.waiting().push(ready);
        }
        self.peers.values_mut().for_each(DecidingProgram::close);
    }
}

impl<'a> DecidingPrograms<'a> {
    /// Programs that wait in `idle` answer first; if there are none, others are started.
    #[must_use]
    pub fn new(programs: Programs, idle: &'a IdlePrograms) -> Self {
        let peers = idle.waiting().pop().unwrap_or_default();
        Self { programs, peers, idle }
    }

    /// Asks a question. The wait for its answer ends when `stop` becomes true.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn ask(
        &mut self,
        namer: &mut Namer<'_>,
        question: &Question<'_>,
        stop: &AtomicBool,
    ) -> Result<Reply, Trouble> {
        let only = self.programs.per_agent.then_some(question.agent);
        let peer = match self.peers.entry(only) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(DecidingProgram::start(&self.programs, namer, only)?),
        };
        peer.ask(self.programs.run, namer, question, stop)
    }
}

/// A running program that answers questions.
struct DecidingProgram {
    process: Process,
    patience: Duration,
    exchange: Exchange,
    /// What is sent before the first question; `None` once it has been sent.
    greeting: Option<String>,
    /// How long it answers; known once it has been greeted.
    service: Option<Service>,
    /// The run that it has been told of.
    told: Option<u64>,
    /// Whether it has violated the protocol, or been interrupted.
    is_broken: bool,
}

/// Why there is no answer.
pub enum Trouble {
    /// The user wants to stop.
    Interrupted,
    /// The program violates the protocol; what it does wrong.
    Broken(String),
}

impl From<String> for Trouble {
    fn from(what: String) -> Self {
        Self::Broken(what)
    }
}

impl DecidingProgram {
    /// Starts a program. `only` is the agent it decides for, if it decides for a single one.
    fn start(programs: &Programs, namer: &Namer<'_>, only: Option<AgentId>) -> Result<Self, Trouble> {
        let process = Process::start(&programs.words, programs.show_errors)
            .map_err(|error| format!("it cannot be started: {error}"))?;
        let RunOfMany { number: _, seed, runs } = programs.run;
        Ok(Self {
            process,
            patience: programs.patience,
            exchange: Exchange::default(),
            greeting: Some(Exchange::greeting(namer, only, seed, runs)),
            service: None,
            told: None,
            is_broken: false,
        })
    }

    /// Tells the program that a run has ended in which it was asked. Returns whether it answers in the next one.
    fn end_run(&mut self) -> bool {
        let is_ready = self.service == Some(Service::ManyRuns) && !self.is_broken;
        if let Some(number) = self.told.take().filter(|_| is_ready) {
            self.process.send(Exchange::end_run(number));
        }
        is_ready
    }

    /// Asks the program to end.
    fn close(&mut self) {
        self.process.close();
    }

    /// Asks a question of a run.
    fn ask(
        &mut self,
        run: RunOfMany,
        namer: &mut Namer<'_>,
        question: &Question<'_>,
        stop: &AtomicBool,
    ) -> Result<Reply, Trouble> {
        let reply = self.converse(run, namer, question, stop);
        if reply.is_err() {
            self.is_broken = true;
            self.process.distrust();
        }
        reply
    }

    /// Before the first question, makes sure that both sides speak the same protocol.
    fn converse(
        &mut self,
        run: RunOfMany,
        namer: &mut Namer<'_>,
        question: &Question<'_>,
        stop: &AtomicBool,
    ) -> Result<Reply, Trouble> {
        if let Some(greeting) = self.greeting.take() {
            self.process.send(greeting);
            self.service = Some(Exchange::check_greeting(&self.hear(stop)?)?);
        }
        if self.service == Some(Service::ManyRuns) && self.told != Some(run.number) {
            self.process.send(Exchange::begin_run(run.number, run.seed));
            self.told = Some(run.number);
        }
        self.process.send(self.exchange.ask(namer, question));
        let line = self.hear(stop)?;
        Ok(self.exchange.answer(namer, question, &line)?)
    }

    fn hear(&self, stop: &AtomicBool) -> Result<Vec<u8>, Trouble> {
        self.process.hear(self.patience, stop).map_err(|silence| match silence {
            Silence::Interrupted => Trouble::Interrupted,
            Silence::TooLong => Trouble::Broken(format!("it writes a line of more than {MAX_LINE} bytes")),
            Silence::TimedOut => {
                Trouble::Broken(format!("it has not answered within {} s", self.patience.as_secs_f64()))
            }
            Silence::Ended(None) => Trouble::Broken("it has closed its standard output".to_owned()),
            Silence::Ended(Some(how)) => Trouble::Broken(format!("it has ended {how} instead of answering")),
        })
    }
}

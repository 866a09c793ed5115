//! Decides for agents from outside: an external program or a person; the other questions are left to chance.

mod person;

use std::cell::RefCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use map_doors::{DecidingProgram, Programs, RunOfMany, Trouble};
use map_explain::Namer;
use map_ir::AgentId;
use map_semantics::{Question, Reply, open_cells};
use map_simulate::Response;

use person::{Absence, Person};

use crate::interrupt::Interrupt;

/// Who decides for which agents.
#[derive(Clone, Debug)]
pub(crate) struct Deciders {
    /// The program that answers, with its arguments; `None` if chance does.
    pub(crate) words: Option<Vec<String>>,
    /// Whether each agent has a program of its own.
    pub(crate) per_agent: bool,
    /// The longest time the program may take to answer.
    pub(crate) patience: Duration,
    /// The agents for which a person decides.
    pub(crate) people: BTreeSet<AgentId>,
}

impl Deciders {
    /// Whether all is left to chance.
    pub(crate) fn is_chance(&self) -> bool {
        self.words.is_none() && self.people.is_empty()
    }
}

/// One program for all agents (under `None`), or one for each that has asked something.
type Peers = BTreeMap<Option<AgentId>, DecidingProgram>;

/// Programs that wait for the next of many runs; those of one run stay together.
#[derive(Default)]
pub(crate) struct IdlePrograms(Mutex<Vec<Peers>>);

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

/// The person and the programs that answer in one run.
pub(crate) struct Outside<'a, 't> {
    /// Names values, including those that come in from outside.
    namer: &'a RefCell<Namer<'t>>,
    /// Set when the user wants to stop.
    pub(crate) interrupt: &'a Interrupt,
    person: Option<Person>,
    programs: Option<Programs>,
    per_agent: bool,
    peers: Peers,
    /// Where programs wait for the next run.
    idle: &'a IdlePrograms,
    /// What happened instead of the last answer, if there was none.
    unanswered: Option<String>,
}

impl Drop for Outside<'_, '_> {
    /// Leaves the programs to the next run that can answer in it, and asks all others to end before waiting for the
    /// first.
    fn drop(&mut self) {
        let mut peers = std::mem::take(&mut self.peers);
        let ready = peers.extract_if(.., |_, peer| peer.end_run()).collect::<Peers>();
        if !ready.is_empty() {
            self.idle.waiting().push(ready);
        }
        peers.values_mut().for_each(DecidingProgram::close);
    }
}

impl<'a, 't> Outside<'a, 't> {
    /// Programs that wait in `idle` answer first; if there are none, others are started. `show_errors` passes their
    /// standard error through.
    pub(crate) fn new(
        namer: &'a RefCell<Namer<'t>>,
        interrupt: &'a Interrupt,
        deciders: &Deciders,
        run: RunOfMany,
        show_errors: bool,
        idle: &'a IdlePrograms,
    ) -> Self {
        let Deciders { words, per_agent, patience, people } = deciders.clone();
        Self {
            namer,
            interrupt,
            person: (!people.is_empty()).then(|| Person::new(people)),
            programs: words.map(|words| Programs { words, patience, show_errors, run }),
            per_agent,
            peers: idle.waiting().pop().unwrap_or_default(),
            idle,
            unanswered: None,
        }
    }

    /// Ends the programs. Returns what happened instead of the last answer, if there was none.
    pub(crate) fn end(mut self) -> Option<String> {
        self.unanswered.take()
    }

    /// Initial values like these, as options of [`open_cells`], except that a person chooses those of their agents.
    pub(crate) fn first_values(&mut self, mut initial: Vec<u32>) -> Vec<u32> {
        let namer = &self.namer.borrow();
        for (cell, option) in open_cells(namer.program).zip(&mut initial) {
            let Some(person) = self.person.as_mut().filter(|it| it.decides_for(cell.agent)) else { continue };
            match person.choose(namer, &cell, self.interrupt) {
                Ok(chosen) => *option = chosen,
                // The run ends at the next question, or at once if it was interrupted.
                Err(_) => break,
            }
        }
        initial
    }

    /// Answers a question, or leaves it to chance.
    pub(crate) fn respond(&mut self, question: &Question<'_>) -> Response {
        // Programs and people answer procedures without a body alone.
        if question.domain.is_some() {
            return Response::Chance;
        }
        let interrupt = self.interrupt;
        if let Some(person) = self.person.as_mut().filter(|it| it.decides_for(question.agent)) {
            return match person.ask(&mut self.namer.borrow_mut(), question, interrupt) {
                Ok(reply) => Response::Reply(reply),
                Err(Absence::Interrupted) => Response::Stop,
                Err(Absence::Left(what)) => {
                    self.unanswered = Some(what);
                    Response::Leave
                }
            };
        }
        match self.ask_program(question) {
            None => Response::Chance,
            Some(Ok(reply)) => Response::Reply(reply),
            Some(Err(Trouble::Interrupted)) => Response::Stop,
            Some(Err(Trouble::Broken(what))) => {
                self.unanswered = Some(what);
                Response::Reply(Reply::Missing)
            }
        }
    }

    fn ask_program(&mut self, question: &Question<'_>) -> Option<Result<Reply, Trouble>> {
        let programs = self.programs.as_ref()?;
        let only = self.per_agent.then_some(question.agent);
        let peer = match self.peers.entry(only) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => match DecidingProgram::start(programs, &self.namer.borrow(), only) {
                Ok(peer) => entry.insert(peer),
                Err(trouble) => return Some(Err(trouble)),
            },
        };
        Some(peer.ask(programs.run, &mut self.namer.borrow_mut(), question, self.interrupt.flag()))
    }
}

//! Decides for agents from outside: an external program or a person; the other questions are left to chance.

mod person;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use map_doors::{DecidingPrograms, IdlePrograms, Programs, RunOfMany, Trouble};
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

/// The person and the programs that answer in one run.
pub(crate) struct Outside<'a, 't> {
    /// Names values, including those that come in from outside.
    namer: &'a RefCell<Namer<'t>>,
    /// Set when the user wants to stop.
    pub(crate) interrupt: &'a Interrupt,
    person: Option<Person>,
    programs: Option<DecidingPrograms<'a>>,
    /// What happened instead of the last answer, if there was none.
    unanswered: Option<String>,
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
        let programs = words.map(|words| Programs { words, patience, per_agent, show_errors, run });
        Self {
            namer,
            interrupt,
            person: (!people.is_empty()).then(|| Person::new(people)),
            programs: programs.map(|programs| DecidingPrograms::new(programs, idle)),
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
        let Some(programs) = &mut self.programs else { return Response::Chance };
        match programs.ask(&mut self.namer.borrow_mut(), question, interrupt.flag()) {
            Ok(reply) => Response::Reply(reply),
            Err(Trouble::Interrupted) => Response::Stop,
            Err(Trouble::Broken(what)) => {
                self.unanswered = Some(what);
                Response::Reply(Reply::Missing)
            }
        }
    }
}

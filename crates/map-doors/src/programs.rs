//! A running program that answers questions.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use map_explain::Namer;
use map_ir::AgentId;
use map_procedures::{Exchange, MAX_LINE};
use map_semantics::{Question, Reply};

use crate::process::{Process, Silence};

/// How external programs are started and asked.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The longest time it may take to answer.
    pub patience: Duration,
    /// Whether its standard error is passed through.
    pub show_errors: bool,
    /// The seed of the run, for programs that draw random numbers.
    pub seed: u64,
}

/// A running program that answers questions.
pub struct DecidingProgram {
    process: Process,
    patience: Duration,
    exchange: Exchange,
    /// What is sent before the first question; `None` once it has been sent.
    greeting: Option<String>,
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
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(programs: &Programs, namer: &Namer<'_>, only: Option<AgentId>) -> Result<Self, Trouble> {
        let process = Process::start(&programs.words, programs.show_errors)
            .map_err(|error| format!("it cannot be started: {error}"))?;
        let greeting = Some(Exchange::greeting(namer, only, programs.seed));
        Ok(Self { process, patience: programs.patience, exchange: Exchange::default(), greeting })
    }

    /// Asks the program to end.
    pub fn close(&mut self) {
        self.process.close();
    }

    /// Asks a question.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn ask(
        &mut self,
        namer: &mut Namer<'_>,
        question: &Question<'_>,
        stop: &AtomicBool,
    ) -> Result<Reply, Trouble> {
        let reply = self.converse(namer, question, stop);
        if reply.is_err() {
            self.process.distrust();
        }
        reply
    }

    /// Before the first question, makes sure that both sides speak the same protocol.
    fn converse(
        &mut self,
        namer: &mut Namer<'_>,
        question: &Question<'_>,
        stop: &AtomicBool,
    ) -> Result<Reply, Trouble> {
        if let Some(greeting) = self.greeting.take() {
            self.process.send(greeting);
            Exchange::check_greeting(&self.hear(stop)?)?;
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

//! A person who decides for agents, line by line on standard input.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, Read as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use map_diagnostics::escaped_line;
use map_explain::Namer;
use map_ir::AgentId;
use map_procedures::person;
use map_semantics::{OpenCell, Question, Reply};

use crate::console;
use crate::interrupt::Interrupt;
use crate::style;

/// After this many invalid lines in a row the person is assumed to have left: otherwise a file that holds no answers
/// would be asked again for every one of its lines.
const MAX_WRONG: usize = 20;

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 1 << 16;

/// How often the interrupt flag is polled.
const POLL: Duration = Duration::from_millis(50);

/// Whoever sits at standard input.
pub(crate) struct Person {
    agents: BTreeSet<AgentId>,
    lines: Option<Receiver<io::Result<Vec<u8>>>>,
}

/// Why a person does not answer.
pub(super) enum Absence {
    /// The user wants to stop.
    Interrupted,
    /// There will be no more answers, for this reason.
    Left(String),
}

impl Person {
    pub(crate) fn new(agents: BTreeSet<AgentId>) -> Self {
        Self { agents, lines: None }
    }

    pub(super) fn decides_for(&self, agent: AgentId) -> bool {
        self.agents.contains(&agent)
    }

    /// Asks until there is an answer.
    pub(super) fn ask(
        &mut self,
        namer: &mut Namer<'_>,
        question: &Question<'_>,
        interrupt: &Interrupt,
    ) -> Result<Reply, Absence> {
        show(&style::text(&person::situation(namer, question)))?;
        self.until(person::expected(question), interrupt, |line| person::read(namer, question, line))
    }

    /// Asks for the initial value of a cell until there is one; its index among the values.
    pub(super) fn choose(
        &mut self,
        namer: &Namer<'_>,
        cell: &OpenCell<'_>,
        interrupt: &Interrupt,
    ) -> Result<u32, Absence> {
        show(&style::text(&person::first_values(namer, cell)))?;
        self.until("which?", interrupt, |line| person::read_first_value(namer, cell, line))
    }

    /// Asks for lines until one can be read.
    fn until<T>(
        &mut self,
        expected: &str,
        interrupt: &Interrupt,
        mut read: impl FnMut(&str) -> Result<T, String>,
    ) -> Result<T, Absence> {
        for _ in 0..MAX_WRONG {
            show(&format!("{} ", style::head(expected)))?;
            let line = self.line(interrupt)?;
            match read(&line) {
                Ok(read) => return Ok(read),
                Err(why) => show(&format!("  {}\n", escaped_line(&why)))?,
            }
        }
        Err(Absence::Left(format!("{MAX_WRONG} lines in a row were no answer")))
    }

    fn line(&mut self, interrupt: &Interrupt) -> Result<String, Absence> {
        let left = || Absence::Left("standard input has ended".to_owned());
        if self.lines.is_none() {
            let unheard = |error| Absence::Left(format!("standard input cannot be read: {error}"));
            self.lines = Some(listen().map_err(unheard)?);
        }
        let lines = self.lines.as_ref().ok_or_else(left)?;
        let line = loop {
            match lines.recv_timeout(POLL) {
                _ if interrupt.is_set() => return Err(Absence::Interrupted),
                Ok(line) => break line,
                Err(RecvTimeoutError::Disconnected) => return Err(left()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let line = line.map_err(|error| Absence::Left(format!("standard input cannot be read: {error}")))?;
        Ok(String::from_utf8_lossy(&line).into_owned())
    }
}

/// A question that cannot be shown is not asked.
fn show(text: &str) -> Result<(), Absence> {
    console::prompt(text).map_err(|error| Absence::Left(format!("the question cannot be shown: {error}")))
}

/// Reads lines in a thread: a read cannot be interrupted.
fn listen() -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (heard, lines) = sync_channel(0);
    thread::Builder::new().spawn(move || {
        let mut stdin = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = stdin.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
            let message = match read {
                Ok(0) => return,
                Ok(_) => Ok(line),
                Err(error) => Err(error),
            };
            let ends = message.is_err();
            if heard.send(message).is_err() || ends {
                return;
            }
        }
    })?;
    Ok(lines)
}

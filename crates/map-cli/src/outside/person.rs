//! A person who decides for agents, line by line on standard input.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, Read as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use map_diagnostics::escaped_line;
use map_explain::Namer;
use map_ir::AgentId;
use map_semantics::{OpenCell, Question, Reply};
use map_trace::value_of;

use crate::console;
use crate::interrupt::Interrupt;
use crate::style;

/// After this many invalid lines in a row the person is assumed to have left: otherwise a file that holds no answers
/// would be asked again for every one of its lines.
const MAX_WRONG: usize = 20;

/// How many initial values of a cell are listed.
const MAX_SHOWN: usize = 20;

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
        show(&situation(namer, question))?;
        for _ in 0..MAX_WRONG {
            show(&format!("{} ", style::head(expected(question))))?;
            let line = self.line(interrupt)?;
            match read(namer, question, &line) {
                Ok(reply) => return Ok(reply),
                Err(why) => show(&format!("  {}\n", escaped_line(&why)))?,
            }
        }
        Err(Absence::Left(format!("{MAX_WRONG} lines in a row were no answer")))
    }

    /// Asks for the initial value of a cell until there is one; its index among the values.
    pub(super) fn choose(
        &mut self,
        namer: &mut Namer<'_>,
        cell: &OpenCell<'_>,
        interrupt: &Interrupt,
    ) -> Result<u32, Absence> {
        let who = style::who(namer.agent(cell.agent));
        let name = namer.program.cell_name(cell.cell);
        let values: Vec<String> = cell.values.iter().take(MAX_SHOWN).map(|&it| namer.value(it)).collect();
        let more = if cell.values.len() > MAX_SHOWN { ", .." } else { "" };
        show(&format!("\n{who} starts with a value of @{name}: {}{more}\n", values.join(", ")))?;
        for _ in 0..MAX_WRONG {
            show(&format!("{} ", style::head("which?")))?;
            let line = self.line(interrupt)?;
            let text = line.trim();
            match cell.values.iter().position(|&it| namer.value(it) == text) {
                Some(option) => return Ok(option as u32),
                None => show(&format!("  {} is none of these values\n", escaped_line(text)))?,
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

/// Who asks what, and what the agent knows.
fn situation(namer: &Namer<'_>, question: &Question<'_>) -> String {
    let program = namer.program;
    let who = style::who(namer.agent(question.agent));
    let asked = format!("{}({})", namer.procedure_of(question.point), namer.values(question.arguments));
    let place = style::aside(namer.place_of(question.point));
    let mut text = format!("\n{who} asks {asked}  {place}\n");
    let mut add = |word: &str, known: Vec<String>| {
        if !known.is_empty() {
            text.push_str(&format!("  {word}: {}\n", known.join(", ")));
        }
    };
    let clause = program.clause(program.point(question.point).clause);
    let bound = clause.variables.iter().zip(question.variables);
    let bound = bound.filter_map(|(name, value)| Some(format!("${name} = {}", namer.value((*value)?))));
    add("knows", bound.collect());
    let cells = &program.memories[program.agent(question.agent).role.index()].cells;
    let cells = cells.iter().zip(question.memory);
    let cells =
        cells.map(|(&(cell, _), &value)| format!("@{} = {}", program.cell_name(cell), namer.value(value)));
    add("remembers", cells.collect());
    let messages = question.mailbox.iter();
    let messages =
        messages.map(|message| format!("{} from {}", namer.message(message), namer.agent(message.sender)));
    add("has not read", messages.collect());
    text
}

fn expected(question: &Question<'_>) -> &'static str {
    if question.may_refuse { "no, yes or a value?" } else { "yes or a value?" }
}

/// Parses a line: `no`; `yes`, which stands for an unknown value; or a value in source form, optionally after `yes`.
fn read(namer: &mut Namer<'_>, question: &Question<'_>, line: &str) -> Result<Reply, String> {
    let line = line.trim();
    match line {
        "no" | "n" if question.may_refuse => return Ok(Reply::No),
        "no" | "n" => return Err("a procedure always answers: only a decision may say no".to_owned()),
        "yes" | "y" => return Ok(Reply::Unknown),
        "" | "?" => return Err(help(namer, question)),
        _ => {}
    }
    let text = line.strip_prefix("yes ").map_or(line, str::trim);
    if let Some(value) = namer.symbol_named(text) {
        return Ok(Reply::Value(value));
    }
    let constant = map_syntax::parse_constant(text).map_err(|why| format!("{why}; ? explains"))?;
    let value = value_of(namer, constant)?;
    Ok(Reply::Value(value))
}

fn help(namer: &Namer<'_>, question: &Question<'_>) -> String {
    let no = if question.may_refuse { "no; " } else { "" };
    format!(
        "type {no}a value such as 12, nobody, \"two words\", !Agent, %role or {}#1;\n  \
         yes alone is some value that nobody knows; yes VALUE is the value, whatever it is called",
        namer.program.procedure(question.procedure).name
    )
}

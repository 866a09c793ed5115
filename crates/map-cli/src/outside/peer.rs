//! The protocol with an external program: one JSON object on each line.

use std::time::Duration;

use map_explain::Namer;
use map_ir::{AgentId, Body, Value};
use map_semantics::{Question, Reply};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Value as Json, json};

use super::process::{MAX_LINE, Process, Silence};
use super::wire;
use crate::interrupt::Interrupt;

/// The version of the protocol.
pub(crate) const PROTOCOL: u64 = 1;

/// How much of an invalid line is quoted, in characters.
const MAX_QUOTED: usize = 80;

/// How external programs are started and asked.
pub(crate) struct Programs {
    /// The program and its arguments.
    pub(crate) words: Vec<String>,
    /// The longest time it may take to answer.
    pub(crate) patience: Duration,
    /// Whether its standard error is passed through.
    pub(crate) show_errors: bool,
    /// The seed of the run, for programs that draw random numbers.
    pub(crate) seed: u64,
}

/// A running program that answers questions.
pub(super) struct Peer {
    process: Process,
    patience: Duration,
    /// What is sent before the first question; `None` once it has been sent.
    greeting: Option<Json>,
    /// How many questions it has been asked; also the id of the latest.
    asked: u64,
}

/// Why there is no answer.
pub(super) enum Trouble {
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {
    protocol: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    id: u64,
    #[serde(default)]
    answer: Option<Word>,
    #[serde(default, deserialize_with = "present")]
    value: Option<Json>,
    #[serde(default)]
    error: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Yes,
    No,
}

/// Keeps a field that is present but null apart from one that is missing.
fn present<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(json).map(Some)
}

impl Peer {
    /// Starts a program. `only` is the agent it decides for, if it decides for a single one.
    pub(super) fn start(
        programs: &Programs,
        namer: &Namer<'_>,
        only: Option<AgentId>,
    ) -> Result<Self, Trouble> {
        let process = Process::start(&programs.words, programs.show_errors)
            .map_err(|error| format!("it cannot be started: {error}"))?;
        let greeting = Some(greeting(namer, only, programs.seed));
        Ok(Self { process, patience: programs.patience, greeting, asked: 0 })
    }

    /// Asks the program to end.
    pub(super) fn close(&mut self) {
        self.process.close();
    }

    /// Asks a question.
    pub(super) fn ask(
        &mut self,
        namer: &mut Namer<'_>,
        question: &Question<'_>,
        interrupt: &Interrupt,
    ) -> Result<Reply, Trouble> {
        let greeted = self.greet(interrupt);
        let reply = greeted.and_then(|()| self.converse(namer, question, interrupt));
        if reply.is_err() {
            self.process.distrust();
        }
        reply
    }

    /// Before the first question, makes sure that both sides speak the same protocol.
    fn greet(&mut self, interrupt: &Interrupt) -> Result<(), Trouble> {
        if let Some(greeting) = self.greeting.take() {
            self.send(&greeting);
            let line = self.hear(interrupt)?;
            let hello: Hello = object(&line).map_err(|error| {
                format!("it does not say {{\"protocol\": {PROTOCOL}}} first ({error}): {}", quoted(&line))
            })?;
            if hello.protocol != PROTOCOL {
                return Err(format!("it speaks protocol {}, and this is {PROTOCOL}", hello.protocol).into());
            }
        }
        Ok(())
    }

    fn converse(
        &mut self,
        namer: &mut Namer<'_>,
        question: &Question<'_>,
        interrupt: &Interrupt,
    ) -> Result<Reply, Trouble> {
        self.asked += 1;
        self.send(&request(namer, self.asked, question));
        let line = self.hear(interrupt)?;
        let answered: Answered = object(&line)
            .map_err(|error| format!("its answer makes no sense ({error}): {}", quoted(&line)))?;
        if answered.id != self.asked {
            let (id, asked) = (answered.id, self.asked);
            return Err(format!("it answers question {id} where {asked} was asked: {}", quoted(&line)).into());
        }
        let wrong = |what: &str| Trouble::Broken(format!("{what}: {}", quoted(&line)));
        match (answered.answer, answered.value, answered.error) {
            (None, None, Some(error)) => Err(format!("it reports an error: {}", quoted(&error)).into()),
            (_, _, Some(_)) => Err(wrong("its answer has both an error and an answer")),
            (None, _, None) => Err(wrong("its answer says neither yes nor no")),
            (Some(Word::No), Some(_), None) => Err(wrong("it says no, and gives a value")),
            (Some(Word::No), None, None) if !question.may_refuse => {
                Err("it says no, but a procedure always answers (only a decision may say no)"
                    .to_owned()
                    .into())
            }
            (Some(Word::No), None, None) => Ok(Reply::No),
            (Some(Word::Yes), None, None) => Ok(Reply::Unknown),
            (Some(Word::Yes), Some(value), None) => match wire::from_json(namer, &value) {
                Ok(value) => Ok(Reply::Value(value)),
                Err(why) => Err(wrong(&format!("its value is none ({why})"))),
            },
        }
    }

    fn send(&self, message: &Json) {
        self.process.send(format!("{message}\n"));
    }

    fn hear(&self, interrupt: &Interrupt) -> Result<String, Trouble> {
        let line = self.process.hear(self.patience, interrupt).map_err(|silence| match silence {
            Silence::Interrupted => Trouble::Interrupted,
            Silence::TooLong => Trouble::Broken(format!("it writes a line of more than {MAX_LINE} bytes")),
            Silence::TimedOut => {
                Trouble::Broken(format!("it has not answered within {} s", self.patience.as_secs_f64()))
            }
            Silence::Ended(None) => Trouble::Broken("it has closed its standard output".to_owned()),
            Silence::Ended(Some(how)) => Trouble::Broken(format!("it has ended {how} instead of answering")),
        })?;
        String::from_utf8(line)
            .map_err(|_| Trouble::Broken("it writes something that is not UTF-8".to_owned()))
    }
}

/// The first message to a program.
fn greeting(namer: &Namer<'_>, only: Option<AgentId>, seed: u64) -> Json {
    let program = namer.program;
    let agents = program.cast().map(|agent| {
        json!({ "name": program.agent_name(agent), "role": program.role_name(program.agent(agent).role) })
    });
    let procedures = program.procedures.iter().filter(|it| it.body == Body::Abstract);
    let procedures =
        procedures.map(|it| json!({ "name": it.name, "parameters": it.arity, "may_refuse": it.may_refuse }));
    let mut greeting = json!({
        "protocol": PROTOCOL,
        "map": env!("CARGO_PKG_VERSION"),
        "scene": program.scene,
        "seed": seed,
        "agents": agents.collect::<Vec<_>>(),
        "procedures": procedures.collect::<Vec<_>>(),
    });
    if let Some(agent) = only {
        greeting["agent"] = json!(program.agent_name(agent));
    }
    greeting
}

fn request(namer: &Namer<'_>, id: u64, question: &Question<'_>) -> Json {
    let program = namer.program;
    let arguments = question.arguments.iter().map(|&value: &Value| wire::to_json(namer, value));
    json!({
        "id": id,
        "agent": program.agent_name(question.agent),
        "role": program.role_name(program.agent(question.agent).role),
        "procedure": program.procedure(question.procedure).name,
        "arguments": arguments.collect::<Vec<_>>(),
    })
}

/// Parses a line as a JSON object, or says what is wrong with it.
fn object<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    // Serde would also accept an array of the fields in order.
    if !line.trim_start().starts_with('{') {
        return Err("expected an object".to_owned());
    }
    serde_json::from_str(line).map_err(|error| {
        let text = error.to_string();
        text.split(" at line ").next().unwrap_or(&text).to_owned()
    })
}

/// A line for quoting in a message: shortened, and with control characters escaped.
fn quoted(line: &str) -> String {
    let mut text: String = line.chars().take(MAX_QUOTED).flat_map(char::escape_debug).collect();
    if line.chars().nth(MAX_QUOTED).is_some() {
        text.push_str(" ..");
    }
    // Double quotes are common in JSON and harmless, so they are not escaped.
    text.replace("\\\"", "\"")
}

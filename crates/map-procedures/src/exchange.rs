//! The protocol with an external program: one JSON object on each line.

use map_explain::Namer;
use map_ir::{AgentId, Body, Value};
use map_json::{value_from_json, value_to_json};
use map_semantics::{Question, Reply};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Value as Json, json};

/// The version of the protocol that everybody speaks: a program answers in one run.
pub const PROTOCOL: u64 = 1;

/// The version in which a program answers in one run after the other.
const MANY_RUNS: u64 = 2;

/// How long a program answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// In the run in which it was started.
    OneRun,
    /// In that run and others, each of which is announced.
    ManyRuns,
}

/// The longest line that a program may write, in bytes.
pub const MAX_LINE: usize = 1 << 16;

/// How much of an invalid line is quoted, in characters.
const MAX_QUOTED: usize = 80;

/// The lines that are exchanged with one program: a greeting, then questions and answers in turn.
#[derive(Clone, Debug, Default)]
pub struct Exchange {
    /// The number of questions so far; also the id of the latest.
    asked: u64,
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

impl Exchange {
    /// The first line to a program. `only` is the agent it decides for, if it decides for a single one; `seed` is for
    /// programs that draw random numbers; `runs` is how many runs there will be.
    #[must_use]
    pub fn greeting(namer: &Namer<'_>, only: Option<AgentId>, seed: u64, runs: u64) -> String {
        let program = namer.program;
        let agents = program.cast().map(|agent| {
            json!({ "name": program.agent_name(agent), "role": program.role_name(program.agent(agent).role) })
        });
        let procedures = program.procedures.iter().filter(|procedure| procedure.body == Body::Abstract);
        let procedures = procedures.map(|procedure| {
            json!({
                "name": procedure.name,
                "parameters": procedure.arity,
                "may_refuse": procedure.may_refuse,
            })
        });
        let mut greeting = json!({
            "protocol": PROTOCOL,
            "map": env!("CARGO_PKG_VERSION"),
            "scene": program.scene,
            "seed": seed,
            "runs": runs,
            "agents": agents.collect::<Vec<_>>(),
            "procedures": procedures.collect::<Vec<_>>(),
        });
        if let Some(agent) = only {
            greeting["agent"] = json!(program.agent_name(agent));
        }
        format!("{greeting}\n")
    }

    /// What a program is told before the questions of a run, if it answers in many: its number and its seed.
    #[must_use]
    pub fn begin_run(number: u64, seed: u64) -> String {
        format!("{}\n", json!({ "run": number, "seed": seed }))
    }

    /// What it is told behind them.
    #[must_use]
    pub fn end_run(number: u64) -> String {
        format!("{}\n", json!({ "end": number }))
    }

    /// Whether the first line from a program says that it speaks the same protocol, and how long it answers.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check_greeting(line: &[u8]) -> Result<Service, String> {
        let line = utf8(line)?;
        let hello: Hello = object(line).map_err(|error| {
            format!("it does not say {{\"protocol\": {PROTOCOL}}} first ({error}): {}", quoted(line))
        })?;
        match hello.protocol {
            PROTOCOL => Ok(Service::OneRun),
            MANY_RUNS => Ok(Service::ManyRuns),
            other => Err(format!("it speaks protocol {other}, and this is {PROTOCOL} or {MANY_RUNS}")),
        }
    }

    /// The line of the next question.
    pub fn ask(&mut self, namer: &Namer<'_>, question: &Question<'_>) -> String {
        self.asked += 1;
        let program = namer.program;
        let arguments = question.arguments.iter().map(|&value: &Value| value_to_json(namer, value));
        let request = json!({
            "id": self.asked,
            "agent": program.agent_name(question.agent),
            "role": program.role_name(program.agent(question.agent).role),
            "procedure": program.procedure(question.procedure).name,
            "arguments": arguments.collect::<Vec<_>>(),
        });
        format!("{request}\n")
    }

    /// What the line of an answer means, to the question that was asked last.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn answer(
        &self,
        namer: &mut Namer<'_>,
        question: &Question<'_>,
        line: &[u8],
    ) -> Result<Reply, String> {
        let line = utf8(line)?;
        let answered: Answered =
            object(line).map_err(|error| format!("its answer makes no sense ({error}): {}", quoted(line)))?;
        if answered.id != self.asked {
            let (id, asked) = (answered.id, self.asked);
            return Err(format!("it answers question {id} where {asked} was asked: {}", quoted(line)));
        }
        let wrong = |what: &str| format!("{what}: {}", quoted(line));
        match (answered.answer, answered.value, answered.error) {
            (None, None, Some(error)) => Err(format!("it reports an error: {}", quoted(&error))),
            (_, _, Some(_)) => Err(wrong("its answer has both an error and an answer")),
            (None, _, None) => Err(wrong("its answer says neither yes nor no")),
            (Some(Word::No), Some(_), None) => Err(wrong("it says no, and gives a value")),
            (Some(Word::No), None, None) if !question.may_refuse => {
                Err("it says no, but a procedure always answers (only a decision may say no)".to_owned())
            }
            (Some(Word::No), None, None) => Ok(Reply::No),
            (Some(Word::Yes), None, None) => Ok(Reply::Unknown),
            (Some(Word::Yes), Some(value), None) => match value_from_json(namer, &value) {
                Ok(value) => Ok(Reply::Value(value)),
                Err(why) => Err(wrong(&format!("its value is none ({why})"))),
            },
        }
    }
}

fn utf8(line: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(line).map_err(|_| "it writes something that is not UTF-8".to_owned())
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

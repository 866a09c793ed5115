//! The machine-readable outputs: plain structs whose JSON schemas are checked in under `docs/schemas`. The schemas
//! contain the doc comments of fields and types, so rewriting one means regenerating them (see `schemas`).

mod check;
mod conform;
mod replay;
mod run;
mod seed;
mod statistics;
mod step;
mod test;
mod trace;
mod verify;

#[cfg(test)]
mod schemas;

use std::io;

use map_diagnostics::{SourceFile, Span, is_unseen};
use map_ir::{Program, SourceSpan, Value, show_value};
use map_semantics::{Bounds, Timeouts};
use serde::Serialize;

use crate::fingerprint::fingerprint;
use map_flags::SceneArgs;

pub(crate) use check::{CheckOutput, CheckedFile, DiagnosticOutput};
pub(crate) use conform::{
    ConformAnswers, ConformAsked, ConformBlame, ConformConversation, ConformEnd, ConformLine, ConformMessage,
    ConformOutput, ConformStanding,
};
pub(crate) use replay::ReplayOutput;
pub(crate) use run::{
    AgentOutput, RunRest, UnansweredOutput, UnreadOutput, agents_at_the_end, unread_messages, yes_of,
};
pub(crate) use statistics::{
    AnswersOutput, BinOutput, CutsOutput, EndOutput, EndPlace, FirstOutput, IntervalOutput, MessagesOutput,
    StatisticsOutput, StepsOutput, ViolationsOutput,
};
pub(crate) use step::{StepOutput, choice};
pub(crate) use test::{TestNotRun, TestOutput, TestResult};
pub(crate) use trace::TraceOutput;
pub(crate) use verify::any::{
    AnyNumberOutput, AnyOutput, AnyPropertyOutput, HabitOutput, MailboxOutput, MethodOutput,
};
pub(crate) use verify::{
    AlternativeOutput, ClauseOutput, EndlessOutput, GrownOutput, GrowthOutput, IdleAgent, JudgedOutput,
    LimitsOutput, OperationOutput, PropertyOutput, Rejected, Several, SpinOutput, SpinPropertyOutput,
    UnreadMessage, UnusedOutput, Verified, VerifyOutput, VerifyResult, ViolationOutput, WeatherOutput,
    WeatherRow,
};

/// The version of this format, also that of traces: the `schema` of everything that can be replayed.
pub(crate) const FORMAT: u32 = 1;

/// What every output starts with.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Header {
    /// The version of this format.
    pub(crate) schema: u32,
    /// Always `map`.
    pub(crate) tool: String,
    /// The version of the tool.
    pub(crate) version: String,
    /// The verb.
    pub(crate) command: String,
}

impl Header {
    pub(crate) fn new(command: &str) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { schema: FORMAT, tool: "map".to_owned(), version, command: command.to_owned() }
    }
}

/// What a trace was made from: without it a step means nothing.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Origin {
    /// The file with the dialogue, as it was named.
    file: String,
    /// What its text is known by: `sha256:` and the digest in hexadecimal digits.
    source: String,
    scene: String,
    /// The numbers of agents asked for, as `--agents` takes them.
    cast: Vec<String>,
}

impl Origin {
    pub(crate) fn new(source: &SourceFile, program: &Program, scene: &SceneArgs) -> Self {
        Self {
            file: source.name().to_owned(),
            source: fingerprint(source.text()),
            scene: program.scene.clone(),
            cast: scene.agents.iter().map(ToString::to_string).collect(),
        }
    }
}

/// A place in the source.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SpanOutput {
    /// Offset of the first byte.
    start: u32,
    /// Offset one past the last byte.
    end: u32,
    /// Line of the start, from 1.
    line: usize,
    /// Column of the start in characters, from 1.
    column: usize,
    /// Line of the end.
    end_line: usize,
    /// Column of the end.
    end_column: usize,
}

impl SpanOutput {
    pub(crate) fn new(source: &SourceFile, span: Span) -> Self {
        let (start, end) = (source.position(span.start), source.position(span.end));
        Self {
            start: span.start,
            end: span.end,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }

    pub(crate) fn of(source: &SourceFile, span: SourceSpan) -> Self {
        Self::new(source, Span::new(span.start, span.end))
    }
}

/// The bounds in force.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BoundsOutput {
    /// Who plays.
    agents: Vec<PlayerOutput>,
    /// The most activations one thread may hold open.
    depth: u32,
    /// The most calls each agent makes; absent if any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<u32>,
    /// The most calls each agent makes with that first argument.
    rounds_of: Vec<RoundsOutput>,
    /// The longest mailbox.
    mailbox: u32,
    /// `quiescent` or `any`.
    timeouts: String,
    /// `instant`, `unordered`, `delayed`, `lossy:K` or `crash:K`, or several with commas between.
    network: String,
}

/// An agent of the cast.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlayerOutput {
    name: String,
    role: String,
}

/// A bound on calls with a constant as first argument.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RoundsOutput {
    /// The constant, in source form.
    constant: String,
    /// The most calls.
    limit: u32,
}

impl BoundsOutput {
    pub(crate) fn new(program: &Program, bounds: &Bounds) -> Self {
        let player = |agent| PlayerOutput {
            name: program.agent_name(agent).to_owned(),
            role: program.role_name(program.agent(agent).role).to_owned(),
        };
        let constant = |value: Value| show_value(program, value, &|_| String::new());
        let Bounds { depth, rounds, ref rounds_of, mailbox, timeouts, network } = *bounds;
        Self {
            agents: program.cast().map(player).collect(),
            depth,
            rounds,
            rounds_of: rounds_of
                .iter()
                .map(|&(value, limit)| RoundsOutput { constant: constant(value), limit })
                .collect(),
            mailbox,
            timeouts: match timeouts {
                Timeouts::Quiescent => "quiescent".to_owned(),
                Timeouts::Any => "any".to_owned(),
            },
            network: network.to_string(),
        }
    }
}

/// The text of an output, with a line end. Characters that nobody sees are escaped: they stand in strings alone.
pub(crate) fn to_text(output: &impl Serialize) -> io::Result<String> {
    Ok(shown(&serde_json::to_string_pretty(output).map_err(io::Error::other)?))
}

/// The same in one line.
pub(crate) fn to_line(output: &impl Serialize) -> io::Result<String> {
    Ok(shown(&serde_json::to_string(output).map_err(io::Error::other)?))
}

fn shown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 1);
    for character in text.chars() {
        if is_unseen(character) && character != '\n' {
            for unit in character.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(character);
        }
    }
    escaped.push('\n');
    escaped
}

/// Prints an object whose first field is an array that may be too long to be kept: each element is printed as it comes, and the
/// other fields, which are known only then, after the last one.
#[derive(Default)]
pub(crate) struct Stream {
    begun: bool,
}

impl Stream {
    /// The text before the first element.
    pub(crate) fn open(field: &str) -> String {
        format!("{{\n  \"{field}\": [")
    }

    /// The text of the next element.
    pub(crate) fn element(&mut self, element: &impl Serialize) -> io::Result<String> {
        let comma = if std::mem::replace(&mut self.begun, true) { "," } else { "" };
        Ok(format!("{comma}\n    {}", to_text(element)?.trim_end().replace('\n', "\n    ")))
    }

    /// The text after the last element: the fields of `rest`, an object that is not empty.
    pub(crate) fn close(self, rest: &impl Serialize) -> io::Result<String> {
        let end = if self.begun { "\n  ]," } else { "]," };
        let rest = to_text(rest)?;
        Ok(format!("{end}{}", rest.trim_start_matches('{')))
    }
}

#[cfg(test)]
mod stream_tests {
    use serde::Serialize;

    use super::{Stream, to_text};

    #[derive(Serialize)]
    struct Whole {
        items: Vec<(u8, String)>,
        count: usize,
    }

    #[derive(Serialize)]
    struct Rest {
        count: usize,
    }

    #[test]
    fn a_stream_prints_what_the_whole_would() {
        for count in 0..3 {
            let items: Vec<(u8, String)> = (0..count).map(|it| (it, format!("{it}\n\u{1b}"))).collect();
            let mut stream = Stream::default();
            let mut text = Stream::open("items");
            for item in &items {
                text += &stream.element(item).expect("it is printed");
            }
            text += &stream.close(&Rest { count: items.len() }).expect("it is printed");
            let count = items.len();
            assert_eq!(text, to_text(&Whole { items, count }).expect("it is printed"));
        }
    }
}

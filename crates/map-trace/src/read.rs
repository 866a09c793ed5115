//! Reads a trace. Errors are diagnostics that point into its text.

use std::borrow::Cow;

use map_check::{CastOverride, FirstValue};
use map_diagnostics::{Diagnostic, SourceFile, Span, is_unseen};
use map_json::BoundsOutput;
use map_semantics::Step;
use map_verify::Verdict;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::kinds::Kind;
use crate::refused::{no_json, no_step, no_trace};

/// The largest trace that is read, in bytes.
pub const MAX_TRACE_BYTES: usize = 256 << 20;

/// Verdicts of `map verify` that have no trace.
const WITHOUT_TRACE: [Verdict; 3] = [Verdict::Terminates, Verdict::TerminatesIfFair, Verdict::Inconclusive];

/// A trace that has been parsed, but not replayed.
#[derive(Clone, Debug)]
pub struct TraceFile {
    /// The verb that made it.
    pub command: String,
    /// The version of the tool that made it.
    pub version: String,
    /// The path of the dialogue, as it was given then.
    pub dialogue: String,
    /// The digest of the dialogue's text ([`map_json::fingerprint`]).
    pub fingerprint: String,
    /// The scene.
    pub scene: String,
    /// The numbers of agents that were asked for, each name once.
    pub cast: Vec<CastOverride>,
    /// First values of cells that the text does not have.
    pub set: Vec<FirstValue>,
    /// The agents, in order, and the bounds in force.
    pub bounds: BoundsOutput,
    /// How it ended, according to the command that saved it.
    pub verdict: String,
    /// The initial values chosen, as text.
    pub initial: Vec<String>,
    /// The values that the steps refer to, as text.
    pub values: Vec<String>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The steps from this index on are claimed to be repeated for ever.
    pub repeated_from: Option<usize>,
    /// The place of each step in the text of the trace.
    pub spans: Vec<Span>,
}

/// What a trace, or an output with one, is read from.
#[derive(Deserialize)]
struct Contents<'t> {
    version: String,
    command: String,
    file: String,
    source: String,
    scene: String,
    cast: Vec<String>,
    #[serde(default)]
    set: Vec<String>,
    verdict: String,
    bounds: BoundsOutput,
    #[serde(default)]
    initial: Vec<String>,
    #[serde(default)]
    values: Vec<String>,
    #[serde(borrow)]
    choices: Vec<&'t RawValue>,
    repeated_from: Option<usize>,
    #[serde(borrow)]
    endless: Option<Endless<'t>>,
}

/// The endless continuation of a livelock, after the steps.
#[derive(Deserialize)]
struct Endless<'t> {
    #[serde(borrow)]
    choices: Vec<&'t RawValue>,
    repeated_from: usize,
}

/// Reads a trace.
///
/// # Errors
/// What is wrong with it.
pub fn read(source: &SourceFile) -> Result<TraceFile, Diagnostic> {
    let text = source.text();
    let kind: Kind = serde_json::from_str(text).map_err(|error| no_json(source, &error))?;
    kind.refuse_others()?;
    let contents: Contents<'_> = serde_json::from_str(text).map_err(|error| no_json(source, &error))?;
    contents.refuse_unseen()?;
    let (mut steps, mut spans) = (Vec::new(), Vec::new());
    let endless = contents.endless.as_ref();
    for choice in contents.choices.iter().chain(endless.into_iter().flat_map(|it| &it.choices)) {
        let span = span_of(text, choice.get());
        let word: Cow<'_, str> =
            serde_json::from_str(choice.get()).map_err(|_| no_step(span, "a step is a string"))?;
        steps.push(word.parse().map_err(|why: String| no_step(span, &why))?);
        spans.push(span);
    }
    let has_none = WITHOUT_TRACE.iter().any(|verdict| verdict.words() == contents.verdict);
    if contents.command == "verify" && has_none && steps.is_empty() {
        return Err(no_trace(&format!("the verdict is `{}`, which has no trace", contents.verdict)));
    }
    let of_endless = endless.map(|it| it.repeated_from.saturating_add(contents.choices.len()));
    let repeated_from = contents.repeated_from.or(of_endless);
    if repeated_from.is_some_and(|from| from >= steps.len()) {
        return Err(no_trace("`repeated_from` is behind the last step"));
    }
    if contents.bounds.depth == 0 {
        return Err(no_trace("`depth` is 0, and nobody could do anything"));
    }
    Ok(TraceFile {
        cast: cast(&contents.cast).map_err(|why| no_trace(&format!("`cast`: {why}")))?,
        set: set(&contents.set).map_err(|why| no_trace(&format!("`set`: {why}")))?,
        scene: contents.scene,
        bounds: contents.bounds,
        command: contents.command,
        version: contents.version,
        dialogue: contents.file,
        fingerprint: contents.source,
        verdict: contents.verdict,
        initial: contents.initial,
        values: contents.values,
        steps,
        repeated_from,
        spans,
    })
}

impl Contents<'_> {
    /// Refuses texts that would play tricks with a terminal when they are printed.
    fn refuse_unseen(&self) -> Result<(), Diagnostic> {
        let words = [&self.command, &self.version, &self.file, &self.verdict, &self.scene];
        let constants = self.bounds.rounds_of.iter().map(|rounds| &rounds.constant);
        match words.into_iter().chain(constants).chain(&self.set).any(|text| text.chars().any(is_unseen)) {
            true => Err(no_trace("one of its texts has characters that nobody sees")),
            false => Ok(()),
        }
    }
}

/// The numbers of agents.
fn cast(texts: &[String]) -> Result<Vec<CastOverride>, String> {
    let mut cast: Vec<CastOverride> = Vec::new();
    for text in texts {
        let next: CastOverride = text.parse()?;
        if cast.iter().any(|earlier| earlier.name == next.name) {
            return Err(format!("{} is given twice", next.name));
        }
        cast.push(next);
    }
    Ok(cast)
}

/// First values.
fn set(texts: &[String]) -> Result<Vec<FirstValue>, String> {
    texts.iter().map(|text| text.parse()).collect()
}

/// The span of `part`, which must be a slice of `text`.
fn span_of(text: &str, part: &str) -> Span {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    Span::new(start as u32, (start + part.len()) as u32)
}

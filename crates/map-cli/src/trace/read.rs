//! Parses a trace. Errors become diagnostics that point into the trace file.

use std::borrow::Cow;
use std::path::Path;

use clap::ValueEnum as _;
use map_diagnostics::{Code, Diagnostic, SourceFile, Span, is_unseen};
use map_semantics::Step;
use map_session::Rounds;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::args::parse_choice;
use crate::input::Unreadable;
use crate::json::FORMAT;
use map_flags::{BoundArgs, CastArg, SceneArgs, TimeoutsArg, parse_cast, parse_network};

/// The largest trace that is read, in bytes.
pub(crate) const MAX_TRACE_BYTES: usize = 256 << 20;

/// Verdicts of `map verify` that have no trace.
const WITHOUT_TRACE: [&str; 3] = ["terminates", "terminates if fair", "inconclusive"];

/// A trace that has been parsed, but not replayed.
pub(crate) struct TraceFile {
    /// The trace file itself.
    pub(crate) source: SourceFile,
    /// The verb that made it.
    pub(crate) command: String,
    /// The version of the tool that made it.
    pub(crate) version: String,
    /// The path of the dialogue, as it was given then.
    pub(crate) dialogue: String,
    /// The digest of the dialogue's text ([`crate::fingerprint`]).
    pub(crate) fingerprint: String,
    pub(crate) scene: SceneArgs,
    pub(crate) bounds: BoundArgs,
    /// The agents, in order.
    pub(crate) agents: Vec<String>,
    /// How it ended, according to the command that saved it.
    pub(crate) verdict: String,
    /// The initial values chosen, as text.
    pub(crate) initial: Vec<String>,
    /// The values that the steps refer to, as text.
    pub(crate) values: Vec<String>,
    pub(crate) steps: Vec<Step>,
    /// The steps from this index on are claimed to be repeated for ever.
    pub(crate) repeated_from: Option<usize>,
    /// The place of each step in the trace file.
    pub(crate) spans: Vec<Span>,
}

/// The fields that tell the kinds of JSON output apart.
#[derive(Deserialize)]
struct Kind {
    schema: Option<u64>,
    tool: Option<String>,
    version: Option<String>,
    command: Option<String>,
    results: Option<IgnoredAny>,
    ends: Option<IgnoredAny>,
    diagnostics: Option<IgnoredAny>,
    choices: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Contents<'t> {
    version: String,
    command: String,
    file: String,
    source: String,
    scene: String,
    cast: Vec<String>,
    verdict: String,
    bounds: Bounds,
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

#[derive(Deserialize)]
struct Bounds {
    agents: Vec<Player>,
    depth: u32,
    rounds: Option<u32>,
    rounds_of: Vec<RoundsOf>,
    mailbox: u32,
    timeouts: String,
    network: String,
}

#[derive(Deserialize)]
struct Player {
    name: String,
}

#[derive(Deserialize)]
struct RoundsOf {
    constant: String,
    limit: u32,
}

/// Reads a trace.
pub(crate) fn read(source: SourceFile) -> Result<TraceFile, Box<Unreadable>> {
    match parse(&source) {
        Ok(trace) => Ok(trace),
        Err(diagnostic) => Err(Box::new(Unreadable { source, diagnostic })),
    }
}

fn parse(source: &SourceFile) -> Result<TraceFile, Diagnostic> {
    let text = source.text();
    let kind: Kind = serde_json::from_str(text).map_err(|error| no_json(source, &error))?;
    refuse_other_kinds(&kind)?;
    let contents: Contents<'_> = serde_json::from_str(text).map_err(|error| no_json(source, &error))?;
    let words = [&contents.command, &contents.version, &contents.file, &contents.verdict, &contents.scene];
    let constants = contents.bounds.rounds_of.iter().map(|it| &it.constant);
    // They are printed, and must not play tricks with a terminal.
    if words.into_iter().chain(constants).any(|it| it.chars().any(is_unseen)) {
        return Err(no_trace("one of its texts has characters that nobody sees"));
    }
    let (mut steps, mut spans) = (Vec::new(), Vec::new());
    let endless = contents.endless.as_ref();
    for choice in contents.choices.iter().chain(endless.into_iter().flat_map(|it| &it.choices)) {
        let span = span_of(text, choice.get());
        let word: Cow<'_, str> =
            serde_json::from_str(choice.get()).map_err(|_| no_step(span, "a step is a string"))?;
        steps.push(parse_choice(&word).map_err(|why| no_step(span, &why))?);
        spans.push(span);
    }
    let has_none = WITHOUT_TRACE.contains(&contents.verdict.as_str());
    if contents.command == "verify" && has_none && steps.is_empty() {
        return Err(no_trace(&format!("the verdict is `{}`, which has no trace", contents.verdict)));
    }
    let of_endless = endless.map(|it| it.repeated_from.saturating_add(contents.choices.len()));
    let repeated_from = contents.repeated_from.or(of_endless);
    if repeated_from.is_some_and(|from| from >= steps.len()) {
        return Err(no_trace("`repeated_from` is behind the last step"));
    }
    let cast =
        contents.cast.iter().map(|it| parse_cast(it).map_err(|why| no_trace(&format!("`cast`: {why}"))));
    let agents = cast.map(|it| it.map(CastArg::Exactly)).collect::<Result<Vec<CastArg>, Diagnostic>>()?;
    let scene = SceneArgs { scenes: vec![contents.scene], agents };
    scene.to_options().map_err(|why| no_trace(&format!("`cast`: {why}")))?;
    Ok(TraceFile {
        scene,
        bounds: bounds(&contents.bounds)?,
        agents: contents.bounds.agents.into_iter().map(|player| player.name).collect(),
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
        source: source.clone(),
    })
}

/// Refuses other kinds of JSON, and traces of another format version, saying what they are.
fn refuse_other_kinds(kind: &Kind) -> Result<(), Diagnostic> {
    if kind.tool.as_deref() != Some("map") || kind.schema.is_none() || kind.command.is_none() {
        return Err(no_trace("it is JSON, but not from map: `schema`, `tool` or `command` is missing"));
    }
    if let (Some(schema), version) = (kind.schema, kind.version.as_deref().unwrap_or("an unknown version"))
        && schema != u64::from(FORMAT)
    {
        let what = format!("the trace has format {schema}, and this version reads format {FORMAT}");
        return Err(Diagnostic::unplaced(Code::TraceFormat, what)
            .with_note(format!(
                "it was saved by map {version}, and this is map {}",
                env!("CARGO_PKG_VERSION")
            ))
            .with_help("replay it with that version, or save it anew"));
    }
    let what = if kind.results.is_some() {
        "it is the output for several files; a trace is that of one"
    } else if kind.ends.is_some() {
        "it is a statistic of many runs; repeat one of them with its seed and --save-trace"
    } else if kind.diagnostics.is_some() {
        "it holds only diagnostics: the file had errors"
    } else if kind.choices.is_none() {
        "it has no `choices`, which are the steps"
    } else {
        return Ok(());
    };
    Err(no_trace(what))
}

fn bounds(bounds: &Bounds) -> Result<BoundArgs, Diagnostic> {
    if bounds.depth == 0 {
        return Err(no_trace("`depth` is 0, and nobody could do anything"));
    }
    let timeouts = TimeoutsArg::from_str(&bounds.timeouts, false)
        .map_err(|_| no_trace(&format!("`timeouts` is {:?}: expected quiescent or any", bounds.timeouts)))?;
    let network = parse_network(&bounds.network).map_err(|why| no_trace(&format!("`network`: {why}")))?;
    let all = bounds.rounds.map(|limit| Rounds { constant: None, limit });
    let some =
        bounds.rounds_of.iter().map(|it| Rounds { constant: Some(it.constant.clone()), limit: it.limit });
    Ok(BoundArgs {
        depth: bounds.depth,
        rounds: all.into_iter().chain(some).collect(),
        mailbox: bounds.mailbox,
        timeouts,
        network,
    })
}

/// The span of `part`, which must be a slice of `text`.
fn span_of(text: &str, part: &str) -> Span {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    Span::new(start as u32, (start + part.len()) as u32)
}

fn no_json(source: &SourceFile, error: &serde_json::Error) -> Diagnostic {
    let lines = source.text().split_inclusive('\n');
    let before: usize = lines.take(error.line().saturating_sub(1)).map(str::len).sum();
    let at = (before + error.column().saturating_sub(1)).min(source.text().len());
    let at = (0..=at).rev().find(|&at| source.text().is_char_boundary(at)).unwrap_or(0) as u32;
    let why = error.to_string();
    let why = why.rsplit_once(" at line ").map_or(why.as_str(), |(why, _)| why);
    let label = if why.chars().count() > 200 { "this does not belong here" } else { why };
    if Path::new(source.name()).extension().is_some_and(|it| it.eq_ignore_ascii_case("map")) {
        return Diagnostic::unplaced(Code::NotATrace, "this is a dialogue, not a trace of one")
            .with_help("`map run` plays it, and `--save-trace` saves what happens");
    }
    let label = if source.text().trim().is_empty() { "there is nothing in it" } else { label };
    Diagnostic::new(Code::NotATrace, Span::new(at, at), "this is no trace, or a damaged one", label)
        .with_help(
            "traces are saved by `--save-trace`, and `--format json` of run and verify will do as well",
        )
}

fn no_step(span: Span, why: &str) -> Diagnostic {
    Diagnostic::new(Code::NotATrace, span, "this is no step", why)
}

fn no_trace(why: &str) -> Diagnostic {
    Diagnostic::unplaced(Code::NotATrace, "this is no trace, or a damaged one").with_note(why).with_help(
        "traces are saved by `--save-trace`, and `--format json` of run and verify will do as well",
    )
}

//! Tells traces from other outputs.

use map_diagnostics::{Code, Diagnostic};
use map_json::FORMAT;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::refused::no_trace;

/// The fields that tell the kinds of JSON output apart.
#[derive(Deserialize)]
pub(crate) struct Kind {
    schema: Option<u64>,
    tool: Option<String>,
    version: Option<String>,
    command: Option<String>,
    results: Option<IgnoredAny>,
    ends: Option<IgnoredAny>,
    diagnostics: Option<IgnoredAny>,
    choices: Option<IgnoredAny>,
}

impl Kind {
    /// Refuses other kinds of JSON, and traces of another format version, saying what they are.
    pub(crate) fn refuse_others(&self) -> Result<(), Diagnostic> {
        let Self { tool: Some(tool), schema: Some(schema), command: Some(_), .. } = self else {
            return Err(no_trace(FOREIGN));
        };
        if tool != "map" {
            return Err(no_trace(FOREIGN));
        }
        if *schema != u64::from(FORMAT) {
            let what = format!("the trace has format {schema}, and this version reads format {FORMAT}");
            let (theirs, ours) =
                (self.version.as_deref().unwrap_or("an unknown version"), env!("CARGO_PKG_VERSION"));
            return Err(Diagnostic::unplaced(Code::TraceFormat, what)
                .with_note(format!("it was saved by map {theirs}, and this is map {ours}"))
                .with_help("replay it with that version, or save it anew"));
        }
        let what = if self.results.is_some() {
            "it is the output for several files; a trace is that of one"
        } else if self.ends.is_some() {
            "it is a statistic of many runs; repeat one of them with its seed and --save-trace"
        } else if self.diagnostics.is_some() {
            "it holds only diagnostics: the file had errors"
        } else if self.choices.is_none() {
            "it has no `choices`, which are the steps"
        } else {
            return Ok(());
        };
        Err(no_trace(what))
    }
}

const FOREIGN: &str = "it is JSON, but not from map: `schema`, `tool` or `command` is missing";

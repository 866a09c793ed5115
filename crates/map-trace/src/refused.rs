//! What is wrong with the text of a trace.

use std::path::Path;

use map_diagnostics::{Code, Diagnostic, SourceFile, Span};

/// It is no JSON, or has a field of another form.
pub(crate) fn no_json(source: &SourceFile, error: &serde_json::Error) -> Diagnostic {
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
    Diagnostic::new(Code::NotATrace, Span::new(at, at), NO_TRACE, label).with_help(WHERE_FROM)
}

/// It is JSON, but no trace.
pub(crate) fn no_trace(why: &str) -> Diagnostic {
    Diagnostic::unplaced(Code::NotATrace, NO_TRACE).with_note(why).with_help(WHERE_FROM)
}

/// Something in it is no step.
pub(crate) fn no_step(span: Span, why: &str) -> Diagnostic {
    Diagnostic::new(Code::NotATrace, span, "this is no step", why)
}

/// It does not fit to the dialogue, or to itself.
pub(crate) fn contradiction(why: impl Into<String>) -> Diagnostic {
    Diagnostic::unplaced(Code::NotATrace, "the trace contradicts itself, or the file").with_note(why)
}

const NO_TRACE: &str = "this is no trace, or a damaged one";

const WHERE_FROM: &str =
    "traces are saved by `--save-trace`, and `--format json` of run and verify will do as well";

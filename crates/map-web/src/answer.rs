//! Answers: what was asked for, or why it cannot be had.

use std::sync::Arc;

use map_diagnostics::{Diagnostic, SourceFile};
use map_verify::InternalError;
use serde::Serialize;

use crate::pieces::told;
use crate::request::Request;
use crate::{editing, library, pictures, run, step, verify, weather};

/// The name of the text in what is said about it.
const NAME: &str = "dialogue.map";

/// The longest text, in bytes.
const MAX_TEXT: usize = 1 << 20;

/// Why there is no answer.
#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    kind: FailureKind,
    message: String,
}

/// What a failure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum FailureKind {
    /// The request.
    Request,
    /// The flags.
    Flags,
    /// The text, which has errors, or is not what the request needs.
    Text,
    /// The search contradicts itself: a defect.
    Internal,
}

impl Failure {
    /// The flags are wrong.
    pub(crate) fn flags(what: impl Into<String>) -> Self {
        Self { kind: FailureKind::Flags, message: what.into() }
    }

    /// What is asked for cannot be had of this text.
    pub(crate) fn text(what: impl Into<String>) -> Self {
        Self { kind: FailureKind::Text, message: what.into() }
    }

    /// The text has these errors.
    pub(crate) fn diagnostics(source: &SourceFile, all: &[Diagnostic]) -> Self {
        Self::text(told(source, all))
    }
}

impl From<InternalError> for Failure {
    fn from(defect: InternalError) -> Self {
        let message = format!("{defect}; this is a defect of map: please report it, with the text");
        Self { kind: FailureKind::Internal, message }
    }
}

/// What is answered, as JSON.
pub(crate) type Answered = Result<serde_json::Value, Failure>;

/// Answers a request: `{"ok": ..}` or `{"error": {"kind": .., "message": ..}}`.
pub(crate) fn answer(request: &[u8]) -> String {
    let answered = serde_json::from_slice(request)
        .map_err(|error| Failure { kind: FailureKind::Request, message: format!("wrong request: {error}") })
        .and_then(answer_to);
    let answer = match answered {
        Ok(answer) => serde_json::json!({ "ok": answer }),
        Err(failure) => serde_json::json!({ "error": failure }),
    };
    answer.to_string()
}

fn answer_to(request: Request) -> Answered {
    match request {
        Request::Library {} => Ok(json(&library::library())),
        Request::Explain { code } => library::explain(&code),
        Request::Check { text, flags } => {
            let source = source(text)?;
            editing::check(&source, &flags)
        }
        Request::Hover { text, at } => Ok(editing::hover(&analysis(text)?, at)),
        Request::Complete { text, at } => Ok(editing::complete(&analysis(text)?, at)),
        Request::Define { text, at } => Ok(editing::define(&analysis(text)?, at)),
        Request::References { text, at } => Ok(editing::references(&analysis(text)?, at)),
        Request::RenameRange { text, at } => editing::rename_range(&analysis(text)?, at),
        Request::Rename { text, at, name } => editing::rename(&analysis(text)?, at, &name),
        Request::Format { text } => editing::format(&analysis(text)?),
        Request::Run { text, flags, seed } => run::run(&source(text)?, &flags, seed),
        Request::Step { text, flags, initial, steps } => step::step(&source(text)?, &flags, initial, &steps),
        Request::States { text, flags, states } => pictures::states(&source(text)?, &flags, states),
        Request::Verify { text, flags, detail, limits } => {
            verify::verify(&source(text)?, &flags, detail, limits)
        }
        Request::Weather { text, flags, detail, limits } => {
            weather::weather(&source(text)?, &flags, detail, limits)
        }
        Request::Roles { text, flags } => pictures::roles(&source(text)?, &flags),
    }
}

fn source(text: String) -> Result<Arc<SourceFile>, Failure> {
    Ok(Arc::new(SourceFile::new(NAME, bounded(text)?)))
}

fn analysis(text: String) -> Result<map_ide::Analysis, Failure> {
    bounded(text).map(map_ide::Analysis::new)
}

fn bounded(text: String) -> Result<String, Failure> {
    match text.len() {
        0..=MAX_TEXT => Ok(text),
        _ => Err(Failure::text(format!("the text is larger than {} MiB", MAX_TEXT >> 20))),
    }
}

/// A value as JSON; none of ours can fail to be.
pub(crate) fn json(value: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(value).expect("it has string keys and finite numbers")
}

//! Why a request has no answer, and answers as JSON.

use map_diagnostics::{Diagnostic, SourceFile};
use map_verify::InternalError;
use serde::Serialize;

use crate::pieces::told;

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
    /// The request is wrong.
    pub(crate) fn request(error: &serde_json::Error) -> Self {
        Self { kind: FailureKind::Request, message: format!("wrong request: {error}") }
    }

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

/// A value as JSON; none of ours can fail to be.
pub(crate) fn json(value: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(value).expect("it has string keys and finite numbers")
}

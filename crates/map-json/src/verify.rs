//! The output of `map verify`.

pub(crate) mod any;
pub(crate) mod cost;
pub(crate) mod judged;
pub(crate) mod limits;
pub(crate) mod property;
pub(crate) mod spin;
pub(crate) mod unused;
pub(crate) mod verified;
pub(crate) mod weather;

use map_diagnostics::{Diagnostic, SourceFile};
use serde::Serialize;

use crate::{AnyOutput, DiagnosticOutput, Header, JudgedOutput, VerifiedOutput, WeatherOutput};

/// `map verify --format json`: for one file its result, for several all of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum VerifyOutput {
    /// One scene.
    One(Box<VerifyResult>),
    /// Several files or scenes.
    Several(Several),
}

/// The results of several files or scenes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Several {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// One for each scene, or file with errors, in the order of the command line and of the file.
    pub results: Vec<VerifyResult>,
}

/// The result of one scene.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum VerifyResult {
    /// The file was searched.
    Verified(Box<VerifiedOutput>),
    /// The properties of the file were judged, and nothing else.
    Judged(Box<JudgedOutput>),
    /// The file was searched in every weather.
    Weather(Box<WeatherOutput>),
    /// The verdict was asked for any number of agents of a role.
    Any(Box<AnyOutput>),
    /// The file has errors.
    Rejected(RejectedOutput),
}

/// A file with errors.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RejectedOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// The file, as it was named.
    pub file: String,
    /// Its errors and warnings.
    pub diagnostics: Vec<DiagnosticOutput>,
}

impl RejectedOutput {
    /// What a verb says of a file with errors.
    #[must_use]
    pub fn new(command: &str, source: &SourceFile, diagnostics: &[Diagnostic]) -> Self {
        let diagnostics = diagnostics.iter().map(|it| DiagnosticOutput::new(source, it));
        Self {
            header: Header::new(command),
            file: source.name().to_owned(),
            diagnostics: diagnostics.collect(),
        }
    }
}

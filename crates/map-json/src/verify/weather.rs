//! The output of `map verify --weather`.

use serde::Serialize;

use crate::{Header, VerifiedOutput};

/// A file that was searched in every weather (`--weather`).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WeatherOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// The file, as it was named.
    pub file: String,
    /// The scene.
    pub scene: String,
    /// Fair weather first; fewer rows if the search was interrupted.
    pub weather: Vec<WeatherRow>,
}

/// A file in one weather.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WeatherRow {
    /// `instant`, `unordered`, `delayed`, `lossy:1`, `crash:1` or `timeouts any`.
    pub weather: String,
    /// What `map verify` would print under `--network` or `--timeouts`.
    pub result: VerifiedOutput,
    /// The files to which the traces of what falls were saved, that of termination first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub saved: Vec<String>,
}

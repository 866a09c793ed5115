//! What outputs start with, and what a trace was made from.

use map_diagnostics::SourceFile;
use map_ir::Program;
use serde::Serialize;

use crate::fingerprint::fingerprint;

/// The version of this format, also that of traces: the `schema` of everything that can be replayed.
pub const FORMAT: u32 = 1;

/// What every output starts with.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Header {
    /// The version of this format.
    pub schema: u32,
    /// Always `map`.
    pub tool: String,
    /// The version of the tool.
    pub version: String,
    /// The verb.
    pub command: String,
}

impl Header {
    /// What the outputs of a verb start with.
    #[must_use]
    pub fn new(command: &str) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { schema: FORMAT, tool: "map".to_owned(), version, command: command.to_owned() }
    }

    /// What the outputs of a verb start with that has a version of its own.
    #[must_use]
    pub fn of_version(command: &str, schema: u32) -> Self {
        Self { schema, ..Self::new(command) }
    }
}

/// What a trace was made from: without it a step means nothing.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Origin {
    /// The file with the dialogue, as it was named.
    pub file: String,
    /// What its text is known by: `sha256:` and the digest in hexadecimal digits.
    pub source: String,
    /// The scene.
    pub scene: String,
    /// The numbers of agents asked for, as `--agents` takes them.
    pub cast: Vec<String>,
    /// First values of cells that the text does not have, as `--set` takes them; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub set: Vec<String>,
}

impl Origin {
    /// A scene of a file, with the numbers of agents that were asked for.
    pub fn new(source: &SourceFile, program: &Program, cast: &[impl ToString]) -> Self {
        Self {
            file: source.name().to_owned(),
            source: fingerprint(source.text()),
            scene: program.scene.clone(),
            cast: cast.iter().map(ToString::to_string).collect(),
            set: program.set.clone(),
        }
    }
}

//! The flags that several verbs share, besides those of `map-flags`.

use clap::ValueEnum;

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object
    Json,
}

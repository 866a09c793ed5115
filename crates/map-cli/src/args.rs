//! The flags that several verbs share, besides those of `map-flags`.

mod odds;
mod values;

use clap::ValueEnum;

pub(crate) use odds::{CRASH, LOSS, OddsArgs};

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object
    Json,
}

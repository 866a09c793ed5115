//! Saved traces: written by run, step, verify and conform, read by replay, render and step.

mod open;
mod save;

pub(crate) use map_trace::{MAX_TRACE_BYTES, NewTrace, to_text};
pub(crate) use open::{Beginning, Opened, SourceArgs, open, open_source};
pub(crate) use save::{FLAG, SaveArgs, save};

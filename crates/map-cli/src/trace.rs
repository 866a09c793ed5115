//! Saved traces: written by run, step, verify and conform, read by replay, render and step.

mod open;
mod save;

pub(crate) use map_trace::{MAX_TRACE_BYTES, Saved, to_text};
pub(crate) use open::{Opened, SourceArgs, initial_of, open, open_source, refuse_step, returns, values_of};
pub(crate) use save::{FLAG, SaveArgs, save};

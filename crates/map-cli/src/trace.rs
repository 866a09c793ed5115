//! Saved traces: written by run, step and verify, read by replay and step.

mod open;
mod read;
mod save;
mod values;

pub(crate) use open::{Opened, SourceArgs, initial_of, open, open_source, refuse_step, returns, values_of};
pub(crate) use read::MAX_TRACE_BYTES;
pub(crate) use save::{FLAG, SaveArgs, Saved};
pub(crate) use values::to_text;

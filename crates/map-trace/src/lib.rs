//! The formats of what is saved: traces, which are JSON, and checkpoints.
//!
//! A trace is written from a [`NewTrace`] and becomes a [`TraceFile`] when it is read; what its texts mean in a scene
//! is said by its methods. Mistakes are diagnostics that point into the text of the trace. A checkpoint has a
//! [`Head`], and digests that tell whether it is whole. Bytes come from the caller, who opens files and shows what is
//! wrong.

pub mod checkpoint;
mod kinds;
mod meaning;
mod read;
mod refused;
mod save;
mod values;

#[cfg(test)]
mod tests;

pub use checkpoint::{DIGEST, Head, identity};
pub use read::{MAX_TRACE_BYTES, TraceFile, read};
pub use save::NewTrace;
pub use values::{to_text, value_of};

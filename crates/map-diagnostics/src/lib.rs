//! Source files, spans, and the [`Diagnostic`] type of the toolchain with its renderers as text and as
//! commands of GitHub Actions.
//!
//! Every phase of the front end reports through this crate, which accesses neither the file system nor the
//! terminal.

mod code;
mod diagnostic;
mod examined;
mod excerpt;
mod github;
mod source;
mod text;
mod unseen;

pub use code::{Code, Severity};
pub use diagnostic::{Diagnostic, Fix, Label};
pub use examined::ExaminedFile;
pub use github::github_command;
pub use source::{Position, SourceFile, Span};
pub use text::{RenderedText, render};
pub use unseen::{escaped, escaped_line, is_directional, is_unseen};

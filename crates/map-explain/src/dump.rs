//! The results of the phases of this tool as readable text: `map dump`. The layout is stable within one version.

mod ast;
mod ir;
mod names;
mod successors;
mod tree;

use map_diagnostics::{SourceFile, Span, escaped_line};
use map_ir::SourceSpan;

pub use ast::ast;
pub use ir::ir;
pub use names::names;
pub use successors::successors;

/// `LINE:COLUMN` of an offset.
fn start(source: &SourceFile, offset: u32) -> String {
    let at = source.position(offset);
    format!("{}:{}", at.line, at.column)
}

/// `LINE:COLUMN-LINE:COLUMN`.
fn span(source: &SourceFile, span: Span) -> String {
    format!("{}-{}", start(source, span.start), start(source, span.end))
}

/// The same for a span of a program.
fn span_of(source: &SourceFile, it: SourceSpan) -> String {
    span(source, Span::new(it.start, it.end))
}

/// A comma-separated list, or `none`.
fn listed(things: impl IntoIterator<Item = String>) -> String {
    let text = things.into_iter().collect::<Vec<_>>().join(", ");
    if text.is_empty() { "none".to_owned() } else { text }
}

/// A piece of source on one line, with its whitespace collapsed.
fn one_line(text: &str) -> String {
    escaped_line(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

//! Places in the source.

use map_diagnostics::{SourceFile, Span};
use map_ir::SourceSpan;
use serde::Serialize;

/// A place in the source.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SpanOutput {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
    /// Line of the start, from 1.
    pub line: usize,
    /// Column of the start in characters, from 1.
    pub column: usize,
    /// Line of the end.
    pub end_line: usize,
    /// Column of the end.
    pub end_column: usize,
}

impl SpanOutput {
    /// A place as diagnostics have it.
    #[must_use]
    pub fn new(source: &SourceFile, span: Span) -> Self {
        let (start, end) = (source.position(span.start), source.position(span.end));
        Self {
            start: span.start,
            end: span.end,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }

    /// A place as programs have it.
    #[must_use]
    pub fn of(source: &SourceFile, span: SourceSpan) -> Self {
        Self::new(source, Span::new(span.start, span.end))
    }
}

//! Diagnostics as JSON values, for editors and scripts.

use serde_json::{Value, json};

use crate::{Diagnostic, SourceFile, Span};

/// A diagnostic with its spans resolved by [`span_to_json`].
#[must_use]
pub fn to_json(source: &SourceFile, diagnostic: &Diagnostic) -> Value {
    json!({
        "code": diagnostic.code.as_str(),
        "severity": diagnostic.severity().word(),
        "text": diagnostic.text,
        "file": source.name(),
        "labels": diagnostic.labels.iter().map(|label| json!({
            "primary": label.primary,
            "text": label.text,
            "span": span_to_json(source, label.span),
        })).collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "help": diagnostic.help,
        "fixes": diagnostic.fixes.iter().map(|fix| json!({
            "title": fix.title,
            "edits": fix.edits.iter().map(|(span, text)| json!({
                "span": span_to_json(source, *span),
                "replacement": text,
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

/// A span as byte offsets and as lines and columns, both counted from 1; columns count characters.
#[must_use]
pub fn span_to_json(source: &SourceFile, span: Span) -> Value {
    let (start, end) = (source.position(span.start), source.position(span.end));
    json!({
        "start": span.start,
        "end": span.end,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    })
}

//! The formatter: one canonical layout, which keeps every comment.
//!
//! The printer walks the tree, which gives the structure, in step with the tokens of the text, which give the
//! positions of comments and the spelling of strings and integers. It emits layout commands, from which the text is
//! produced at the end.
//!
//! Line breaks depend on the width and on the author: a chain of operations, a `timeout` or a body that began on a
//! line of its own still does. Joining the lines by hand puts it on one line, and the formatter leaves it there. A line
//! whose warnings a comment allows keeps its words, however long it is.

mod body;
mod clause;
mod cost;
mod doc;
mod expression;
mod formula;
mod formula_precedence;
mod gap;
mod measure;
mod operation;
mod parens;
mod pinned;
mod precedence;
mod printer;
mod separator;
mod trivia;
mod words;

use map_diagnostics::{Code, Diagnostic, SourceFile};

use crate::ast::File;
use crate::{LineEnd, MAX_SOURCE_BYTES, parse, sketch, too_large, without_spans};

/// The target line width, in characters. A wider line is broken where possible.
const WIDTH: usize = 100;

/// Spaces per level of indentation.
const INDENT: usize = 4;

/// Formats a text: same tree, same comments in the same order, same warnings allowed, canonical layout. All lines end
/// as most lines of the text do, and a byte order mark stays.
///
/// Operations are parenthesised if they are a chain inside another chain, a `waitfor` inside a chain or another
/// `waitfor`, a chain after `waitfor`, or the operation after `timeout`; nowhere else. Formatting is idempotent and
/// takes time linear in the length of the text.
///
/// # Errors
/// The diagnostics of a text that is not correct, or that cannot be formatted (see [`format_file`]).
pub fn format(source: &SourceFile) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(source);
    if !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics);
    }
    format_file(source, &parsed.file)
}

/// Formats a text that [`parse`] has read without errors into this tree.
///
/// # Errors
/// A diagnostic if the text would become larger than [`MAX_SOURCE_BYTES`], or another program: a defect of the
/// formatter.
pub fn format_file(source: &SourceFile, file: &File) -> Result<String, Vec<Diagnostic>> {
    let text = source.text();
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let tokens = words::of_correct(text, sketch::tokens(text));
    let comments = trivia::comments(text, start, &tokens);
    let pinned = pinned::Pinned::new(text, &tokens, &comments, file);
    let mut printer = printer::Printer::new(text, &tokens, comments, pinned);
    printer.file(file);
    let formatted = LineEnd::of(text).applied_to(text[..start].to_owned() + &printer.finish());
    // Indentation of deeply nested code can exceed the limit, but the result must be parseable again.
    if formatted.len() > MAX_SOURCE_BYTES {
        return Err(vec![too_large("the formatted file")]);
    }
    // The text that is about to be overwritten may be the only copy.
    let again = parse(&SourceFile::new(source.name(), formatted.as_str()));
    if !again.diagnostics.is_empty() || without_spans(&again.file) != without_spans(file) {
        return Err(vec![unfaithful()]);
    }
    Ok(formatted)
}

fn unfaithful() -> Diagnostic {
    Diagnostic::unplaced(
        Code::UnfaithfulLayout,
        "laid out, the text would be another program; it is left alone",
    )
    .with_note("this is a defect of the formatter, not a mistake in the text")
    .with_help("please report it with the text; moving comments to lines of their own often avoids it")
}

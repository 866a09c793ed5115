//! The formatter: one canonical layout, which keeps every comment.
//!
//! The printer walks the tree, which gives the structure, in step with the tokens of the text, which give the
//! positions of comments and the spelling of strings and integers. It emits layout commands, from which the text is
//! produced at the end.
//!
//! Line breaks depend on the width and on the author: a chain of operations, a `timeout` or a body that began on a
//! line of its own still does. Joining the lines by hand puts it on one line, and the formatter leaves it there.

mod body;
mod clause;
mod doc;
mod expression;
mod formula;
mod formula_precedence;
mod gap;
mod operation;
mod parens;
mod precedence;
mod printer;
mod separator;
mod trivia;
mod words;

use map_diagnostics::{Diagnostic, SourceFile};

use crate::ast::File;
use crate::{MAX_SOURCE_BYTES, parse, scan, too_large};

/// The target line width, in characters. A wider line is broken where possible.
const WIDTH: usize = 100;

/// Spaces per level of indentation.
const INDENT: usize = 4;

/// Formats a text: same tree, same comments in the same order, canonical layout, line breaks as `\n`.
///
/// Operations are parenthesised if they are a chain inside another chain, a `waitfor` inside a chain or another
/// `waitfor`, a chain after `waitfor`, or the operation after `timeout`; nowhere else. Formatting is idempotent and
/// takes time linear in the length of the text.
///
/// # Errors
/// The diagnostics of a text that is not correct, or that would become larger than [`MAX_SOURCE_BYTES`].
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
/// A diagnostic if the text would become larger than [`MAX_SOURCE_BYTES`].
pub fn format_file(source: &SourceFile, file: &File) -> Result<String, Vec<Diagnostic>> {
    let text = source.text();
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let tokens = words::of_correct(text, scan::scan(text, start).tokens);
    let comments = trivia::comments(text, start, &tokens);
    let mut printer = printer::Printer::new(text, &tokens, comments);
    printer.file(file);
    let formatted = printer.finish();
    // Indentation of deeply nested code can exceed the limit, but the result must be parseable again.
    if formatted.len() > MAX_SOURCE_BYTES {
        return Err(vec![too_large("the formatted file")]);
    }
    Ok(formatted)
}

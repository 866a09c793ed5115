//! The printer: one layout for every text, with every comment kept.
//!
//! The tree says how a text is built; the words of the text, walked in step with it, say where its comments are and
//! how its strings and integers were written. Both end in a stream of layout commands, which is laid out last.
//!
//! The width decides where lines are broken, and the author: a chain of operations, a `timeout` or a body that began
//! on a line of its own still does. Whoever wants it on one line joins the words, and the printer keeps to that.

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

use crate::{MAX_SOURCE_BYTES, parse, scan, too_large};

/// The widest line, in characters, that is not broken if there is a place to break it.
const WIDTH: usize = 100;

/// Spaces for each level.
const INDENT: usize = 4;

/// The text in canonical layout: same tree, same comments in the same order, line ends as `\n`.
///
/// Parentheses are written around a chain inside another chain, around a `waitfor` inside a chain or another
/// `waitfor`, around a chain that is waited for and around the operation behind `timeout`; nowhere else. Formatting a
/// formatted text changes nothing. It takes time linear in the length of the text.
///
/// # Errors
/// The diagnostics of a text that is not correct, or that would become larger than [`MAX_SOURCE_BYTES`].
pub fn format(source: &SourceFile) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(source);
    if !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics);
    }
    let text = source.text();
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let tokens = words::of_correct(text, scan::scan(text, start).tokens);
    let comments = trivia::comments(text, start, &tokens);
    let mut printer = printer::Printer::new(text, &tokens, comments);
    printer.file(&parsed.file);
    let formatted = printer.finish();
    // Deep nesting is much white space, and what was read once should be readable again.
    if formatted.len() > MAX_SOURCE_BYTES {
        return Err(vec![too_large("the formatted file")]);
    }
    Ok(formatted)
}

//! The MAP grammar, its syntax tree and its parser.
//!
//! [`parse`] always returns a tree and a list of diagnostics. A mistake costs the operation or item that contains it:
//! the tree has the rest of its clause, with a hole. Names are not resolved here.
//!
//! The text is first sketched ([`sketch`]): split into tokens, items and clauses, which reveals unclosed strings and
//! nesting beyond the limit. Then pest parses it as a whole. Only if that fails is it parsed item by item and clause by
//! clause.

pub mod ast;

mod allowance;
mod build;
mod comments;
mod constant;
mod errors;
mod joined;
mod line_end;
mod literal;
mod misplaced;
mod mistakes;
mod pest_grammar;
mod phrases;
mod print;
mod recover;
mod repair;
mod site;
mod sketch;
mod trees;
mod unit;
mod words;

#[cfg(test)]
mod tests;

use map_diagnostics::{Code, Diagnostic, SourceFile};

use crate::build::Builder;
use crate::pest_grammar::Rule;

pub use allowance::allowance;
pub use comments::comments;
pub use constant::parse_constant;
pub use line_end::LineEnd;
pub use print::{format, format_file};
pub use sketch::token::{Kind as TokenKind, Token};
pub use sketch::{ItemKind, ItemSketch, Sketch, sketch};
pub use trees::without_spans;

/// The maximum nesting of operations, expressions and formulas (language reference, "Grammar").
pub const MAX_NESTING: usize = 200;

/// The maximum size of a source, in bytes.
pub const MAX_SOURCE_BYTES: usize = 16 << 20;

/// The maximum number of diagnostics that [`parse`] returns.
pub const MAX_DIAGNOSTICS: usize = 200;

/// The result of [`parse`].
#[derive(Clone, Debug)]
pub struct ParsedFile {
    /// The items and clauses that could be parsed.
    pub file: ast::File,
    /// The errors, in source order; empty if and only if the text is correct.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file. Never panics; takes time linear in the length of the text.
#[must_use]
pub fn parse(source: &SourceFile) -> ParsedFile {
    let text = source.text();
    if text.len() > MAX_SOURCE_BYTES {
        let diagnostic =
            too_large("the file").with_note(format!("it has {} bytes; nothing of it was read", text.len()));
        return ParsedFile { file: ast::File::default(), diagnostics: vec![diagnostic] };
    }
    read(text)
}

/// Parses a formula that is not part of a file, such as one given on the command line. Never panics.
///
/// # Errors
/// The diagnostics of a formula that is not correct.
pub fn parse_formula(source: &SourceFile) -> Result<ast::Formula, Vec<Diagnostic>> {
    let text = source.text();
    if text.len() > MAX_SOURCE_BYTES {
        return Err(vec![too_large("the formula")]);
    }
    recover::formula(text)
}

/// Parses what is to be collected of runs: an expression as of a measure, or an event whose variables are. Never
/// panics.
///
/// # Errors
/// The diagnostics of a text that is neither.
pub fn parse_collected(source: &SourceFile) -> Result<ast::Collectable, Vec<Diagnostic>> {
    let text = source.text();
    if text.len() > MAX_SOURCE_BYTES {
        return Err(vec![too_large("what is collected")]);
    }
    let value = match recover::measured(text) {
        Ok(value) => return Ok(ast::Collectable::Value(value)),
        Err(diagnostics) => diagnostics,
    };
    // A cell begins with an agent, too: which of the two was meant shows behind it.
    let is_event = |token: &Token| ["sends", "receives"].contains(&token.text(text));
    match recover::formula(text) {
        Ok(event) => Ok(ast::Collectable::Event(Box::new(event))),
        Err(diagnostics) if sketch::tokens(text).get(1).is_some_and(is_event) => Err(diagnostics),
        Err(_) => Err(value),
    }
}

fn too_large(what: &str) -> Diagnostic {
    let text = format!("{what} is larger than {} MiB", MAX_SOURCE_BYTES >> 20);
    Diagnostic::unplaced(Code::SourceTooLarge, text)
}

fn read(text: &str) -> ParsedFile {
    let start = sketch::mark_length(text);
    let sketch = sketch(text);
    let mut diagnostics = sketch.diagnostics.clone();
    let mut strict = None;
    if diagnostics.is_empty() && !sketch.is_too_deep(text) {
        match pest_grammar::read(Rule::file, &text[start..]) {
            Ok(pairs) => {
                if let Some(file) = Builder::new(start, &mut diagnostics).file(pairs) {
                    return finish(file, diagnostics);
                }
            }
            Err(failure) => strict = Some(failure),
        }
    }
    let file = recover::read(text, &sketch, &mut diagnostics);
    if diagnostics.is_empty() && file.scenes().next().is_some() {
        // The grammar alone decides which texts are correct, but splitting into units was more lenient here.
        diagnostics.push(errors::whole_file(strict, start, text.len()));
    }
    finish(file, diagnostics)
}

fn finish(file: ast::File, mut diagnostics: Vec<Diagnostic>) -> ParsedFile {
    diagnostics.sort_by_key(Diagnostic::span);
    diagnostics.truncate(MAX_DIAGNOSTICS);
    if diagnostics.is_empty() && file.scenes().next().is_none() {
        let diagnostic = Diagnostic::unplaced(Code::NoScene, "the file has no scene");
        diagnostics.push(diagnostic.with_help("write one: `NAME [ agent(!Name, %role) = .. ]`"));
    }
    ParsedFile { file, diagnostics }
}

//! What an editor asks about a MAP text while it is being written.
//!
//! An [`Analysis`] is made from one text and answers questions about it. Positions are byte offsets, answers are plain
//! data; nothing here knows a protocol, a file or a thread. Texts with mistakes are answered as well as they can be:
//! what the parser could not read is looked at word by word.

mod actions;
mod answers;
mod cast;
mod completion;
mod definition;
mod docs;
mod exchanges;
mod folds;
mod format;
mod hints;
mod hover;
mod index;
mod model;
mod parts;
mod rename;
mod selection;
mod signature;
mod symbols;
mod tokens;
mod weights;
mod words;

use std::ops::Range;

use map_diagnostics::SourceFile;
use map_syntax::ast;

pub use answers::{
    Action, Completion, CompletionKind, Edit, Fix, Fold, FoldKind, Hover, Inlay, InlayKind, Lens, Modifiers,
    Occurrence, OccurrenceKind, PartOfScene, Problem, Signature, Symbol, SymbolKind, Target, Token,
    TokenKind,
};
pub use map_diagnostics::{Code, Severity};

use crate::model::Model;

/// One text, parsed and checked once.
#[derive(Debug)]
pub struct Analysis {
    model: Model,
}

impl Analysis {
    /// Parses and checks a text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { model: Model::new(text.into()) }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.model.text()
    }

    /// The text as the other phases take it. It has no name.
    #[must_use]
    pub fn source(&self) -> &SourceFile {
        &self.model.source
    }

    /// The syntax tree: what could be read.
    #[must_use]
    pub fn file(&self) -> &ast::File {
        &self.model.file
    }

    /// Whether the text has no errors, so that its scenes can be run.
    #[must_use]
    pub fn is_correct(&self) -> bool {
        self.model.is_correct()
    }

    /// The errors or, if there are none, the warnings: those of `map check` without options, in source order.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Problem> {
        self.model.problems()
    }

    /// What is known about the word at an offset.
    #[must_use]
    pub fn hover(&self, at: usize) -> Option<Hover> {
        hover::hover(&self.model, self.offset(at))
    }

    /// Where the name at an offset comes from: what declares a procedure, cell or property, the clauses that a call
    /// means, what binds a variable, the clauses of a role or an agent, the other end of a message.
    #[must_use]
    pub fn definition(&self, at: usize) -> Vec<Target> {
        definition::definition(&self.model, self.offset(at))
    }

    /// All occurrences of the name at an offset, in source order; with those that introduce it only if
    /// `declarations`.
    #[must_use]
    pub fn references(&self, at: usize, declarations: bool) -> Vec<Occurrence> {
        definition::references(&self.model, self.offset(at), declarations)
    }

    /// The part of the name at an offset that a new name would replace: without sigil and number.
    ///
    /// # Errors
    /// Why the word cannot be renamed.
    pub fn rename_range(&self, at: usize) -> Result<Range<usize>, String> {
        rename::range(&self.model, self.offset(at))
    }

    /// The changes that give the thing at an offset another name (with its sigil or without it) everywhere.
    ///
    /// # Errors
    /// Why the word cannot be renamed, or not so.
    pub fn rename(&self, at: usize, new: &str) -> Result<Vec<Edit>, String> {
        rename::rename(&self.model, self.offset(at), new)
    }

    /// What can be written at an offset.
    #[must_use]
    pub fn completion(&self, at: usize) -> Vec<Completion> {
        completion::completion(&self.model, self.offset(at))
    }

    /// The message, ask or call whose parentheses are around an offset.
    #[must_use]
    pub fn signature(&self, at: usize) -> Option<Signature> {
        signature::signature(&self.model, self.offset(at))
    }

    /// The outline of the file.
    #[must_use]
    pub fn symbols(&self) -> Vec<Symbol> {
        symbols::symbols(&self.model)
    }

    /// What can be folded away, in source order.
    #[must_use]
    pub fn folds(&self) -> Vec<Fold> {
        folds::folds(&self.model)
    }

    /// The ranges around an offset that make sense by themselves, innermost first, each inside the next.
    #[must_use]
    pub fn selection(&self, at: usize) -> Vec<Range<usize>> {
        selection::selection(&self.model, self.offset(at))
    }

    /// The notes to be shown within a range, in source order.
    #[must_use]
    pub fn inlay_hints(&self, within: Range<usize>) -> Vec<Inlay> {
        hints::inlay_hints(&self.model, &self.range(&within))
    }

    /// The words of the text, or of a range of it, with their meanings, in source order.
    #[must_use]
    pub fn tokens(&self, within: Option<Range<usize>>) -> Vec<Token> {
        tokens::tokens(&self.model, &within.map_or(0..self.text().len(), |it| self.range(&it)))
    }

    /// The changes that bring the text into its canonical layout; `None` if it does not follow the grammar.
    ///
    /// # Errors
    /// Why there is no such layout.
    pub fn format(&self) -> Result<Option<Vec<Edit>>, String> {
        format::format(&self.model)
    }

    /// Those of [`Analysis::format`] that concern the clauses and items which a range touches.
    ///
    /// # Errors
    /// As for [`Analysis::format`].
    pub fn format_range(&self, range: Range<usize>) -> Result<Option<Vec<Edit>>, String> {
        format::format_range(&self.model, &self.range(&range))
    }

    /// The agents of each scene whose numbers can be chosen.
    #[must_use]
    pub fn parts(&self) -> Vec<PartOfScene> {
        parts::parts(&self.model)
    }

    /// Where something can be run or verified.
    #[must_use]
    pub fn lenses(&self) -> Vec<Lens> {
        symbols::lenses(&self.model)
    }

    /// What can be changed at a range: fixes of its problems, and comments that allow its warnings.
    #[must_use]
    pub fn actions(&self, range: Range<usize>) -> Vec<Action> {
        actions::actions(&self.model, &self.range(&range))
    }

    /// An offset within the text, between two characters.
    fn offset(&self, at: usize) -> usize {
        self.text().floor_char_boundary(at)
    }

    fn range(&self, range: &Range<usize>) -> Range<usize> {
        let end = self.offset(range.end);
        self.offset(range.start).min(end)..end
    }
}

//! The words of the text, written one after the other with what is between them.

use super::doc::Doc;
use super::parens::Extent;
use super::separator::{Next, Separator};
use super::trivia::Comment;
use crate::token::{Kind, Token};

/// What was written last.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// Nothing.
    Start,
    /// A bracket, brace or parenthesis that opens, or another word that keeps no distance.
    Opener,
    /// The `=` of a clause, the `{` of a memory, or `with`: nothing to be set apart is before what follows.
    Definition,
    Word,
}

/// Walks the words of a text.
pub(super) struct Printer<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
    /// Index of the next word.
    pub(super) next: usize,
    pub(super) comments: Vec<Comment<'a>>,
    /// Index of the next comment.
    pub(super) comment: usize,
    pub(super) doc: Doc<'a>,
    pub(super) last: Last,
    /// Whether parentheses that the text has not may be written in this clause.
    pub(super) may_add: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [Token], comments: Vec<Comment<'a>>) -> Self {
        let (doc, last) = (Doc::default(), Last::Start);
        Self { text, tokens, next: 0, comments, comment: 0, doc, last, may_add: true }
    }

    pub(super) fn finish(self) -> String {
        self.doc.render()
    }

    /// Where the next word begins; the end of the text if there is none.
    pub(super) fn next_offset(&self) -> usize {
        self.offset(self.next)
    }

    pub(super) fn offset(&self, token: usize) -> usize {
        self.tokens.get(token).map_or(self.text.len(), |token| token.span.start as usize)
    }

    pub(super) fn kind(&self, token: usize) -> Option<Kind> {
        self.tokens.get(token).map(|token| token.kind)
    }

    /// Whether a word is the first of its line.
    pub(super) fn begins_line(&self, token: usize) -> bool {
        self.tokens.get(token).is_some_and(|token| token.first_on_line)
    }

    /// Writes the next word as it is in the text.
    pub(super) fn word(&mut self) {
        let Some(token) = self.tokens.get(self.next) else { return };
        let text = self.text.get(token.span.start as usize..token.span.end as usize).unwrap_or("");
        let opener = matches!(token.kind, Kind::OpenParen | Kind::OpenBracket | Kind::OpenBrace);
        self.put(text, if opener { Last::Opener } else { Last::Word });
        self.next += 1;
    }

    pub(super) fn put(&mut self, text: &'a str, last: Last) {
        self.doc.text(text);
        self.last = last;
    }

    /// Writes a gap and the next word.
    pub(super) fn spaced_word(&mut self, separator: Separator, next: Next) {
        self.gap(separator, next);
        self.word();
    }

    /// Writes punctuation, before the comments before it if one of them ends a line.
    pub(super) fn punctuation(&mut self, separator: Separator) {
        if !self.newline_in_gap() {
            self.gap(separator, Next::Follower);
        } else if separator == Separator::Space {
            self.doc.text(" ");
        }
        self.word();
    }

    /// Writes `(..)` around terms: on one line or with a line for each.
    pub(super) fn terms(&mut self) {
        self.doc.open();
        self.punctuation(Separator::Nothing);
        self.list(Kind::CloseParen);
        self.doc.close();
    }

    /// Writes terms and what closes their list, behind what opens it.
    pub(super) fn list(&mut self, closer: Kind) {
        self.doc.indent();
        let mut separator = Separator::Soft;
        if self.kind(self.next) == Some(closer) {
            separator = Separator::Nothing;
        }
        let closing = separator;
        while self.kind(self.next).is_some_and(|kind| kind != closer) {
            self.spaced_word(separator, Next::Leader);
            self.comma();
            separator = Separator::Line;
        }
        self.gap_before_closer(closing);
        self.word();
    }

    /// Writes the comma between two parts of a list, if there is one.
    pub(super) fn comma(&mut self) {
        if self.kind(self.next) == Some(Kind::Comma) {
            self.punctuation(Separator::Nothing);
        }
    }

    /// Writes parentheses around what `write` writes, from the word `first` on. Those that are `given` are in the text.
    pub(super) fn enclosed(
        &mut self,
        extent: &Extent,
        given: bool,
        first: usize,
        write: impl FnOnce(&mut Self),
    ) {
        self.doc.open();
        if given {
            self.word();
        } else {
            self.put("(", Last::Opener);
        }
        self.doc.indent();
        self.next = first;
        self.gap(Separator::Soft, Next::Leader);
        write(self);
        if given {
            self.next = extent.end;
            self.gap_before_closer(Separator::Soft);
            self.word();
        } else {
            self.next = extent.end + extent.pairs;
            self.gap_before_added_closer();
            self.put(")", Last::Word);
        }
        self.doc.close();
    }
}

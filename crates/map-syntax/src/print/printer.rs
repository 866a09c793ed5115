//! The printer: writes the tokens of a text one by one, with the gaps between them.

use super::doc::Doc;
use super::parens::Extent;
use super::pinned::Pinned;
use super::separator::{Next, Separator};
use super::trivia::Comment;
use crate::sketch::token::{Kind, Token};

/// What was written last.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// Nothing.
    Start,
    /// An opening bracket, brace or parenthesis, or another token without a space after it.
    Opener,
    /// The `=` of a clause, the `{` of a memory, `with` or the like: no empty line follows.
    Definition,
    Word,
}

/// The state of the printer: a cursor into the tokens and comments of the text, and the document so far.
pub(super) struct Printer<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
    /// Index of the next token.
    pub(super) next: usize,
    pub(super) comments: Vec<Comment<'a>>,
    /// Index of the next comment.
    pub(super) comment: usize,
    pub(super) doc: Doc<'a>,
    pub(super) last: Last,
    pub(super) pinned: Pinned,
    /// The line of the text on which the word stands that the last gap led to; further words without a gap are put on
    /// the same line. Nothing unless lines are pinned.
    pub(super) line: Option<usize>,
    /// Whether parentheses that are not in the text may be added in the current clause, expression or formula.
    pub(super) may_add: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn new(
        text: &'a str,
        tokens: &'a [Token],
        comments: Vec<Comment<'a>>,
        pinned: Pinned,
    ) -> Self {
        let (doc, last) = (Doc::default(), Last::Start);
        Self { text, tokens, next: 0, comments, comment: 0, doc, last, pinned, line: None, may_add: true }
    }

    pub(super) fn finish(self) -> String {
        self.doc.render()
    }

    /// The offset of the next token; the end of the text if there is none.
    pub(super) fn next_offset(&self) -> usize {
        self.offset(self.next)
    }

    pub(super) fn offset(&self, token: usize) -> usize {
        self.tokens.get(token).map_or(self.text.len(), |token| token.span.start as usize)
    }

    pub(super) fn kind(&self, token: usize) -> Option<Kind> {
        self.tokens.get(token).map(|token| token.kind)
    }

    /// Whether a token is the first on its line.
    pub(super) fn begins_line(&self, token: usize) -> bool {
        self.tokens.get(token).is_some_and(|token| token.first_on_line)
    }

    /// Writes the next token as in the text.
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

    /// Writes the gap and the next token.
    pub(super) fn spaced_word(&mut self, separator: Separator, next: Next) {
        self.gap(separator, next);
        self.word();
    }

    /// Writes the next token, punctuation. If the gap before it has a line break, the comments in the gap are moved
    /// after it, unless that would change what they silence.
    pub(super) fn punctuation(&mut self, separator: Separator) {
        if !self.comments_move() {
            self.gap(separator, Next::Follower);
        } else if separator == Separator::Space {
            self.doc.text(" ");
        }
        self.word();
    }

    /// Writes terms in `(..)`, on one line or with a line for each.
    pub(super) fn terms(&mut self) {
        self.doc.open();
        self.punctuation(Separator::Nothing);
        self.list(Kind::CloseParen);
        self.doc.close();
    }

    /// Writes the terms of a list and its closing token; the opening one has been written.
    pub(super) fn list(&mut self, closer: Kind) {
        self.doc.indent();
        let mut separator = Separator::Soft;
        if self.kind(self.next) == Some(closer) {
            separator = Separator::Nothing;
        }
        let closing = separator;
        while self.kind(self.next).is_some_and(|kind| kind != closer) {
            self.spaced_word(separator, Next::Leader);
            self.weight();
            self.comma();
            separator = Separator::Line;
        }
        self.gap_before_closer(closing);
        self.word();
    }

    /// Writes the weight of a value, `: 3`, if there is one.
    fn weight(&mut self) {
        if self.kind(self.next) == Some(Kind::Symbol) {
            self.punctuation(Separator::Space);
            self.spaced_word(Separator::Space, Next::Leader);
        }
    }

    /// Writes the comma between two elements of a list, if there is one.
    pub(super) fn comma(&mut self) {
        if self.kind(self.next) == Some(Kind::Comma) {
            self.punctuation(Separator::Nothing);
        }
    }

    /// Writes parentheses around the output of `write`, which begins at the token `first`; `given` says whether the
    /// parentheses are in the text.
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

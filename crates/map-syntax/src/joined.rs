//! A text put together from tokens, with `skip` in place of what was cut out, and the way back to the source.
//! Connectives and parentheses among the tokens need not be in the source.

use std::ops::Range;

use map_diagnostics::Span;

use crate::sketch::token::{Kind, Token};

/// Tokens as a text: each is followed by a space.
pub(crate) struct Joined<'a> {
    pub(crate) text: String,
    tokens: &'a [Token],
    /// Where each token is in the text.
    places: Vec<Range<usize>>,
}

impl<'a> Joined<'a> {
    pub(crate) fn new(source: &str, tokens: &'a [Token]) -> Self {
        let mut text = String::new();
        let places = tokens.iter().map(|token| {
            let start = text.len();
            text.push_str(match token.kind {
                Kind::Skip | Kind::Hole => "skip",
                Kind::Then => "then",
                Kind::CloseParen => ")",
                _ => token.text(source),
            });
            let end = text.len();
            text.push(' ');
            start..end
        });
        let places = places.collect();
        Self { text, tokens, places }
    }

    /// The number of tokens that end at or before an offset in the text.
    pub(crate) fn ending_by(&self, offset: usize) -> usize {
        self.places.partition_point(|place| place.end <= offset)
    }

    /// Whether what begins at an offset in the text was cut out.
    pub(crate) fn is_hole(&self, offset: usize) -> bool {
        self.tokens.get(self.ending_by(offset)).is_some_and(|token| token.kind == Kind::Hole)
    }

    /// The place in the source of a part of the text that is not empty.
    pub(crate) fn span(&self, part: Range<usize>) -> Span {
        let first = self.ending_by(part.start);
        let last = self.places.partition_point(|place| place.start < part.end).saturating_sub(1);
        let (Some(begins), Some(ends)) = (self.tokens.get(first), self.tokens.get(last)) else {
            return Span::default();
        };
        // The grammar may divide a token, such as the `-1` of `$x -1`.
        let before = part.start.saturating_sub(self.places[first].start);
        let behind = self.places[last].end.saturating_sub(part.end);
        Span::new(begins.span.start + before as u32, ends.span.end - behind as u32)
    }
}

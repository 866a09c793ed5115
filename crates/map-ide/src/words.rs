//! A text as tokens, items and comments.

use std::ops::Range;

use map_syntax::{ItemSketch, Sketch, Token, TokenKind};

/// The tokens, items and comments of a text.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) tokens: Vec<Token>,
    pub(crate) items: Vec<ItemSketch>,
    /// The comments, in order, each with its delimiters.
    pub(crate) comments: Vec<Range<usize>>,
}

impl Words {
    pub(crate) fn new(text: &str) -> Self {
        let Sketch { tokens, items, .. } = map_syntax::sketch(text);
        let comments = map_syntax::comments(text, &tokens);
        Self { tokens, items, comments }
    }

    pub(crate) fn kind(&self, token: usize) -> Option<TokenKind> {
        self.tokens.get(token).map(|token| token.kind)
    }

    /// The bytes of a token; empty, at the end, if there is no such token.
    pub(crate) fn range(&self, token: usize) -> Range<usize> {
        self.tokens.get(token).map_or(0..0, |token| token.span.start as usize..token.span.end as usize)
    }

    /// The bytes from the first to the last of some tokens.
    pub(crate) fn extent(&self, tokens: &Range<usize>) -> Range<usize> {
        match tokens.is_empty() {
            true => self.range(tokens.start).start..self.range(tokens.start).start,
            false => self.range(tokens.start).start..self.range(tokens.end - 1).end,
        }
    }

    /// The token that an offset is in or, failing that, at the end of.
    pub(crate) fn at(&self, offset: usize) -> Option<usize> {
        let next = self.tokens.partition_point(|token| token.span.start as usize <= offset);
        let token = next.checked_sub(1)?;
        (offset <= self.range(token).end).then_some(token)
    }

    /// The number of tokens that end at or before an offset.
    pub(crate) fn ending_by(&self, offset: usize) -> usize {
        self.tokens.partition_point(|token| token.span.end as usize <= offset)
    }

    /// The comment that an offset is in: behind its first character and, unless it is closed, up to its end.
    pub(crate) fn comment_at(&self, text: &str, offset: usize) -> Option<&Range<usize>> {
        let next = self.comments.partition_point(|comment| comment.start < offset);
        let comment = self.comments.get(next.checked_sub(1)?)?;
        let closed = text[comment.clone()].ends_with("*/");
        (offset < comment.end || (offset == comment.end && !closed)).then_some(comment)
    }

    /// The item that a token belongs to.
    pub(crate) fn item_of(&self, token: usize) -> Option<usize> {
        let next = self.items.partition_point(|item| item.tokens.start <= token);
        let item = next.checked_sub(1)?;
        (token < self.items[item].tokens.end).then_some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn words_and_comments_are_found_by_offset() {
        let text = "a[ // b\n /* c */ d /* e";
        let words = Words::new(text);
        let shown: Vec<_> = words.comments.iter().map(|it| &text[it.clone()]).collect();
        assert_eq!(shown, ["// b", "/* c */", "/* e"]);
        assert!(words.comment_at(text, 3).is_none());
        assert!(words.comment_at(text, 7).is_some());
        assert!(words.comment_at(text, 16).is_none());
        assert!(words.comment_at(text, text.len()).is_some());
        assert_eq!(words.at(0), Some(0));
        assert_eq!(words.at(1), Some(1));
        assert_eq!(words.at(2), Some(1));
        assert_eq!(words.at(3), None);
    }
}

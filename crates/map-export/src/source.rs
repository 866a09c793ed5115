//! The source text of a program, used in comments and names of the model.

use map_ir::{SourceSpan, is_unseen};

/// The maximum length of a piece of source text in a comment, in characters.
const MAX_SHOWN: usize = 90;

/// A source text with its name.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file, as the user named it.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
    /// The names of its properties.
    pub properties: &'a [String],
}

impl Source<'_> {
    /// The line on which a span starts, from 1.
    #[must_use]
    pub fn line(&self, span: SourceSpan) -> usize {
        let before = self.text.as_bytes().get(..span.start as usize).unwrap_or_default();
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }

    /// The text of a span on one line, shortened; characters that nobody sees are written out.
    #[must_use]
    pub fn snippet(&self, span: SourceSpan) -> String {
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        // Leave out `//` comments.
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
        let line = words.join(" ");
        let (shown, dots) = match line.char_indices().nth(MAX_SHOWN) {
            None => (line.as_str(), ""),
            Some(_) => (line.char_indices().nth(MAX_SHOWN - 3).map_or("", |(end, _)| &line[..end]), "..."),
        };
        let mut text = String::with_capacity(shown.len() + dots.len());
        for character in shown.chars() {
            match is_unseen(character) {
                true => text.extend(character.escape_unicode()),
                false => text.push(character),
            }
        }
        text + dots
    }
}

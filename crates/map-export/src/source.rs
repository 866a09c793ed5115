//! The source text of a program, used in comments and names of the model.

use map_ir::SourceSpan;

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

    /// The text of a span without comments, joined into one line and shortened.
    #[must_use]
    pub fn snippet(&self, span: SourceSpan) -> String {
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        // Leave out `//` comments.
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
        let line = words.join(" ");
        if line.chars().count() <= MAX_SHOWN {
            return line;
        }
        let start: String = line.chars().take(MAX_SHOWN - 3).collect();
        format!("{start}...")
    }
}

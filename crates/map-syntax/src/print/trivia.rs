//! The comments of a text and their position between its tokens.

use crate::allowance;
use crate::sketch::token::Token;

/// A comment and its surroundings.
pub(super) struct Comment<'a> {
    /// Offset of its first byte.
    pub(super) start: usize,
    /// The comment with its delimiters; a `//` comment without trailing white space.
    pub(super) text: &'a str,
    /// Whether it is the first thing on its line.
    pub(super) newline_before: bool,
    /// Whether nothing follows it on its last line.
    pub(super) newline_after: bool,
    /// Whether it is preceded by an empty line.
    pub(super) blank_before: bool,
    /// Whether a line break must follow: it is a `//` comment or spans lines.
    pub(super) ends_line: bool,
}

impl Comment<'_> {
    /// Whether it silences warnings.
    pub(super) fn allows_warnings(&self) -> bool {
        allowance(self.text).is_some()
    }
}

/// All comments of a text, in order.
pub(super) fn comments<'a>(text: &'a str, start: usize, tokens: &[Token]) -> Vec<Comment<'a>> {
    let mut found = Vec::new();
    let mut at = start;
    for token in tokens {
        between(text, at, token.span.start as usize, at == start, &mut found);
        at = token.span.end as usize;
    }
    between(text, at, text.len(), at == start, &mut found);
    found
}

/// Collects the comments between two tokens, or between a token and the start or end of the text.
fn between<'a>(text: &'a str, start: usize, end: usize, first: bool, found: &mut Vec<Comment<'a>>) {
    let mut at = start;
    let mut newline_before = first;
    while let Some(offset) = text[at..end].find('/') {
        let from = at + offset;
        let line_breaks = text[at..from].bytes().filter(|&byte| byte == b'\n').count();
        let rest = &text[from..end];
        let is_line = rest.starts_with("//");
        let length = match rest.strip_prefix("/*") {
            // The `*` that begins a comment does not end it.
            Some(inside) => inside.find("*/").map_or(rest.len(), |length| length + 4),
            None => rest.find('\n').unwrap_or(rest.len()),
        };
        at = from + length.max(1);
        let comment = &text[from..at];
        let ends_line = is_line || comment.contains('\n');
        let after = text[at..end].trim_start_matches([' ', '\t', '\r']);
        found.push(Comment {
            start: from,
            text: if is_line { comment.trim_end_matches([' ', '\t', '\r']) } else { comment },
            newline_before: newline_before || line_breaks > 0,
            newline_after: ends_line || after.starts_with('\n') || (after.is_empty() && end == text.len()),
            blank_before: line_breaks > 1,
            ends_line,
        });
        newline_before = false;
    }
}

/// Whether the white space directly before an offset contains an empty line.
pub(super) fn blank_before(text: &str, offset: usize) -> bool {
    let space = text[..offset].bytes().rev().take_while(u8::is_ascii_whitespace);
    space.filter(|&byte| byte == b'\n').take(2).count() == 2
}

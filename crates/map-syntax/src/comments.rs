//! The comments of a text.

use std::ops::Range;

use crate::sketch::token::Token;

/// The comments of a text with these tokens, in order: between tokens there is nothing but comments and white space.
#[must_use]
pub fn comments(text: &str, tokens: &[Token]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    let ends = tokens.iter().map(|token| (token.span.start as usize, token.span.end as usize));
    for (start, end) in ends.chain([(text.len(), text.len())]) {
        while let Some(offset) = text.get(at..start).and_then(|gap| gap.find('/')) {
            let from = at + offset;
            let rest = &text[from..start];
            let length = match rest.strip_prefix("/*") {
                Some(inner) => inner.find("*/").map_or(rest.len(), |length| length + 4),
                None => rest.find('\n').unwrap_or(rest.len()),
            };
            let comment = from..from + length;
            at = comment.end;
            let trimmed = text[comment.clone()].trim_end().len();
            found.push(from..from + trimmed);
        }
        at = end;
    }
    found
}

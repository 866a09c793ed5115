//! Finds the comments of a text.

use std::ops::Range;

/// A comment and its surroundings.
#[derive(Clone, Debug)]
pub(super) struct Comment {
    /// From its `//` or `/*` to its end.
    pub(super) range: Range<usize>,
    /// Whether it is preceded on its line by anything other than comments and white space.
    pub(super) follows_code: bool,
    /// The first position after it that is neither white space nor in a comment.
    pub(super) next_code: usize,
}

/// The comments of a text without syntax errors, in order.
pub(super) fn comments(text: &str) -> Vec<Comment> {
    let mut comments: Vec<Comment> = Vec::new();
    let mut follows_code = false;
    let mut behind = 0;
    for range in ranges(text) {
        let between = &text[behind..range.start];
        let on_line = match between.rfind('\n') {
            Some(end) => {
                follows_code = false;
                &between[end..]
            }
            None => between,
        };
        follows_code |= !on_line.trim_start_matches(blank).is_empty();
        behind = range.end;
        // A comment of several lines ends on a line without code before it.
        let ends_line = text[range.clone()].contains('\n');
        comments.push(Comment { range, follows_code, next_code: text.len() });
        follows_code &= !ends_line;
    }
    let mut next: Option<(usize, usize)> = None;
    for comment in comments.iter_mut().rev() {
        let rest = &text[comment.range.end..];
        let code = comment.range.end + (rest.len() - rest.trim_start_matches(blank).len());
        comment.next_code = match next {
            Some((start, next_code)) if start == code => next_code,
            _ => code,
        };
        next = Some((comment.range.start, comment.next_code));
    }
    comments
}

fn blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{feff}'
}

fn ranges(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut comments = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'/')) => at = end(text, at, "\n"),
            (b'/', Some(b'*')) => at = (end(text, at + 2, "*/") + 2).min(bytes.len()),
            (b'"', _) => {
                at = after_string(bytes, at + 1);
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        }
        comments.push(start..at);
    }
    comments
}

fn end(text: &str, from: usize, mark: &str) -> usize {
    text.get(from..).and_then(|rest| rest.find(mark)).map_or(text.len(), |at| from + at)
}

fn after_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::comments;

    #[test]
    fn comments_are_told_from_strings() {
        let text = "a // b \"c\n\"// d \\\" /* e\" /* f // g\n*/ h /**/ i / j \"\\\\\" // k";
        let found: Vec<&str> = comments(text).into_iter().map(|comment| &text[comment.range]).collect();
        assert_eq!(found, ["// b \"c", "/* f // g\n*/", "/**/", "// k"]);
        assert_eq!(comments("ä// ö").len(), 1);
    }

    #[test]
    fn code_around_comments_is_seen() {
        let text = "/* a */ // b\n x /* c */ /* d\n */ /* e */ // f\n\n// g\ny // h";
        let found: Vec<_> = comments(text)
            .into_iter()
            .map(|it| (it.follows_code, text[it.next_code..].chars().next()))
            .collect();
        let before_x = (false, Some('x'));
        let before_y = (false, Some('y'));
        let c = (true, Some('y'));
        assert_eq!(found, [before_x, before_x, c, c, before_y, before_y, before_y, (true, None)]);
    }
}

//! Measures text in columns of a monospaced font, and breaks it into lines.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The width in columns.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The text with everything escaped that would break a line or change the direction of writing.
pub(crate) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') {
            out.push_str(&format!("\\u{{{:x}}}", c as u32));
        } else {
            out.push(c);
        }
    }
    out
}

/// The text, truncated with `…` if it is wider than `most` columns.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut out = head(text, most.saturating_sub(1)).to_owned();
    out.push('…');
    out
}

/// The text in lines of at most `most` columns. At least one line and at most `lines`; if that is not enough the last
/// ends with `…`. Lines are broken after spaces, commas and brackets if possible.
pub(crate) fn wrap(text: &str, most: usize, lines: usize) -> Vec<String> {
    let most = most.max(4);
    let mut out: Vec<String> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() && out.len() < lines.max(1) {
        if out.len() + 1 == lines {
            out.push(shorten(rest, most));
            return out;
        }
        let fits = head(rest, most);
        let cut = if fits.len() == rest.len() { fits.len() } else { good_break(fits, rest) };
        let (line, after) = rest.split_at(cut);
        out.push(line.trim_end().to_owned());
        rest = after.trim_start();
    }
    if out.is_empty() {
        out.push(String::new());
    }
    out
}

/// The longest prefix that is not wider; never empty unless the text is.
fn head(text: &str, most: usize) -> &str {
    let mut columns = 0;
    for (at, c) in text.char_indices() {
        columns += c.width().unwrap_or(0);
        if columns > most && at > 0 {
            return &text[..at];
        }
    }
    text
}

/// The offset at which to break a line of which the prefix `fits` fits.
fn good_break(fits: &str, rest: &str) -> usize {
    if rest[fits.len()..].starts_with(' ') {
        return fits.len();
    }
    let last = |good: fn(char) -> bool| {
        let breaks = fits.char_indices().filter(|&(at, c)| good(c) && at * 4 >= fits.len());
        breaks.map(|(at, c)| at + c.len_utf8()).next_back()
    };
    let bracket = || last(|c| matches!(c, ',' | '(' | '=' | '→'));
    last(|c| c == ' ').or_else(bracket).unwrap_or(fits.len())
}

#[cfg(test)]
mod tests {
    use super::{clean, shorten, width, wrap};

    #[test]
    fn lines_are_not_wider() {
        let text = "offer(\"二つの言葉と長い文\", !Bidder12, averyveryverylongconstantwithoutanybreak, 7)";
        for most in 4..40 {
            for line in wrap(text, most, usize::MAX) {
                assert!(width(&line) <= most, "{most}: {line}");
            }
            assert!(width(&shorten(text, most)) <= most);
        }
        let glued: String = wrap(text, 12, usize::MAX).concat();
        assert_eq!(glued.replace(' ', ""), text.replace(' ', ""));
        assert_eq!(wrap("a b", 80, 3), ["a b"]);
        assert_eq!(wrap("", 80, 3), [""]);
        assert_eq!(wrap("one two three four five", 9, 2), ["one two", "three fo…"]);
    }

    #[test]
    fn nothing_turns_or_breaks_a_line() {
        assert_eq!(clean("a\nb\u{202e}c\u{1b}[31m é"), "a\\u{a}b\\u{202e}c\\u{1b}[31m é");
    }
}

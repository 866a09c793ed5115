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
        if c.is_control() || turns(c) || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') {
            out.push_str(&format!("\\u{{{:x}}}", c as u32));
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a character changes the direction of the text around it, so that it is read in another order than it is
/// stored.
pub(crate) const fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text, with `…` in place of its middle if it is wider than `most` columns: the end of a label is often what
/// matters, as in `price("...") → 7`.
#[must_use]
pub fn shorten(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    format!("{}…{}", head(text, kept - kept / 2), tail(text, kept / 2))
}

/// The text in at least one and at most `lines` lines of at most `most` columns; if that is not enough, `…` stands for
/// its middle. Lines are broken after spaces, commas and brackets if possible.
pub(crate) fn wrap(text: &str, most: usize, lines: usize) -> Vec<String> {
    let (most, lines) = (most.max(4), lines.max(1));
    let mut columns = most.saturating_mul(lines);
    loop {
        // Breaking lines wastes columns, so fewer may fit than there are.
        let broken = broken(&shorten(text, columns), most);
        if broken.len() <= lines {
            return broken;
        }
        columns -= 1;
    }
}

/// The text in lines of at most `most` columns.
fn broken(text: &str, most: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
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

/// The longest suffix that is not wider.
fn tail(text: &str, most: usize) -> &str {
    let mut columns = 0;
    for (at, c) in text.char_indices().rev() {
        columns += c.width().unwrap_or(0);
        if columns > most {
            return &text[at + c.len_utf8()..];
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
        assert_eq!(wrap("one two three four five", 9, 2), ["one two", "…our five"]);
        assert_eq!(shorten("price(a_long_argument) → 7", 14), "price(a…t) → 7");
        assert_eq!(wrap("price(a, very, long, list) → 7", 10, 2), ["price(a,", "…list) → 7"]);
        assert_eq!(
            wrap(&"x".repeat(1 << 20), 10, 2).concat(),
            format!("{}…{}", "x".repeat(10), "x".repeat(9))
        );
    }

    #[test]
    fn nothing_turns_or_breaks_a_line() {
        assert_eq!(clean("a\nb\u{202e}c\u{1b}[31m é"), "a\\u{a}b\\u{202e}c\\u{1b}[31m é");
    }
}

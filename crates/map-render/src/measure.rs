//! How wide a text is, in columns of a fixed font.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The width in columns.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The text with everything made visible that would break a line or turn the direction of writing.
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

/// The text, cut off with `…` if it is wider.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut out = head(text, most.saturating_sub(1)).to_owned();
    out.push('…');
    out
}

/// The longest beginning that is not wider; never empty unless the text is.
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

#[cfg(test)]
mod tests {
    use super::{clean, shorten, width};

    #[test]
    fn what_is_too_wide_is_shortened() {
        let text = "offer(\"二つの言葉と長い文\", !Bidder12)";
        for most in 4..60 {
            assert!(width(&shorten(text, most)) <= most, "{most}");
        }
        assert_eq!(shorten(text, 60), text);
    }

    #[test]
    fn nothing_turns_or_breaks_a_line() {
        assert_eq!(clean("a\nb\u{202e}c\u{1b}[31m é"), "a\\u{a}b\\u{202e}c\\u{1b}[31m é");
    }
}

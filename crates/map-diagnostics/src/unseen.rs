//! Characters that nobody sees, and that a terminal may obey; texts in which they are written out.

use std::borrow::Cow;

/// Whether a character controls the terminal, changes the direction of the text, or leaves no mark at all.
///
/// Joiners and variation selectors (U+200C, U+200D, U+FE00 to U+FE0F and those of Mongolian) are left out: they shape
/// the letters beside them, and many scripts and emoji need them.
#[must_use]
pub fn is_unseen(character: char) -> bool {
    // Mostly `Default_Ignorable_Code_Point` of Unicode.
    character.is_control()
        || is_directional(character)
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'
            | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character changes the direction of the text around it.
#[must_use]
pub fn is_directional(character: char) -> bool {
    matches!(character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text of several lines in which characters that nobody sees are written as `\u{1b}`. Line ends and tabs stay.
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    escaped_where(text, |it| is_unseen(it) && it != '\n' && it != '\t')
}

/// The same for a text that is to stay on one line: line ends and tabs are written out, too.
#[must_use]
pub fn escaped_line(text: &str) -> Cow<'_, str> {
    escaped_where(text, is_unseen)
}

fn escaped_where(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    let Some(first) = text.find(&is_hidden) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for character in text[first..].chars() {
        if is_hidden(character) {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::{escaped, escaped_line, is_unseen};

    #[test]
    fn what_a_terminal_obeys_is_written_out() {
        assert_eq!(escaped("a\x1b]0;x\x07\u{9b}2J\r\n\tb"), "a\\u{1b}]0;x\\u{7}\\u{9b}2J\\u{d}\n\tb");
        assert_eq!(escaped("\u{202e}\u{2066}\u{200b}\u{feff}"), "\\u{202e}\\u{2066}\\u{200b}\\u{feff}");
        assert_eq!(escaped_line("a\n\tb"), "a\\u{a}\\u{9}b");
    }

    #[test]
    fn what_people_write_stays() {
        for text in ["", "plain", "ε ünïcode 東京　駅", "می\u{200c}خواهم", "👩\u{200d}🚀 ❤\u{fe0f} e\u{301}"]
        {
            assert_eq!(escaped(text), text);
            assert!(!text.chars().any(is_unseen));
        }
    }
}

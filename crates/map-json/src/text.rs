//! Outputs as text, in one piece or as they come.

use std::io;

use map_diagnostics::is_unseen;
use serde::Serialize;

/// The text of an output, with a line end. Characters that nobody sees are escaped: they stand in strings alone.
///
/// # Errors
/// If a value cannot be printed, such as a map whose keys are no texts.
pub fn to_text(output: &impl Serialize) -> io::Result<String> {
    Ok(shown(&serde_json::to_string_pretty(output).map_err(io::Error::other)?))
}

/// The same in one line.
///
/// # Errors
/// Like [`to_text`].
pub fn to_line(output: &impl Serialize) -> io::Result<String> {
    Ok(shown(&serde_json::to_string(output).map_err(io::Error::other)?))
}

fn shown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 1);
    for character in text.chars() {
        if is_unseen(character) && character != '\n' {
            for unit in character.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(character);
        }
    }
    escaped.push('\n');
    escaped
}

/// Prints an object whose first field is an array that may be too long to be kept: each element is printed as it comes,
/// and the other fields, which are known only then, after the last one.
#[derive(Default)]
pub struct Stream {
    begun: bool,
}

impl Stream {
    /// The text before the first element.
    #[must_use]
    pub fn open(field: &str) -> String {
        format!("{{\n  \"{field}\": [")
    }

    /// The text of the next element.
    ///
    /// # Errors
    /// Like [`to_text`].
    pub fn element(&mut self, element: &impl Serialize) -> io::Result<String> {
        let comma = if std::mem::replace(&mut self.begun, true) { "," } else { "" };
        Ok(format!("{comma}\n    {}", to_text(element)?.trim_end().replace('\n', "\n    ")))
    }

    /// The text after the last element: the fields of `rest`, an object that is not empty.
    ///
    /// # Errors
    /// Like [`to_text`].
    pub fn close(self, rest: &impl Serialize) -> io::Result<String> {
        let end = if self.begun { "\n  ]," } else { "]," };
        let rest = to_text(rest)?;
        Ok(format!("{end}{}", rest.trim_start_matches('{')))
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::{Stream, to_text};

    #[derive(Serialize)]
    struct Whole {
        items: Vec<(u8, String)>,
        count: usize,
    }

    #[derive(Serialize)]
    struct Rest {
        count: usize,
    }

    #[test]
    fn a_stream_prints_what_the_whole_would() {
        for count in 0..3 {
            let items: Vec<(u8, String)> = (0..count).map(|it| (it, format!("{it}\n\u{1b}"))).collect();
            let mut stream = Stream::default();
            let mut text = Stream::open("items");
            for item in &items {
                text += &stream.element(item).expect("it is printed");
            }
            text += &stream.close(&Rest { count: items.len() }).expect("it is printed");
            let count = items.len();
            assert_eq!(text, to_text(&Whole { items, count }).expect("it is printed"));
        }
    }
}

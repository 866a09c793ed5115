//! What is asked on the command line: a code or a word. Completion scripts know them, and errors suggest the nearest
//! one.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};
use map_diagnostics::Code;
use map_explain::words;
use strsim::osa_distance;

/// Takes any text; [`code`] and [`words::explained`] know what it means.
#[derive(Clone)]
pub(super) struct WordParser;

impl TypedValueParser for WordParser {
    type Value = String;

    fn parse_ref(&self, _: &Command, _: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        Ok(value.to_string_lossy().into_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let words = words::entries().flat_map(|entry| entry.words()).filter(|word| !word.contains(' '));
        Some(Box::new(Code::ALL.iter().map(|code| code.as_str()).chain(words).map(PossibleValue::new)))
    }
}

/// A code such as `MAP204`, `map204` or `204`.
pub(super) fn code(text: &str) -> Option<Code> {
    Code::from_text(&whole(text))
}

/// Why there is nothing to say, with the nearest code or word.
pub(super) fn unknown(text: &str) -> String {
    let (what, near) = match text.contains(|c: char| c.is_ascii_digit()) {
        true => ("code", Some(nearest_code(&whole(text)).as_str())),
        false => ("word", nearest_word(text)),
    };
    let advice = near.map(|near| format!("; the nearest is {near}")).unwrap_or_default();
    format!("there is no {what} {text}{advice}\n\n`map explain` lists them all.")
}

fn whole(text: &str) -> String {
    let text = text.to_ascii_uppercase();
    if text.parse::<u16>().is_ok() { format!("MAP{text:0>3}") } else { text }
}

/// The code with the least edit distance (optimal string alignment), and among those the one with the nearest number.
fn nearest_code(text: &str) -> Code {
    let beginning = beginning(text);
    let number = digits(text);
    let away =
        |code: &Code| (osa_distance(&beginning, code.as_str()), digits(code.as_str()).abs_diff(number));
    Code::ALL.iter().copied().min_by_key(away).expect("there are codes")
}

/// The word that is nearest, if it is near.
fn nearest_word(text: &str) -> Option<&'static str> {
    let beginning = beginning(&text.to_lowercase());
    let all = words::entries().flat_map(|entry| entry.words());
    let nearest = all.min_by_key(|word| osa_distance(&beginning, word))?;
    (osa_distance(&beginning, nearest) * 2 < nearest.len()).then_some(nearest)
}

/// The distance takes quadratic time, so only the beginning of a long text counts.
fn beginning(text: &str) -> String {
    text.chars().take(30).collect()
}

/// The number formed by the first six digits in a text; 0 if there are none.
fn digits(text: &str) -> u32 {
    let digits: String = text.chars().filter(char::is_ascii_digit).take(6).collect();
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{nearest_code, nearest_word};

    #[test]
    fn guesses() {
        for (wrong, right) in [
            ("204", "MAP204"),
            ("MAP240", "MAP210"),
            ("MPA105", "MAP105"),
            ("MAP3O2", "MAP302"),
            ("M201", "MAP201"),
        ] {
            assert_eq!(nearest_code(wrong).as_str(), right, "{wrong}");
        }
        assert_eq!(nearest_code("MAP139").as_str(), "MAP138");
        nearest_code("");
        nearest_code(&"9".repeat(100_000));
    }

    #[test]
    fn words_are_guessed_only_if_they_are_near() {
        assert_eq!(nearest_word("livelok"), Some("livelock"));
        assert_eq!(nearest_word("terminates if fiar"), Some("terminates if fair"));
        assert_eq!(nearest_word("xylophone"), None);
        assert_eq!(nearest_word(""), None);
    }
}

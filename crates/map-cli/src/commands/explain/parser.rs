//! Parses codes on the command line. Completion scripts know them, and errors suggest the nearest one.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use map_diagnostics::Code;
use strsim::osa_distance;

/// Parses a code such as `MAP204`, `map204` or `204`.
#[derive(Clone)]
pub(super) struct CodeParser;

impl TypedValueParser for CodeParser {
    type Value = Code;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<Code, Error> {
        let text = value.to_string_lossy().to_ascii_uppercase();
        let whole = if text.parse::<u16>().is_ok() { format!("MAP{text:0>3}") } else { text };
        Code::from_text(&whole).ok_or_else(|| {
            let advice = match whole.contains(|c: char| c.is_ascii_digit()) {
                true => format!("the nearest is {}", nearest(&whole).as_str()),
                false => "codes are such as MAP101".to_owned(),
            };
            let value = value.to_string_lossy();
            let what = format!("there is no code {value}; {advice}\n\n`map explain` lists them all.\n");
            Error::raw(ErrorKind::InvalidValue, what).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Code::ALL.iter().map(|code| PossibleValue::new(code.as_str()))))
    }
}

/// The code with the least edit distance (optimal string alignment), and among those the one with the nearest number.
fn nearest(text: &str) -> Code {
    // The distance takes quadratic time, so only the beginning of a long text counts.
    let beginning: String = text.chars().take(20).collect();
    let number = digits(text);
    let away =
        |code: &Code| (osa_distance(&beginning, code.as_str()), digits(code.as_str()).abs_diff(number));
    Code::ALL.iter().copied().min_by_key(away).expect("there are codes")
}

/// The number formed by the first six digits in a text; 0 if there are none.
fn digits(text: &str) -> u32 {
    let digits: String = text.chars().filter(char::is_ascii_digit).take(6).collect();
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn guesses() {
        for (wrong, right) in [
            ("204", "MAP204"),
            ("MAP240", "MAP210"),
            ("MPA105", "MAP105"),
            ("MAP3O2", "MAP302"),
            ("M201", "MAP201"),
        ] {
            assert_eq!(nearest(wrong).as_str(), right, "{wrong}");
        }
        assert_eq!(nearest("MAP139").as_str(), "MAP129");
        nearest("");
        nearest(&"9".repeat(100_000));
    }
}

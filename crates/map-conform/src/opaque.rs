//! Values that a file cannot write: floats, large integers, lists, objects, and the literals of JSON. They are compared
//! as JSON, whatever the order of keys and the form of numbers.
//!
//! A monitor knows such a value as a constant whose name no file can have: it can be sent on, compared for equality and
//! shown, and in an order comparison or a calculation it is no number.

use serde_json::{Number, Value as Json};
use sha2::{Digest as _, Sha256};

/// The key of an object that stands for an integer beyond 64 bits, with all its digits.
pub(crate) const BIG_INTEGER: &str = "\0integer";

/// The most bytes of a value that are kept; of others, the digest.
const MAX_KEPT: usize = 64;

/// The digits of a digest that are shown.
const SHOWN_DIGITS: usize = 12;

/// The integer that a number is, if it fits into 64 bits.
pub(crate) fn integer(number: &Number) -> Option<i64> {
    number.as_i64().or_else(|| {
        let float = number.as_f64().filter(|_| number.is_f64())?;
        // The limits are powers of 2, which floats hold.
        let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&float);
        (fits && float.fract() == 0.0).then_some(float as i64)
    })
}

/// The name under which a value is known: equal ones have the same. No file can write it, but for `true`, `false` and
/// `null`.
pub(crate) fn content(json: &Json) -> String {
    let mut text = String::new();
    write(json, &mut text);
    if text.len() <= MAX_KEPT {
        return text;
    }
    let digest = Sha256::digest(text.as_bytes());
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("<{} bytes, SHA-256 {digits}>", text.len())
}

/// A name for people: that of a long value without most digits.
#[must_use]
pub fn shown(content: &str) -> String {
    let long = content.strip_suffix('>').and_then(|it| it.split_once(", SHA-256 "));
    match long {
        Some((length, digits)) => {
            format!("{length}, SHA-256 {}..>", &digits[..SHOWN_DIGITS.min(digits.len())])
        }
        None => content.to_owned(),
    }
}

/// Writes JSON in the one form that equal values have. It nests as deep as lines may.
fn write(json: &Json, text: &mut String) {
    match json {
        Json::Null | Json::Bool(_) | Json::String(_) => text.push_str(&json.to_string()),
        Json::Number(number) => text.push_str(&number_text(number)),
        Json::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write(item, text);
            }
            text.push(']');
        }
        Json::Object(fields) => {
            if let (1, Some(digits)) = (fields.len(), fields.get(BIG_INTEGER).and_then(Json::as_str)) {
                text.push_str(digits);
                return;
            }
            let mut all: Vec<_> = fields.iter().collect();
            all.sort_unstable_by_key(|it| it.0);
            text.push('{');
            for (at, (key, value)) in all.into_iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                text.push_str(&Json::from(key.as_str()).to_string());
                text.push(':');
                write(value, text);
            }
            text.push('}');
        }
    }
}

fn number_text(number: &Number) -> String {
    match (integer(number), number.as_f64().filter(|_| number.is_f64())) {
        (Some(integer), _) => integer.to_string(),
        // All digits of what is an integer, as large integers have them.
        (None, Some(float)) if float.fract() == 0.0 => format!("{float:.0}"),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;

    use super::{content, integer, shown};
    use crate::record::checked_text;

    fn of(text: &str) -> String {
        let text = checked_text(text.as_bytes()).expect("it is not too long");
        content(&serde_json::from_str(&text).expect("it is JSON"))
    }

    #[test]
    fn equal_values_have_one_form() {
        for (one, other) in [
            (r#"{"b":1,"a":[2.0, 3e2]}"#, r#"{"a":[2,300],"b":1.0}"#),
            ("0.10", "1e-1"),
            (r#""\u0061""#, r#""a""#),
            ("-0.0", "0"),
            ("100000000000000000000", "1e20"),
            (r#"{"a":{"c":null,"b":true}}"#, r#" { "a" : { "b" : true , "c" : null } } "#),
        ] {
            assert_eq!(of(one), of(other));
        }
    }

    #[test]
    fn different_values_have_different_forms() {
        let texts = [
            "0.5",
            "0.25",
            "null",
            "[null]",
            "[]",
            "{}",
            "[1]",
            r#"["1"]"#,
            r#"[[1]]"#,
            r#"{"a":1}"#,
            r#"{"a":"1"}"#,
            "18446744073709551616",
            "18446744073709551617",
            "-18446744073709551617",
            "[123456789012345678901234567890]",
            "[123456789012345678901234567891]",
        ];
        for (at, one) in texts.iter().enumerate() {
            for other in &texts[..at] {
                assert_ne!(of(one), of(other), "{one} {other}");
            }
        }
    }

    #[test]
    fn long_values_are_their_digest() {
        let long = |last: u8| format!("[{}{last}]", "1,".repeat(100));
        assert_ne!(of(&long(1)), of(&long(2)));
        assert_eq!(of(&long(1)).len(), "<203 bytes, SHA-256 >".len() + 64);
        let shown = shown(&of(&long(1)));
        assert!(shown.starts_with("<203 bytes, SHA-256 ") && shown.ends_with("..>"), "{shown}");
    }

    #[test]
    fn floats_that_are_integers_are_integers() {
        for (text, wanted) in [
            ("2.0", Some(2)),
            ("1e18", Some(1_000_000_000_000_000_000)),
            ("-9223372036854775808.0", Some(i64::MIN)),
            ("9223372036854775808", None),
            ("9223372036854775808.0", None),
            ("2.5", None),
        ] {
            let Json::Number(number) = serde_json::from_str(text).expect("it is JSON") else { panic!() };
            assert_eq!(integer(&number), wanted, "{text}");
        }
    }
}

//! Reads the lines of a log. They come from strangers: every bad line gives an error, none a panic.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

use crate::opaque::BIG_INTEGER;
use crate::report::UnknownMessage;
use crate::times::Times;

pub use crate::fault::{Fault, FaultKind};

/// The maximum length of a line in bytes, unless whoever reads the lines sets another.
pub const MAX_LINE: usize = 16 << 20;
/// The maximum depth of nested arrays and objects.
const MAX_NESTING: usize = 64;
/// The maximum length of a name in bytes.
const MAX_NAME: usize = 256;

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Nanoseconds since 1970.
    pub time: Option<u64>,
    /// The conversation; empty if there is none.
    pub conversation: String,
    /// What the conversation is called from here on, if that is another name.
    pub alias: Option<String>,
    /// Whether the message arrived; else it was sent.
    pub arrives: bool,
    /// Whether the log does not show its arrivals, though it shows those of others.
    pub arrives_unlogged: bool,
    /// What identifies the message.
    pub id: Option<String>,
    /// The real name of the sender.
    pub from: String,
    /// The real names of the recipients; [`ANYBODY`] alone if the log does not tell them.
    pub to: Vec<String>,
    /// The performative.
    pub performative: String,
    /// The arguments.
    pub args: Vec<Json>,
    /// How many of the last arguments are the result of a task: a file that has the message without them passes them
    /// over.
    pub results: usize,
}

/// The recipient of a message that is for whomever the send in the file addresses.
pub const ANYBODY: &str = "*";

/// Whoever is outside of the system that writes a log, and has no name there.
pub(crate) const OUTSIDE: &str = "[outside]";

/// The maximum number of characters of a message that is shown as the log has it.
const MAX_SHOWN: usize = 120;

impl Record {
    /// The message in the words of the log.
    #[must_use]
    pub fn said(&self) -> UnknownMessage {
        let value = |it: &Json| match it {
            Json::Object(fields) if fields.len() == 1 => {
                fields.values().next().and_then(Json::as_str).map_or_else(|| it.to_string(), str::to_owned)
            }
            _ => it.to_string(),
        };
        let args: Vec<String> = self.args.iter().map(value).collect();
        let mut message = format!("{}({})", self.performative, args.join(", "));
        if let Some((end, _)) = message.char_indices().nth(MAX_SHOWN) {
            message.truncate(end);
            message.push_str("..");
        }
        let (to, performative, args) = (self.to.clone(), self.performative.clone(), self.args.clone());
        UnknownMessage { message, to, id: self.id.clone(), performative, args, arities: Vec::new() }
    }

    /// The agents that its arguments name.
    pub fn agents_named(&self) -> impl Iterator<Item = &str> {
        self.args.iter().filter_map(|it| it.as_object()?.get("agent")?.as_str())
    }
}

/// The fields of a line; those that it does not know are passed over.
#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow)]
    from: Cow<'a, str>,
    to: Recipients,
    #[serde(borrow)]
    performative: Cow<'a, str>,
    #[serde(default)]
    args: Vec<Json>,
    #[serde(default)]
    event: Option<String>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    conversation: Option<ConversationName>,
    #[serde(default)]
    time: Option<Json>,
}

/// The names of the recipients; one of them may stand alone.
struct Recipients(Vec<String>);

impl<'de> Deserialize<'de> for Recipients {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RecipientsVisitor)
    }
}

struct RecipientsVisitor;

impl<'de> Visitor<'de> for RecipientsVisitor {
    type Value = Recipients;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name or a list of names as `to`")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Recipients(vec![name.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = sequence.next_element()? {
            names.push(name);
        }
        Ok(Recipients(names))
    }
}

/// The name of a conversation: an integer is its text.
struct ConversationName(String);

impl<'de> Deserialize<'de> for ConversationName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameVisitor)
    }
}

struct NameVisitor;

impl Visitor<'_> for NameVisitor {
    type Value = ConversationName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name or an integer as `conversation`")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(ConversationName(name.to_owned()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(ConversationName(number.to_string()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(ConversationName(number.to_string()))
    }
}

/// Reads a line, without its end.
///
/// # Errors
/// Why it is no record.
pub fn read(line: &[u8]) -> Result<Record, Fault> {
    read_timed(line, &mut Times::default())
}

/// Reads a line of a log that has had these times.
pub(crate) fn read_timed(line: &[u8], times: &mut Times) -> Result<Record, Fault> {
    let text = checked_text(line)?;
    let fields: Fields<'_> =
        serde_json::from_str(&text).map_err(|error| wrong(format!("no record: {error}")))?;
    let arrives = match fields.event.as_deref() {
        None | Some("send") => false,
        Some("receive") => true,
        Some(other) => return Err(wrong(format!("{other:?} is no event: there are send and receive"))),
    };
    let record = Record {
        time: times.read(fields.time)?,
        conversation: fields.conversation.map(|name| name.0).unwrap_or_default(),
        alias: None,
        arrives,
        arrives_unlogged: false,
        id: fields.id,
        from: fields.from.into_owned(),
        to: fields.to.0,
        performative: fields.performative.into_owned(),
        args: fields.args,
        results: 0,
    };
    checked(record)
}

fn wrong(text: String) -> Fault {
    Fault::new(FaultKind::NoRecord, text)
}

/// The text of a line that is not nested too deeply. Integers that would lose digits are marked.
pub(crate) fn checked_text(line: &[u8]) -> Result<Cow<'_, str>, Fault> {
    let text = std::str::from_utf8(line).map_err(|error| wrong(format!("the line is not UTF-8: {error}")))?;
    // Most lines have too few brackets to be nested deeply, and no long numbers: that is seen fast.
    let brackets = text.matches('[').count() + text.matches('{').count();
    if brackets <= MAX_NESTING && !has_long_number(text.as_bytes()) {
        return Ok(Cow::Borrowed(text));
    }
    let shape = Shape::of(text);
    if shape.nesting > MAX_NESTING {
        return Err(wrong(format!("the line nests deeper than {MAX_NESTING} levels")));
    }
    let has_big = shape.digits.iter().any(|token| is_big(&text[token.clone()]));
    Ok(if has_big { Cow::Owned(marked(text, &shape.digits)) } else { Cow::Borrowed(text) })
}

/// Whether a number in JSON is an integer beyond 64 bits, of which a float would keep the first digits only.
fn is_big(token: &str) -> bool {
    let is_integer = token.bytes().all(|it| it == b'-' || it.is_ascii_digit());
    is_integer && token.parse::<i64>().is_err() && token.parse::<u64>().is_err()
}

/// A text in which the large integers among these numbers are objects that name all digits.
fn marked(text: &str, numbers: &[Range<usize>]) -> String {
    let (mut all, mut end) = (String::with_capacity(text.len() + 64), 0);
    for token in numbers.iter().filter(|it| is_big(&text[(*it).clone()])) {
        all.push_str(&text[end..token.start]);
        all.push_str(&serde_json::json!({ BIG_INTEGER: &text[token.clone()] }).to_string());
        end = token.end;
    }
    all.push_str(&text[end..]);
    all
}

/// The record, if its names are not too long and nothing is missing.
pub(crate) fn checked(record: Record) -> Result<Record, Fault> {
    if record.to.is_empty() {
        return Err(wrong("the message has no recipient: `to` is empty".to_owned()));
    }
    let names = record.to.iter().chain([&record.from, &record.performative, &record.conversation]);
    if let Some(long) = names.chain(&record.id).find(|it| it.len() > MAX_NAME) {
        let start: String = long.chars().take(20).collect();
        return Err(wrong(format!("the name {start:?}.. is longer than {MAX_NAME} bytes")));
    }
    if record.from.is_empty() || record.performative.is_empty() || record.to.iter().any(String::is_empty) {
        return Err(wrong("`from`, `to` and `performative` may not be empty".to_owned()));
    }
    Ok(record)
}

/// What is known of a text in JSON before it is read.
struct Shape {
    /// How deep arrays and objects are nested.
    nesting: usize,
    /// Where numbers stand that are so long that a float might not hold them.
    digits: Vec<Range<usize>>,
}

/// Integers that are shorter, with their sign, fit into 64 bits.
const LONG_NUMBER: usize = 20;

/// Whether there is an integer so long that it may not fit into 64 bits, in a text of JSON or in a string in it.
fn has_long_number(text: &[u8]) -> bool {
    let is_part = |byte: &&u8| **byte == b'-' || byte.is_ascii_digit();
    // A long one stands at one of these places.
    (LONG_NUMBER - 1..text.len()).step_by(LONG_NUMBER).any(|at| {
        let after = text[at..].iter().take(LONG_NUMBER).take_while(is_part).count();
        after > 0
            && after + text[..at].iter().rev().take(LONG_NUMBER).take_while(is_part).count() >= LONG_NUMBER
    })
}

impl Shape {
    fn of(text: &str) -> Self {
        let (mut depth, mut nesting, mut in_string, mut escaped) = (0usize, 0, false, false);
        let mut digits = Vec::new();
        // Where the number that is being passed began.
        let mut number = None;
        // A number ends before the end of what is looked at.
        for (at, byte) in text.bytes().chain([b'\n']).enumerate() {
            let goes_on = matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') && !in_string;
            match number {
                Some(start) if !goes_on => {
                    if at - start >= LONG_NUMBER {
                        digits.push(start..at);
                    }
                    number = None;
                }
                None if goes_on => number = Some(at),
                _ => {}
            }
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                b'[' | b'{' if !in_string => {
                    depth += 1;
                    nesting = nesting.max(depth);
                }
                b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        Self { nesting, digits }
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_line_is_read_with_what_it_leaves_out() {
        let line = br#"{"from":"alice","to":"desk","performative":"bid","args":[40],"more":[[]]}"#;
        let record = read(line).expect("it is a record");
        assert_eq!((record.from.as_str(), record.to.as_slice()), ("alice", &["desk".to_owned()][..]));
        assert!(!record.arrives && record.time.is_none() && record.conversation.is_empty());
    }

    #[test]
    fn an_integer_names_a_conversation() {
        let named = |name: &str| {
            let line = format!(r#"{{"from":"a","to":"b","performative":"c","conversation":{name}}}"#);
            read(line.as_bytes()).map(|record| record.conversation)
        };
        assert_eq!(named("7"), Ok("7".to_owned()));
        assert_eq!(named("-7"), Ok("-7".to_owned()));
        assert_eq!(named("18446744073709551615"), Ok("18446744073709551615".to_owned()));
        assert_eq!(named("null"), Ok(String::new()));
        assert!(named("1.5").is_err() && named("[7]").is_err());
    }

    #[test]
    fn long_numbers_are_seen_wherever_they_stand() {
        for length in 1..=40 {
            for before in 0..=45 {
                let text = format!("{}{},", " ".repeat(before), "7".repeat(length));
                assert_eq!(super::has_long_number(text.as_bytes()), length >= 20, "{before} {length}");
            }
        }
        assert!(super::has_long_number(b"[-9999999999999999999]"));
        assert!(!super::has_long_number(b"[9999999999999999999,1]"));
    }

    #[test]
    fn hostile_lines_are_errors() {
        let deep = format!(r#"{{"from":"a","to":"b","performative":"c","x":{}"#, "[".repeat(100_000));
        let long = format!(r#"{{"from":"{}","to":"b","performative":"c"}}"#, "a".repeat(300));
        let huge = vec![b' '; (1 << 20) + 1];
        let lines: [&[u8]; 12] = [
            b"",
            b"{",
            b"[]",
            b"\xff\xfe",
            deep.as_bytes(),
            long.as_bytes(),
            &huge,
            br#"{"from":"a","to":[],"performative":"c"}"#,
            br#"{"from":1,"to":"b","performative":"c"}"#,
            br#"{"from":"a","to":"b","performative":"c","event":"sends"}"#,
            br#"{"from":"a","to":"b","performative":"c","time":"yesterday"}"#,
            br#"{"from":"a","to":"b","performative":"c","time":-1}"#,
        ];
        for line in lines {
            assert!(read(line).is_err(), "{:?}", String::from_utf8_lossy(&line[..line.len().min(80)]));
        }
    }
}

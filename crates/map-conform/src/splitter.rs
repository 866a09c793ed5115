//! Splits the bytes of a log into lines, as they come; or the one array that it is into its elements.

use std::collections::VecDeque;
use std::io::{BufRead as _, Read as _};

use crate::{Adapter, Form, MAX_LINE, Records};

/// The lines of a log that is whole, without a mapping, as records.
#[must_use]
pub fn records_of(log: &str) -> Records {
    let (mut splitter, mut pieces) = (Splitter::new(MAX_LINE), VecDeque::new());
    splitter.add(log.as_bytes(), &mut pieces);
    splitter.end(&mut pieces);
    let (mut adapter, mut records) = (Adapter::new(&Form::default()), Records::new());
    pieces.into_iter().for_each(|piece| piece.adapt(&mut adapter, MAX_LINE, &mut records));
    adapter.end(&mut records);
    records
}

/// A line of a log, without its end, or an element of the array that it is.
pub struct Piece {
    /// The number of the line in which it begins, from 1.
    pub line: u64,
    /// Where it ends, in bytes from the beginning of the log, with its end.
    pub end: u64,
    /// What is in it; `None` if that is longer than allowed.
    pub bytes: Option<Vec<u8>>,
}

impl Piece {
    /// Has an adapter read it; `most` is how long it might be.
    pub fn adapt(self, adapter: &mut Adapter, most: usize, records: &mut Records) {
        match self.bytes {
            Some(bytes) => adapter.line(self.line, &bytes, records),
            None => adapter.too_long(self.line, most, records),
        }
    }
}

/// Splits the bytes of a log.
pub struct Splitter {
    /// The most bytes of a piece.
    most: usize,
    /// What has come of the piece that is not finished.
    half: Vec<u8>,
    is_too_long: bool,
    /// The number of lines that have begun before the piece that is not finished.
    line: u64,
    /// The number of bytes that have been looked at.
    at: u64,
    /// Whether nothing has come yet, so that there may be a byte order mark.
    is_new: bool,
    array: Option<Array>,
}

/// How far the array has been read that a log is.
#[derive(Default)]
struct Array {
    depth: u32,
    in_string: bool,
    is_escaped: bool,
    /// The line in which the element begins.
    begins: u64,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What files begin with that are no text, and what they are.
const OTHER_FORMATS: [(&[u8], &str, &str); 8] = [
    (b"\x1f\x8b", "compressed by gzip", "gzip -dc"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd", "zstd -dc"),
    (b"\xfd7zXZ\x00", "compressed by xz", "xz -dc"),
    (b"BZh", "compressed by bzip2", "bzip2 -dc"),
    (b"\x04\x22\x4d\x18", "compressed by lz4", "lz4 -dc"),
    (b"PK\x03\x04", "a ZIP archive", "unzip -p"),
    (b"\xff\xfe", "UTF-16, not UTF-8", "iconv -f UTF-16 -t UTF-8"),
    (b"\xfe\xff", "UTF-16, not UTF-8", "iconv -f UTF-16 -t UTF-8"),
];

/// What a log is if it is no text, and the command that makes text of it.
#[must_use]
pub fn other_format(start: &[u8]) -> Option<(&'static str, &'static str)> {
    let found = OTHER_FORMATS.iter().find(|(magic, ..)| start.starts_with(magic));
    found.map(|&(_, what, command)| (what, command))
}

impl Splitter {
    /// For a log of lines, each of at most this many bytes.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { most, half: Vec::new(), is_too_long: false, line: 0, at: 0, is_new: true, array: None }
    }

    /// For the rest of a log of which so many bytes and lines have been read.
    #[must_use]
    pub fn behind(bytes: u64, lines: u64, most: usize) -> Self {
        Self { line: lines, at: bytes, is_new: bytes == 0, ..Self::new(most) }
    }

    /// For a log that is one array.
    #[must_use]
    pub fn of_array(most: usize) -> Self {
        Self { array: Some(Array::default()), line: 1, ..Self::new(most) }
    }

    /// The number of lines that have been finished.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.line
    }

    /// Adds bytes; what they finish is added to the pieces.
    pub fn add(&mut self, bytes: &[u8], pieces: &mut VecDeque<Piece>) {
        let all = bytes.len();
        let bytes = match self.is_new {
            true => bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes),
            false => bytes,
        };
        self.is_new &= bytes.is_empty();
        self.at += (all - bytes.len()) as u64;
        if self.array.is_some() {
            return bytes.iter().for_each(|&byte| self.add_of_array(byte, pieces));
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let before = rest.len();
            if self.is_too_long {
                let ends = rest.iter().position(|&byte| byte == b'\n');
                rest = &rest[ends.map_or(rest.len(), |at| at + 1)..];
                self.at += (before - rest.len()) as u64;
                if ends.is_some() {
                    self.finish(pieces);
                }
                continue;
            }
            // A line that is too long needs no memory.
            let room = (self.most + 3).saturating_sub(self.half.len()) as u64;
            let _ = rest.by_ref().take(room).read_until(b'\n', &mut self.half);
            self.at += (before - rest.len()) as u64;
            if self.half.last() == Some(&b'\n') {
                self.finish(pieces);
            } else if self.half.len() > self.most + 2 || rest.len() == before {
                self.is_too_long = true;
                self.half = Vec::new();
            }
        }
    }

    /// The log ends: its last line may lack its end.
    pub fn end(&mut self, pieces: &mut VecDeque<Piece>) {
        if self.array.is_some() {
            // An array that is not finished lacks its end, which is no element.
            if !self.half.iter().all(u8::is_ascii_whitespace) {
                self.finish_element(pieces);
            }
        } else if !self.half.is_empty() || self.is_too_long {
            self.finish(pieces);
        }
    }

    /// Reads another file, from its first line; returns the line of this one that is not finished.
    pub fn start_again(&mut self) -> Option<u64> {
        let unfinished = (!self.half.is_empty() || self.is_too_long).then_some(self.line + 1);
        *self = Self::new(self.most);
        unfinished
    }

    fn finish(&mut self, pieces: &mut VecDeque<Piece>) {
        self.line += 1;
        let mut bytes = std::mem::take(&mut self.half);
        while bytes.last().is_some_and(|byte| b"\r\n".contains(byte)) {
            bytes.pop();
        }
        let is_too_long = std::mem::take(&mut self.is_too_long) || bytes.len() > self.most;
        pieces.push_back(Piece { line: self.line, end: self.at, bytes: (!is_too_long).then_some(bytes) });
    }

    fn finish_element(&mut self, pieces: &mut VecDeque<Piece>) {
        let line = self.array.as_ref().map_or(self.line, |array| array.begins);
        let bytes = std::mem::take(&mut self.half);
        let is_too_long = std::mem::take(&mut self.is_too_long);
        pieces.push_back(Piece { line, end: self.at, bytes: (!is_too_long).then_some(bytes) });
    }

    fn add_of_array(&mut self, byte: u8, pieces: &mut VecDeque<Piece>) {
        let line = self.line;
        self.at += 1;
        self.line += u64::from(byte == b'\n');
        let Some(array) = &mut self.array else { return };
        let is_plain = !array.in_string;
        match byte {
            _ if array.is_escaped => array.is_escaped = false,
            b'\\' if array.in_string => array.is_escaped = true,
            b'"' => array.in_string = !array.in_string,
            b'[' | b'{' if is_plain => array.depth += 1,
            b']' | b'}' if is_plain => array.depth = array.depth.saturating_sub(1),
            _ => {}
        }
        let is_bracket_of_array =
            is_plain && (byte == b'[' && array.depth == 1 || byte == b']' && array.depth == 0);
        if is_bracket_of_array || is_plain && byte == b',' && array.depth == 1 {
            let is_empty = self.half.is_empty() && !self.is_too_long;
            if !is_empty {
                self.finish_element(pieces);
            }
            return;
        }
        if self.half.is_empty() && !self.is_too_long {
            if byte.is_ascii_whitespace() {
                return;
            }
            array.begins = line;
        }
        if self.half.len() >= self.most {
            self.is_too_long = true;
            self.half = Vec::new();
        } else if !self.is_too_long {
            self.half.push(byte);
        }
    }
}

/// Looks whether a log is one array of objects.
#[derive(Default)]
pub struct ArrayProbe {
    seen: Seen,
    depth: u32,
    in_string: bool,
    is_escaped: bool,
}

#[derive(Default, PartialEq, Eq)]
enum Seen {
    #[default]
    Nothing,
    /// The bracket that opens it.
    Bracket,
    /// An object in it.
    Object,
    /// The bracket that closes it.
    Close,
}

impl ArrayProbe {
    /// Looks at the next bytes; `Some(false)` as soon as it is none.
    pub fn add(&mut self, bytes: &[u8], is_first: bool) -> Option<bool> {
        let bytes = if is_first { bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes) } else { bytes };
        for &byte in bytes {
            if self.in_string {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match (&self.seen, byte) {
                (_, byte) if byte.is_ascii_whitespace() => {}
                (Seen::Nothing, b'[') => (self.seen, self.depth) = (Seen::Bracket, 1),
                (Seen::Bracket, b'{') => (self.seen, self.depth) = (Seen::Object, 2),
                (Seen::Bracket, b']') => self.seen = Seen::Close,
                (Seen::Nothing | Seen::Bracket | Seen::Close, _) => return Some(false),
                (Seen::Object, b'"') => self.in_string = true,
                (Seen::Object, b'[' | b'{') => self.depth += 1,
                (Seen::Object, b']' | b'}') => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        self.seen = Seen::Close;
                    }
                }
                (Seen::Object, _) => {}
            }
        }
        None
    }

    /// Whether it is one, at the end of the log. One that is not finished is one all the same.
    #[must_use]
    pub fn end(&self) -> bool {
        matches!(self.seen, Seen::Object | Seen::Close)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::{ArrayProbe, Splitter, other_format};

    /// The pieces with their lines, the log given in chunks of this length.
    fn pieces(mut splitter: Splitter, log: &str, chunk: usize) -> Vec<(u64, Option<String>)> {
        let mut all = VecDeque::new();
        log.as_bytes().chunks(chunk).for_each(|bytes| splitter.add(bytes, &mut all));
        splitter.end(&mut all);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it was a text");
        all.into_iter().map(|piece| (piece.line, piece.bytes.map(text))).collect()
    }

    fn some(line: u64, text: &str) -> (u64, Option<String>) {
        (line, Some(text.to_owned()))
    }

    #[test]
    fn lines_are_the_same_in_chunks_of_any_length() {
        let log = "a\r\n\nlong line\nlonger lines\nb";
        for chunk in 3..=log.len() {
            let found = pieces(Splitter::new(9), log, chunk);
            let expected = [some(1, "a"), some(2, ""), some(3, "long line"), (4, None), some(5, "b")];
            assert_eq!(found, expected, "{chunk}");
        }
        assert_eq!(pieces(Splitter::new(9), "\u{feff}a\n\u{feff}", 64), [some(1, "a"), some(2, "\u{feff}")]);
    }

    #[test]
    fn an_array_is_read_element_by_element() {
        let log = "[\n {\"a\": \"]},\\\"\"},\n{\"b\":\n [1, {}]}, {\"long\": 123456789012}, 5\n]\n";
        for chunk in 3..=log.len() {
            let found = pieces(Splitter::of_array(19), log, chunk);
            let long = (4, None);
            let expected =
                [some(2, "{\"a\": \"]},\\\"\"}"), some(3, "{\"b\":\n [1, {}]}"), long, some(4, "5\n")];
            assert_eq!(found, expected, "{chunk}");
        }
        assert_eq!(pieces(Splitter::of_array(64), "[{},{\"a\"", 3), [some(1, "{}"), some(1, "{\"a\"")]);
    }

    #[test]
    fn a_log_that_is_one_array_is_recognised() {
        let probed = |log: &str| {
            let mut probe = ArrayProbe::default();
            probe.add(log.as_bytes(), true).unwrap_or_else(|| probe.end())
        };
        for log in ["[]", "\u{feff} [\n{\"a\": [\"]\"]}, 5]\n", "[{}", "[{},{\"a\":\"\\\""] {
            assert!(probed(log), "{log}");
        }
        for log in ["", "{}", "[1]\n", "[{}]\n[{}]\n", "[{}] x", "\"[\""] {
            assert!(!probed(log), "{log}");
        }
    }

    #[test]
    fn what_is_no_text_is_named() {
        assert_eq!(other_format(b"\x1f\x8b\x08").map(|it| it.1), Some("gzip -dc"));
        assert_eq!(other_format(b"{\"from\""), None);
    }
}

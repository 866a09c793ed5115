//! A text with its lines, and the way between byte offsets and the protocol's positions.
//!
//! Positions come from outside and may be anything: whatever lies beyond a line or the text counts as its end, and
//! what lies inside a character as its start.

use std::ops::Range;

use ls_types::{Position, PositionEncodingKind, Range as PositionRange};
use serde_json::Value;

/// What the columns of positions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16; every client knows this.
    Utf16,
}

impl Encoding {
    /// The best of those that a client offers.
    pub(crate) fn chosen(offered: Option<&[PositionEncodingKind]>) -> Self {
        let utf8 = offered.is_some_and(|it| it.contains(&PositionEncodingKind::UTF8));
        if utf8 { Self::Utf8 } else { Self::Utf16 }
    }

    pub(crate) const fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn width(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
        }
    }

    /// The length of a piece of text.
    pub(crate) fn length(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 if text.is_ascii() => text.len(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }
}

/// A text, and where its lines are.
#[derive(Debug)]
pub(crate) struct Text {
    text: String,
    lines: Vec<Line>,
    encoding: Encoding,
}

/// A line, without its line break.
#[derive(Debug)]
struct Line {
    start: usize,
    end: usize,
    /// Then columns are bytes.
    is_ascii: bool,
}

impl Text {
    pub(crate) fn new(text: String, encoding: Encoding) -> Self {
        let lines = lines(&text);
        Self { text, lines, encoding }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The line that an offset is in, from 0.
    fn line_of(&self, offset: usize) -> (usize, &Line) {
        let index = self.lines.partition_point(|line| line.start <= offset).saturating_sub(1);
        (index, &self.lines[index])
    }

    /// The offset of a position.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let Some(line) = self.lines.get(position.line as usize) else { return self.text.len() };
        let column = position.character as usize;
        if line.is_ascii {
            return (line.start + column).min(line.end);
        }
        let text = &self.text[line.start..line.end];
        let mut passed = 0;
        for (at, character) in text.char_indices() {
            let width = self.encoding.width(character);
            if passed + width > column {
                return line.start + at;
            }
            passed += width;
        }
        line.end
    }

    /// The position of an offset. One within a line break counts as the end of its line.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let (index, line) = self.line_of(offset.min(self.text.len()));
        let mut end = offset.clamp(line.start, line.end);
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let column = match line.is_ascii {
            true => end - line.start,
            false => self.encoding.length(&self.text[line.start..end]),
        };
        Position { line: to_u32(index), character: to_u32(column) }
    }

    /// A range as the protocol has it.
    pub(crate) fn range(&self, range: &Range<usize>) -> PositionRange {
        PositionRange { start: self.position(range.start), end: self.position(range.end) }
    }

    /// A range of bytes. One that is the wrong way round is turned.
    pub(crate) fn offsets(&self, range: PositionRange) -> Range<usize> {
        let (one, other) = (self.offset(range.start), self.offset(range.end));
        one.min(other)..one.max(other)
    }

    /// The parts of a range on each of its lines, without line breaks.
    pub(crate) fn by_line(&self, range: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let (first, _) = self.line_of(range.start);
        let clip = range.clone();
        let lines = self.lines[first..].iter().take_while(move |line| line.start < clip.end);
        let clip = range.clone();
        lines.map(move |line| line.start.max(clip.start)..line.end.min(clip.end)).filter(|it| !it.is_empty())
    }

    /// The text after a change: a part of it, or all of it, is replaced.
    pub(crate) fn changed(&self, range: Option<PositionRange>, with: &str) -> Self {
        let Some(range) = range else { return Self::new(with.to_owned(), self.encoding) };
        let range = self.offsets(range);
        let mut text = String::with_capacity(self.text.len() + with.len());
        text.push_str(&self.text[..range.start]);
        text.push_str(with);
        text.push_str(&self.text[range.end..]);
        Self::new(text, self.encoding)
    }
}

/// The lines of a text, of which there is at least one. The protocol ends them with `\n`, `\r\n` or `\r`.
fn lines(text: &str) -> Vec<Line> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut start = 0;
    let line = |start: usize, end: usize| Line { start, end, is_ascii: text[start..end].is_ascii() };
    for (at, &byte) in bytes.iter().enumerate() {
        let ends = match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends {
            let end = if byte == b'\n' && at > start && bytes[at - 1] == b'\r' { at - 1 } else { at };
            lines.push(line(start, end));
            start = at + 1;
        }
    }
    lines.push(line(start, text.len()));
    lines
}

/// Brings the numbers of all positions in a message into the range that positions have: those that are negative or far
/// too large would make the whole message unreadable, and a change that is passed over costs the whole text.
pub(crate) fn clamp(message: &mut Value) {
    match message {
        Value::Array(items) => items.iter_mut().for_each(clamp),
        Value::Object(entries) => {
            for (name, value) in entries.iter_mut() {
                let is_column = name == "line" || name == "character";
                match value.as_f64().filter(|_| is_column) {
                    Some(number) => *value = Value::from(number.clamp(0.0, f64::from(i32::MAX)) as u32),
                    None => clamp(value),
                }
            }
        }
        _ => {}
    }
}

/// Texts are limited to far less than what fits.
pub(crate) fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use ls_types::{Position, Range};

    use super::{Encoding, Text, clamp};

    /// A letter of one byte, one of two bytes, one of two units of UTF-16, and line breaks of all kinds.
    const TEXT: &str = "aé𝄞b\r\nx\ry\n\n𝄞";

    fn offsets(encoding: Encoding, line: u32) -> Vec<usize> {
        let text = Text::new(TEXT.to_owned(), encoding);
        (0..12).map(|character| text.offset(Position { line, character })).collect()
    }

    #[test]
    fn columns_count_what_was_agreed() {
        assert_eq!(offsets(Encoding::Utf8, 0), [0, 1, 1, 3, 3, 3, 3, 7, 8, 8, 8, 8]);
        assert_eq!(offsets(Encoding::Utf16, 0), [0, 1, 3, 3, 7, 8, 8, 8, 8, 8, 8, 8]);
    }

    #[test]
    fn what_lies_beyond_is_the_end() {
        let text = Text::new(TEXT.to_owned(), Encoding::Utf16);
        let far = Position { line: u32::MAX, character: u32::MAX };
        assert_eq!(text.offset(far), TEXT.len());
        assert_eq!(text.offset(Position { line: 1, character: u32::MAX }), 11);
        assert_eq!(text.position(usize::MAX), Position { line: 4, character: 2 });
        let turned = Range { start: far, end: Position { line: 0, character: 1 } };
        assert_eq!(text.offsets(turned), 1..TEXT.len());
    }

    #[test]
    fn every_offset_has_a_position_that_leads_back() {
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let text = Text::new(TEXT.to_owned(), encoding);
            for offset in 0..=TEXT.len() {
                let back = text.offset(text.position(offset));
                let inside_break = offset == 9;
                if TEXT.is_char_boundary(offset) && !inside_break {
                    assert_eq!(back, offset, "{encoding:?}");
                } else {
                    assert!(back <= offset, "{encoding:?}: {offset}");
                }
            }
        }
    }

    #[test]
    fn changes_replace_a_part_or_all() {
        let text = Text::new("one\ntwo\n".to_owned(), Encoding::Utf16);
        let range = Range::new(Position::new(0, 3), Position::new(1, 1));
        assert_eq!(text.changed(Some(range), " ").as_str(), "one wo\n");
        assert_eq!(text.changed(None, "new").as_str(), "new");
        let beyond = Range::new(Position::new(9, 9), Position::new(9, 9));
        assert_eq!(text.changed(Some(beyond), "x").as_str(), "one\ntwo\nx");
    }

    #[test]
    fn numbers_beyond_all_bounds_are_clamped() {
        let mut message = serde_json::json!({"a": [{"line": -3, "character": 1e30}], "line": 7, "b": -3});
        clamp(&mut message);
        let clamped = serde_json::json!({"a": [{"line": 0, "character": i32::MAX}], "line": 7, "b": -3});
        assert_eq!(message, clamped);
    }

    #[test]
    fn a_range_is_cut_at_line_breaks() {
        let text = Text::new("ab\ncd\r\n\nef".to_owned(), Encoding::Utf8);
        assert_eq!(text.by_line(&(1..10)).collect::<Vec<_>>(), [1..2, 3..5, 8..10]);
    }
}

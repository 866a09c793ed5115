//! The lines of a source that a diagnostic is about, with characters that nobody sees written out.

use std::borrow::Cow;
use std::ops::Range;

use codespan_reporting::files::{Error, Files};

use crate::unseen::{escaped_line, is_unseen};
use crate::{SourceFile, Span};

/// Some lines of a source, as codespan-reporting wants to see them.
pub(crate) struct Excerpt<'a> {
    source: &'a SourceFile,
    name: Cow<'a, str>,
    /// The index of the first line.
    first_line: usize,
    text: String,
    line_starts: Vec<usize>,
    /// Where a character was written out: its end in the source, and in the text. Between two of them both go on alike.
    written_out: Vec<(usize, usize)>,
}

impl<'a> Excerpt<'a> {
    /// The lines on which these spans lie.
    pub(crate) fn new(source: &'a SourceFile, spans: &[Span]) -> Self {
        let line = |offset: u32| source.position(offset).line - 1;
        let first_line = spans.iter().map(|span| line(span.start)).min().unwrap_or(0);
        let last_line = spans.iter().map(|span| line(span.end)).max().unwrap_or(0);
        let starts = source.line_starts();
        let start = starts[first_line] as usize;
        let end = starts.get(last_line + 1).map_or(source.text().len(), |&next| next as usize);
        let mut excerpt = Self {
            source,
            name: escaped_line(source.name()),
            first_line,
            text: String::new(),
            line_starts: vec![0],
            written_out: vec![(start, 0)],
        };
        let part = source.text().get(start..end).unwrap_or("");
        let mut characters = part.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let ends_line = character == '\r' && matches!(characters.peek(), None | Some((_, '\n')));
            if is_unseen(character) && character != '\n' && character != '\t' && !ends_line {
                excerpt.text.extend(character.escape_unicode());
                excerpt.written_out.push((start + at + character.len_utf8(), excerpt.text.len()));
            } else {
                excerpt.text.push(character);
            }
            if character == '\n' {
                excerpt.line_starts.push(excerpt.text.len());
            }
        }
        excerpt
    }

    /// Where a span of the source is in the text of the excerpt.
    pub(crate) fn range(&self, span: Span) -> Range<usize> {
        self.inside(span.start as usize)..self.inside(span.end as usize)
    }

    fn inside(&self, offset: usize) -> usize {
        let (from, to) = self.written_out[self.written_out.partition_point(|&(end, _)| end <= offset) - 1];
        (to + offset.saturating_sub(from)).min(self.text.len())
    }

    fn outside(&self, offset: usize) -> usize {
        let (to, from) = self.written_out[self.written_out.partition_point(|&(_, end)| end <= offset) - 1];
        to + (offset - from)
    }
}

impl<'a> Files<'a> for Excerpt<'a> {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.name)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.text)
    }

    fn line_index(&'a self, (): (), byte_index: usize) -> Result<usize, Error> {
        Ok(self.line_starts.partition_point(|&start| start <= byte_index) - 1)
    }

    fn line_number(&'a self, (): (), line_index: usize) -> Result<usize, Error> {
        Ok(self.first_line + line_index + 1)
    }

    fn column_number(&'a self, (): (), _: usize, byte_index: usize) -> Result<usize, Error> {
        Ok(self.source.position(self.outside(byte_index) as u32).column)
    }

    fn line_range(&'a self, (): (), line_index: usize) -> Result<Range<usize>, Error> {
        let max = self.line_starts.len();
        let start =
            *self.line_starts.get(line_index).ok_or(Error::LineTooLarge { given: line_index, max })?;
        Ok(start..self.line_starts.get(line_index + 1).copied().unwrap_or(self.text.len()))
    }
}

#[cfg(test)]
mod tests {
    use codespan_reporting::files::Files as _;

    use super::Excerpt;
    use crate::{SourceFile, Span};

    #[test]
    fn places_stay_where_they_are() {
        let source = SourceFile::new("a\x1b.map", "one\r\nt\x1bw\u{202e}o x\r\nthree\n");
        let x = Span::new(13, 14);
        assert_eq!(source.slice(x), "x");
        let excerpt = Excerpt::new(&source, &[x]);
        assert_eq!(excerpt.text, "t\\u{1b}w\\u{202e}o x\r\n");
        assert_eq!(&excerpt.text[excerpt.range(x)], "x");
        assert_eq!(&excerpt.text[excerpt.range(Span::new(6, 7))], "\\u{1b}");
        let at = excerpt.range(x).start;
        assert_eq!(excerpt.line_number((), excerpt.line_index((), at).unwrap()).unwrap(), 2);
        assert_eq!(excerpt.column_number((), 0, at).unwrap(), 7);
        assert_eq!(excerpt.name(()).unwrap(), "a\\u{1b}.map");
    }
}

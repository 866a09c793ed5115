//! Lines of requests, read with a bound.

use std::io::{BufRead, Read as _};

/// The longest request in bytes: a message with the largest arguments.
pub(super) const MAX_REQUEST: u64 = (1 << 20) + (64 << 10);

/// What a read finds.
pub(super) enum Read {
    Line(Vec<u8>),
    /// A line that is too long was passed over, which the text says.
    TooLong(String),
    /// There is nothing more.
    End,
}

/// Reads the next line.
pub(super) fn next_line(input: &mut impl BufRead) -> std::io::Result<Read> {
    let mut line = Vec::new();
    if input.take(MAX_REQUEST).read_until(b'\n', &mut line)? == 0 {
        return Ok(Read::End);
    }
    if line.last() == Some(&b'\n') || (line.len() as u64) < MAX_REQUEST {
        return Ok(Read::Line(line));
    }
    skip_line(input)?;
    Ok(Read::TooLong(format!("a request is longer than {MAX_REQUEST} bytes")))
}

/// Passes over the rest of a line, without keeping it.
fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let (length, is_end) = (end.map_or(buffer.len(), |at| at + 1), end.is_some() || buffer.is_empty());
        input.consume(length);
        if is_end {
            return Ok(());
        }
    }
}

//! Messages over byte streams, with what is not a message answered as JSON-RPC wants it.
//!
//! `lsp-server` ends the connection at the first text that is not JSON, and reserves as much memory as a header asks
//! for; so its own transport is not used.

use std::io::{self, BufRead, Read as _, Write};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};

/// The longest message that is read; texts are limited to 16 MiB.
const MOST_BYTES: usize = 128 << 20;

/// What a stream holds next.
#[derive(Debug)]
enum Frame {
    Message(Message),
    /// Something else, and what to answer.
    Refused(ErrorCode, String),
    End,
}

/// A connection over two streams, and the thread that writes: it ends when the connection is dropped and everything
/// is written.
pub(crate) fn connect<R: BufRead + Send + 'static, W: Write + Send + 'static>(
    reader: R,
    writer: W,
) -> io::Result<(Connection, thread::JoinHandle<()>)> {
    // Bounded, so that a client that floods the server has to wait.
    let (incoming, receiver) = bounded(64);
    let (sender, outgoing) = unbounded::<Message>();
    let (refusals, refused) = unbounded();
    thread::Builder::new().name("reader".to_owned()).spawn(move || read_all(reader, &incoming, &refusals))?;
    let writing = move || write_all(writer, &outgoing, &refused);
    let written = thread::Builder::new().name("writer".to_owned()).spawn(writing)?;
    Ok((Connection { sender, receiver }, written))
}

fn read_all(mut reader: impl BufRead, incoming: &Sender<Message>, refusals: &Sender<Value>) {
    loop {
        let sent = match read(&mut reader) {
            Ok(Frame::Message(message)) => incoming.send(message).is_ok(),
            Ok(Frame::Refused(code, why)) => {
                let error = json!({"code": code as i32, "message": why});
                refusals.send(json!({"jsonrpc": "2.0", "id": null, "error": error})).is_ok()
            }
            // After a header that is not understood nobody knows where the next message starts.
            Ok(Frame::End) | Err(_) => false,
        };
        if !sent {
            return;
        }
    }
}

fn write_all(mut writer: impl Write, outgoing: &Receiver<Message>, refused: &Receiver<Value>) {
    let never = crossbeam_channel::never();
    // Once the reader has ended, its channel is disconnected and would be ready all the time.
    let mut from_reader = refused;
    loop {
        let written = crossbeam_channel::select! {
            recv(outgoing) -> message => match message {
                Ok(message) => message.write(&mut writer),
                Err(_) => break,
            },
            recv(from_reader) -> refusal => match refusal {
                Ok(refusal) => write_value(&mut writer, &refusal),
                Err(_) => {
                    from_reader = &never;
                    Ok(())
                }
            },
        };
        // Whoever does not read any more will not miss the rest.
        if written.is_err() {
            return;
        }
    }
    // What was refused before the last message was read is in there.
    for refusal in refused.try_iter() {
        if write_value(&mut writer, &refusal).is_err() {
            return;
        }
    }
}

fn write_value(writer: &mut impl Write, value: &Value) -> io::Result<()> {
    let text = value.to_string();
    write!(writer, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    writer.flush()
}

fn read(reader: &mut impl BufRead) -> io::Result<Frame> {
    let Some(length) = read_header(reader)? else { return Ok(Frame::End) };
    let mut bytes = Vec::new();
    reader.by_ref().take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Ok(Frame::End);
    }
    let value: Value = match serde_json::from_slice(&bytes) {
        Ok(value) => value,
        Err(error) => return Ok(Frame::Refused(ErrorCode::ParseError, format!("not JSON: {error}"))),
    };
    Ok(match serde_json::from_value(value) {
        Ok(message) => Frame::Message(message),
        Err(_) => Frame::Refused(
            ErrorCode::InvalidRequest,
            "neither a request nor a notification nor a response".to_owned(),
        ),
    })
}

/// The length of the message behind the next header; nothing at the end of the stream.
fn read_header(reader: &mut impl BufRead) -> io::Result<Option<usize>> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut length = None;
    loop {
        let mut line = Vec::new();
        // No header is longer than this.
        reader.by_ref().take(4096).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = String::from_utf8(line).map_err(|_| wrong("a header is not UTF-8"))?;
        let line = line.strip_suffix('\n').ok_or_else(|| wrong("a header does not end"))?.trim_end();
        if line.is_empty() {
            let length = length.ok_or_else(|| wrong("no Content-Length"))?;
            return Ok(Some(length));
        }
        let (name, value) = line.split_once(':').ok_or_else(|| wrong("a header has no colon"))?;
        if name.eq_ignore_ascii_case("Content-Length") {
            let bytes: usize = value.trim().parse().map_err(|_| wrong("the length is no number"))?;
            length = Some(bytes).filter(|&bytes| bytes <= MOST_BYTES);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, read};

    fn frame(text: &str) -> String {
        match read(&mut text.as_bytes()) {
            Ok(Frame::Message(message)) => format!("{message:?}"),
            Ok(Frame::Refused(code, why)) => format!("{code:?}: {why}"),
            Ok(Frame::End) => "end".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\nContent-Type: x\r\n\r\n{text}", text.len())
    }

    #[test]
    fn what_is_no_message_is_refused() {
        assert!(frame(&framed(r#"{"jsonrpc":"2.0","method":"exit"}"#)).starts_with("Notification"));
        assert_eq!(
            frame(&framed("{\"a\": ")),
            "ParseError: not JSON: EOF while parsing a value at line 1 column 6"
        );
        assert!(frame(&framed("[1]")).starts_with("InvalidRequest"));
        assert!(frame(&framed(&"[".repeat(1000))).starts_with("ParseError"));
        assert_eq!(frame(""), "end");
        assert_eq!(frame("Content-Length: 10\r\n\r\n{}"), "end");
    }

    #[test]
    fn a_header_that_is_not_understood_ends_the_connection() {
        assert_eq!(frame("Content-Length: ten\r\n\r\n"), "the length is no number");
        assert_eq!(frame("Content-Length: -1\r\n\r\n"), "the length is no number");
        assert_eq!(frame("Content-Length: 99999999999\r\n\r\n"), "no Content-Length");
        assert_eq!(frame("\r\n"), "no Content-Length");
        assert_eq!(frame("nothing\r\n"), "a header has no colon");
        assert_eq!(frame(&"x".repeat(10_000)), "a header does not end");
    }
}

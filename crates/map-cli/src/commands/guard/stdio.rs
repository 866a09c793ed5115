//! The door on standard input: requests, one JSON object a line.

use std::sync::mpsc::SyncSender;

use super::lines::{Read, next_line};
use super::peer::{Input, Peer};

/// Reads lines, on a thread of its own, until standard input ends or nobody listens.
pub(super) fn listen(inputs: SyncSender<Input>) {
    std::thread::spawn(move || {
        read(&inputs);
        let _ = inputs.send(Input::Left(Peer::Starter));
    });
}

fn read(inputs: &SyncSender<Input>) {
    let mut input = std::io::stdin().lock();
    loop {
        let line = match next_line(&mut input) {
            Ok(Read::Line(line)) => Ok(line),
            Ok(Read::TooLong(text)) => Err(text),
            Ok(Read::End) => return,
            Err(error) => {
                let text = format!("standard input cannot be read: {error}");
                let _ = inputs.send(Input::Line(Peer::Starter, Err(text)));
                return;
            }
        };
        if inputs.send(Input::Line(Peer::Starter, line)).is_err() {
            return;
        }
    }
}

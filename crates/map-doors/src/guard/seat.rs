//! The door for one agent on standard input and output, over the Model Context Protocol.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{SystemTime, UNIX_EPOCH};

use map_mcp::{Seat, serve_seat};
use serde_json::Value as Json;

use super::asking::Asking;
use super::peer::{Input, Peer, Speaker};

/// Who sits where.
pub struct SeatSettings {
    /// The name of the agent.
    pub name: String,
    /// The conversation that is meant if the agent names none.
    pub conversation: String,
    /// The file of the dialogue, as it is shown.
    pub file: String,
    /// The scene.
    pub scene: String,
}

/// How the time at a seat ended.
pub struct SeatEnd(Receiver<Result<(), String>>);

impl SeatEnd {
    /// What is wrong, if the agent did not leave by itself.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.0.try_recv().ok().and_then(Result::err)
    }
}

/// Serves an agent, on a thread of its own, until it leaves.
pub(super) fn open(settings: SeatSettings, inputs: SyncSender<Input>) -> io::Result<SeatEnd> {
    let SeatSettings { name, conversation, file, scene } = settings;
    let asking = Asking::new(inputs.clone());
    let speaker = Speaker::Agent(name.clone());
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seat = Seat {
        name,
        conversation,
        file,
        scene,
        session: format!("seat-{}-{}", since.as_nanos(), std::process::id()),
        ask: Arc::new(move |request: &Json, is_cancelled: &AtomicBool| {
            asking.ask_for_seat(speaker.clone(), request, is_cancelled)
        }),
    };
    let (tells_end, ended) = sync_channel(1);
    std::thread::Builder::new().name("seat".to_owned()).spawn(move || {
        let _ = tells_end.send(serve_seat(seat));
        let _ = inputs.send(Input::Left(Peer::Starter));
    })?;
    Ok(SeatEnd(ended))
}

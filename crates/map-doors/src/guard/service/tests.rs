//! Whoever started a guard and never reads what it writes.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{channel, sync_channel};

use map_check::{CheckOptions, check};
use map_conform::{Roles, Scene, Settings};
use map_diagnostics::SourceFile;
use map_guard::{Guard, Policy, Rules};
use map_json::Header;
use map_json::guard::{GuardHeader, GuardResult};
use serde_json::{from_value, json};

use super::{Call, Doors, Input, MAX_BATCH, Opening, Peer, Service, ServiceEnd, Speaker, Starter};

const TEXT: &str = "s[
    agent(!A, %a) = tell(1) => agent(!B, %b) then agent()
    agent(!B, %b) = waitfor (tell($x) <= agent(_, %a)) then agent()
]";

fn opening() -> Opening {
    let header = GuardHeader {
        header: Header::new("guard"),
        file: "s.map".to_owned(),
        scene: "s".to_owned(),
        agents: Vec::new(),
        enforces: Vec::new(),
        not_enforced: Vec::new(),
        on_doomed: None,
        ahead: None,
        covered_by: None,
        played: Vec::new(),
        at: None,
        http: None,
        journal: None,
    };
    Opening { header, digest: String::new(), max_requests: 100, max_waiting: 1 }
}

#[test]
fn whoever_starts_a_guard_and_never_reads_keeps_nobody_waiting() {
    let source = SourceFile::new("s.map", TEXT);
    let parsed = map_syntax::parse(&source);
    let (checked, _) = check(&parsed.file, &CheckOptions::default());
    let program = Arc::new(map_compile::compile(&checked.expect("the text is correct")));
    let scene = Arc::new(Scene::new(Arc::clone(&program), Settings::default()));
    let guard = Guard::new(Rules::new(scene, Roles::new(&program), Policy::new(&program)));
    let (starter, unread) = Starter::without_reader();
    assert!(!starter.is_behind());
    starter.tell("x".repeat(super::super::stdio::MAX_BYTES)).expect("it is written when somebody reads");
    assert!(starter.is_behind());

    let (sender, inputs) = sync_channel(2 * MAX_BATCH);
    let say = |input| sender.send(input).expect("there is room");
    let offer = json!({"do": "offer", "conversation": "c", "as": "!A"}).to_string();
    // Those of the first batch are answered, and then it is noticed that nobody reads.
    for _ in 0..MAX_BATCH + 1 {
        say(Input::Line(Peer::Starter, Ok(offer.clone().into_bytes())));
    }
    let (told, answers) = channel();
    let reply = Box::new(move |answer| told.send(answer).expect("somebody waits for it"));
    let call = Call { speaker: Speaker::Agent("!A".to_owned()), reply };
    let tell = json!({"do": "send", "conversation": "c", "as": "!A", "performative": "tell", "args": [1]});
    say(Input::Called(1, call, Box::new(from_value(tell).expect("it is a request"))));
    say(Input::Left(Peer::Starter));

    let doors = Doors { sender: sender.clone(), inputs, starter: Some(starter), has_agents: true };
    let mut notes = Vec::new();
    let end =
        Service::new(&source, guard, None, opening(), doors).serve(&AtomicBool::new(false), &mut |text| {
            notes.push(text.to_owned());
            Ok(())
        });
    assert_eq!(end.expect("standard output is not written to"), ServiceEnd::Left);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("is told nothing more"), "{notes:?}");
    let answer = answers.recv().expect("the agent is answered");
    assert!(matches!(answer.result, GuardResult::Accepted(_)), "{:?}", answer.result);
    assert_eq!(unread.lines().count(), 1 + MAX_BATCH);
}

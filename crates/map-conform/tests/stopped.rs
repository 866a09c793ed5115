//! What is said of a conversation when nobody wants more in the middle of a line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use map_check::{CheckOptions, check};
use map_conform::{
    Arrivals, Beginnings, Conversation, LoggedMessage, Mark, Report, Scene, Settings, Verdict,
    performative_named,
};
use map_diagnostics::SourceFile;
use map_ir::AgentId;
use map_semantics::Message;

const TEXT: &str = "s[
    agent(!A, %a) = hello() => agent(!B, %b) then ask() => agent(!B, %b)
    agent(!B, %b) =
        waitfor (hello() <= agent(_, %a)) then waitfor (ask() <= agent(_, %a)) then done() => agent(!C, %c)
    agent(!C, %c) = ready() => agent(!B, %b) then waitfor (done() <= agent(_, %b))
]";

/// Whether and when nobody wants more.
#[derive(Clone, Copy)]
enum Stops {
    Never,
    /// When the last line comes.
    AtTheLast(&'static AtomicBool),
}

/// What is said of some messages. Another conversation has shown before what the agents begin with: of the last line,
/// that is not searched for again.
fn judged(stops: Stops, complete: bool, said: &[&str]) -> Report {
    let source = SourceFile::new("scene.map", TEXT);
    let parsed = map_syntax::parse(&source);
    let (checked, _) = check(&parsed.file, &CheckOptions::default());
    let program = Arc::new(map_compile::compile(&checked.expect("the file is correct")));
    let stop = match stops {
        Stops::Never => None,
        Stops::AtTheLast(stop) => Some(stop),
    };
    let (arrivals, beginnings) = (Arrivals::Sent, Beginnings::Unsure);
    let settings = Settings { arrivals, beginnings, stop, complete, ..Settings::default() };
    let scene = Arc::new(Scene::new(program, settings));
    let send = |conversation: &mut Conversation, line: usize, performative: &str| {
        let id = performative_named(scene.program(), performative, 0).expect("it is in the file");
        let (from, to) = match performative {
            "done" => (1, 2),
            "ready" => (2, 1),
            _ => (0, 1),
        };
        let (from, to) = (AgentId::new(from), vec![AgentId::new(to)]);
        let message = Arc::new(Message { performative: id, sender: from, arguments: Vec::new() });
        let mark = Mark { line: line as u64 + 1, ..Mark::default() };
        conversation.send(mark, LoggedMessage { from, to, message, id: None });
    };
    let mut other = Conversation::new(&scene);
    send(&mut other, 0, "hello");
    drop(other.report());
    let mut conversation = Conversation::new(&scene);
    for (line, performative) in said.iter().enumerate() {
        if let Some(stop) = stop.filter(|_| line + 1 == said.len()) {
            stop.store(true, Ordering::Relaxed);
        }
        send(&mut conversation, line, performative);
    }
    conversation.report()
}

#[test]
fn whether_a_conversation_began_before_the_log_is_not_judged_if_it_was_not_looked_at() {
    for said in [&["ask"][..], &["ask", "done"]] {
        let report = judged(Stops::Never, false, said);
        assert_eq!((report.verdict, report.possibly), (Verdict::Violated, true), "{said:?}");
    }
    static FIRST: AtomicBool = AtomicBool::new(false);
    static SECOND: AtomicBool = AtomicBool::new(false);
    for (said, stop) in [(&["ask"][..], &FIRST), (&["ask", "done"], &SECOND)] {
        let report = judged(Stops::AtTheLast(stop), false, said);
        assert_eq!(report.verdict, Verdict::Inconclusive, "{said:?}");
        assert!(report.violations.is_empty(), "{:?}", report.violations);
        assert_eq!(report.cut_at.map(|(_, mark)| mark.line), Some(said.len() as u64));
    }
}

#[test]
fn nobody_owes_what_the_lines_may_have_that_were_not_read() {
    let said = ["hello", "ask"];
    let report = judged(Stops::Never, true, &said);
    assert_eq!((report.verdict, report.violations.len()), (Verdict::Violated, 2));
    static STOP: AtomicBool = AtomicBool::new(false);
    let report = judged(Stops::AtTheLast(&STOP), true, &said);
    assert_eq!((report.verdict, report.violations.len()), (Verdict::SoFar, 0));
}

//! Traces that are written, read and damaged.

use map_check::{CheckOptions, check};
use map_diagnostics::SourceFile;
use map_explain::Namer;
use map_ir::{AgentId, Program, Value};
use map_semantics::{Bounds, Network, Step, Timeouts, Turn};

use crate::{NewTrace, TraceFile, read};

const TEXT: &str = "memory %b { @limit in { 5, 7 } }
s[ agent(!A, %a) = $x = ask() then offer($x) => agent(!B, %b)  agent(!B, %b) = waitfor offer($y) <= agent(_, %a) ]";

fn scene() -> (SourceFile, Program) {
    let source = SourceFile::new("scene.map", TEXT);
    let parsed = map_syntax::parse(&source);
    let (checked, diagnostics) = check(&parsed.file, &CheckOptions::default());
    let checked = checked.unwrap_or_else(|| panic!("{:?}{diagnostics:?}", parsed.diagnostics));
    (source, map_compile::compile(&checked))
}

fn bounds() -> Bounds {
    let network = Network { delayed: true, losses: 2, ..Network::INSTANT };
    Bounds { rounds: Some(9), timeouts: Timeouts::Any, network, ..Bounds::USUAL }
}

fn steps() -> Vec<Step> {
    let step = |agent, turn, options| Step { agent: AgentId::new(agent), thread: 0, turn, options };
    vec![step(0, Turn::Act, vec![3]), step(0, Turn::Act, Vec::new()), step(1, Turn::Crash, Vec::new())]
}

/// The text of a trace.
fn saved() -> String {
    let (source, program) = scene();
    let saved = NewTrace {
        command: "run",
        source: &source,
        program: &program,
        bounds: &bounds(),
        cast: &["a=1"],
        verdict: "deadlock",
        initial: &[1],
        choices: steps().iter().map(ToString::to_string).collect(),
        repeated_from: Some(1),
        values: vec!["-4".to_owned(), "#7".to_owned(), "fresh#8".to_owned()],
    };
    saved.to_text().expect("it is printed")
}

/// Everything that is asked of a trace.
fn use_all(trace: &TraceFile, source: &SourceFile, program: &Program) {
    let mut namer = Namer::new(source, program);
    let values = trace.values(&mut namer).unwrap_or_default();
    if let Ok(initial) = trace.initial(&namer) {
        let _ = trace.check_return(program, &bounds(), &initial, &values);
    }
    let _ = trace.bounds(program);
}

#[test]
fn a_trace_is_read_as_it_was_written() {
    let (source, program) = scene();
    let trace = read(&SourceFile::new("t.json", saved())).expect("it is a trace");
    assert_eq!(
        (trace.command.as_str(), trace.scene.as_str(), trace.dialogue.as_str()),
        ("run", "s", "scene.map")
    );
    assert_eq!(trace.fingerprint, map_json::fingerprint(TEXT));
    assert_eq!((trace.verdict.as_str(), trace.repeated_from), ("deadlock", Some(1)));
    assert_eq!(trace.steps, steps());
    assert_eq!(trace.cast[0].to_string(), "a=1");
    assert_eq!(trace.bounds(&program).ok(), Some(bounds()));
    let mut namer = Namer::new(&source, &program);
    assert_eq!(trace.initial(&namer).ok(), Some(vec![1]));
    let values = trace.values(&mut namer).expect("they are values");
    assert!(matches!(values[..], [Value::Integer(-4), Value::Abstract(_), Value::Fresh(_)]), "{values:?}");
}

#[test]
fn a_damaged_trace_is_refused_or_means_something() {
    let (source, program) = scene();
    let text = saved();
    let mut read_all_the_same = 0;
    let mut attempt = |damaged: String| {
        if let Ok(trace) = read(&SourceFile::new("t.json", damaged)) {
            use_all(&trace, &source, &program);
            read_all_the_same += 1;
        }
    };
    for at in 0..text.len() {
        for other in ["", "\"", "0", "9", "-", "#", "{", "]", "\u{e9}"] {
            attempt(format!("{}{other}{}", &text[..at], &text[at + 1..]));
        }
        attempt(text[..at].to_owned());
    }
    assert!(read_all_the_same > 100);
}

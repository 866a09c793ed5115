//! How fast messages are judged, before they are delivered and in logs, and how much memory that takes:
//! `cargo bench -p map-guard`.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "it takes the time, and prints it")]

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use map_check::{CastOverride, CheckOptions, check};
use map_conform::{
    Adapter, Arrivals, Beginnings, Form, Mark, Plan, Policy as WatchPolicy, Records, Roles, Scene, Settings,
    Splitter, Watcher,
};
use map_diagnostics::SourceFile;
use map_guard::{Draft, Guard, Policy, Record, Rules};
use map_ir::Program;
use serde_json::json;

const TRIPS: &str = include_str!("../../../examples/trips/trips.map");
const CONTRACT_NET: &str = include_str!("../../../protocols/contract-net/contract-net.map");
/// A desk that hands out a task to everybody, and collects the results.
const FAN_OUT: &str = "fan_out[
    agent(!Desk, %desk) = task() => agent(_, %worker) then agent(collect)
    agent(!Desk, %desk, collect) = waitfor result() <= agent(_, %worker) then agent(collect) timeout skip
    agent($me, %worker) = waitfor task() <= agent(!Desk, %desk) then result() => agent(!Desk, %desk)
]";
const START: u64 = 1_700_000_000_000_000_000;

fn program(text: &str, agents: &[(&str, i64)]) -> Arc<Program> {
    let source = SourceFile::new("scene.map", text);
    let agents = agents.iter().map(|(name, count)| CastOverride { name: (*name).to_owned(), count: *count });
    let options = CheckOptions { agents: agents.collect(), ..CheckOptions::default() };
    let parsed = map_syntax::parse(&source);
    let (checked, diagnostics) = check(&parsed.file, &options);
    Arc::new(map_compile::compile(&checked.unwrap_or_else(|| panic!("{diagnostics:?}"))))
}

fn guard_of(program: &Arc<Program>) -> Guard {
    let scene = Arc::new(Scene::new(Arc::clone(program), Settings::default()));
    let mut policy = Policy::new(program);
    policy.limits.conversations = usize::MAX;
    Guard::new(Rules::new(scene, Roles::new(program), policy))
}

/// A message of a dialogue: who says what, with which argument, and to whom if that is not clear.
type Said = (String, &'static str, Option<i64>, Option<String>);

fn trip() -> Vec<Said> {
    let said = |who: &str, what, arg| (who.to_owned(), what, arg, None);
    vec![
        said("Desk", "quote", Some(8)),
        said("Supplier1", "offer", Some(3)),
        said("Supplier2", "offer", Some(4)),
        said("Desk", "book", None),
        said("Supplier1", "booked", None),
        said("Supplier2", "booked", None),
    ]
}

fn contract(participants: usize) -> Vec<Said> {
    let said = |who: String, what, arg, to: Option<&str>| (who, what, arg, to.map(str::to_owned));
    let mut all = vec![said("Initiator".to_owned(), "cfp", None, None)];
    all.push(said("Participant1".to_owned(), "propose", Some(1), None));
    all.extend((2..=participants).map(|it| said(format!("Participant{it}"), "refuse", None, None)));
    all.push(said("Initiator".to_owned(), "accept", None, Some("Participant1")));
    all.push(said("Participant1".to_owned(), "done", None, None));
    all
}

fn fan_out(workers: usize) -> Vec<Said> {
    let said = |who: String, what| (who, what, None, None);
    let results = (1..=workers).map(|it| said(format!("Worker{it}"), "result"));
    [said("Desk".to_owned(), "task")].into_iter().chain(results).collect()
}

fn draft(said: &Said) -> Draft {
    let args = said.2.iter().map(|arg| json!(arg)).collect();
    Draft { performative: said.1.to_owned(), args, to: said.3.clone().map(|to| vec![to]), ..Draft::default() }
}

/// Memory that the process holds, in MiB; 0 where that is not known.
fn memory() -> f64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let held: f64 = pages.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0.0);
    held * 4096.0 / f64::from(1 << 20)
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Has dialogues guarded; returns their records.
fn latency(name: &str, program: &Arc<Program>, dialogue: &[Said], times: usize) -> Vec<Record> {
    let mut guard = guard_of(program);
    guard.start(START, "digest".to_owned());
    let mut taken = Vec::with_capacity(dialogue.len() * times);
    let mut records = Vec::new();
    for number in 0..times {
        let conversation = format!("c{number}");
        for said in dialogue {
            let draft = draft(said);
            let began = Instant::now();
            let answer = guard.send(START, &conversation, &said.0, &draft);
            taken.push(began.elapsed());
            answer.unwrap_or_else(|denial| panic!("{name}: {said:?}: {denial:?}"));
            while guard.next_notice().is_some() {}
        }
        records.append(&mut guard.take_records());
    }
    taken.sort_unstable();
    let at = |share: f64| micros(taken[((taken.len() - 1) as f64 * share) as usize]);
    println!(
        "judging  {name:<24} {:>8} messages  p50 {:>7.1} us  p99 {:>7.1} us  longest {:>8.1} us",
        taken.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
    records
}

fn open_at_once(program: &Arc<Program>, conversations: usize) {
    let before = memory();
    let mut guard = guard_of(program);
    for number in 0..conversations {
        for said in &trip()[..3] {
            guard.send(START, &format!("c{number}"), &said.0, &draft(said)).expect("it fits");
        }
        guard.take_records();
        while guard.next_notice().is_some() {}
    }
    println!("memory   {conversations} conversations that are open: {:.0} MiB", memory() - before);
}

fn replay(name: &str, program: &Arc<Program>, records: &[Record]) {
    let lines: Vec<String> = records.iter().map(Record::to_line).collect();
    let mut guard = guard_of(program);
    let began = Instant::now();
    for line in &lines {
        let record = Record::parse(line.trim_end().as_bytes()).expect("it was written");
        guard.replay(&record, "digest").expect("it follows");
    }
    let rate = lines.len() as f64 / began.elapsed().as_secs_f64();
    println!("replay   {name:<24} {:>8} records   {rate:>8.0} a second", lines.len());
}

/// Has a log judged that is made as it is read.
fn throughput(name: &str, program: &Arc<Program>, dialogue: &[Said], records: usize) {
    let roles = Arc::new(Roles::new(program));
    let settings =
        Settings { arrivals: Arrivals::Late, beginnings: Beginnings::Unsure, ..Settings::default() };
    let scene = Arc::new(Scene::new(Arc::clone(program), settings));
    let policy = WatchPolicy {
        only: None,
        max_conversations: 100_000,
        denies_unknown: true,
        ignores_duplicates: true,
        comes_by_time: true,
        keeps_history: false,
        learns_names: false,
    };
    let with = Box::new(|_| Ok(Arc::clone(&scene)));
    let plan = Plan::new(Arc::clone(&roles), true);
    let mut watcher = Watcher::new(policy, roles, plan, Arc::clone(&scene), with);
    let (mut splitter, mut adapter) = (Splitter::new(1 << 24), Adapter::new(&Form::default()));
    let (mut pieces, mut lines) = (VecDeque::new(), Records::new());
    let participants: Vec<String> = program
        .cast()
        .map(|agent| program.agent_name(agent).to_owned())
        .filter(|name| *name != "Initiator")
        .collect();
    let text = |conversation: usize| {
        let line = |said: &Said| {
            let to = match (&said.3, said.0.as_str()) {
                (Some(to), _) => vec![to.clone()],
                (None, "Initiator") => participants.clone(),
                (None, _) => vec!["Initiator".to_owned()],
            };
            let args: Vec<i64> = said.2.into_iter().collect();
            json!({"conversation": format!("c{conversation}"), "time": "2026-11-20T10:00:00Z",
                   "from": said.0, "to": to, "performative": said.1, "args": args})
            .to_string()
                + "\n"
        };
        dialogue.iter().map(line).collect::<String>()
    };
    let (mut number, mut conversation, mut busy, mut quarter) = (0, 0, Duration::ZERO, 0.0);
    while number < records {
        let chunk: String = (0..1_000).map(|it| text(conversation + it)).collect();
        conversation += 1_000;
        let began = Instant::now();
        splitter.add(chunk.as_bytes(), &mut pieces);
        while let Some(piece) = pieces.pop_front() {
            piece.adapt(&mut adapter, 1 << 24, &mut lines);
            while let Some((line, content)) = lines.pop_front() {
                number += 1;
                watcher.next_line();
                let time = content.record().and_then(|record| record.time);
                watcher.line(Mark { line, time, log: 0 }, &content).expect("it is a record");
                while let Some(event) = watcher.next_event() {
                    let map_conform::Event::Judged(judged) = event else { panic!("{line}: a violation") };
                    assert!(judged.report.violations.is_empty());
                }
            }
        }
        busy += began.elapsed();
        if quarter == 0.0 && number >= records / 4 {
            quarter = memory();
        }
    }
    let rate = number as f64 / busy.as_secs_f64();
    let grown = memory() - quarter;
    println!(
        "conform  {name:<24} {number:>8} records   {rate:>8.0} a second, {:.0} MiB, of which {grown:.0} after a quarter",
        memory()
    );
}

fn main() {
    let wanted = std::env::args().nth(1).filter(|it| !it.starts_with('-')).unwrap_or_default();
    let is_wanted = |name: &str| name.contains(&wanted);
    let trips = program(TRIPS, &[]);
    let net = program(CONTRACT_NET, &[("participant", 10)]);
    if is_wanted("judging") {
        let records = latency("trips", &trips, &trip(), 3_000);
        replay("trips", &trips, &records);
        let records = latency("contract net, 10", &net, &contract(10), 1_000);
        replay("contract net, 10", &net, &records);
        let fan = program(FAN_OUT, &[("worker", 100)]);
        let records = latency("fan-out, 100", &fan, &fan_out(100), 50);
        replay("fan-out, 100", &fan, &records);
    }
    if is_wanted("memory") {
        open_at_once(&trips, 10_000);
    }
    if is_wanted("conform") {
        throughput("contract net, 2", &program(CONTRACT_NET, &[]), &contract(2), 1_000_000);
        throughput("contract net, 10", &net, &contract(10), 200_000);
    }
}

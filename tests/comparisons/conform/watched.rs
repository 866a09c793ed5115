//! What only records have: times that run back, recipients that nobody names, values that no file can write. Such logs
//! are judged as the naive search judges what they stand for.
use std::sync::Arc;

use map_conform::{
    ANYBODY, Arrivals, Deadlines, Event, Kind as Breach, LoggedMessage, Mark, Order, Plan, Policy, Record,
    Report, Roles, Settings, Verdict, Watcher,
};
use map_ir::{Body, Program, TextId, Value};
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::Random;
use map_tests::random::{Comparison, Counts, Kind, Scene};
use serde_json::{Value as Json, json};

use super::moves::{Moves, json_of, universe};
use super::naive::{Found, Naive, random_log, random_log_with};
use super::{Line, damage, is_put_down_to_an_answer, judge, shown};

pub(super) const ORDERS: Comparison = Comparison {
    name: "logs-whose-times-run-back",
    kind: Kind::Any,
    scenes: 250,
    compare: compare_orders,
    enough: |counts, scenes| counts.of("logs") > scenes && counts.of("orders differ") > scenes / 20,
};

pub(super) const RECIPIENTS: Comparison = Comparison {
    name: "logs-without-recipients",
    kind: Kind::Any,
    scenes: 250,
    compare: compare_recipients,
    enough: |counts, scenes| {
        counts.of("certainly violated") > scenes / 20 && counts.of("certainly explained") > scenes / 4
    },
};

pub(super) const OPAQUE: Comparison = Comparison {
    name: "logs-with-opaque-values",
    kind: Kind::Any,
    scenes: 250,
    compare: compare_opaque,
    enough: |counts, scenes| counts.of("logs with such values") > scenes / 8,
};

const SECOND: u64 = 1_000_000_000;

/// Where the log says when messages arrive, it says to whom.
const WITHOUT_ARRIVALS: [Arrivals; 3] = [Arrivals::Sent, Arrivals::Late, Arrivals::Unordered];

/// A line as a record.
fn record(program: &Program, json: &dyn Fn(Value) -> Json, line: &Line) -> Record {
    let (arrives, to, message) = match line {
        Line::Send(spoken) => (false, spoken.to.clone(), &spoken.message),
        Line::Receive(to, message) => (true, vec![*to], message),
    };
    let name = |agent| program.agent_name(agent).to_owned();
    Record {
        time: None,
        conversation: "c".to_owned(),
        alias: None,
        arrives,
        arrives_unlogged: false,
        id: None,
        from: name(message.sender),
        to: if to.is_empty() { vec![ANYBODY.to_owned()] } else { to.into_iter().map(name).collect() },
        performative: program.performative(message.performative).name.clone(),
        args: message.arguments.iter().map(|&it| json(it)).collect(),
        results: 0,
    }
}

/// What is said of a log; `None` if it has no line.
fn watched(program: &Program, settings: Settings, records: &[Record]) -> Option<Report> {
    let roles = Arc::new(Roles::new(program));
    let mut plan = Plan::new(Arc::clone(&roles), true);
    records.iter().for_each(|record| plan.note(program, 0, Some(record)));
    let scene = Arc::new(map_conform::Scene::new(Arc::new(program.clone()), settings));
    let policy = Policy {
        only: None,
        max_conversations: 1,
        denies_unknown: true,
        ignores_duplicates: false,
        comes_by_time: false,
        keeps_history: false,
        learns_names: false,
    };
    let first = Arc::clone(&scene);
    let mut watcher = Watcher::new(policy, roles, plan, scene, Box::new(move |_| Ok(Arc::clone(&first))));
    for record in records {
        let line = watcher.next_line();
        // A line that cannot be used makes the verdict uncertain.
        _ = watcher
            .line(Mark { line, time: record.time, log: 0 }, &map_conform::Line::Record(record.clone()));
    }
    watcher.finish();
    let mut last = None;
    while let Some(event) = watcher.next_event() {
        // What goes on after its end is told anew.
        if let Event::Judged(judged) = event {
            last = Some(judged.report);
        }
    }
    last
}

fn is_passed_over(program: &Program) -> bool {
    program.procedures.iter().any(|it| it.body == Body::Fresh)
}

/// What is certain of a log is so by the naive search.
fn check_certain(report: &Report, found: &[Found], counts: &mut Counts, show: &dyn Fn() -> String) {
    if report.possibly || report.verdict == Verdict::Inconclusive {
        return counts.one("uncertain");
    }
    if report.verdict == Verdict::Violated {
        counts.one("certainly violated");
        let is_explained = found.iter().any(|it| matches!(it, Found::Explained { .. }));
        assert!(!is_explained, "falsely violated: {}", show());
    } else {
        counts.one("certainly explained");
        assert!(!found.contains(&Found::Unexplained), "falsely explained: {}", show());
    }
}

fn compare_orders(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    if is_passed_over(program) {
        return;
    }
    let values = universe(program);
    let mut moves = Moves::new(std::slice::from_ref(program), &values);
    let json = |value| json_of(program, value);
    for (index, arrivals) in Arrivals::ALL.into_iter().enumerate() {
        let mut random = Random::new(*seed, 91 + index as u64);
        let mut log = random_log(program, arrivals, &mut random);
        if random.percent(30) {
            damage(program, &mut log, &mut random);
        }
        if log.len() < 2 {
            continue;
        }
        let mut timed: Vec<(u64, Line)> = (0..).zip(log).map(|(at, line)| (1_000 + 10 * at, line)).collect();
        for _ in 0..=random.below(2) {
            let at = random.below(timed.len() - 1);
            timed.swap(at, at + 1);
        }
        let lines: Vec<Line> = timed.iter().map(|it| it.1.clone()).collect();
        let records: Vec<Record> = timed
            .iter()
            .map(|(time, line)| Record { time: Some(*time), ..record(program, &json, line) })
            .collect();
        timed.sort_by_key(|it| it.0);
        let by_time: Vec<Line> = timed.into_iter().map(|it| it.1).collect();
        let show =
            || format!("{arrivals:?}\n{}\nby time\n{}", shown(program, &lines), shown(program, &by_time));
        let mut both = Vec::new();
        for (order, log) in [(Order::Lines, &lines), (Order::Times, &by_time)] {
            let settings = Settings { arrivals, order, limit: 300, ..Settings::default() };
            let report = watched(program, settings, &records).expect("it has lines");
            let found = Naive::search(&mut moves, arrivals, log);
            let said = (report.verdict, !report.possibly, report.incomplete);
            judge(said, found, counts, &|| format!("{order:?} {}", show()));
            both.push(found);
        }
        counts.add("orders differ", u8::from(both[0] != both[1]));
        let settings = Settings { arrivals, limit: 300, ..Settings::default() };
        let report = watched(program, settings, &records).expect("it has lines");
        check_certain(&report, &both, counts, &show);
    }
}

/// The log with all copies of a message in one line.
fn merged(log: Vec<Line>) -> Vec<Line> {
    let mut merged: Vec<Line> = Vec::new();
    for line in log {
        if let (Some(Line::Send(last)), Line::Send(spoken)) = (merged.last_mut(), &line)
            && Arc::ptr_eq(&last.message, &spoken.message)
        {
            last.to.extend(&spoken.to);
            continue;
        }
        merged.push(line);
    }
    merged
}

fn compare_recipients(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    if is_passed_over(program) {
        return;
    }
    let values = universe(program);
    let mut moves = Moves::new(std::slice::from_ref(program), &values);
    let json = |value| json_of(program, value);
    for (index, arrivals) in WITHOUT_ARRIVALS.into_iter().enumerate() {
        let mut random = Random::new(*seed, 101 + index as u64);
        let mut log = merged(random_log(program, arrivals, &mut random));
        if random.percent(40) {
            damage(program, &mut log, &mut random);
        }
        for line in &mut log {
            if let Line::Send(LoggedMessage { to, .. }) = line
                && random.percent(60)
            {
                to.clear();
            }
        }
        let records: Vec<Record> = log.iter().map(|line| record(program, &json, line)).collect();
        let settings = Settings { arrivals, limit: 300, ..Settings::default() };
        let Some(report) = watched(program, settings, &records) else { continue };
        let found = Naive::search(&mut moves, arrivals, &log);
        let show = || format!("{arrivals:?}\n{}", shown(program, &log));
        check_certain(&report, &[found], counts, &show);
    }
}

fn compare_opaque(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    if is_passed_over(program) {
        return;
    }
    // To the search they are texts that are not in the file.
    let opaque = [json!(0.5), json!({ "a": [1, null] })];
    let unknown = |index: usize| Value::Text(TextId::new(program.texts.len() + index));
    let json = |value| match (0..opaque.len()).find(|&it| unknown(it) == value) {
        Some(index) => opaque[index].clone(),
        None => json_of(program, value),
    };
    let mut values = universe(program);
    values.extend((0..opaque.len()).map(unknown));
    let mut moves = Moves::new(std::slice::from_ref(program), &values);
    for (index, arrivals) in Arrivals::ALL.into_iter().enumerate() {
        let mut random = Random::new(*seed, 111 + index as u64);
        let mut log = random_log_with(program, arrivals, &values, &mut random);
        for line in &mut log {
            // As if it had been answered so.
            let Line::Send(spoken) = line else { continue };
            if let Some(last) = spoken.message.arguments.len().checked_sub(1)
                && random.percent(20)
            {
                let mut message = (*spoken.message).clone();
                message.arguments[random.below(last + 1)] = unknown(random.below(opaque.len()));
                spoken.message = Arc::new(message);
            }
        }
        let records: Vec<Record> = log.iter().map(|line| record(program, &json, line)).collect();
        let settings = Settings { arrivals, limit: 300, ..Settings::default() };
        let Some(report) = watched(program, settings, &records) else { continue };
        let has_some = records.iter().flat_map(|it| &it.args).any(|it| opaque.contains(it));
        counts.add("logs with such values", u8::from(has_some));
        let found = Naive::search(&mut moves, arrivals, &log);
        let show = || format!("{arrivals:?}\n{}", shown(program, &log));
        if is_put_down_to_an_answer(&report, &found) {
            counts.one("put down to an answer");
            continue;
        }
        judge((report.verdict, !report.possibly, report.incomplete), found, counts, &show);
    }
}

#[test]
fn an_answer_after_its_deadline_is_silence() {
    let text = "scene [
        agent(!A, %a) = ask() => agent(!B, %b) then (waitfor say() <= agent(!B, %b))
        agent(!B, %b) = (waitfor ask() <= agent(!A, %a)) then say() => agent(!A, %a) then say() => agent(!A, %a) ]";
    let scene = Scene::new(0, text.to_owned(), OracleOptions::new(1_000));
    let program = &scene.program;
    let line = |time: u64, (arrives, from, to): (bool, &str, &str), performative: &str| Record {
        time: Some(time * SECOND),
        conversation: "c".to_owned(),
        alias: None,
        arrives,
        arrives_unlogged: false,
        id: None,
        from: from.to_owned(),
        to: vec![to.to_owned()],
        performative: performative.to_owned(),
        args: Vec::new(),
        results: 0,
    };
    for arrivals in Arrivals::ALL {
        let mut log = vec![line(1, (false, "A", "B"), "ask")];
        if arrivals == Arrivals::Logged {
            log.push(line(1, (true, "A", "B"), "ask"));
        }
        // Less than the times of a log may run back, and what is owed after an answer is owed from it on.
        log.push(line(3, (false, "B", "A"), "say"));
        log.push(line(5, (false, "B", "A"), "say"));
        for (seconds, is_late) in [(1, true), (2, false)] {
            let deadlines = Deadlines { all: Some(seconds * SECOND), parts: Vec::new() };
            let settings = Settings { arrivals, deadlines, ..Settings::default() };
            let report = watched(program, settings, &log).expect("it has lines");
            let first = report.violations.first();
            assert_eq!(
                first.is_some_and(|it| it.kind == Breach::Silent),
                is_late,
                "{arrivals:?}: {report:?}"
            );
            assert_eq!(report.verdict == Verdict::Violated, is_late, "{arrivals:?}: {report:?}");
        }
    }
}

//! Hostile logs: lines that are lost, doubled, swapped, cut, or changed byte by byte and value by value. Reading and
//! judging never panics, and what conforms has a run.

use std::sync::Arc;

use map_conform::{Arrivals, Cast, LoggedMessage, Record, Roles, performative_named, read};
use map_ir::{AgentId, Body, Program, Value};
use map_semantics::Message;
use map_testkit::scenes::Random;
use map_tests::random::{Comparison, Counts, Kind, Scene};
use serde_json::{Value as Json, json};

use super::moves::{Moves, universe};
use super::naive::{Naive, random_log};
use super::{Line, is_put_down_to_an_answer, judge, reported, settings, shown};

pub(super) const COMPARISON: Comparison = Comparison {
    name: "hostile-logs",
    kind: Kind::Any,
    scenes: 120,
    compare: attack,
    enough: |counts, _| {
        let scenes = counts.of("scenes");
        counts.of("refused lines") > scenes / 4 && counts.of("violated") > scenes / 8
    },
};

/// A value as a record has it.
fn to_json(program: &Program, value: Value) -> Json {
    match value {
        Value::Integer(number) => json!(number),
        Value::Name(id) => json!({"constant": program.names[id.index()]}),
        Value::Text(id) => json!({"text": program.texts[id.index()]}),
        Value::Agent(agent) => json!({"agent": program.agent_name(agent)}),
        Value::Role(role) => json!({"role": program.roles[role.index()]}),
        Value::Fresh(_) | Value::Abstract(_) => unreachable!("random logs have concrete values"),
    }
}

fn to_record(program: &Program, line: &Line) -> String {
    let (event, to, message) = match line {
        Line::Send(spoken) => ("send", spoken.to.clone(), &spoken.message),
        Line::Receive(to, message) => ("receive", vec![*to], message),
    };
    let to: Vec<&str> = to.into_iter().map(|it| program.agent_name(it)).collect();
    let args: Vec<Json> = message.arguments.iter().map(|&it| to_json(program, it)).collect();
    let performative = &program.performative(message.performative).name;
    let from = program.agent_name(message.sender);
    json!({"event": event, "from": from, "to": to, "performative": performative, "args": args}).to_string()
}

/// Texts that stand where others are expected.
const FOREIGN: [&str; 18] = [
    "0",
    "-9223372036854775808",
    "9223372036854775807",
    "18446744073709551616",
    "1e999",
    "1.5",
    "null",
    "true",
    "[]",
    "[[[[]]]]",
    "{}",
    r#""""#,
    r#""\u0000\u001b[2J\n""#,
    r#""\ud800""#,
    r#"{"constant":"nobody knows"}"#,
    r#"{"text":"foreign","agent":"x"}"#,
    r#"{"agent":"!nobody"}"#,
    r#"{"role":"%nothing"}"#,
];

/// Changes some lines.
fn mutate(random: &mut Random, lines: &mut Vec<Vec<u8>>) {
    for _ in 0..random.between(1, 3) {
        if lines.is_empty() {
            return;
        }
        let (at, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(10) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(other, lines[at].clone()),
            2 => lines.swap(at, other),
            3 => {
                let length = random.below(lines[at].len() + 1);
                lines[at].truncate(length);
            }
            4 => {
                let line = &mut lines[at];
                if !line.is_empty() {
                    let place = random.below(line.len());
                    line[place] = *random.pick(&[0, 7, 0x1b, b'"', b'{', b'[', b'0', 0x80, 0xff]);
                }
            }
            5 => {
                // Larger than a line may be, or deeper.
                let long = if random.percent(50) { vec![b'['; 200_000] } else { vec![b' '; (1 << 20) + 1] };
                lines.insert(at, long);
            }
            _ => {
                let Ok(Json::Object(mut record)) = serde_json::from_slice::<Json>(&lines[at]) else {
                    continue;
                };
                let keys: Vec<String> = record.keys().cloned().collect();
                if keys.is_empty() {
                    continue;
                }
                let key = random.pick(&keys).clone();
                let args = record.get("args").and_then(Json::as_array).map_or(0, Vec::len);
                let foreign = *random.pick(&FOREIGN);
                // Numbers that JSON cannot hold are put into the text.
                let mark = json!("\u{1}");
                if args > 0 && random.percent(70) {
                    record["args"][random.below(args)] = mark;
                } else {
                    record.insert(key, mark);
                }
                let text = Json::Object(record).to_string().replace(r#""\u0001""#, foreign);
                lines[at] = text.into_bytes();
            }
        }
    }
}

/// A record as a line of the log, as `map conform` takes it; `None` if it is an error.
fn line(program: &Program, cast: &mut Cast, record: &Record) -> Option<Line> {
    let roles = Roles::new(program);
    let from = cast.agent(&roles, program, &record.from, || None).ok()?;
    let performative = performative_named(program, &record.performative, record.args.len())?;
    let mut to: Vec<AgentId> = Vec::new();
    for name in &record.to {
        let agent = cast.agent(&roles, program, name, || None).ok()?;
        if !to.contains(&agent) {
            to.push(agent);
        }
    }
    let arguments = cast.values(program, &record.args).ok()?;
    let message = Arc::new(Message { performative, sender: from, arguments });
    Some(if record.arrives {
        Line::Receive(*to.first()?, message)
    } else {
        Line::Send(LoggedMessage { from, to, message, id: None })
    })
}

/// Hostile logs neither break the monitors nor conform by mistake.
fn attack(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    if program.procedures.iter().any(|it| it.body == Body::Fresh) {
        return;
    }
    counts.one("scenes");
    let mut random = Random::new(*seed, 23);
    let arrivals = *random.pick(&[Arrivals::Logged, Arrivals::Sent, Arrivals::Late, Arrivals::Unordered]);
    let intact = random_log(program, arrivals, &mut random);
    for _ in 0..4 {
        let mut lines: Vec<Vec<u8>> = intact.iter().map(|it| to_record(program, it).into_bytes()).collect();
        mutate(&mut random, &mut lines);
        let mut cast = Cast::default();
        let mut log = Vec::new();
        for bytes in &lines {
            match read(bytes).ok().and_then(|it| line(program, &mut cast, &it)) {
                // Arrivals count only where they are logged.
                Some(Line::Receive(..)) if arrivals != Arrivals::Logged => {}
                Some(line) => log.push(line),
                None => counts.one("refused lines"),
            }
        }
        // Procedures may have answered what the log has.
        let mut values = universe(program);
        values.extend(log.iter().flat_map(|it| match it {
            Line::Send(LoggedMessage { message, .. }) | Line::Receive(_, message) => {
                message.arguments.clone()
            }
        }));
        values.sort_unstable();
        values.dedup();
        let report = reported(program, settings(arrivals), &log);
        let mut moves = Moves::new(std::slice::from_ref(program), &values);
        let found = Naive::search(&mut moves, arrivals, &log);
        let show = || format!("{arrivals:?}\n{}", shown(program, &log));
        // What is foreign may be no number, and computed with.
        if is_put_down_to_an_answer(&report, &found) {
            counts.one("put down to an answer");
            continue;
        }
        judge((report.verdict, !report.possibly, report.incomplete), found, counts, &show);
    }
}

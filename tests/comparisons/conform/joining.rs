//! Agents that join while a conversation runs: the monitors of an open cast and a naive search agree, in which each
//! agent joins at any time up to the first line that names it. And if all join before the first line, nothing is
//! violated that is not under the closed cast.
use std::sync::Arc;

use map_check::CheckOptions;
use map_compile::{OpenScene, compile_open};
use map_conform::{
    Arrivals, Beginnings, Conversation, LoggedMessage, Mark, Report, Scene, Settings, Verdict,
};
use map_ir::{AgentId, Body, Memory, PartId, PointKind, Program, Recipient, RoleId, Value};
use map_semantics::Message;
use map_testkit::scenes::Random;
use map_tests::random::{self, Counts};

use super::moves::{Moves, universe};
use super::naive::{Found, Joins, Naive, Simulated};
use super::{Line, damage, judge, shown};

/// The scene with these agents more, in this order.
fn grown(open: &OpenScene, parts: &[PartId]) -> Program {
    let mut program = open.program.clone();
    for (number, part) in parts.iter().enumerate() {
        program = program.with_agent(*part, format!("Joined{number}"));
    }
    program
}

/// The program in which addresses mean only the first agents of the cast, and of the others those of a set.
fn with_only(program: &Program, from: usize, there: u32) -> Program {
    let mut program = program.clone();
    let absent = RoleId::new(program.roles.len());
    program.roles.push("absent".to_owned());
    program.memories.push(Memory::default());
    let is_there = |it: AgentId| it.index() < from || there & (1 << (it.index() - from)) != 0;
    for agent in program.cast().filter(|&it| !is_there(it)) {
        program.agents[agent.index()].role = absent;
    }
    for part in &mut program.parts {
        part.agents.retain(|&it| is_there(it));
    }
    program
}

/// Whom a line names, in this order.
fn named(line: &Line) -> Vec<AgentId> {
    let (to, message) = match line {
        Line::Send(spoken) => (spoken.to.clone(), &spoken.message),
        Line::Receive(to, message) => (vec![*to], message),
    };
    let arguments = message.arguments.iter().filter_map(|it| match it {
        Value::Agent(agent) => Some(*agent),
        _ => None,
    });
    [message.sender].into_iter().chain(to).chain(arguments).collect()
}

/// The log with other agents.
fn renamed(log: &[Line], rename: &dyn Fn(AgentId) -> AgentId) -> Vec<Line> {
    let message = |it: &Message| {
        let arguments = it.arguments.iter().map(|it| match it {
            Value::Agent(agent) => Value::Agent(rename(*agent)),
            other => *other,
        });
        Arc::new(Message { sender: rename(it.sender), arguments: arguments.collect(), ..it.clone() })
    };
    let line = |it: &Line| match it {
        Line::Send(LoggedMessage { from, to, message: it, id }) => Line::Send(LoggedMessage {
            id: id.clone(),
            from: rename(*from),
            to: to.iter().map(|&it| rename(it)).collect(),
            message: message(it),
        }),
        Line::Receive(to, it) => Line::Receive(rename(*to), message(it)),
    };
    log.iter().map(line).collect()
}

/// A log in which the agents who join do so in the order of their ids, with their parts.
fn in_order(open: &OpenScene, parts: &[PartId], log: &[Line]) -> (Vec<PartId>, Vec<Line>) {
    let from = open.program.agents.len();
    let mut order: Vec<usize> = Vec::new();
    for agent in log.iter().flat_map(named).filter(|it| it.index() >= from) {
        if !order.contains(&(agent.index() - from)) {
            order.push(agent.index() - from);
        }
    }
    let rename = |agent: AgentId| match agent.index().checked_sub(from) {
        Some(joined) => {
            let at = order.iter().position(|it| *it == joined).expect("all who are named are in the order");
            AgentId::new(from + at)
        }
        None => agent,
    };
    (order.iter().map(|&it| parts[it]).collect(), renamed(log, &rename))
}

fn opened(open: &OpenScene, arrivals: Arrivals, beginnings: Beginnings) -> Arc<Scene> {
    let settings = Settings { arrivals, beginnings, limit: 300, ..Settings::default() };
    let parts = open.parts.iter().map(|it| (it.part, it.base.clone())).collect();
    Arc::new(Scene::open(Arc::new(open.program.clone()), settings, parts))
}

/// A conversation that agents join with their first lines, and some of them before all lines.
fn judged(
    open: &OpenScene,
    parts: &[PartId],
    arrivals: Arrivals,
    log: &[Line],
    before: usize,
) -> (Verdict, bool, bool) {
    let report = reported(open, parts, (arrivals, Beginnings::Logged), log, before);
    (report.verdict, !report.possibly, report.incomplete)
}

fn reported(
    open: &OpenScene,
    parts: &[PartId],
    (arrivals, beginnings): (Arrivals, Beginnings),
    log: &[Line],
    before: usize,
) -> Report {
    let mut scene = opened(open, arrivals, beginnings);
    let from = scene.program().agents.len();
    let mut conversation = Conversation::new(&scene);
    let mut join = |conversation: &mut Conversation, until: usize| {
        while scene.program().agents.len() < until {
            let part = parts[scene.program().agents.len() - from];
            scene = scene.joined(part, None, |_| false).expect("it may join");
            conversation.join(&scene);
        }
    };
    join(&mut conversation, from + before);
    for (index, line) in log.iter().enumerate() {
        let last = named(line).iter().map(|it| it.index() + 1).max().unwrap_or(0);
        join(&mut conversation, last);
        let mark = Mark { line: index as u64 + 1, time: None, log: 0 };
        match line {
            Line::Send(spoken) => conversation.send(mark, spoken.clone()),
            Line::Receive(to, message) => conversation.receive(mark, *to, Arc::clone(message)),
        }
    }
    conversation.report()
}

/// What the search says of a log.
fn searched(open: &OpenScene, parts: &[PartId], arrivals: Arrivals, log: &[Line], values: &[Value]) -> Found {
    let (program, from) = (grown(open, parts), open.program.agents.len());
    let mut so_far = 0_usize;
    let named = log.iter().map(|line| {
        for agent in named(line).into_iter().filter(|it| it.index() >= from) {
            so_far |= 1 << (agent.index() - from);
        }
        so_far
    });
    let joins = Joins { from, named: named.collect() };
    let programs: Vec<Program> = (0..1 << parts.len()).map(|it| with_only(&program, from, it)).collect();
    Naive::search_joining(&mut Moves::new(&programs, values), Some(&joins), arrivals, log)
}

/// Nobody is blamed for certain by the rest of the log of a run, if it is known to be one or its first line shows it.
fn check_rests(open: &OpenScene, parts: &[PartId], arrivals: Arrivals, log: &[Line], counts: &mut Counts) {
    for first in 0..log.len() {
        let (parts, rest) = in_order(open, parts, &log[first..]);
        let show =
            || format!("{arrivals:?}, from line {}\n{}", first + 1, shown(&grown(open, &parts), &rest));
        let of = |beginnings| reported(open, &parts, (arrivals, beginnings), &rest, 0);
        let (joined, unsure) = (of(Beginnings::Before), of(Beginnings::Unsure));
        assert!(joined.verdict != Verdict::Violated || joined.possibly, "{}", show());
        let begins_there = unsure.violations.iter().any(|violation| violation.mark.line == 1);
        assert!(!begins_there || unsure.possibly, "{}", show());
        counts.one("cut logs");
        counts.add("possibly violated", usize::from(joined.verdict == Verdict::Violated && joined.possibly));
    }
}

/// The log of a random run that agents of these parts join at random times, perhaps long before a line names them.
fn random_log(open: &OpenScene, parts: &[PartId], arrivals: Arrivals, random: &mut Random) -> Vec<Line> {
    let (program, from) = (grown(open, parts), open.program.agents.len());
    let programs: Vec<Program> = (0..1 << parts.len()).map(|it| with_only(&program, from, it)).collect();
    let mut there = 0_u32;
    let Some(mut run) = Simulated::start(&program, arrivals, random) else { return Vec::new() };
    let mut log = Vec::new();
    for _ in 0..random.between(5, 50) {
        if log.len() > 8 {
            break;
        }
        if random.percent(15) && !parts.is_empty() {
            there |= 1 << random.below(parts.len());
        }
        let agent = random.below(program.agents.len());
        if agent >= from && there & (1 << (agent - from)) == 0 {
            continue;
        }
        run.step(&programs[there as usize], AgentId::new(agent), random, &mut log);
    }
    log
}

pub(super) fn compare(scene: &random::Scene, counts: &mut Counts) {
    let Ok(open) = compile_open(&scene.file, &CheckOptions::default()) else { return };
    let is_to_all = |kind: &PointKind| {
        matches!(kind, PointKind::Send { agent: Recipient::Any, role: Recipient::Any, .. })
    };
    let is_fresh = open.program.procedures.iter().any(|it| it.body == Body::Fresh);
    // The search tells who is there by the roles of addresses.
    if open.parts.is_empty() || is_fresh || open.program.points.iter().any(|it| is_to_all(&it.kind)) {
        return;
    }
    counts.one("scenes");
    let all = [Arrivals::Logged, Arrivals::Sent, Arrivals::Late, Arrivals::Unordered];
    for (index, arrivals) in all.into_iter().enumerate() {
        let mut random = Random::new(scene.seed, 51 + index as u64);
        let count = random.between(1, 3);
        let parts: Vec<PartId> = (0..count).map(|_| random.pick(&open.parts).part).collect();
        let whole = grown(&open, &parts);
        // Answers may be any of the agents, who are renamed.
        let agents = whole.cast().skip(2).map(Value::Agent);
        let values: Vec<Value> = universe(&whole).into_iter().chain(agents).collect();
        let intact = random_log(&open, &parts, arrivals, &mut random);
        for length in 0..=intact.len() {
            let (parts, log) = in_order(&open, &parts, &intact[..length]);
            let (verdict, ..) = judged(&open, &parts, arrivals, &log, 0);
            let show = || shown(&grown(&open, &parts), &log);
            assert_ne!(verdict, Verdict::Violated, "{arrivals:?}: intact\n{}", show());
            // With all of them there from the beginning it is the closed cast.
            let closed = super::judged(&grown(&open, &parts), arrivals, &log).0;
            let (early, ..) = judged(&open, &parts, arrivals, &log, parts.len());
            let fine =
                early != Verdict::Violated || matches!(closed, Verdict::Violated | Verdict::Inconclusive);
            assert!(fine, "{arrivals:?}: open {early:?}, closed {closed:?}\n{}", show());
        }
        check_rests(&open, &parts, arrivals, &intact, counts);
        if arrivals == Arrivals::Logged {
            continue;
        }
        for _ in 0..4 {
            let mut log = intact.clone();
            for _ in 0..random.below(3) {
                damage(&whole, &mut log, &mut random);
            }
            let (parts, log) = in_order(&open, &parts, &log);
            let show = || format!("{arrivals:?}\n{}", shown(&grown(&open, &parts), &log));
            let said = judged(&open, &parts, arrivals, &log, 0);
            judge(said, searched(&open, &parts, arrivals, &log, &values), counts, &show);
        }
    }
}

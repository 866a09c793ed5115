//! Clocks that differ: the log of a real run, written by clocks that differ by at most the skew, is never violated; and
//! what conforms under a skew conforms under a larger one.
use std::sync::Arc;

use map_conform::{Arrivals, Conversation, Mark, Settings, Verdict};
use map_ir::{AgentId, Body, Program};
use map_testkit::scenes::Random;
use map_tests::random::{Comparison, Counts, Kind, Scene};

use super::naive::Simulated;
use super::{Line, damage, shown};

/// The verdict about lines with times, and whether it is certain.
fn judged(program: &Program, arrivals: Arrivals, skew: u64, log: &[(u64, Line)]) -> (Verdict, bool) {
    judged_of_logs(program, Settings { arrivals, limit: 300, skew, ..Settings::default() }, log, |_| 0)
}

/// The same; each agent writes into the log of this number.
fn judged_of_logs(
    program: &Program,
    settings: Settings,
    log: &[(u64, Line)],
    log_of: impl Fn(AgentId) -> usize,
) -> (Verdict, bool) {
    let mut conversation =
        Conversation::new(&Arc::new(map_conform::Scene::new(Arc::new(program.clone()), settings)));
    for (index, (time, line)) in log.iter().enumerate() {
        let mark = Mark { line: index as u64 + 1, time: Some(*time), log: log_of(by(line)) };
        match line {
            Line::Send(spoken) => conversation.send(mark, spoken.clone()),
            Line::Receive(to, message) => conversation.receive(mark, *to, Arc::clone(message)),
        }
    }
    let report = conversation.report();
    (report.verdict, !report.possibly)
}

/// A seed whose scene has a log in which a tie matters.
const TELLING: u64 = 70;

/// How far a step is from the next one.
const STEP: u64 = 10;

/// The log of a random run by one clock.
fn random_log(program: &Program, arrivals: Arrivals, random: &mut Random) -> Vec<(u64, Line)> {
    let mut log = Vec::new();
    let Some(mut run) = Simulated::start(program, arrivals, random) else { return log };
    for number in 1..=u64::from(random.between(5, 40)) {
        if log.len() > 8 {
            break;
        }
        let mut lines = Vec::new();
        run.step(program, AgentId::new(random.below(program.agents.len())), random, &mut lines);
        log.extend(lines.into_iter().map(|it| (1_000 + STEP * number, it)));
    }
    log
}

/// Whose line it is.
fn by(line: &Line) -> AgentId {
    match line {
        Line::Send(spoken) => spoken.from,
        Line::Receive(to, _) => *to,
    }
}

/// The log as it is written by clocks that are ahead by so much, in the order of their times.
fn written(log: &[(u64, Line)], ahead: &[u64]) -> Vec<(u64, Line)> {
    let times = log.iter().map(|(time, line)| (time + ahead[by(line).index()], line.clone()));
    let mut written: Vec<(u64, Line)> = times.collect();
    written.sort_by_key(|it| it.0);
    written
}

pub(super) const CLOCKS: Comparison = Comparison {
    name: "logs-by-clocks-that-differ",
    kind: Kind::Any,
    scenes: 100,
    compare,
    enough: |counts, _| counts.of("violated under any skew") > counts.of("logs") / 10,
};

pub(super) const TIES: Comparison = Comparison {
    name: "logs-with-equal-times",
    kind: Kind::Any,
    scenes: 250,
    compare: compare_ties,
    enough: |counts, scenes| counts.of("logs") > scenes,
};

fn compare(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    // Fresh values of a simulation are no values of a log.
    if program.procedures.iter().any(|it| it.body == Body::Fresh) {
        return;
    }
    for (index, arrivals) in [Arrivals::Sent, Arrivals::Late, Arrivals::Unordered].into_iter().enumerate() {
        let mut random = Random::new(*seed, 71 + index as u64);
        let real = random_log(program, arrivals, &mut random);
        let skew = u64::from(random.between(1, 60));
        let ahead: Vec<u64> =
            program.agents.iter().map(|_| u64::from(random.between(0, skew as u32))).collect();
        let log = written(&real, &ahead);
        let show = |log: &[(u64, Line)]| {
            let (times, lines): (Vec<u64>, Vec<Line>) = log.iter().cloned().unzip();
            format!("{arrivals:?} skew {skew}\n{times:?}\n{}", shown(program, &lines))
        };
        let (verdict, _) = judged(program, arrivals, skew, &log);
        assert_ne!(verdict, Verdict::Violated, "clocks differ by less: {}", show(&log));
        counts.one("logs");
        let in_order = judged(program, arrivals, 0, &log).0;
        counts
            .add("violated by the order in which they were written", u8::from(in_order == Verdict::Violated));
        let mut lines: Vec<Line> = log.iter().map(|it| it.1.clone()).collect();
        damage(program, &mut lines, &mut random);
        let damaged: Vec<(u64, Line)> =
            lines.into_iter().enumerate().map(|(it, line)| (1_000 + STEP * it as u64, line)).collect();
        let in_order = judged(program, arrivals, 0, &damaged);
        let mut verdicts = vec![in_order];
        verdicts.extend([1, skew, 2 * skew, 500].map(|skew| judged(program, arrivals, skew, &damaged)));
        verdicts.retain(|it| it.0 != Verdict::Inconclusive);
        for two in verdicts.windows(2) {
            let is_better = two[0].0 == Verdict::Violated || two[1].0 != Verdict::Violated;
            assert!(is_better, "{verdicts:?}: {}", show(&damaged));
        }
        for it in &verdicts {
            // What is explained in the order of the log is so under any skew, and what is not is never certain.
            let is_right = match in_order.0 {
                Verdict::Violated => it.0 == Verdict::Violated || !it.1,
                Verdict::Inconclusive => true,
                _ => *it == in_order,
            };
            assert!(is_right, "{verdicts:?}: {}", show(&damaged));
        }
        let violated = verdicts.iter().all(|it| it.0 == Verdict::Violated);
        counts.add("violated under any skew", u8::from(violated));
    }
}

/// A clock that ticks seldom: two logs have lines of equal times, of which the first log comes first.
fn compare_ties(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    if program.procedures.iter().any(|it| it.body == Body::Fresh) {
        return;
    }
    let log_of = |agent: AgentId| 1 - agent.index() % 2;
    for (index, arrivals) in [Arrivals::Sent, Arrivals::Late, Arrivals::Unordered].into_iter().enumerate() {
        counts.one("logs");
        let real = random_log(program, arrivals, &mut Random::new(*seed, 81 + index as u64));
        let tick = 3 * STEP;
        let mut log: Vec<(u64, Line)> =
            real.into_iter().map(|(time, line)| (time / tick * tick, line)).collect();
        log.sort_by_key(|(time, line)| (*time, log_of(by(line))));
        let lines: Vec<Line> = log.iter().map(|it| it.1.clone()).collect();
        let settings = Settings { arrivals, limit: 300, ..Settings::default() };
        let merged = Settings { merged: true, ..settings.clone() };
        let (in_order, _) = judged_of_logs(program, settings, &log, log_of);
        let (verdict, is_certain) = judged_of_logs(program, merged, &log, log_of);
        let show = || format!("{arrivals:?}\n{}", shown(program, &lines));
        assert_ne!(verdict, Verdict::Violated, "only a tie blames: {}", show());
        if in_order == Verdict::Violated {
            counts.one("logs that blame somebody by the order of ties");
            assert!(!is_certain || verdict == Verdict::Inconclusive, "it rests on a tie: {}", show());
        }
    }
}

/// Ties seldom matter: in the scene of this seed one does.
#[test]
fn a_tie_blames_nobody() {
    let mut counts = Counts::default();
    compare_ties(&Kind::Any.scene(TELLING), &mut counts);
    assert_eq!(counts.of("logs that blame somebody by the order of ties"), 1);
}

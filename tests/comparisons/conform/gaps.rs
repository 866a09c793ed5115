//! Lines that cannot be used: whoever is certainly blamed in spite of one is blamed if the line can be used, too. So no
//! line that might stand in its place clears them; of a log that a run has, nobody is certainly blamed.
use std::sync::Arc;

use map_conform::{Arrivals, Conversation, Mark, Report, Settings, Verdict};
use map_ir::{AgentId, Body, Program};
use map_testkit::scenes::Random;
use map_tests::random::{Comparison, Counts, Kind, Scene};

use super::naive::random_log;
use super::{Line, damage, shown};

pub(super) const COMPARISON: Comparison = Comparison {
    name: "logs-with-gaps",
    kind: Kind::Any,
    scenes: 100,
    compare,
    enough: |counts, _| {
        let scenes = counts.of("scenes");
        counts.of("possibly violated") > scenes / 4 && counts.of("certainly violated") > scenes / 8
    },
};

/// What is said of a log in which the line at this place concerns these agents, and cannot be used.
fn reported(program: &Program, settings: Settings, log: &[Line], gap: Option<(usize, &[AgentId])>) -> Report {
    let scene = map_conform::Scene::new(Arc::new(program.clone()), settings);
    let mut conversation = Conversation::new(&Arc::new(scene));
    for (index, line) in log.iter().enumerate() {
        let mark = Mark { line: index as u64 + 1, time: None, log: 0 };
        match (line, gap) {
            (_, Some((at, agents))) if at == index => conversation.gap(mark, agents),
            (Line::Send(spoken), _) => conversation.send(mark, spoken.clone()),
            (Line::Receive(to, message), _) => conversation.receive(mark, *to, Arc::clone(message)),
        }
    }
    conversation.report()
}

/// The agents that a line names.
fn named(line: &Line) -> Vec<AgentId> {
    match line {
        Line::Send(spoken) => spoken.to.iter().copied().chain([spoken.from]).collect(),
        Line::Receive(to, message) => vec![*to, message.sender],
    }
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    if program.procedures.iter().any(|it| it.body == Body::Fresh) {
        return;
    }
    counts.one("scenes");
    let all = [Arrivals::Logged, Arrivals::Sent, Arrivals::Late, Arrivals::Unordered];
    for (index, arrivals) in all.into_iter().enumerate() {
        let mut random = Random::new(*seed, 31 + index as u64);
        let intact = random_log(program, arrivals, &mut random);
        for round in 0..6 {
            let mut log = intact.clone();
            if round > 1 {
                damage(program, &mut log, &mut random);
            }
            if log.is_empty() {
                continue;
            }
            let at = random.below(log.len());
            let agents = if random.below(2) == 0 { named(&log[at]) } else { program.cast().collect() };
            // A log that is whole only if it is: a run of which the log is the beginning owes something.
            let settings = Settings { arrivals, limit: 300, complete: round % 2 == 1, ..Settings::default() };
            let whole = reported(program, settings.clone(), &log, None);
            if whole.incomplete || whole.cut_at.is_some() {
                counts.one("inconclusive");
                continue;
            }
            let doubtful = reported(program, settings, &log, Some((at, &agents)));
            let show = || format!("{arrivals:?}, line {} cannot be used\n{}", at + 1, shown(program, &log));
            check(&whole, &doubtful, counts, &show);
        }
    }
}

fn check(whole: &Report, doubtful: &Report, counts: &mut Counts, show: &dyn Fn() -> String) {
    // Whose lines wait for a send that never comes is not judged; in doubt they do not wait.
    if whole.violations.iter().any(|violation| violation.kind == map_conform::Kind::NeverSent) {
        return counts.one("never sent");
    }
    for violation in doubtful.violations.iter().filter(|violation| violation.gap.is_none()) {
        let blamed = |agent| whole.violations.iter().any(|it| it.agent == agent);
        assert!(blamed(violation.agent), "falsely blamed: {:?}\n{}", violation.agent, show());
    }
    match (doubtful.verdict, doubtful.possibly) {
        (Verdict::Violated, true) => counts.one("possibly violated"),
        (Verdict::Violated, false) => counts.one("certainly violated"),
        (Verdict::Inconclusive, _) => counts.one("inconclusive"),
        (verdict, possibly) => assert!(possibly, "certainly {verdict:?} in spite of a gap: {}", show()),
    }
}

//! Monitors that keep one hypothesis of each orbit, and monitors that keep all, say the same.

use std::sync::Arc;

use map_conform::{Arrivals, Report, Settings};
use map_ir::{AgentId, Body, Program, TextId, Value};
use map_testkit::scenes::Random;
use map_tests::random::{Comparison, Counts, Kind, Scene};

use super::naive::random_log;
use super::{Line, damage, reported, shown};

pub(super) const COMPARISON: Comparison = Comparison {
    name: "monitors-with-orbits",
    kind: Kind::Any,
    scenes: 120,
    compare,
    enough: |counts, _| {
        let scenes = counts.of("scenes");
        counts.of("violated") > scenes / 4 && counts.of("folded") > scenes / 16
    },
};

/// Replaces some values by texts that are not in the file: each by one for each sender.
fn make_private(program: &Program, log: &mut [Line], random: &mut Random) {
    let agents = program.agents.len();
    let chosen = random.below(4);
    for line in log {
        let message = match line {
            Line::Send(spoken) => &mut spoken.message,
            Line::Receive(_, message) => message,
        };
        let sender: AgentId = message.sender;
        for argument in &mut Arc::make_mut(message).arguments {
            if let Value::Name(name) = *argument
                && name.index() % 4 == chosen
            {
                let text = program.texts.len() + name.index() * agents + sender.index();
                *argument = Value::Text(TextId::new(text));
            }
        }
    }
}

fn report(program: &Program, arrivals: Arrivals, fold_from: usize, log: &[Line]) -> Report {
    reported(program, Settings { arrivals, limit: 2_000, fold_from, ..Settings::default() }, log)
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    if program.procedures.iter().any(|it| it.body == Body::Fresh) {
        return;
    }
    counts.one("scenes");
    for (index, arrivals) in Arrivals::ALL.into_iter().enumerate() {
        let mut random = Random::new(*seed, 51 + index as u64);
        let intact = random_log(program, arrivals, &mut random);
        for damages in 0..4 {
            let mut log = intact.clone();
            if random.percent(50) {
                make_private(program, &mut log, &mut random);
            }
            for _ in 0..damages {
                damage(program, &mut log, &mut random);
            }
            let all = report(program, arrivals, usize::MAX, &log);
            let one_of_each = report(program, arrivals, 0, &log);
            if all.cut_at.is_some()
                || one_of_each.cut_at.is_some()
                || all.incomplete
                || one_of_each.incomplete
            {
                counts.one("inconclusive");
                continue;
            }
            let said = |report: &Report| {
                let blamed: Vec<_> =
                    report.violations.iter().map(|it| (it.mark, it.kind, it.agent)).collect();
                (report.verdict, report.possibly, blamed)
            };
            assert_eq!(said(&all), said(&one_of_each), "{arrivals:?}\n{}", shown(program, &log));
            counts.add("violated", usize::from(!all.violations.is_empty()));
            counts.add("folded", usize::from(one_of_each.explored < all.explored));
            counts.one("logs");
        }
    }
}

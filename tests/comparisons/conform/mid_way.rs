//! Logs without their first lines: with whatever beginning, nobody is blamed for it.

use map_conform::{Arrivals, Beginnings, Report, Settings, Verdict};
use map_ir::{Body, Program};
use map_testkit::scenes::Random;
use map_tests::random::{Comparison, Counts, Kind, Scene};

use super::moves::{Moves, universe};
use super::naive::{Found, Naive, random_log};
use super::{Line, damage, reported, shown};

pub(super) const COMPARISON: Comparison = Comparison {
    name: "monitors-mid-way",
    kind: Kind::Any,
    scenes: 60,
    compare,
    enough: |counts, _| {
        let scenes = counts.of("scenes");
        counts.of("cut logs") > 4 * scenes
            && counts.of("violated") > scenes / 8
            && counts.of("hints") > scenes / 16
    },
};

fn report(program: &Program, arrivals: Arrivals, beginnings: Beginnings, log: &[Line]) -> Report {
    reported(program, Settings { arrivals, beginnings, limit: 300, ..Settings::default() }, log)
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    if program.procedures.iter().any(|it| it.body == Body::Fresh) {
        return;
    }
    counts.one("scenes");
    let values = universe(program);
    let mut moves = Moves::new(std::slice::from_ref(program), &values);
    for (index, arrivals) in Arrivals::ALL.into_iter().enumerate() {
        let mut random = Random::new(*seed, 71 + index as u64);
        let mut log = random_log(program, arrivals, &mut random);
        // A log that has a run is one, damaged or not.
        let is_damaged = random.percent(50);
        if is_damaged {
            damage(program, &mut log, &mut random);
        }
        let has_run =
            !is_damaged || matches!(Naive::search(&mut moves, arrivals, &log), Found::Explained { .. });
        for first in 0..log.len() {
            let rest = &log[first..];
            let joined = report(program, arrivals, Beginnings::Before, rest);
            let unsure = report(program, arrivals, Beginnings::Unsure, rest);
            let show = || format!("{arrivals:?}, from line {}\n{}", first + 1, shown(program, &log));
            if has_run {
                assert_ne!(joined.verdict, Verdict::Violated, "{}", show());
            }
            // Where the first line fits, the log is taken to be whole.
            let begins_there = unsure.violations.iter().any(|violation| violation.mark.line == 1);
            if begins_there {
                assert_eq!(unsure.possibly, joined.verdict != Verdict::Violated, "{}", show());
            }
            counts.add("violated", usize::from(joined.verdict == Verdict::Violated));
            counts.add("inconclusive", usize::from(joined.verdict == Verdict::Inconclusive));
            counts.add("hints", usize::from(unsure.fits_mid_way));
            counts.one("cut logs");
        }
    }
}

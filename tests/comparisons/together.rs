//! Several processes that search together have the report of one, whatever their number.

use std::num::NonZeroUsize;

use map_testkit::oracle::OracleOptions;
use map_tests::engines::NoWatch;
use map_tests::peers::each;
use map_tests::random::{Comparison, Kind, Scene};
use map_verify::{
    Limits, Options, Reductions, Report, SearchResult, Snapshot, Tuning, verify_reduced, verify_together,
};

pub(crate) const COMPARISON: Comparison = Comparison {
    name: "together",
    kind: Kind::Any,
    scenes: 120,
    compare: |scene, counts| {
        let reductions = if scene.seed % 4 < 2 { Reductions::ALL } else { Reductions::NONE };
        counts.add("compared", u8::from(compare(scene, 3_000, (reductions, scene.seed % 5 < 2))));
    },
    enough: |counts, scenes| counts.of("compared") > scenes / 2,
};

/// The report in words, without the memory, and what was sent.
fn words(reduced: SearchResult) -> String {
    let statistics = Snapshot { memory: 0, states_memory: 0, sent: 0, ..reduced.report.statistics };
    format!("{:#?}", SearchResult { report: Report { statistics, ..reduced.report }, ..reduced })
}

/// Compares one process with several. Whether the search was complete or violated, so that there was something to
/// compare.
fn compare(scene: &Scene, states: usize, (reductions, keep_going): (Reductions, bool)) -> bool {
    let Scene { program, bounds, .. } = scene;
    let states = states.min(scene.options.max_states);
    let limits = Limits { states, memory: usize::MAX, threads: NonZeroUsize::MIN, tuning: Tuning::TINY };
    let options = Options { limits, keep_going, reductions, self_check: false };
    let alone = verify_reduced(program, bounds, &options, &mut NoWatch).expect("traces can be repeated");
    // Where a limit ends the search depends on who has which states.
    if alone.report.limit.is_some() {
        return false;
    }
    let alone = words(alone);
    for count in 1..=3 {
        let reports = each(count, |mut peers| {
            let made = verify_together(program, bounds, &options, &mut peers, &mut NoWatch);
            made.map_or_else(|error| error.to_string(), words)
        });
        for report in reports {
            let differs = alone.lines().zip(report.lines()).find(|(one, other)| one != other);
            assert!(
                alone == report,
                "{count} processes, {reductions:?}, keep going: {keep_going}: {differs:?}\n{}",
                scene.text
            );
        }
    }
    true
}

/// A scene in which an agent fails on its way to the initial state, and others go on by open comparisons.
#[test]
fn what_happens_before_the_initial_state_has_one_report() {
    let name = "comparisons-may-leave-nothing-after-a-failure";
    let path = format!("{}/cases/properties/{name}.map", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the case is there");
    let scene = Scene::new(0, text, OracleOptions::new(usize::MAX));
    for reductions in [Reductions::ALL, Reductions::NONE] {
        for keep_going in [false, true] {
            assert!(compare(&scene, usize::MAX, (reductions, keep_going)), "it has a verdict");
        }
    }
}

#[test]
fn auctions_have_one_report() {
    for (name, reductions) in [("auction", Reductions::ALL), ("published-corrected", Reductions::NONE)] {
        let path = format!("{}/../protocols/english-auction/{name}.map", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the auctions are there");
        let mut options = OracleOptions::new(usize::MAX);
        options.agents = vec![("bidder".to_owned(), 3)];
        options.rounds_of = vec![("bidloop".to_owned(), 2)];
        let scene = Scene::new(0, text, options);
        assert!(compare(&scene, usize::MAX, (reductions, false)), "{name} has a verdict");
    }
}

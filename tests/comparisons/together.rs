//! Several processes that search together have the report of one, whatever their number.
//!
//! `MAP_SCENES=N` sets how many random scenes, `MAP_SEED=S` where the seeds start.

use std::num::NonZeroUsize;

use map_diagnostics::SourceFile;
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::any_scene;
use map_tests::engines::{Unwatched, bounds, program};
use map_tests::peers::each;
use map_tests::settings::setting;
use map_verify::{
    Limits, Options, Reduced, Reductions, Report, Snapshot, Tuning, verify_reduced, verify_together,
};

/// The report in words, without the memory, and what was sent.
fn words(reduced: Reduced) -> String {
    let statistics = Snapshot { memory: 0, states_memory: 0, sent: 0, ..reduced.report.statistics };
    format!("{:#?}", Reduced { report: Report { statistics, ..reduced.report }, ..reduced })
}

/// Compares one process with several. Whether the search was complete or violated, so that there was something to
/// compare.
fn compare(
    text: &str,
    scene: &OracleOptions,
    (reductions, keep_going): (Reductions, bool),
    name: &str,
) -> bool {
    let program = program(&SourceFile::new("scene.map", text), scene).expect("the scene is correct");
    let bounds = bounds(&program, scene);
    let limits = Limits {
        states: scene.max_states,
        memory: usize::MAX,
        threads: NonZeroUsize::MIN,
        tuning: Tuning::TINY,
    };
    let options = Options { limits, keep_going, reductions, self_check: false };
    let alone = verify_reduced(&program, &bounds, &options, &mut Unwatched).expect("traces can be repeated");
    // Where a limit ends the search depends on who has which states.
    if alone.report.limit.is_some() {
        return false;
    }
    let alone = words(alone);
    for count in 1..=3 {
        let reports = each(count, |mut peers| {
            let made = verify_together(&program, &bounds, &options, &mut peers, &mut Unwatched);
            made.map_or_else(|error| error.to_string(), words)
        });
        for report in reports {
            let differs = alone.lines().zip(report.lines()).find(|(one, other)| one != other);
            assert!(
                alone == report,
                "{name}, {count} processes, {reductions:?}, keep going: {keep_going}: {differs:?}\n{text}\n{scene:#?}"
            );
        }
    }
    true
}

#[test]
fn random_scenes_have_one_report() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(120), setting("MAP_SEED").unwrap_or(1));
    println!("{count} scenes from seed {first}");
    let mut compared = 0;
    for seed in first..first + count {
        let (text, options) = any_scene(seed);
        let options = OracleOptions { max_states: options.max_states.min(3_000), ..options };
        let reductions = if seed % 4 < 2 { Reductions::ALL } else { Reductions::NONE };
        compared += u64::from(compare(&text, &options, (reductions, seed % 5 < 2), &format!("seed {seed}")));
    }
    assert!(compared > count / 2, "{compared} compared");
}

/// A scene in which an agent fails on its way to the initial state, and others go on by open comparisons.
#[test]
fn what_happens_before_the_initial_state_has_one_report() {
    let name = "comparisons-may-leave-nothing-after-a-failure";
    let path = format!("{}/cases/properties/{name}.map", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the case is there");
    for reductions in [Reductions::ALL, Reductions::NONE] {
        for keep_going in [false, true] {
            let options = OracleOptions::new(usize::MAX);
            assert!(compare(&text, &options, (reductions, keep_going), name), "it has a verdict");
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
        assert!(compare(&text, &options, (reductions, false), name), "{name} has a verdict");
    }
}

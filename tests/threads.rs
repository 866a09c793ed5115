//! The number of threads changes nothing but the time: verdict, counts, traces, what never happened, all of the report are
//! the same.
//!
//! `MAP_SCENES=N` sets how many random scenes, `MAP_SEED=S` where the seeds start. Debug builds share out even the smallest
//! scenes.

use std::num::NonZeroUsize;

use map_diagnostics::SourceFile;
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{random_options, random_scene};
use map_tests::engines::{Unwatched, bounds, program};
use map_tests::settings::setting;
use map_verify::{Limits, Report, verify};

fn report(text: &str, options: &OracleOptions, threads: usize, keep_going: bool) -> Report {
    let program = program(&SourceFile::new("scene.map", text), options).expect("the scene is correct");
    let threads = NonZeroUsize::new(threads).expect("some threads");
    let limits = Limits { states: options.max_states, memory: usize::MAX, threads };
    let bounds = bounds(&program, options);
    let mut report =
        verify(&program, &bounds, &limits, keep_going, &mut Unwatched).expect("traces can be repeated");
    (report.statistics.memory, report.statistics.states_memory) = (0, 0);
    report
}

fn compare(text: &str, options: &OracleOptions, name: &str) {
    for keep_going in [false, true] {
        let one = format!("{:#?}", report(text, options, 1, keep_going));
        for threads in [2, 4] {
            let other = format!("{:#?}", report(text, options, threads, keep_going));
            let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
            assert!(one == other, "{name}, {threads} threads: {differs:?}\n{text}\n{options:#?}");
        }
    }
}

#[test]
fn on_random_scenes() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(250), setting("MAP_SEED").unwrap_or(1));
    println!("{count} scenes from seed {first}");
    for seed in first..first + count {
        compare(&random_scene(seed), &random_options(seed), &format!("seed {seed}"));
    }
}

#[test]
fn on_auctions() {
    for name in ["auction", "published-corrected", "published-no-recursion"] {
        let path = format!("{}/../protocols/english-auction/{name}.map", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the auctions are there");
        let mut options = OracleOptions::new(usize::MAX);
        options.agents = vec![("bidder".to_owned(), 3)];
        options.rounds_of = vec![("bidloop".to_owned(), 2)];
        compare(&text, &options, name);
    }
}

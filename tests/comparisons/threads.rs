//! The number of threads and the tuning affect only the time: verdict, counts, traces, coverage, properties and the
//! rest of the report stay the same.
//!
//! `MAP_SCENES=N` sets how many random scenes, `MAP_SEED=S` where the seeds start. With [`Tuning::TINY`] threads share
//! even the smallest scenes.

use std::num::NonZeroUsize;

use map_diagnostics::SourceFile;
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{
    any_scene, random_formula, random_formula_about_all, random_options, random_scene,
};
use map_tests::compiled::Compiled;
use map_tests::engines::{Unwatched, bounds, program};
use map_tests::settings::setting;
use map_verify::{
    Fairness, Limits, PropertyOptions, PropertyReport, Reductions, Report, Snapshot, Tuning, verify,
    verify_properties,
};

/// The numbers of threads and tunings to compare with one thread and the shipped tuning.
const OTHERS: [(usize, Tuning); 4] =
    [(1, Tuning::TINY), (2, Tuning::TINY), (4, Tuning::TINY), (2, Tuning::SHIPPED)];

/// A limit on states, with a number of threads and a tuning.
fn limits(states: usize, (threads, tuning): (usize, Tuning)) -> Limits {
    let threads = NonZeroUsize::new(threads).expect("some threads");
    Limits { states, memory: usize::MAX, threads, tuning }
}

/// The counts of a search, except the memory of its tables.
fn without_memory(statistics: Snapshot) -> Snapshot {
    Snapshot { memory: 0, states_memory: 0, ..statistics }
}

fn report(text: &str, options: &OracleOptions, work: (usize, Tuning), keep_going: bool) -> Report {
    let program = program(&SourceFile::new("scene.map", text), options).expect("the scene is correct");
    let bounds = bounds(&program, options);
    let limits = limits(options.max_states, work);
    let report =
        verify(&program, &bounds, &limits, keep_going, &mut Unwatched).expect("traces can be repeated");
    Report { statistics: without_memory(report.statistics), ..report }
}

/// Panics unless two reports, in words, are equal.
fn assert_same(one: &str, other: &str, context: impl Fn() -> String) {
    let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
    assert!(one == other, "{}: {differs:?}", context());
}

fn compare(text: &str, options: &OracleOptions, name: &str) {
    for keep_going in [false, true] {
        let one = format!("{:#?}", report(text, options, (1, Tuning::SHIPPED), keep_going));
        for work in OTHERS {
            let other = format!("{:#?}", report(text, options, work, keep_going));
            assert_same(&one, &other, || format!("{name}, {work:?}\n{text}\n{options:#?}"));
        }
    }
}

#[test]
fn on_random_scenes() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(100), setting("MAP_SEED").unwrap_or(1));
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

/// Formulas for each scene.
const FORMULAS: u64 = 8;

/// The most states of a scene that are expanded.
const MAX_STATES: usize = 2_000;

/// How properties are judged.
const JUDGED: [(Reductions, Fairness); 3] = [
    (Reductions::ALL, Fairness::Fair),
    (Reductions::NONE, Fairness::Fair),
    (Reductions::NONE, Fairness::None),
];

fn judged(scene: &Compiled, options: &PropertyOptions) -> PropertyReport {
    let Compiled { program, properties, bounds, .. } = scene;
    let mut report = verify_properties(program, properties, bounds, options, &mut Unwatched)
        .expect("runs can be repeated");
    report.statistics = without_memory(report.statistics);
    for search in &mut report.searches {
        search.statistics = without_memory(search.statistics);
    }
    report
}

/// Random properties of a random scene, searched up to [`MAX_STATES`] and then up to half as many states.
fn compare_properties(seed: u64) {
    let (text, options) = any_scene(seed);
    let texts = |words: &_| {
        let random = |index| match index % 2 {
            0 => random_formula(words, seed * FORMULAS + index),
            _ => random_formula_about_all(words, seed * FORMULAS + index),
        };
        (0..FORMULAS).map(random).collect()
    };
    let Some(scene) = Compiled::new(&text, &options, texts) else { return };
    for (reductions, fairness) in JUDGED {
        let mut states = MAX_STATES;
        for _ in 0..2 {
            let report = |work| {
                judged(&scene, &PropertyOptions { limits: limits(states, work), fairness, reductions })
            };
            let one = report((1, Tuning::SHIPPED));
            let in_words = format!("{one:#?}");
            for work in OTHERS {
                let other = format!("{:#?}", report(work));
                assert_same(&in_words, &other, || {
                    let names = &scene.texts;
                    format!(
                        "seed {seed}, {work:?}, {reductions:?}, {fairness:?}\n{names:#?}\n{text}\n{options:#?}"
                    )
                });
            }
            states = one.statistics.states / 2;
        }
    }
}

#[test]
fn properties_of_random_scenes() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(20), setting("MAP_SEED").unwrap_or(1));
    println!("{count} scenes from seed {first}");
    (first..first + count).for_each(compare_properties);
}

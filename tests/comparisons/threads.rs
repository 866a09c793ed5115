//! The number of threads and the tuning affect only the time: verdict, counts, traces, coverage, properties and the
//! rest of the report stay the same. With [`Tuning::TINY`] threads share even the smallest scenes.

use std::num::NonZeroUsize;

use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{random_formula, random_formula_about_all};
use map_tests::compiled::CompiledScene;
use map_tests::engines::NoWatch;
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_verify::{
    Fairness, Limits, PropertyOptions, PropertyReport, Reductions, Report, Snapshot, Tuning, verify,
    verify_properties,
};

pub(crate) const COMPARISONS: [Comparison; 2] = [
    Comparison {
        name: "threads",
        kind: Kind::Any,
        scenes: 100,
        compare: |scene, counts| {
            compare(scene);
            counts.one("compared");
        },
        enough: |counts, scenes| counts.of("compared") == scenes,
    },
    Comparison {
        name: "threads-with-properties",
        kind: Kind::Any,
        scenes: 20,
        compare: compare_properties,
        enough: |counts, scenes| counts.of("compared") * 2 > scenes,
    },
];

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

fn report(scene: &Scene, work: (usize, Tuning), keep_going: bool) -> Report {
    let limits = limits(scene.options.max_states, work);
    let report = verify(&scene.program, &scene.bounds, &limits, keep_going, &mut NoWatch)
        .expect("traces can be repeated");
    Report { statistics: without_memory(report.statistics), ..report }
}

/// Panics unless two reports, in words, are equal.
fn assert_same(one: &str, other: &str, context: impl Fn() -> String) {
    let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
    assert!(one == other, "{}: {differs:?}", context());
}

fn compare(scene: &Scene) {
    for keep_going in [false, true] {
        let one = format!("{:#?}", report(scene, (1, Tuning::SHIPPED), keep_going));
        for work in OTHERS {
            let other = format!("{:#?}", report(scene, work, keep_going));
            assert_same(&one, &other, || format!("{work:?}, keep going: {keep_going}"));
        }
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
        compare(&Scene::new(0, text, options));
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

fn judged(scene: &CompiledScene, options: &PropertyOptions) -> PropertyReport {
    let CompiledScene { program, properties, bounds, .. } = scene;
    let mut report =
        verify_properties(program, properties, bounds, options, &mut NoWatch).expect("runs can be repeated");
    report.statistics = without_memory(report.statistics);
    for search in &mut report.searches {
        search.statistics = without_memory(search.statistics);
    }
    report
}

/// Random properties of a random scene, searched up to [`MAX_STATES`] and then up to half as many states.
fn compare_properties(scene: &Scene, counts: &mut Counts) {
    let seed = scene.seed;
    let texts = |words: &_| {
        let random = |index| match index % 2 {
            0 => random_formula(words, seed * FORMULAS + index),
            _ => random_formula_about_all(words, seed * FORMULAS + index),
        };
        (0..FORMULAS).map(random).collect()
    };
    let Some(scene) = CompiledScene::of(&scene.file, &scene.options, texts) else { return };
    counts.one("compared");
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
                    format!("{work:?}, {reductions:?}, {fairness:?}\n{:#?}", scene.texts)
                });
            }
            states = one.statistics.states / 2;
        }
    }
}

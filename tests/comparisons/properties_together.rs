//! Several processes that judge properties together have the report of one, whatever their number.

use std::num::NonZeroUsize;

use map_ir::Properties;
use map_testkit::scenes::{random_formula, random_formula_about_all};
use map_tests::compiled::CompiledScene;
use map_tests::engines::NoWatch;
use map_tests::peers::each;
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_verify::{
    Fairness, Limits, PropertyOptions, PropertyReport, PropertyVerdict, Reductions, Snapshot, Tuning,
    verify_properties, verify_properties_together,
};

pub(crate) const COMPARISON: Comparison = Comparison {
    name: "properties-together",
    kind: Kind::Any,
    scenes: 40,
    compare: random_properties,
    enough: |counts, scenes| counts.of("hold").min(counts.of("violated")) > scenes,
};

/// Formulas for each scene.
const FORMULAS: u64 = 6;

/// The most states of a scene that are expanded.
const MAX_STATES: usize = 2_000;

/// How properties are judged.
const JUDGED: [(Reductions, Fairness); 3] = [
    (Reductions::ALL, Fairness::Fair),
    (Reductions::NONE, Fairness::Fair),
    (Reductions::NONE, Fairness::None),
];

/// The report without the memory, and what was sent.
fn comparable(mut report: PropertyReport) -> PropertyReport {
    let without = |it: Snapshot| Snapshot { memory: 0, states_memory: 0, sent: 0, ..it };
    report.statistics = without(report.statistics);
    report.searches.iter_mut().for_each(|search| search.statistics = without(search.statistics));
    report
}

/// What the other processes know of a report, in words.
fn without_runs(report: &PropertyReport) -> String {
    let mut report = report.clone();
    for judged in &mut report.properties {
        (judged.shown, judged.instance, judged.reason) = (None, None, None);
        judged.only_goal_missing = false;
        judged.vacuous.clear();
    }
    format!("{report:#?}")
}

/// Compares one process with several; the verdicts of one, if no limit was reached.
fn compare(
    scene: &CompiledScene,
    properties: &Properties,
    how: (Reductions, Fairness),
    name: &str,
) -> Vec<PropertyVerdict> {
    let CompiledScene { program, bounds, .. } = scene;
    let limits =
        Limits { states: MAX_STATES, memory: usize::MAX, threads: NonZeroUsize::MIN, tuning: Tuning::TINY };
    let options = PropertyOptions { limits, fairness: how.1, reductions: how.0 };
    let alone = verify_properties(program, properties, bounds, &options, &mut NoWatch);
    let alone = comparable(alone.expect("runs can be repeated"));
    // Where a limit ends the search depends on who has which states.
    if alone.limit.is_some() {
        return Vec::new();
    }
    for count in 1..=3 {
        let reports = each(count, |mut peers| {
            verify_properties_together(program, properties, bounds, &options, &mut peers, &mut NoWatch)
        });
        for (process, report) in reports.into_iter().enumerate() {
            let report = comparable(report.unwrap_or_else(|error| panic!("{name}: {error}")));
            let in_words =
                |it: &PropertyReport| if process == 0 { format!("{it:#?}") } else { without_runs(it) };
            let (alone, report) = (in_words(&alone), in_words(&report));
            let differs = alone.lines().zip(report.lines()).find(|(one, other)| one != other);
            assert!(alone == report, "{name}, process {process} of {count}, {how:?}: {differs:?}");
        }
    }
    alone.properties.iter().map(|it| it.verdict).collect()
}

fn random_properties(scene: &Scene, counts: &mut Counts) {
    let seed = scene.seed;
    let texts = |words: &_| {
        let random = |index| match index % 2 {
            0 => random_formula(words, seed * FORMULAS + index),
            _ => random_formula_about_all(words, seed * FORMULAS + index),
        };
        std::iter::once("eventually ended".to_owned()).chain((1..FORMULAS).map(random)).collect()
    };
    let Some(scene) = CompiledScene::of(&scene.file, &scene.options, texts) else { return };
    for how in JUDGED {
        let name = format!("{:#?}", scene.texts);
        let mut verdicts = compare(&scene, &scene.properties, how, &name);
        // Judged alone, a property may be decided before every state has been expanded.
        let one = seed as usize % scene.properties.list.len();
        let alone = Properties { list: vec![scene.properties.list[one].clone()], ..scene.properties.clone() };
        verdicts.extend(compare(&scene, &alone, how, &format!("only {one} of {name}")));
        for verdict in verdicts {
            match verdict {
                PropertyVerdict::Holds => counts.one("hold"),
                PropertyVerdict::Violated => counts.one("violated"),
                PropertyVerdict::Inconclusive => {}
            }
        }
    }
}

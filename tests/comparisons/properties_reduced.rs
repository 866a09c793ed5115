//! Properties judged with reductions and without: the verdicts on random properties of random scenes must be the same,
//! with runs of the same length that depend on the same assumptions. Then the numbers of states that some scenes take.
//!
//! The verdicts without reductions are compared with the oracle in `properties_agree`.

use map_ir::Properties;
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{random_formula, random_formula_about_all};
use map_tests::compiled::CompiledScene;
use map_tests::documentation::root;
use map_tests::engines::{NoWatch, judging, lasting};
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_verify::{
    Fairness, PropertyJudgement, PropertyOptions, PropertyReport, PropertyVerdict, Reductions, RunEnding,
    leads_back, replay, verify_properties,
};

/// Formulas for each scene.
const FORMULAS: u64 = 16;

/// Scenes with more states are skipped.
const MAX_STATES: usize = 3_000;

/// The reductions to compare. Partial-order reduction and merging are never used for properties.
const REDUCTIONS: [Reductions; 3] = [
    Reductions { slicing: true, ..Reductions::NONE },
    Reductions { symmetry: true, ..Reductions::NONE },
    Reductions::ALL,
];

pub(crate) const COMPARISON: Comparison =
    Comparison { name: "properties-reduced", kind: Kind::Any, scenes: 40, compare, enough };

/// Options for good weather: in bad weather nothing is reduced.
fn options(options: &OracleOptions) -> OracleOptions {
    // If a property tells one of two agents of a part from the other, no symmetry is left; of three, some is.
    let agents =
        options.agents.iter().map(|(name, count)| (name.clone(), if *count == 2 { 3 } else { *count }));
    let (agents, options) = (agents.collect(), options.clone());
    OracleOptions { agents, unordered: false, delayed: false, losses: 0, crashes: 0, ..options }
}

fn enough(counts: &Counts, scenes: u64) -> bool {
    let [compared, hold, violated] = ["compared", "hold", "violated"].map(|name| counts.of(name));
    let is_varied = hold.min(violated) * 10 > hold + violated
        && counts.of("by open comparisons") > 0
        && counts.of("for ever") > 0
        && counts.of("searches with symmetry") > 2 * compared;
    compared * 2 > scenes && is_varied && counts.of("reduced states") * 4 < counts.of("states") * 3
}

/// The parts of two results on a property that must be equal. If either shows a run that is repeated for ever, the two
/// may show different runs, or one a prefix that is a violation by itself; then only the verdicts are compared.
fn known(property: &str, found: &PropertyJudgement, judged: &PropertyJudgement) -> [String; 2] {
    let is_loop = |it: &PropertyJudgement| {
        it.shown.as_ref().is_some_and(|shown| matches!(shown.ending, RunEnding::Loop(_)))
    };
    let any_run = is_loop(found) || is_loop(judged);
    [found, judged].map(|it| lasting(property, it)).map(|it| match any_run {
        true => format!("{}, {}", it.verdict.word(), it.possible),
        false => it.words(),
    })
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let seed = scene.seed;
    let texts = |words: &_| {
        let random = |index| match index % 2 {
            0 => random_formula(words, seed * FORMULAS + index),
            _ => random_formula_about_all(words, seed * FORMULAS + index),
        };
        (0..FORMULAS).map(random).collect()
    };
    let Some(scene) = CompiledScene::of(&scene.file, &options(&scene.options), texts) else { return };
    let CompiledScene { program, bounds, properties, texts: names, .. } = scene;
    for fairness in [Fairness::Fair, Fairness::Weak, Fairness::None] {
        let judge = |properties: &Properties, states, reductions| -> PropertyReport {
            let how = PropertyOptions { reductions, ..judging(states, fairness) };
            verify_properties(&program, properties, &bounds, &how, &mut NoWatch)
                .unwrap_or_else(|error| panic!("{fairness:?}, {reductions:?}: {error}\n{names:#?}"))
        };
        let plain = judge(&properties, MAX_STATES, Reductions::NONE);
        if plain.limit.is_some() {
            return;
        }
        counts.add("compared", u8::from(fairness == Fairness::Fair));
        for reductions in REDUCTIONS {
            let reduced = judge(&properties, usize::MAX, reductions);
            for (index, (found, judged)) in reduced.properties.iter().zip(&plain.properties).enumerate() {
                let context = || format!("{fairness:?}, {reductions:?}: {}\n{}", names[index], found.words());
                let [of_found, of_judged] = known(&names[index], found, judged);
                assert_eq!(of_found, of_judged, "{}", context());
                assert_eq!(found.vacuous, judged.vacuous, "{}", context());
                assert_eq!(found.instance.is_some(), judged.instance.is_some(), "{}", context());
                if let Some(shown) = &found.shown
                    && let RunEnding::Loop(from) = shown.ending
                    && from < shown.trace.steps.len()
                {
                    let replayed =
                        replay(&program, &bounds, &shown.trace).expect("it has been replayed before");
                    assert!(leads_back(&program, &bounds, &replayed, from), "{}", context());
                }
                let alone = Properties { list: vec![properties.list[index].clone()], ..properties.clone() };
                // Judged alone, a property may allow stronger reductions.
                let apart = judge(&alone, usize::MAX, reductions);
                let [of_apart, of_judged] = known(&names[index], &apart.properties[0], judged);
                assert_eq!(of_apart, of_judged, "alone; {}", context());
                let states = apart.statistics.states;
                let half = &judge(&alone, states / 2, reductions).properties[0];
                assert!(
                    half.verdict == PropertyVerdict::Inconclusive
                        || lasting(&names[index], half).verdict == lasting(&names[index], judged).verdict,
                    "of half of the states {}; {}",
                    half.words(),
                    context()
                );
                if reductions == Reductions::ALL && apart.searched {
                    counts.add("searches with symmetry", u8::from(apart.searches[0].reductions.symmetry));
                    counts.add("states", plain.statistics.states);
                    counts.add("reduced states", states);
                }
            }
        }
        for judged in &plain.properties {
            counts.add("hold", u8::from(judged.verdict == PropertyVerdict::Holds));
            counts.add("violated", u8::from(judged.verdict == PropertyVerdict::Violated));
            counts.add("by open comparisons", u8::from(judged.possible));
            counts.add("for ever", u8::from(judged.words().contains("loop")));
        }
    }
}

#[test]
fn a_weakly_fair_run_that_is_shown_gives_each_agent_its_turn() {
    // Asking does not change the state, so a step of one agent could be mistaken for a step of the other.
    let text = "procedure go() in {1}
        turns[ agent(!X, %x) = agent(round)  agent(!X, %x, round) = $v = go() then agent(round)
               agent(!Y, %y) = agent(round)  agent(!Y, %y, round) = $v = go() then agent(round) ]";
    let formula = |_: &_| vec!["always eventually done(!X)".to_owned()];
    let compiled =
        CompiledScene::new(text, &OracleOptions::new(usize::MAX), formula).expect("there are agents");
    let CompiledScene { program, bounds, properties, .. } = compiled;
    for reductions in [Reductions::NONE].into_iter().chain(REDUCTIONS) {
        let how = PropertyOptions { reductions, ..judging(usize::MAX, Fairness::Weak) };
        let report =
            verify_properties(&program, &properties, &bounds, &how, &mut NoWatch).expect("it replays");
        let shown = report.properties[0].shown.as_ref().expect("it is violated");
        let RunEnding::Loop(from) = shown.ending else { panic!("it is violated for ever") };
        let turns: std::collections::BTreeSet<_> =
            shown.trace.steps[from..].iter().map(|step| step.agent).collect();
        assert_eq!(turns.len(), 2, "{reductions:?}: {:?}", shown.trace);
    }
}

/// A scene, its cast, a property, its states without reductions, and those of each search with all reductions.
type Counted = (&'static str, &'static [(&'static str, u32)], &'static str, usize, &'static [usize]);

const STATES: &[Counted] = &[
    (
        "protocols/customer-vendor/customer-vendor.map",
        &[("customer", 4)],
        "never failed(!Vendor)",
        22566,
        &[1191],
    ),
    (
        "protocols/customer-vendor/customer-vendor.map",
        &[("customer", 4)],
        "forall $c in %customer : $c sends committed(_) to _ leadsto done($c)",
        22566,
        &[3956],
    ),
    ("protocols/english-auction/auction.map", &[("bidder", 2)], "eventually ended", 419, &[207]),
    (
        "protocols/customer-vendor/customer-vendor.map",
        &[("customer", 4)],
        "always !Vendor sends sold() to !Customer2 implies next never !Vendor sends sold() to !Customer2",
        22566,
        &[3956],
    ),
    (
        "protocols/customer-vendor/customer-vendor.map",
        &[("customer", 4)],
        "forall $c in %customer : (never done($c)) or (not done($c) until waiting(!Vendor))",
        22566,
        &[3956],
    ),
    (
        "protocols/english-auction/auction.map",
        &[("bidder", 2)],
        "forall $b in %bidder : eventually done($b)",
        419,
        &[402],
    ),
    (
        "protocols/english-auction/auction.map",
        &[("bidder", 2)],
        "forall $a in %bidder : forall $b in %bidder : $a == $b or possible done($a) and not done($b)",
        419,
        &[402],
    ),
    (
        "tests/cases/properties/step-and-state-of-one-agent.map",
        &[],
        "never exists $x in %b : $x sends hello() to _ and done($x)",
        1156,
        &[116],
    ),
    (
        "tests/cases/properties/step-and-state-of-one-agent.map",
        &[],
        "never exists $x in %b : $x sends hello() to _",
        4,
        &[2],
    ),
    ("tests/cases/properties/step-and-state-of-one-agent.map", &[], "always eventually ended", 1156, &[66]),
    (
        "tests/cases/properties/turns-of-the-interchangeable.map",
        &[],
        "always eventually count($x in %b : $x in away) >= 2",
        27,
        &[10],
    ),
    (
        "protocols/customer-vendor/customer-vendor.map",
        &[("customer", 4)],
        "always eventually !Vendor sends sold() to _",
        22566,
        &[1191],
    ),
    (
        "protocols/customer-vendor/customer-vendor.map",
        &[("customer", 4)],
        "exists $c in %customer : possible done($c)",
        22566,
        &[3956],
    ),
    (
        "tests/cases/properties/cells-hold-names.map",
        &[],
        "never exists $x in %b : $x@first == $x",
        220,
        &[38],
    ),
    ("tests/cases/properties/what-is-looked-at-is-kept.map", &[], "never failed(!A)", 91, &[18]),
    ("tests/cases/properties/what-is-looked-at-is-kept.map", &[], "never !A sends price(7) to _", 91, &[42]),
    ("tests/cases/properties/what-is-looked-at-is-kept.map", &[], "always !C@price != 7", 91, &[50]),
];

/// The same in weakly fair runs, where it may matter whose turn it is.
const STATES_WITH_TURNS: &[Counted] = &[(
    "tests/cases/properties/turns-of-the-interchangeable.map",
    &[],
    "always eventually count($x in %b : $x in away) >= 2",
    27,
    &[10, 27],
)];

#[test]
fn numbers_of_states() {
    check_numbers(Fairness::Fair, STATES);
    check_numbers(Fairness::Weak, STATES_WITH_TURNS);
}

fn check_numbers(fairness: Fairness, counted: &[Counted]) {
    let mut found = Vec::new();
    for &(path, agents, text, ..) in counted {
        let source = std::fs::read_to_string(root().join(path)).expect("scenes are UTF-8 text");
        let agents_of = agents.iter().map(|&(role, count)| (role.to_owned(), count)).collect();
        let options = OracleOptions { agents: agents_of, ..OracleOptions::new(usize::MAX) };
        let compiled =
            CompiledScene::new(&source, &options, |_| vec![text.to_owned()]).expect("there are agents");
        let CompiledScene { program, bounds, properties, .. } = compiled;
        let states = |reductions| -> Vec<usize> {
            let how = PropertyOptions { reductions, ..judging(usize::MAX, fairness) };
            let report = verify_properties(&program, &properties, &bounds, &how, &mut NoWatch);
            let report = report.unwrap_or_else(|error| panic!("{path}, {text}: {error}"));
            assert_eq!(report.properties.len(), 1, "{text}");
            report.searches.iter().map(|search| search.statistics.states).collect()
        };
        found.push((path, agents, text, states(Reductions::NONE).iter().sum(), states(Reductions::ALL)));
    }
    let expected = counted
        .iter()
        .map(|&(path, agents, text, plain, reduced)| (path, agents, text, plain, reduced.to_vec()));
    assert_eq!(found, expected.collect::<Vec<(_, _, _, usize, _)>>());
}

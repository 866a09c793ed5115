//! Verdicts on random properties of random scenes: the engine against the oracle.

use map_ir::Properties;
use map_testkit::oracle::{Evidence, Judgement, OracleOptions, Rests, judge_formulas};
use map_testkit::scenes::random_formula;
use map_testkit::temporal::Runs;
use map_tests::compiled::CompiledScene;
use map_tests::engines::{NoWatch, agrees, judging, lasting, search};
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_verify::{Fairness, PropertyOptions, PropertyVerdict, Reductions, ViolationKind, verify_properties};

pub(crate) const COMPARISON: Comparison =
    Comparison { name: "properties-agree", kind: Kind::Any, scenes: 100, compare, enough };

/// Formulas for each scene.
const FORMULAS: u64 = 12;

/// Scenes with more states are skipped: the oracle searches them again and again.
const MAX_STATES: usize = 400;

/// More states than any search of such a scene has, unless it has no end.
const ENOUGH: usize = 200_000;

fn count(judgement: Judgement, counts: &mut Counts) {
    counts.one(match judgement {
        Judgement::Holds(_) => "hold",
        Judgement::Violated(_) => "violated",
        Judgement::Shown(_) => "shown possible",
        Judgement::NotJudged => "not judged by the oracle",
    });
    let rests = match judgement {
        Judgement::Violated(Evidence { rests, .. })
        | Judgement::Shown(Evidence { rests, .. })
        | Judgement::Holds(rests) => rests,
        Judgement::NotJudged => Rests::No,
    };
    counts.add("by open comparisons", u8::from(rests != Rests::No));
}

fn enough(counts: &Counts, scenes: u64) -> bool {
    let (holds, violated) = (counts.of("hold"), counts.of("violated"));
    let compared = holds + violated + counts.of("shown possible");
    let is_varied =
        holds.min(violated) * 10 > compared && counts.of("by open comparisons") * 1_000 > compared;
    compared > 2 * scenes && is_varied
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, file, .. } = scene;
    let options = OracleOptions { max_states: MAX_STATES, ..scene.options.clone() };
    let texts = |words: &_| {
        let random = (1..FORMULAS).map(|index| random_formula(words, seed * FORMULAS + index));
        std::iter::once("eventually ended".to_owned()).chain(random).collect()
    };
    let Some(scene) = CompiledScene::of(file, &options, texts) else { return };
    let CompiledScene { program, bounds, properties, texts: names, formulas, refused } = scene;
    counts.add("refused", refused);
    for (fairness, runs) in
        [(Fairness::Fair, Runs::Drawn), (Fairness::Weak, Runs::Fair), (Fairness::None, Runs::All)]
    {
        let Some(expected) = judge_formulas(file, &options, runs, &formulas) else { return };
        let verify = |properties: &Properties, states| {
            let how = PropertyOptions { reductions: Reductions::NONE, ..judging(states, fairness) };
            verify_properties(&program, properties, &bounds, &how, &mut NoWatch)
                .unwrap_or_else(|error| panic!("{error}\n{names:#?}"))
        };
        let whole = verify(&properties, ENOUGH);
        // A total that goes down in a loop has no end.
        if whole.limit.is_some() {
            return;
        }
        if whole.properties[0].verdict == PropertyVerdict::Holds {
            let report = search(&program, &options).expect("the engine agrees with itself");
            let deadlock = report.violations.iter().any(|it| it.kind == ViolationKind::Deadlock);
            assert!(!deadlock, "everybody ends in spite of a deadlock");
        }
        for (index, (name, expected)) in names.iter().zip(&expected).enumerate() {
            let judged = &whole.properties[index];
            count(*expected, counts);
            let context =
                || format!("{fairness:?}: {name}\nengine: {}\noracle: {expected:?}", judged.words());
            assert!(agrees(judged, *expected), "{}", context());
            // Judged alone, a property may be decided before every state has been expanded.
            let alone = Properties { list: vec![properties.list[index].clone()], ..properties.clone() };
            let early = &verify(&alone, usize::MAX).properties[0];
            assert_eq!(lasting(name, early).words(), lasting(name, judged).words(), "alone; {}", context());
            let partial = &verify(&alone, whole.statistics.states / 2).properties[0];
            assert!(
                partial.verdict == PropertyVerdict::Inconclusive
                    || lasting(name, partial).verdict == lasting(name, judged).verdict,
                "of half of the states {}; {}",
                partial.words(),
                context()
            );
        }
    }
}

//! Verdicts on random properties of random scenes: the engine against the oracle.
//!
//! `MAP_SCENES=N` sets how many scenes, `MAP_SEED=S` where the seeds start. A failure prints the seed, the property and
//! the scene.

use map_ir::Properties;
use map_testkit::oracle::{Evidence, Judgement, OracleOptions, Rests, judge_formulas};
use map_testkit::scenes::{random_formula, random_options, random_scene};
use map_testkit::temporal::Runs;
use map_tests::compiled::Compiled;
use map_tests::engines::{Unwatched, agrees, judging, lasting, search};
use map_tests::seeds::for_each_seed;
use map_tests::settings::setting;
use map_verify::{Fairness, PropertyOptions, PropertyVerdict, Reductions, ViolationKind, verify_properties};

/// Formulas for each scene.
const FORMULAS: u64 = 12;

/// Scenes with more states are skipped: the oracle searches them again and again.
const MAX_STATES: usize = 400;

/// More states than any search of such a scene has, unless it has no end.
const ENOUGH: usize = 200_000;

#[derive(Default)]
struct Counts {
    holds: u64,
    violated: u64,
    shown: u64,
    possible: u64,
    refused: u64,
    not_judged: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.holds += other.holds;
        self.violated += other.violated;
        self.shown += other.shown;
        self.possible += other.possible;
        self.refused += other.refused;
        self.not_judged += other.not_judged;
    }
}

impl Counts {
    fn count(&mut self, judgement: Judgement) {
        match judgement {
            Judgement::Holds(_) => self.holds += 1,
            Judgement::Violated(_) => self.violated += 1,
            Judgement::Shown(_) => self.shown += 1,
            Judgement::NotJudged => self.not_judged += 1,
        }
        let rests = match judgement {
            Judgement::Violated(Evidence { rests, .. })
            | Judgement::Shown(Evidence { rests, .. })
            | Judgement::Holds(rests) => rests,
            Judgement::NotJudged => Rests::No,
        };
        self.possible += u64::from(rests != Rests::No);
    }
}

#[test]
fn on_random_scenes() {
    let (scenes, first) = (setting("MAP_SCENES").unwrap_or(100), setting("MAP_SEED").unwrap_or(1));
    let mut counts = Counts::default();
    for it in for_each_seed(scenes, first, compare) {
        counts += it;
    }
    let Counts { holds, violated, shown, possible, refused, not_judged } = counts;
    let compared = holds + violated + shown;
    println!(
        "{scenes} scenes from seed {first}: {compared} verdicts compared ({holds} hold, {violated} are violated, {shown} \
         shown possible; {possible} by open comparisons), {refused} refused, {not_judged} not judged by the oracle"
    );
    if scenes < 100 {
        return;
    }
    assert!(compared > 2 * scenes, "only {compared} compared");
    assert!(holds.min(violated) * 10 > compared, "hardly any variety: {holds} hold, {violated} are violated");
    assert!(possible * 1_000 > compared, "hardly any open comparisons: {possible} of {compared}");
}

fn compare(seed: u64) -> Counts {
    let mut counts = Counts::default();
    let text = random_scene(seed);
    let options = OracleOptions { max_states: MAX_STATES, ..random_options(seed) };
    let texts = |words: &_| {
        let random = (1..FORMULAS).map(|index| random_formula(words, seed * FORMULAS + index));
        std::iter::once("eventually ended".to_owned()).chain(random).collect()
    };
    let Some(scene) = Compiled::new(&text, &options, texts) else { return counts };
    let Compiled { file, program, bounds, properties, texts: names, formulas, refused } = scene;
    counts.refused += refused;
    for (fairness, runs) in
        [(Fairness::Fair, Runs::Drawn), (Fairness::Weak, Runs::Fair), (Fairness::None, Runs::All)]
    {
        let Some(expected) = judge_formulas(&file, &options, runs, &formulas) else { return counts };
        let verify = |properties: &Properties, states| {
            let how = PropertyOptions { reductions: Reductions::NONE, ..judging(states, fairness) };
            verify_properties(&program, properties, &bounds, &how, &mut Unwatched)
                .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{names:#?}\n{text}\n{options:#?}"))
        };
        let whole = verify(&properties, ENOUGH);
        // A total that goes down in a loop has no end.
        if whole.limit.is_some() {
            return counts;
        }
        if whole.properties[0].verdict == PropertyVerdict::Holds {
            let report = search(&program, &options).expect("the engine agrees with itself");
            let deadlock = report.violations.iter().any(|it| it.kind == ViolationKind::Deadlock);
            assert!(!deadlock, "seed {seed}: everybody ends in spite of a deadlock\n{text}\n{options:#?}");
        }
        for (index, (name, expected)) in names.iter().zip(&expected).enumerate() {
            let judged = &whole.properties[index];
            counts.count(*expected);
            let context = || {
                format!(
                    "seed {seed}, {fairness:?}: {name}\nengine: {}\noracle: {expected:?}\n{text}\n{options:#?}",
                    judged.words()
                )
            };
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
    counts
}

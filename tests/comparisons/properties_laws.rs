//! Formulas that mean the same have the same verdict, from the engine and from the oracle: random formulas, rewritten
//! by laws of linear temporal logic, on random scenes, under each fairness. What holds in more runs holds in fewer.

use map_testkit::oracle::{Judgement, OracleOptions, Vocabulary, judge_formulas};
use map_testkit::scenes::random_formula;
use map_testkit::temporal::Runs;
use map_tests::compiled::CompiledScene;
use map_tests::engines::{NoWatch, judging};
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_verify::{Fairness, PropertyOptions, PropertyVerdict, Reductions, verify_properties};

/// Two ways to write the same; `F` and `G` stand for any formulas. Operators like `next` extend as far as they can.
const LAWS: [(&str, &str); 36] = [
    // What has ended stays so.
    ("eventually ended", "always eventually ended"),
    ("eventually ended", "eventually always ended"),
    ("eventually ended", "not always not ended"),
    ("eventually F", "not always not F"),
    ("always F", "not eventually not F"),
    ("never F", "always not F"),
    ("eventually F", "F or next eventually F"),
    ("always F", "F and next always F"),
    ("always F", "not (not F or next eventually not F)"),
    ("eventually F", "not (not F and next always not F)"),
    ("eventually eventually F", "eventually F"),
    ("always always F", "always F"),
    ("always eventually always F", "eventually always F"),
    ("eventually always eventually F", "always eventually F"),
    ("always eventually F", "always next eventually F"),
    ("eventually always F", "eventually next always F"),
    ("next not F", "not next F"),
    ("next (F and G)", "(next F) and (next G)"),
    ("next (F or G)", "(next F) or (next G)"),
    ("next eventually F", "eventually next F"),
    ("next always F", "always next F"),
    ("always (F and G)", "(always F) and (always G)"),
    ("eventually (F or G)", "(eventually F) or (eventually G)"),
    ("always eventually (F or G)", "(always eventually F) or (always eventually G)"),
    ("eventually always (F and G)", "(eventually always F) and (eventually always G)"),
    ("F until G", "G or (F and next (F until G))"),
    ("F until G", "(F unless G) and eventually G"),
    ("F until (F until G)", "F until G"),
    ("(F until G) until G", "F until G"),
    ("next (F until G)", "(next F) until (next G)"),
    ("F unless G", "not ((not G) until (not F and not G))"),
    ("F unless G", "(F until G) or always F"),
    ("not (F until G)", "(not G) unless (not F and not G)"),
    ("F leadsto G", "always (not F or eventually G)"),
    ("F leadsto G", "not eventually (F and always not G)"),
    ("1 == 1 until F", "eventually F"),
];

/// Pairs for each scene.
const PAIRS: u64 = 8;

/// Each fairness of the engine and of the oracle; the runs that count are more and more.
const FAIRNESS: [(Fairness, Runs); 3] =
    [(Fairness::Fair, Runs::Drawn), (Fairness::Weak, Runs::Fair), (Fairness::None, Runs::All)];

/// More states than are searched of a scene.
const ENOUGH: usize = 4_000;

pub(crate) const COMPARISON: Comparison = Comparison {
    name: "properties-laws",
    kind: Kind::Any,
    scenes: 120,
    compare,
    enough: |counts, scenes| {
        let [pairs, holding] = [counts.of("pairs"), counts.of("holding")];
        pairs > 3 * scenes
            && (pairs / 10..pairs * 9 / 10).contains(&holding)
            && counts.of("by the oracle") * 20 > pairs
            && counts.of("of which one is only possibly violated") * 20 < pairs
    },
};

/// The pairs of formulas for a scene.
fn pairs(words: &Vocabulary, seed: u64) -> Vec<[String; 2]> {
    let plain = |formula: &String| {
        ["possible", "$", "precedes", "forall", "exists"].iter().all(|word| !formula.contains(word))
    };
    let mut formulas = (0..1_000).map(|index| random_formula(words, seed * 1_000 + index)).filter(plain);
    let mut pairs = Vec::new();
    for number in 0..PAIRS {
        let (left, right) = LAWS[(seed * PAIRS + number) as usize % LAWS.len()];
        let f = formulas.next().unwrap_or_else(|| "ended".to_owned());
        let g = formulas.next().unwrap_or_else(|| "ended".to_owned());
        let written = |law: &str| {
            let parts = law.chars().map(|letter| match letter {
                'F' => format!("({f})"),
                'G' => format!("({g})"),
                letter => letter.to_string(),
            });
            parts.collect()
        };
        pairs.push([written(left), written(right)]);
    }
    pairs
}

fn compare(random: &Scene, counts: &mut Counts) {
    let seed = random.seed;
    let options = OracleOptions { max_states: ENOUGH, ..random.options.clone() };
    let mut written = Vec::new();
    let texts = |words: &Vocabulary| {
        written = pairs(words, seed);
        written.iter().flatten().cloned().collect()
    };
    let Some(scene) = CompiledScene::of(&random.file, &options, texts) else { return };
    let at = |text: &String| scene.texts.iter().position(|known| known == text);
    let pairs = written.iter().filter_map(|[left, right]| Some([at(left)?, at(right)?]));
    let pairs: Vec<[usize; 2]> = pairs.collect();
    let mut before: Vec<Option<PropertyVerdict>> = vec![None; scene.texts.len()];
    for (fairness, runs) in FAIRNESS {
        let context = |of: &str| format!("{of}; {fairness:?}: {:#?}", scene.texts);
        let how = PropertyOptions { reductions: Reductions::NONE, ..judging(ENOUGH, fairness) };
        let report = verify_properties(&scene.program, &scene.properties, &scene.bounds, &how, &mut NoWatch)
            .unwrap_or_else(|error| panic!("{}", context(&error.to_string())));
        // Behind a cut nothing is known: what follows from a prefix alone may be known in one way of writing only.
        if report.limit.is_some() || !report.cut_by.is_empty() {
            return;
        }
        for (judged, before) in report.properties.iter().zip(&mut before) {
            let now = Some(judged.verdict).filter(|verdict| *verdict != PropertyVerdict::Inconclusive);
            let violated = *before == Some(PropertyVerdict::Violated);
            assert!(!violated || now != Some(PropertyVerdict::Holds), "{}", context(&judged.name));
            *before = now;
        }
        // The oracle is slow.
        let oracle = seed
            .is_multiple_of(4)
            .then(|| judge_formulas(&random.file, &options, runs, &scene.formulas))
            .flatten();
        for &[left, right] in &pairs {
            let [one, other] = [&report.properties[left], &report.properties[right]];
            if [one.verdict, other.verdict].contains(&PropertyVerdict::Inconclusive) {
                continue;
            }
            // That a violation rests on no open comparison is seen more often of `eventually` than of other nestings.
            assert!(
                one.verdict == other.verdict,
                "{}",
                context(&format!("{}\nand {}", one.name, other.name))
            );
            let one_is_possible = one.possible != other.possible;
            counts.add("of which one is only possibly violated", u8::from(one_is_possible));
            counts.one("pairs");
            counts.add("holding", u8::from(one.verdict == PropertyVerdict::Holds));
            let judged = oracle.as_ref().map(|all| [left, right].map(|index| violated(all[index])));
            if let Some([Some(one), Some(other)]) = judged {
                assert_eq!(one, other, "{}", context(&format!("oracle: {left} and {right}")));
                counts.one("by the oracle");
            }
        }
    }
}

/// Whether the oracle finds a formula violated; `None` if it does not judge it.
fn violated(judgement: Judgement) -> Option<bool> {
    match judgement {
        Judgement::Holds(_) | Judgement::Shown(_) => Some(false),
        Judgement::Violated(_) => Some(true),
        Judgement::NotJudged => None,
    }
}

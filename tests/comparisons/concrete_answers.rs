//! Unknown answers against known ones: each procedure without a body of a random scene gets a few answers instead, of
//! every kind that is not assumed away. What goes wrong with these is among what is found possible without knowing
//! them; what is certain without knowing them happens with any. So it is with random scenes, with those of the library,
//! and with random properties of random scenes.

use std::fs;
use std::path::Path;

use map_diagnostics::SourceFile;
use map_ir::{Body, Domain, ExpressionKind, NameId, ProcedureId, Program, TextId, Value};
use map_testkit::oracle::{OracleOptions, Vocabulary};
use map_testkit::scenes::{Random, random_formula};
use map_tests::compiled::CompiledScene;
use map_tests::engines::{NoWatch, judging, search};
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_tests::seeds::for_each_seed;
use map_tests::settings::setting;
use map_verify::{
    Fairness, PropertyReport, PropertyVerdict, Report, Verdict, ViolationKind, verify_properties,
};

/// How many sets of answers each scene is tried with.
const TRIES: u64 = 3;

const ON_ANY: Comparison = Comparison {
    name: "concrete-answers",
    kind: Kind::Any,
    scenes: 250,
    compare,
    enough: |counts, scenes| {
        let often = |name: &str| counts.of(name) * 20 > scenes;
        counts.of("searches") * 2 > scenes && often("violated") && often("possible") && often("certain")
    },
};

pub(crate) const COMPARISONS: [Comparison; 3] = [
    ON_ANY,
    Comparison { name: "concrete-answers-computed-with", kind: Kind::Computing, ..ON_ANY },
    Comparison {
        name: "concrete-answers-and-properties",
        kind: Kind::Any,
        scenes: 250,
        compare: compare_properties,
        enough: |counts, scenes| {
            let [compared, holding] = [counts.of("compared"), counts.of("holding")];
            compared > scenes && (compared / 10..compared * 9 / 10).contains(&holding)
        },
    },
];

/// A few values of the kinds that an answer may have.
fn answers(random: &mut Random, program: &Program, is_number: bool) -> Vec<Value> {
    let numbers = [-1, 0, 0, 1, 2, 3].map(Value::Integer);
    let names = (0..program.names.len()).map(|name| Value::Name(NameId::new(name)));
    let texts = (0..program.texts.len()).map(|text| Value::Text(TextId::new(text)));
    let mut pool: Vec<Value> = numbers.to_vec();
    if !is_number {
        pool.extend(names.chain(texts));
    }
    let mut chosen: Vec<Value> = (0..1 + random.below(3)).map(|_| pool[random.below(pool.len())]).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// The program with answers in place of all that are unknown; `None` if none is.
fn with_answers(program: &Program, random: &mut Random) -> Option<Program> {
    let numbers = program.assumed_numbers();
    let mut known = program.clone();
    let mut replaced = false;
    for index in 0..program.procedures.len() {
        if program.procedures[index].body == Body::Abstract {
            let is_number = numbers.contains(&ProcedureId::new(index));
            known.procedures[index].body = Body::In(Domain::uniform(answers(random, program, is_number)));
            replaced = true;
        }
    }
    replaced.then_some(known)
}

/// Whether the text has integers so large that computing with small answers may pass 64 bits, which is assumed away.
fn is_large(program: &Program) -> bool {
    program.expressions.iter().any(|expression| match expression.kind {
        ExpressionKind::Constant(Value::Integer(number)) => number.unsigned_abs() > 1 << 20,
        _ => false,
    })
}

/// The length of the shortest violation of a kind, and whether it is only possible.
fn shortest(report: &Report, kind: ViolationKind) -> Option<(usize, bool)> {
    let violation = report.violations.iter().find(|violation| violation.kind == kind)?;
    Some((violation.steps, violation.possible))
}

/// What contradicts the report of the search without knowing the answers, in one with known ones.
fn contradiction(unknown: &Report, known: &Report) -> Option<String> {
    for violation in &known.violations {
        // That unknown values do not come out one way for ever is an assumption, which the verdict names.
        if violation.kind == ViolationKind::Livelock && unknown.compared {
            continue;
        }
        let found = shortest(unknown, violation.kind);
        if found.is_none_or(|(steps, _)| steps > violation.steps) {
            return Some(format!("{:?} after {} steps, not {found:?}", violation.kind, violation.steps));
        }
    }
    for violation in unknown.violations.iter().filter(|violation| !violation.possible) {
        let found = shortest(known, violation.kind);
        if found.is_none_or(|(steps, _)| steps > violation.steps) {
            return Some(format!(
                "{:?} is certain after {} steps: {found:?}",
                violation.kind, violation.steps
            ));
        }
    }
    (unknown.verdict == Verdict::Terminates && known.verdict != Verdict::Terminates)
        .then(|| format!("terminates, it was said: {:?}", known.verdict))
}

/// The scene with unknown answers against itself with known ones, drawn by the seed.
fn compare(scene: &Scene, counts: &mut Counts) {
    let program = &scene.program;
    // With a bound on the rounds of a constant, an answer that is this constant counts, and an unknown one does not.
    let options = OracleOptions { max_states: 3_000, rounds_of: Vec::new(), ..scene.options.clone() };
    let report = |program: &Program| search(program, &options).unwrap_or_else(|error| panic!("{error}"));
    let mut unknown = None;
    for number in 0..TRIES {
        let mut random = Random::new(scene.seed, 100 + number);
        let Some(with_known) = with_answers(program, &mut random) else { break };
        let unknown = unknown.get_or_insert_with(|| report(program));
        if !unknown.searched || unknown.limit.is_some() || is_large(program) {
            break;
        }
        let known = report(&with_known);
        if !known.searched || known.limit.is_some() {
            continue;
        }
        counts.one("searches");
        counts.add("violated", u8::from(!known.violations.is_empty()));
        for violation in &unknown.violations {
            counts.one(if violation.possible { "possible" } else { "certain" });
        }
        if let Some(what) = contradiction(unknown, &known) {
            panic!("answers {number}: {what}\n{:?}", answers_of(&with_known));
        }
    }
}

fn answers_of(program: &Program) -> Vec<&Body> {
    program.procedures.iter().map(|procedure| &procedure.body).collect()
}

/// Scenes that people wrote: every file of the library with an unknown answer in it, with small casts.
#[test]
fn the_library() {
    let first = setting("MAP_SEED").unwrap_or(1);
    let protocols = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocols");
    let folders = fs::read_dir(protocols).expect("the library is there").flatten();
    let files = folders.filter_map(|folder| fs::read_dir(folder.path()).ok()).flat_map(Iterator::flatten);
    let mut files: Vec<_> = files.map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "map"));
    files.sort();
    let all = for_each_seed(files.len() as u64, 0, |index| {
        let text = fs::read_to_string(&files[index as usize]).expect("it can be read");
        let file = map_syntax::parse(&SourceFile::new("scene.map", &*text)).file;
        let scenes: Vec<Option<String>> = file.scenes().map(|scene| Some(scene.name.text.clone())).collect();
        let compared = scenes.into_iter().map(|scene| {
            let scene =
                Scene::new(first + index, text.clone(), OracleOptions { scene, ..OracleOptions::new(3_000) });
            let mut counts = Counts::default();
            compare(&scene, &mut counts);
            counts.of("searches")
        });
        compared.sum::<u64>()
    });
    let searches: u64 = all.iter().sum();
    println!("{searches} searches with known answers, of {} files, from seed {first}", files.len());
    assert!(searches > 50, "only {searches} searches");
}

/// What holds, or is violated with certainty, without knowing the answers is so with any.
fn compare_properties(scene: &Scene, counts: &mut Counts) {
    let seed = scene.seed;
    let options = OracleOptions { rounds_of: Vec::new(), ..scene.options.clone() };
    let formulas = |words: &Vocabulary| {
        let random = (0..8).map(|index| random_formula(words, seed * 8 + index));
        random.filter(|formula| !formula.contains("possible")).collect()
    };
    let Some(scene) = CompiledScene::of(&scene.file, &options, formulas) else { return };
    let judge = |program: &Program, fairness| -> Option<PropertyReport> {
        let how = judging(3_000, fairness);
        let report = verify_properties(program, &scene.properties, &scene.bounds, &how, &mut NoWatch);
        let report = report.unwrap_or_else(|error| panic!("{error}"));
        (report.limit.is_none() && report.cut_by.is_empty()).then_some(report)
    };
    for fairness in [Fairness::Fair, Fairness::None] {
        let Some(unknown) = judge(&scene.program, fairness) else { continue };
        // That unknown values do not come out one way for ever is an assumption of fair runs, which the verdict names.
        if is_large(&scene.program) || (fairness == Fairness::Fair && unknown.open) {
            continue;
        }
        for number in 0..TRIES {
            let mut random = Random::new(seed, 200 + number);
            let Some(with_known) = with_answers(&scene.program, &mut random) else { break };
            let Some(known) = judge(&with_known, fairness) else { continue };
            for ((text_of_it, unknown), known) in
                scene.texts.iter().zip(&unknown.properties).zip(&known.properties)
            {
                let certain = match unknown.verdict {
                    PropertyVerdict::Holds => true,
                    PropertyVerdict::Violated => !unknown.possible,
                    _ => false,
                };
                if !certain || known.verdict == PropertyVerdict::Inconclusive {
                    continue;
                }
                counts.one("compared");
                counts.add("holding", u8::from(unknown.verdict == PropertyVerdict::Holds));
                assert!(
                    known.verdict == unknown.verdict,
                    "answers {number}, {fairness:?}: {text_of_it} is {:?}, with known answers {:?}\n{:?}",
                    unknown.verdict,
                    known.verdict,
                    answers_of(&with_known)
                );
            }
        }
    }
}

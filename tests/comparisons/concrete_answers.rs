//! Unknown answers against known ones: each procedure without a body of a random scene gets a few answers instead, of
//! every kind that is not assumed away. What goes wrong with these is among what is found possible without knowing
//! them; what is certain without knowing them happens with any. So it is with random scenes, with those of the library,
//! and with random properties of random scenes.
//!
//! `MAP_SCENES=N` sets how many scenes, `MAP_SEED=S` where the seeds start. A failure prints the seed, the scene and
//! the answers.

use std::fs;
use std::path::Path;

use map_diagnostics::SourceFile;
use map_ir::{Body, ExpressionKind, NameId, ProcedureId, Program, TextId, Value};
use map_testkit::oracle::{OracleOptions, Vocabulary};
use map_testkit::scenes::{
    Random, any_scene, chatty_scene, computing_scene, random_formula, random_options, random_scene,
};
use map_tests::compiled::Compiled;
use map_tests::engines::{Unwatched, judging, program, search};
use map_tests::seeds::for_each_seed;
use map_tests::settings::setting;
use map_verify::{
    Fairness, PropertyReport, PropertyVerdict, Report, Verdict, ViolationKind, verify_properties,
};

/// How many sets of answers each scene is tried with.
const TRIES: u64 = 3;

/// What came of one scene.
#[derive(Default)]
struct Compared {
    /// Searches with known answers that were complete.
    searches: u64,
    /// Among them, with a violation.
    violated: u64,
    /// Violations that are only possible without knowing the answers.
    possible: u64,
    /// Certain violations, found again.
    certain: u64,
}

/// The scene and the options of a seed.
fn scene(seed: u64) -> (String, OracleOptions) {
    let (text, options) =
        if seed.is_multiple_of(4) { (chatty_scene(seed), random_options(seed)) } else { any_scene(seed) };
    // With a bound on the rounds of a constant, an answer that is this constant counts, and an unknown one does not.
    (text, OracleOptions { max_states: 3_000, rounds_of: Vec::new(), ..options })
}

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
            known.procedures[index].body = Body::In(answers(random, program, is_number));
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

fn compare(seed: u64) -> Compared {
    let (text, options) = scene(seed);
    compare_scene(&text, &options, seed)
}

/// The scene with unknown answers against itself with known ones, drawn by the seed.
fn compare_scene(text: &str, options: &OracleOptions, seed: u64) -> Compared {
    let mut compared = Compared::default();
    let source = SourceFile::new("scene.map", text);
    let program = program(&source, options).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    let report = |program: &Program| {
        search(program, options).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}\n{options:#?}"))
    };
    let mut unknown = None;
    for number in 0..TRIES {
        let mut random = Random::new(seed, 100 + number);
        let Some(with_known) = with_answers(&program, &mut random) else { break };
        let unknown = unknown.get_or_insert_with(|| report(&program));
        if !unknown.searched || unknown.limit.is_some() || is_large(&program) {
            break;
        }
        let known = report(&with_known);
        if !known.searched || known.limit.is_some() {
            continue;
        }
        compared.searches += 1;
        compared.violated += u64::from(!known.violations.is_empty());
        compared.possible += unknown.violations.iter().filter(|violation| violation.possible).count() as u64;
        compared.certain += unknown.violations.iter().filter(|violation| !violation.possible).count() as u64;
        if let Some(what) = contradiction(unknown, &known) {
            let answers = answers_of(&with_known);
            panic!("seed {seed}, answers {number}: {what}\n{text}\n{options:#?}\n{answers:?}");
        }
    }
    compared
}

fn answers_of(program: &Program) -> Vec<&Body> {
    program.procedures.iter().map(|procedure| &procedure.body).collect()
}

#[test]
fn what_goes_wrong_with_known_answers_is_possible_with_unknown_ones() {
    compare_scenes(400, compare);
}

/// Scenes that compute with the answers and compare them.
#[test]
fn what_is_computed() {
    compare_scenes(1_000, |seed| compare_scene(&computing_scene(seed), &OracleOptions::new(3_000), seed));
}

fn compare_scenes(usual: u64, compare: impl Fn(u64) -> Compared + Sync) {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(usual), setting("MAP_SEED").unwrap_or(1));
    println!("{count} scenes from seed {first}");
    let all = for_each_seed(count, first, compare);
    let sum = |of: fn(&Compared) -> u64| all.iter().map(of).sum::<u64>();
    let (searches, violated) = (sum(|it| it.searches), sum(|it| it.violated));
    let (possible, certain) = (sum(|it| it.possible), sum(|it| it.certain));
    println!(
        "{searches} searches with known answers, {violated} violated; {possible} possible and {certain} certain violations without"
    );
    assert!(searches * 2 > count && violated * 20 > count, "too few scenes show anything");
    assert!(possible * 20 > count && certain * 20 > count, "too few scenes show anything");
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
            let options = OracleOptions { scene, max_states: 3_000, ..OracleOptions::new(3_000) };
            compare_scene(&text, &options, first + index)
        });
        compared.map(|it| it.searches).sum::<u64>()
    });
    let searches: u64 = all.iter().sum();
    println!("{searches} searches with known answers, of {} files, from seed {first}", files.len());
    assert!(searches > 50, "only {searches} searches");
}

/// How many verdicts on properties of a scene were compared, and of how many the formula holds without knowing answers.
fn compare_properties(seed: u64) -> (u64, u64) {
    let text = random_scene(seed);
    let options = OracleOptions { rounds_of: Vec::new(), ..random_options(seed) };
    let formulas = |words: &Vocabulary| {
        let random = (0..8).map(|index| random_formula(words, seed * 8 + index));
        random.filter(|formula| !formula.contains("possible")).collect()
    };
    let Some(scene) = Compiled::new(&text, &options, formulas) else { return (0, 0) };
    let judge = |program: &Program, fairness| -> Option<PropertyReport> {
        let how = judging(3_000, fairness);
        let report = verify_properties(program, &scene.properties, &scene.bounds, &how, &mut Unwatched);
        let report = report.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}\n{options:#?}"));
        (report.limit.is_none() && report.cut_by.is_empty()).then_some(report)
    };
    let (mut compared, mut holding) = (0, 0);
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
                compared += 1;
                holding += u64::from(unknown.verdict == PropertyVerdict::Holds);
                assert!(
                    known.verdict == unknown.verdict,
                    "seed {seed}, answers {number}, {fairness:?}: {text_of_it} is {:?}, with known answers {:?}\n{text}\n\
                     {options:#?}\n{:?}",
                    unknown.verdict,
                    known.verdict,
                    answers_of(&with_known)
                );
            }
        }
    }
    (compared, holding)
}

#[test]
fn what_holds_without_knowing_the_answers_holds_with_any() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(300), setting("MAP_SEED").unwrap_or(1));
    let all = for_each_seed(count, first, compare_properties);
    let (compared, holding) =
        all.iter().fold((0, 0), |(compared, holding), (all, held)| (compared + all, holding + held));
    println!("{count} scenes from seed {first}: {compared} verdicts on properties compared, {holding} hold");
    assert!(
        compared > count && holding * 10 > compared && holding * 10 < compared * 9,
        "too little was compared"
    );
}

//! Unknown answers against known ones: each procedure without a body of a random scene gets a few answers instead, of
//! every kind that is not assumed away. What goes wrong with these is among what is found possible without knowing
//! them; what is certain without knowing them happens with any.
//!
//! `MAP_SCENES=N` sets how many scenes, `MAP_SEED=S` where the seeds start. A failure prints the seed, the scene and the
//! answers.

use map_diagnostics::SourceFile;
use map_ir::{Body, ExpressionKind, NameId, ProcedureId, Program, TextId, Value};
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{Random, any_scene, chatty_scene, random_options};
use map_tests::engines::{program, search};
use map_tests::seeds::for_each_seed;
use map_tests::settings::setting;
use map_verify::{Report, Verdict, ViolationKind};

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
    let mut compared = Compared::default();
    let (text, options) = scene(seed);
    let source = SourceFile::new("scene.map", &text);
    let program = program(&source, &options).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    let report = |program: &Program| {
        search(program, &options).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}\n{options:#?}"))
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
            let answers: Vec<&Body> = with_known.procedures.iter().map(|procedure| &procedure.body).collect();
            panic!("seed {seed}, answers {number}: {what}\n{text}\n{options:#?}\n{answers:?}");
        }
    }
    compared
}

#[test]
fn what_goes_wrong_with_known_answers_is_possible_with_unknown_ones() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(400), setting("MAP_SEED").unwrap_or(1));
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

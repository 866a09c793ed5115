//! Verdicts on random properties of random scenes: the engine against the oracle.
//!
//! `MAP_SCENES=N` sets how many scenes, `MAP_SEED=S` where the seeds start. A failure prints the seed, the property and
//! the scene.

use map_check::{CastOverride, CheckOptions, check, check_formula};
use map_compile::{PropertyCompiler, compile};
use map_diagnostics::SourceFile;
use map_testkit::oracle::{Judgement, OracleOptions, judge_formulas, vocabulary};
use map_testkit::scenes::{random_formula, random_options, random_scene};
use map_tests::engines::{Unwatched, bounds, limits};
use map_tests::settings::setting;
use map_verify::{Fairness, Judged, PropertyVerdict, verify_properties};

/// Formulas for each scene.
const FORMULAS: u64 = 12;

/// The most states of a scene that is looked at: the oracle searches them again and again.
const MAX_STATES: usize = 400;

#[derive(Default)]
struct Counts {
    compared: u64,
    holds: u64,
    violated: u64,
    shown: u64,
    refused: u64,
    not_judged: u64,
}

#[test]
fn on_random_scenes() {
    let (scenes, first) = (setting("MAP_SCENES").unwrap_or(300), setting("MAP_SEED").unwrap_or(1));
    let mut counts = Counts::default();
    for seed in first..first + scenes {
        compare(seed, &mut counts);
    }
    let Counts { compared, holds, violated, shown, refused, not_judged } = counts;
    println!(
        "{scenes} scenes from seed {first}: {compared} properties compared ({holds} hold, {violated} are violated, {shown} \
         shown possible), {refused} refused, {not_judged} not judged by the oracle"
    );
    assert!(compared > 2 * scenes, "only {compared} compared");
    assert!(holds.min(violated) * 10 > compared, "hardly any variety: {holds} hold, {violated} are violated");
}

fn compare(seed: u64, counts: &mut Counts) {
    let text = random_scene(seed);
    let options = OracleOptions { max_states: MAX_STATES, ..random_options(seed) };
    let source = SourceFile::new("scene.map", text.as_str());
    let parsed = map_syntax::parse(&source);
    let agents = options
        .agents
        .iter()
        .map(|(name, count)| CastOverride { name: name.clone(), count: i64::from(*count) });
    let check_options = CheckOptions { scene: options.scene.clone(), agents: agents.collect() };
    let (checked, errors) = check(&parsed.file, &check_options);
    let Some(checked) = checked else { panic!("seed {seed}: {errors:?}\n{text}") };
    let words = vocabulary(&parsed.file, &options);
    if words.agents.is_empty() {
        return;
    }
    let mut program = compile(&checked);
    let mut compiler = PropertyCompiler::new(&checked, &mut program);
    let (mut names, mut formulas) = (Vec::new(), Vec::new());
    for index in 0..FORMULAS {
        let name = random_formula(&words, seed * FORMULAS + index);
        let formula = map_syntax::parse_formula(&SourceFile::new("formula", name.as_str()))
            .unwrap_or_else(|errors| panic!("seed {seed}: {name}: {errors:?}"));
        let errors = check_formula(&checked, &formula);
        // Comparisons of constants of different kinds are errors that the generator does not avoid.
        if !errors.is_empty() || compiler.add(&name, &formula).is_err() {
            counts.refused += 1;
            continue;
        }
        names.push(name);
        formulas.push(formula);
    }
    let properties = compiler.finish();
    let Some(expected) = judge_formulas(&parsed.file, &options, &formulas) else { return };
    let limits = limits(usize::MAX);
    let bounds = bounds(&program, &options);
    let report = verify_properties(&program, &properties, &bounds, &limits, Fairness::Fair, &mut Unwatched)
        .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{names:#?}\n{text}"));
    for ((name, judged), expected) in names.iter().zip(&report.properties).zip(&expected) {
        counts.compared += 1;
        match expected {
            Judgement::Holds => counts.holds += 1,
            Judgement::Violated(_) => counts.violated += 1,
            Judgement::Shown(_) => counts.shown += 1,
            Judgement::NotJudged => {
                counts.compared -= 1;
                counts.not_judged += 1;
                continue;
            }
        }
        assert!(
            agrees(judged, *expected),
            "seed {seed}: {name}\nengine: {:?} after {:?}\noracle: {expected:?}\n{text}\n{options:#?}",
            judged.verdict,
            steps(judged)
        );
    }
}

fn steps(judged: &Judged) -> Option<u32> {
    judged.shown.as_ref().map(|run| run.trace.steps.len() as u32)
}

fn agrees(judged: &Judged, expected: Judgement) -> bool {
    // The last moment of a shortest run may be one at which it stays where it is. The oracle counts it, but it is no step.
    let same_length = |wanted: Option<u32>| {
        wanted.is_none() || steps(judged) == wanted || steps(judged).map(|it| it + 1) == wanted
    };
    match expected {
        Judgement::Holds => judged.verdict == PropertyVerdict::Holds,
        Judgement::Violated(wanted) => judged.verdict == PropertyVerdict::Violated && same_length(wanted),
        Judgement::Shown(wanted) => judged.verdict == PropertyVerdict::Holds && same_length(wanted),
        Judgement::NotJudged => true,
    }
}

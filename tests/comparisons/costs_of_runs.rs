//! What runs of the library cost lies within the bounds that are proved.

use std::ops::ControlFlow;
use std::sync::Arc;

use map_check::BUILT_IN_COSTS;
use map_diagnostics::SourceFile;
use map_flags::{Expectation, SearchArgs, said};
use map_ir::Value;
use map_library::{PROTOCOLS, Version};
use map_semantics::{Measuring, SceneStep};
use map_session::{Collect, PropertySelection, Scene, compile};
use map_simulate::{EndWord, SimulationOptions, seed_of_run, simulate};
use map_tests::engines::{NoWatch, judging};
use map_tests::settings::setting;
use map_verify::{CostRange, Fairness, MostCost, verify_costs};

/// How many runs of each scene, unless `MAP_RUNS` says it.
const RUNS: u64 = 50;

/// More states than any search of such a scene has.
const ENOUGH: usize = 200_000;

/// A run without end pays more and more; one that is proved to end is much shorter.
const MAX_STEPS: u64 = 1_000;

#[test]
fn no_run_costs_less_or_more_than_is_proved() {
    let (mut scenes, mut at_most) = (0, 0);
    for version in PROTOCOLS.iter().flat_map(|protocol| protocol.versions()) {
        for args in of_one_number(version) {
            let Some(scene) = scene(version, &args) else { continue };
            let reached = runs_are_within(&scene, &format!("{} {}", version.name, args_in_words(&args)));
            scenes += 1;
            at_most += usize::from(reached);
        }
    }
    assert!(scenes >= 14 && at_most * 3 > scenes, "{scenes} scenes, {at_most} with a run at the most");
}

/// The flags of the `//@ verify` lines of a text that give each role one number of agents.
fn of_one_number(version: &Version) -> Vec<SearchArgs> {
    let lines = said(version.text).filter_map(|line| line.words.strip_prefix("verify"));
    let read = lines.flat_map(|line| Expectation::read(line).expect("the lines of the library are right"));
    read.map(|it| it.args).filter(|args| args.scene.any().is_ok_and(|any| any.is_empty())).collect()
}

fn args_in_words(args: &SearchArgs) -> String {
    args.scene.agents.iter().map(|cast| format!("--agents {cast}")).collect::<Vec<_>>().join(" ")
}

/// The scene, with all its costs collected and those that every text has; `None` if it declares none.
fn scene(version: &Version, args: &SearchArgs) -> Option<Scene> {
    let parsed = map_syntax::parse(&SourceFile::new("text.map", version.text));
    let mut costs: Vec<String> = parsed.file.costs().map(|cost| cost.name.text.clone()).collect();
    if costs.is_empty() {
        return None;
    }
    costs.extend(BUILT_IN_COSTS.map(str::to_owned));
    let source = Arc::new(SourceFile::new(format!("{}.map", version.name), version.text));
    let options = args.scene.to_options().expect("the lines of the library are right");
    let only = ["none of its properties".to_owned()];
    let wanted = PropertySelection::Properties {
        only: &only,
        given: &[],
        collect: Collect { given: &costs, declared: false },
    };
    let compiled = compile(&source, &options, wanted);
    let bounds = args.bounds.resolve(compiled.program.as_deref().expect("it is right"));
    compiled.scene(bounds.expect("the lines of the library are right"))
}

/// What is proved of each cost.
fn proved(scene: &Scene) -> Vec<CostRange> {
    let costs = &scene.properties.costs.compiled;
    let how = judging(ENOUGH, Fairness::Fair);
    let report =
        verify_costs(&scene.program, costs, &scene.bounds, &how, &mut NoWatch).expect("no contradiction");
    assert!(report.searched, "{:?}", report.limit);
    report.costs.iter().map(|cost| cost.total).collect()
}

/// How a run ends and what it has paid then, wherever it was broken off.
fn paid(scene: &Scene, seed: u64) -> (EndWord, Vec<i64>) {
    let measures = &scene.properties.measures.compiled;
    let mut measuring = Measuring::new(&scene.program, &scene.bounds, measures);
    let options = SimulationOptions {
        seed,
        yes: 0.5,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: MAX_STEPS,
        loss: 0.1,
        crash: 0.1,
    };
    let run = simulate(&scene.program, &scene.bounds, &options, &mut |seen| {
        if seen.observed.result == SceneStep::Made {
            measuring.see(seen.step.agent, &seen.observed.outcome);
        }
        ControlFlow::Continue(())
    });
    let values = measuring.read(run.state.as_ref().expect("the first state is fine"));
    let integer = |value: Option<Value>| match value {
        Some(Value::Integer(paid)) => paid,
        other => panic!("a cost is an integer, not {other:?}"),
    };
    (EndWord::of(&run), values.into_iter().map(integer).collect())
}

/// Whether some run costs as much as is proved to be the most.
fn runs_are_within(scene: &Scene, name: &str) -> bool {
    let proved = proved(scene);
    let mut reached = false;
    for number in 0..setting("MAP_RUNS").unwrap_or(RUNS) {
        let seed = seed_of_run(setting("MAP_SEED").unwrap_or(1), number);
        let (end, paid) = paid(scene, seed);
        for (bounds, paid) in proved.iter().zip(&paid) {
            let is_enough = end != EndWord::Done || bounds.least.is_some_and(|least| *paid >= least);
            let is_allowed = match bounds.most {
                MostCost::Bounded(most) => *paid <= most,
                MostCost::Unbounded => true,
                MostCost::TooMuch => false,
            };
            assert!(is_enough && is_allowed, "{name}, seed {seed}: {paid}, proved {bounds:?}, {end:?}");
            reached |= bounds.most == MostCost::Bounded(*paid);
        }
    }
    reached
}

//! What holds at the moments of simulated runs, where moments that look alike are evaluated once, is what holds when
//! each is evaluated.

use std::ops::ControlFlow;

use map_semantics::{Letter, Moments, Outcome, SceneState, SceneStep, Watch};
use map_simulate::{SimulationOptions, simulate};
use map_testkit::scenes::{random_formula, random_formula_about_several};
use map_tests::compiled::CompiledScene;
use map_tests::random::{Comparison, Counts, Kind, Scene};

pub(crate) const COMPARISON: Comparison =
    Comparison { name: "moments", kind: Kind::Any, scenes: 60, compare, enough };

/// The random formulas of each scene.
const FORMULAS: u64 = 4;

/// The runs of each scene.
const RUNS: u64 = 3;

/// More steps of a run show nothing new.
const MAX_STEPS: u64 = 150;

fn enough(counts: &Counts, scenes: u64) -> bool {
    let [moments, with_monitors] = ["moments", "with monitors"].map(|name| counts.of(name));
    let is_varied = with_monitors * 10 > moments && with_monitors * 10 < moments * 9;
    moments > 20 * scenes && is_varied && counts.of("changes") * 5 > moments
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let texts = |words: &_| {
        let random = |index: u64| match index % 2 {
            0 => random_formula(words, scene.seed * FORMULAS + index),
            _ => random_formula_about_several(words, scene.seed * FORMULAS + index),
        };
        (0..FORMULAS).map(random).collect()
    };
    let Some(compiled) = CompiledScene::of(&scene.file, &scene.options, texts) else { return };
    let CompiledScene { program, bounds, properties, .. } = &compiled;
    for number in 0..RUNS {
        let options = SimulationOptions {
            seed: scene.seed * RUNS + number,
            yes: 0.5,
            yes_of: Vec::new(),
            truthful: false,
            max_steps: MAX_STEPS,
            loss: 0.1,
            crash: 0.1,
        };
        let mut moments = Moments::new(program, bounds, properties);
        let mut watch = Watch::new(program, bounds, properties);
        let mut letters: Vec<Letter> = Vec::new();
        let mut made: Option<(_, Outcome)> = None;
        let mut see = |made: Option<(_, Outcome)>, state: &SceneState| {
            letters.push(watch.see(made.as_ref().map(|(agent, outcome)| (*agent, outcome)), state));
        };
        let run = simulate(program, bounds, &options, &mut |seen| {
            see(made.take(), seen.scene);
            moments.see(seen.scene);
            if seen.observed.result == SceneStep::Made {
                let (agent, outcome) = (seen.step.agent, &seen.observed.outcome);
                moments.step(agent, outcome);
                made = Some((agent, outcome.clone()));
            }
            ControlFlow::Continue(())
        });
        let Some(state) = &run.state else { continue };
        see(made, state);
        moments.see(state);
        let context = || format!("{:?}, seed {}\n{scene}", compiled.texts, options.seed);
        assert!(moments.letters().eq(&letters), "{}", context());
        let changes = letters.windows(2).filter(|two| two[0] != two[1]).count();
        assert_eq!(*moments.staying(state), watch.see(None, state), "{}", context());
        counts.add("moments", letters.len());
        counts.add("changes", changes);
        if !properties.monitors.is_empty() {
            counts.add("with monitors", letters.len());
        }
    }
}

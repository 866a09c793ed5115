//! What is said of a scene after some random steps, against what the oracle finds from the state that they lead to.

use map_ir::{Program, Properties};
use map_semantics::{
    Action, Bounds, InitialChoices, Outcome, Prefix, SceneState, Status, Step, StepKind, scene_steps,
};
use map_simulate::Random;
use map_testkit::oracle::{
    Judgement, OracleOptions, SeenAction, SeenAgent, SeenStep, explore_after, judge_formulas_after,
};
use map_testkit::scenes::random_formula;
use map_testkit::temporal::Runs;
use map_tests::compiled::CompiledScene;
use map_tests::engines::{NoWatch, agrees, findings, judging, limits, oracle_findings, reduced};
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_verify::{
    Fairness, PropertyOptions, PropertyReport, Reductions, verify, verify_properties, verify_reduced,
};

pub(crate) const COMPARISON: Comparison =
    Comparison { name: "from-here", kind: Kind::Any, scenes: 40, compare, enough };

/// Formulas for each scene.
const FORMULAS: u64 = 10;

/// The most steps that are behind the runs.
const MAX_STEPS: u64 = 7;

/// Scenes with more states are skipped: the oracle searches them again and again.
const MAX_STATES: usize = 400;

/// More states than any search of such a scene has, unless it has no end.
const ENOUGH: usize = 100_000;

fn enough(counts: &Counts, scenes: u64) -> bool {
    let (holds, violated) = (counts.of("hold"), counts.of("violated"));
    counts.of("verdicts") * 4 > scenes
        && (holds + violated) > scenes
        && holds.min(violated) * 10 > holds + violated
        && counts.of("otherwise than from the start") * 50 > holds + violated
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, file, .. } = scene;
    let options = OracleOptions { max_states: MAX_STATES, ..scene.options.clone() };
    let texts =
        |words: &_| (1..=FORMULAS).map(|index| random_formula(words, seed * FORMULAS + index)).collect();
    let Some(CompiledScene { program, bounds, properties, texts, formulas, .. }) =
        CompiledScene::of(file, &options, texts)
    else {
        return;
    };
    let Some((initial, steps)) = random_steps(&program, &bounds, *seed) else { return };
    let prefix = Prefix::new(&program, &bounds, initial, steps).expect("each of them was enabled");
    let seen = seen(&program, &bounds, &prefix);
    let later = Bounds { after: Some(prefix.into()), ..bounds.clone() };

    let Some(expected) = explore_after(file, &options, &seen) else {
        return counts.one("not found by the oracle");
    };
    if expected.states >= MAX_STATES {
        return;
    }
    counts.one("verdicts");
    let expected = oracle_findings(expected);
    let report =
        verify(&program, &later, &limits(ENOUGH), true, &mut NoWatch).expect("it agrees with itself");
    let found = findings(&program, &report);
    let about = |it: &map_tests::engines::Findings| {
        (it.verdict.clone(), it.complete, it.cut, it.states, it.transitions, it.violations.clone())
    };
    assert_eq!(about(&found), about(&expected), "after {seen:#?}");
    let how = reduced(&options, Reductions::ALL);
    let reduced = verify_reduced(&program, &later, &how, &mut NoWatch).expect("it agrees with itself");
    assert_eq!(reduced.report.verdict, report.verdict, "with reductions, after {seen:#?}");

    for (fairness, runs) in
        [(Fairness::Fair, Runs::Drawn), (Fairness::Weak, Runs::Fair), (Fairness::None, Runs::All)]
    {
        let Some(expected) = judge_formulas_after(file, &options, runs, &formulas, &seen) else { return };
        let judged = |bounds: &Bounds, reductions| judge(&program, &properties, bounds, fairness, reductions);
        let (start, plain) = (judged(&bounds, Reductions::NONE), judged(&later, Reductions::NONE));
        let sliced = judged(&later, Reductions::ALL);
        // A total that goes down in a loop has no end.
        if [&start, &plain, &sliced].into_iter().any(|report| report.limit.is_some()) {
            return;
        }
        for (index, (text, expected)) in texts.iter().zip(&expected).enumerate() {
            counts.one(match expected {
                Judgement::Holds(_) | Judgement::Shown(_) => "hold",
                Judgement::Violated(_) => "violated",
                Judgement::NotJudged => "not judged by the oracle",
            });
            let (ours, reduced) = (&plain.properties[index], &sliced.properties[index]);
            if ours.verdict != start.properties[index].verdict {
                counts.one("otherwise than from the start");
            }
            let context = || {
                let (plain, sliced) = (ours.words(), reduced.words());
                format!(
                    "{fairness:?}: {text}\nplain: {plain}, sliced: {sliced}\noracle: {expected:?}\nafter {seen:#?}"
                )
            };
            assert!(agrees(ours, *expected), "{}", context());
            assert!(agrees(reduced, *expected), "{}", context());
        }
    }
}

fn judge(
    program: &Program,
    properties: &Properties,
    bounds: &Bounds,
    fairness: Fairness,
    reductions: Reductions,
) -> PropertyReport {
    let how = PropertyOptions { reductions, ..judging(ENOUGH, fairness) };
    verify_properties(program, properties, bounds, &how, &mut NoWatch).expect("it agrees with itself")
}

/// Some steps of a random run; `None` if it has none.
fn random_steps(program: &Program, bounds: &Bounds, seed: u64) -> Option<(Vec<u32>, Vec<Step>)> {
    let mut random = Random::from_seed(seed);
    let initial = InitialChoices::all(program).options().to_vec();
    let mut state = SceneState::start(program, bounds, &initial).0?;
    let (mut steps, wanted) = (Vec::new(), 1 + random.below(MAX_STEPS));
    while (steps.len() as u64) < wanted {
        let all = scene_steps(program, bounds, &state);
        let mut enabled: Vec<_> =
            all.all().filter_map(|it| Some((it.next_state(bounds, &state)?, it.step))).collect();
        if enabled.is_empty() {
            break;
        }
        let chosen = random.below(enabled.len() as u64) as usize;
        let (next, step) = enabled.swap_remove(chosen);
        steps.push(step);
        state = next;
    }
    (!steps.is_empty()).then_some((initial, steps))
}

/// What can be seen of the steps.
fn seen(program: &Program, bounds: &Bounds, prefix: &Prefix) -> Vec<SeenStep> {
    let steps = (1..=prefix.steps.len()).map(|count| {
        let steps = prefix.steps[..count].to_vec();
        let there = Prefix::new(program, bounds, prefix.initial.clone(), steps).expect("it begins the same");
        let (agent, outcome) = &prefix.made[count - 1];
        let after = SceneState::after(&there).agents.into_iter().map(|agent| match agent.status {
            Status::Running => SeenAgent::Running(agent.mailbox.len()),
            Status::Done => SeenAgent::Done,
            Status::Failed => SeenAgent::Failed,
            Status::Crashed => SeenAgent::Crashed,
        });
        SeenStep {
            agent: program.agent_name(*agent).to_owned(),
            action: action(program, outcome),
            after: after.collect(),
        }
    });
    steps.collect()
}

fn action(program: &Program, outcome: &Outcome) -> SeenAction {
    let of_message = |message: &map_semantics::Message| {
        let performative = program.performative(message.performative);
        (performative.name.clone(), performative.arity)
    };
    match &outcome.action {
        Some(Action::Ask { point, .. }) => match program.point(*point).kind {
            map_ir::PointKind::Ask { procedure, .. } => {
                SeenAction::Asks(program.procedure(procedure).name.clone())
            }
            _ => unreachable!("only an ask asks"),
        },
        Some(Action::Send { message, .. }) => {
            let (name, arity) = of_message(message);
            SeenAction::Sends(name, arity)
        }
        Some(Action::Receive { message, .. }) => {
            let (name, arity) = of_message(message);
            SeenAction::Receives(name, arity)
        }
        None => {
            assert!(outcome.kind != StepKind::Send);
            SeenAction::Other
        }
    }
}

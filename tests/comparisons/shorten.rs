//! Traces with fewer agents, traces with fewer steps, and endless continuations of livelocks, against brute-force
//! searches.

use std::collections::BTreeSet;

use map_ir::{AgentId, Program};
use map_semantics::{
    Bounds, Path, SceneState, SceneStep, Status, Step, StepError, Turn, agent_steps, may_time_out, open_cells,
};
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_verify::{
    Trace, Violation, ViolationKind, fewest_agents, go_on_for_ever, leads_back, replay, without_idle_steps,
};

pub(crate) const COMPARISONS: [Comparison; 3] = [
    Comparison {
        name: "fewer-agents",
        kind: Kind::Reliable,
        scenes: 250,
        compare: fewer_agents,
        // About one in 150 has a trace with fewer agents.
        enough: |counts, scenes| {
            counts.of("compared") * 4 > scenes && (scenes < 2_000 || counts.of("with fewer agents") > 0)
        },
    },
    Comparison {
        name: "fewer-steps",
        kind: Kind::Reliable,
        scenes: 250,
        compare: fewer_steps,
        enough: |counts, scenes| counts.of("made shorter") * 20 > scenes,
    },
    Comparison {
        name: "livelocks",
        kind: Kind::Reliable,
        scenes: 250,
        compare: livelocks,
        enough: |counts, _| counts.of("shown going on") > 5,
    },
];

/// The most states that a brute-force search tries.
const MAX_TRIED: usize = 1_500;

/// A step with its result.
struct Tried {
    step: Step,
    result: SceneStep,
    compared: bool,
    next: SceneState,
}

/// Everything that the threads of a state can try, except crashes.
fn tried(program: &Program, bounds: &Bounds, state: &SceneState) -> Vec<Tried> {
    let steps: Vec<_> = program
        .cast()
        .zip(&state.agents)
        .map(|(agent, state)| agent_steps(program, bounds, agent, state))
        .collect();
    let all_waiting = steps.iter().all(|steps| steps.all_waiting());
    let mut tried = Vec::new();
    for (agent, steps) in program.cast().zip(&steps) {
        for (thread, at) in steps.threads.iter().enumerate() {
            let timeout = may_time_out(bounds, at.waiting, all_waiting).then_some(Turn::Timeout);
            for turn in [Some(Turn::Act), timeout].into_iter().flatten() {
                let mut path = Path::default();
                loop {
                    let mut next = state.clone();
                    let result = next.step(program, bounds, agent, thread, turn, &mut path).result;
                    let step = Step { agent, thread, turn, options: path.options() };
                    tried.push(Tried { step, result, compared: path.compared(), next });
                    if path.advance(false).is_err() {
                        break;
                    }
                }
            }
        }
    }
    tried
}

/// The kind of violation that a trace ending with this step shows, if any.
fn shown(program: &Program, bounds: &Bounds, last: &Tried) -> Option<ViolationKind> {
    let failed = |state: &SceneState| state.agents.iter().any(|agent| agent.status == Status::Failed);
    match last.result {
        SceneStep::Wrong(StepError::Overflow(_)) => Some(ViolationKind::MailboxOverflow),
        SceneStep::Wrong(StepError::Runaway(_)) => Some(ViolationKind::RunawayRecursion),
        SceneStep::Wrong(StepError::RunError(_)) => Some(ViolationKind::RunError),
        SceneStep::Made if failed(&last.next) => Some(ViolationKind::Failure),
        SceneStep::Made => {
            let mut after = tried(program, bounds, &last.next).into_iter();
            let stuck = !last.next.all_done() && after.all(|it| it.result == SceneStep::Nothing);
            stuck.then_some(ViolationKind::Deadlock)
        }
        _ => None,
    }
}

/// The fewest agents that take steps in a trace of the same length to a violation of the same kind. `None` if there are
/// too many to try, or if one depends on an open comparison.
fn fewest(program: &Program, bounds: &Bounds, violation: &Violation) -> Option<usize> {
    let mut best = usize::MAX;
    let first = SceneState::start(program, bounds, &violation.trace.initial).0?;
    let mut todo = vec![(first, 0, BTreeSet::new())];
    let mut count = 0;
    while let Some((state, depth, agents)) = todo.pop() {
        count += 1;
        if count > MAX_TRIED {
            return None;
        }
        for it in tried(program, bounds, &state) {
            if it.compared {
                return None;
            }
            let mut agents: BTreeSet<AgentId> = agents.clone();
            agents.insert(it.step.agent);
            if depth + 1 < violation.steps {
                if it.result == SceneStep::Made {
                    todo.push((it.next, depth + 1, agents));
                }
            } else if shown(program, bounds, &it) == Some(violation.kind) {
                best = best.min(agents.len());
            }
        }
    }
    Some(best)
}

fn actors(trace: &Trace) -> usize {
    trace.steps.iter().map(|step| step.agent).collect::<BTreeSet<_>>().len()
}

/// Whether the last step of a trace shows that kind of violation.
fn shows(program: &Program, bounds: &Bounds, trace: &Trace, kind: ViolationKind) -> bool {
    let replayed = replay(program, bounds, trace).expect("the trace can be repeated");
    let (Some(last), Some(before)) = (replayed.steps.last(), replayed.states.get(replayed.steps.len() - 1))
    else {
        return false;
    };
    let found = tried(program, bounds, before).into_iter().find(|it| it.step == last.step);
    found.is_some_and(|it| shown(program, bounds, &it) == Some(kind))
}

fn fewer_agents(scene: &Scene, counts: &mut Counts) {
    let Scene { program, bounds, .. } = scene;
    for violation in scene.report().violations.iter().filter(|violation| violation.steps > 0) {
        let fewer = fewest_agents(program, bounds, violation, usize::MAX);
        let why = format!("{} after {}", violation.kind.words(), violation.steps);
        if let Some(fewer) = &fewer {
            assert_eq!(fewer.steps.len(), violation.steps, "{why}");
            assert!(actors(fewer) < actors(&violation.trace), "{why}");
            assert!(shows(program, bounds, fewer, violation.kind), "{why}");
            assert!(fewest_agents(program, bounds, violation, 1).is_none(), "{why}");
            counts.one("with fewer agents");
        }
        if violation.kind == ViolationKind::Livelock || violation.possible {
            continue;
        }
        if let Some(fewest) = fewest(program, bounds, violation) {
            assert_eq!(actors(fewer.as_ref().unwrap_or(&violation.trace)), fewest, "{why}");
            counts.one("compared");
        }
    }
}

/// A random run to a violation, without open comparisons.
fn walk(program: &Program, bounds: &Bounds, mut dice: u64) -> Option<Violation> {
    let initial = vec![0; open_cells(program).count()];
    let mut state = SceneState::start(program, bounds, &initial).0?;
    let mut steps = Vec::new();
    for _ in 0..40 {
        let mut can: Vec<Tried> = tried(program, bounds, &state);
        can.retain(|it| !it.compared && matches!(it.result, SceneStep::Made | SceneStep::Wrong(_)));
        if can.is_empty() {
            return None;
        }
        // The linear congruential generator of D. Knuth's MMIX.
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = can.swap_remove((dice >> 33) as usize % can.len());
        steps.push(drawn.step.clone());
        if let Some(kind) = shown(program, bounds, &drawn) {
            return Some(Violation {
                kind,
                steps: steps.len(),
                possible: false,
                trace: Trace { initial, steps },
            });
        }
        state = drawn.next;
    }
    None
}

fn fewer_steps(scene: &Scene, counts: &mut Counts) {
    let Scene { program, bounds, .. } = scene;
    let Some(violation) = walk(program, bounds, scene.seed) else { return };
    let why = format!("{} after {}", violation.kind.words(), violation.steps);
    let Some(trace) = without_idle_steps(program, bounds, &violation, usize::MAX) else { return };
    assert!(trace.steps.len() < violation.steps, "{why}");
    assert!(shows(program, bounds, &trace, violation.kind), "{why}");
    // Each agent takes a prefix of the steps that it took before.
    for agent in program.cast() {
        let of = |trace: &Trace| -> Vec<Step> {
            trace.steps.iter().filter(|step| step.agent == agent).cloned().collect()
        };
        assert!(of(&violation.trace).starts_with(&of(&trace)), "{why}");
    }
    counts.one("made shorter");
    counts.add("steps fewer", violation.steps - trace.steps.len());
    let shorter = Violation { trace, ..violation };
    assert_eq!(without_idle_steps(program, bounds, &shorter, usize::MAX), None, "{why}");
}

fn livelocks(scene: &Scene, counts: &mut Counts) {
    let Scene { program, bounds, .. } = scene;
    let violations = scene.report().violations.iter();
    for violation in violations.filter(|violation| violation.kind == ViolationKind::Livelock) {
        counts.one("livelocks");
        let endless = go_on_for_ever(program, bounds, &violation.trace).expect("it can be repeated");
        // If only polling is possible there is no continuation to show.
        let Some(endless) = endless else { continue };
        counts.one("shown going on");
        let steps: Vec<&Step> = endless.replayed.steps.iter().map(|taken| &taken.step).collect();
        let from = endless.repeated_from;
        assert!(steps.iter().zip(&violation.trace.steps).all(|(a, b)| *a == b));
        assert!((violation.steps..steps.len()).contains(&from));
        // The loop can be repeated.
        let again = steps.iter().chain(&steps[from..]).chain(&steps[from..]);
        let trace = Trace {
            initial: violation.trace.initial.clone(),
            steps: again.map(|step| (*step).clone()).collect(),
        };
        let replayed = replay(program, bounds, &trace).unwrap_or_else(|error| panic!("{error}"));
        assert!(leads_back(program, bounds, &replayed, from));
        assert!(!leads_back(program, bounds, &replayed, trace.steps.len()));
    }
}

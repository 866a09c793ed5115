//! Translates SPIN's counterexamples to claims back to runs of the dialogue.

use map_ir::{Program, Properties};
use map_semantics::{Bounds, Letter, SceneState, SceneStep, Step, Watch, scene_steps};

use crate::model::Model;
use crate::trail::{MAX_WAYS, TrailStep, fitting};

/// The line that SPIN prints at the start of the cycle of a trail.
const CYCLE: &str = "<<<<<START OF CYCLE>>>>>";

/// The steps of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The initial values, as options of [`map_semantics::open_cells`].
    pub initial: Vec<u32>,
    /// The steps before the cycle.
    pub prefix: Vec<TrailStep>,
    /// The steps that are repeated for ever; if empty, the run stays in its last state. `None` if the prefix alone
    /// is the counterexample.
    pub cycle: Option<Vec<TrailStep>>,
}

/// The run of the dialogue that corresponds to a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRun {
    /// Its steps.
    pub steps: Vec<Step>,
    /// Index into `steps` from which they are repeated for ever; if it equals their number, the run stays in its
    /// last state. `None` if the steps alone are the counterexample.
    pub repeated: Option<usize>,
}

impl Model {
    /// The steps of a counterexample as `spin -t -p` prints it.
    #[must_use]
    pub fn counterexample(&self, trail: &str) -> Counterexample {
        let initial = self.initial_options(trail);
        let (prefix, cycle) = match trail.split_once(CYCLE) {
            None => (trail, None),
            Some((prefix, cycle)) => (prefix, Some(self.trail_steps(cycle))),
        };
        Counterexample { initial, prefix: self.trail_steps(prefix), cycle }
    }
}

/// A run that matches the steps so far.
#[derive(Clone)]
struct MatchingRun {
    state: SceneState,
    steps: Vec<Step>,
    letters: Vec<Letter>,
    /// Set if a step that goes wrong or is cut has ended the run.
    over: Option<Over>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    Wrong,
    Cut,
}

/// Replays a counterexample under the semantics of the dialogue. `violates` gets the letters of a run, as a prefix
/// and a cycle (empty if the prefix alone is to decide), and returns whether the run violates the claim. Returns a
/// violating run that matches the counterexample; `None` if there is none.
#[must_use]
pub fn retrace_claim(
    program: &Program,
    properties: &Properties,
    bounds: &Bounds,
    shown: &Counterexample,
    violates: impl Fn(&[Letter], &[Letter]) -> bool,
) -> Option<ShownRun> {
    let retracer = Retracer { program, properties, bounds };
    let state = SceneState::start(program, bounds, &shown.initial).0?;
    let letters = vec![retracer.letter(&state, None)];
    let start = MatchingRun { state, steps: Vec::new(), letters, over: None };
    let prefixes = retracer.follow(vec![start], &shown.prefix);
    let cycle = match &shown.cycle {
        // Nothing is claimed after a cut, so the prefix has to be enough.
        None => &[][..],
        Some(cycle) => cycle,
    };
    for prefix in prefixes {
        let (made, moments) = (prefix.steps.len(), prefix.letters.len());
        if shown.cycle.is_none() || prefix.over == Some(Over::Cut) {
            if violates(&prefix.letters, &[]) {
                return Some(ShownRun { steps: prefix.steps, repeated: None });
            }
        } else if cycle.is_empty() {
            let staying = [retracer.letter(&prefix.state, None)];
            if (prefix.over.is_some() || scene_steps(program, bounds, &prefix.state).judgement().may_stay())
                && violates(&prefix.letters, &staying)
            {
                return Some(ShownRun { steps: prefix.steps, repeated: Some(made) });
            }
        } else {
            // Follow the cycle twice: it is a cycle of the dialogue if the letters repeat.
            let twice = [cycle, cycle].concat();
            for run in retracer.follow(vec![prefix], &twice) {
                let round = (run.letters.len() - moments) / 2;
                let (first, second) = run.letters[moments..].split_at(round);
                if first == second && violates(&run.letters[..moments], first) {
                    let steps = run.steps[..made + (run.steps.len() - made) / 2].to_vec();
                    return Some(ShownRun { steps, repeated: Some(made) });
                }
            }
        }
    }
    None
}

struct Retracer<'r> {
    program: &'r Program,
    properties: &'r Properties,
    bounds: &'r Bounds,
}

impl Retracer<'_> {
    fn follow(&self, mut runs: Vec<MatchingRun>, trail_steps: &[TrailStep]) -> Vec<MatchingRun> {
        for trail_step in trail_steps {
            let mut next: Vec<MatchingRun> = Vec::new();
            for run in runs.iter().filter(|run| run.over.is_none()) {
                for fit in fitting(self.program, self.bounds, &run.state, trail_step) {
                    let mut run = run.clone();
                    let after = fit.next_state(self.bounds, &run.state);
                    match (&fit.observed.result, after) {
                        (_, Some(after)) => {
                            run.letters.push(self.letter(&after, Some((trail_step, &fit.observed.outcome))));
                            run.state = after;
                            run.steps.push(fit.step);
                        }
                        (SceneStep::Wrong(_), None) => {
                            run.steps.push(fit.step);
                            run.over = Some(Over::Wrong);
                        }
                        (SceneStep::Cut(_), None) => run.over = Some(Over::Cut),
                        (SceneStep::Made | SceneStep::Nothing | SceneStep::TooLong(_), None) => continue,
                    }
                    let same = |known: &MatchingRun| {
                        known.state == run.state && known.letters == run.letters && known.over == run.over
                    };
                    if next.len() < MAX_WAYS && !next.iter().any(same) {
                        next.push(run);
                    }
                }
            }
            runs = next;
        }
        runs
    }

    /// The letter of a state reached by the step `made`, or in which the run stays if that is `None`.
    fn letter(&self, state: &SceneState, made: Option<(&TrailStep, &map_semantics::Outcome)>) -> Letter {
        let made = made.map(|(by, outcome)| (by.agent, outcome));
        // Properties that look back are not exported.
        Watch::new(self.program, self.bounds, self.properties).see(made, state)
    }
}

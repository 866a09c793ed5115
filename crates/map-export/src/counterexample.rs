//! SPIN's counterexamples to claims as runs of the dialogue, with what holds at their moments.

use map_ir::{Program, Properties};
use map_semantics::{Bounds, Letter, SceneState, SceneStep, Step, letter_of, scene_steps};

use crate::model::Model;
use crate::trail::{MAX_WAYS, Sighting, fitting};

/// What SPIN prints where the part of a trail begins that is repeated for ever.
const CYCLE: &str = "<<<<<START OF CYCLE>>>>>";

/// The steps that a counterexample shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// First these.
    pub prefix: Vec<Sighting>,
    /// Then these for ever; if there are none, the run stays where it is. `None` if the beginning is enough.
    pub cycle: Option<Vec<Sighting>>,
}

/// A run of the dialogue that a counterexample shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRun {
    /// Its steps.
    pub steps: Vec<Step>,
    /// The steps from this one on, counted from 0, are repeated for ever; if that is their number, the run stays where it
    /// is. `None` if the beginning is enough.
    pub repeated: Option<usize>,
}

impl Model {
    /// The steps of a counterexample as `spin -t -p` prints it.
    #[must_use]
    pub fn counterexample(&self, trail: &str) -> Counterexample {
        match trail.split_once(CYCLE) {
            None => Counterexample { prefix: self.sightings(trail), cycle: None },
            Some((prefix, cycle)) => {
                Counterexample { prefix: self.sightings(prefix), cycle: Some(self.sightings(cycle)) }
            }
        }
    }
}

/// A way to make the steps.
#[derive(Clone)]
struct Way {
    state: SceneState,
    steps: Vec<Step>,
    letters: Vec<Letter>,
    /// A step that goes wrong or is cut has ended the run.
    over: Option<Over>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    Wrong,
    Cut,
}

/// Repeats a counterexample on plain states. `violates` says of the letters of a run, a prefix and what is repeated behind
/// it for ever (nothing if the prefix is to be enough), whether it violates the claim. `None` if no way that fits does.
#[must_use]
pub fn retrace_claim(
    program: &Program,
    properties: &Properties,
    bounds: &Bounds,
    shown: &Counterexample,
    violates: impl Fn(&[Letter], &[Letter]) -> bool,
) -> Option<ShownRun> {
    let retracer = Retracer { program, properties, bounds };
    let state = SceneState::start(program, bounds).0?;
    let letters = vec![retracer.letter(&state, None)];
    let start = Way { state, steps: Vec::new(), letters, over: None };
    let prefixes = retracer.follow(vec![start], &shown.prefix);
    let cycle = match &shown.cycle {
        // Behind a cut nothing is claimed: the beginning has to be enough.
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
            // Twice round: the second time has to be like the first.
            let twice = [cycle, cycle].concat();
            for way in retracer.follow(vec![prefix], &twice) {
                let round = (way.letters.len() - moments) / 2;
                let (first, second) = way.letters[moments..].split_at(round);
                if first == second && violates(&way.letters[..moments], first) {
                    let steps = way.steps[..made + (way.steps.len() - made) / 2].to_vec();
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
    fn follow(&self, mut ways: Vec<Way>, sightings: &[Sighting]) -> Vec<Way> {
        for sighting in sightings {
            let mut next: Vec<Way> = Vec::new();
            for way in ways.iter().filter(|way| way.over.is_none()) {
                for fit in fitting(self.program, self.bounds, &way.state, sighting) {
                    let mut way = way.clone();
                    let after = fit.next_state(self.bounds, &way.state);
                    match (&fit.observed.result, after) {
                        (_, Some(after)) => {
                            way.letters.push(self.letter(&after, Some((sighting, &fit.observed.outcome))));
                            way.state = after;
                            way.steps.push(fit.step);
                        }
                        (SceneStep::Wrong(_), None) => {
                            way.steps.push(fit.step);
                            way.over = Some(Over::Wrong);
                        }
                        (SceneStep::Cut(_), None) => way.over = Some(Over::Cut),
                        (SceneStep::Made | SceneStep::Nothing | SceneStep::TooLong(_), None) => continue,
                    }
                    let same = |known: &Way| {
                        known.state == way.state && known.letters == way.letters && known.over == way.over
                    };
                    if next.len() < MAX_WAYS && !next.iter().any(same) {
                        next.push(way);
                    }
                }
            }
            ways = next;
        }
        ways
    }

    /// What holds when a step has led to a state, or when the run stays there.
    fn letter(&self, state: &SceneState, made: Option<(&Sighting, &map_semantics::Outcome)>) -> Letter {
        let made = made.map(|(by, outcome)| (by.agent, outcome));
        letter_of(self.program, self.bounds, self.properties, made, state)
    }
}

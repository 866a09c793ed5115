//! SPIN's counterexamples to claims as runs of the dialogue, with what holds at their moments.

use map_ir::{Program, Properties};
use map_semantics::{Bounds, Letter, SceneState, SceneStep, Step, agent_steps, letter_of, may_time_out};

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
            if (prefix.over.is_some() || retracer.may_stay(&prefix.state))
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
                for (step, observed, after) in fitting(self.program, self.bounds, &way.state, sighting) {
                    let mut way = way.clone();
                    match observed.result {
                        SceneStep::Made => {
                            way.letters.push(self.letter(&after, Some((sighting, &observed.outcome))));
                            way.state = after;
                            way.steps.push(step);
                        }
                        SceneStep::Wrong(_) => {
                            way.steps.push(step);
                            way.over = Some(Over::Wrong);
                        }
                        SceneStep::Cut(_) => way.over = Some(Over::Cut),
                        SceneStep::Nothing | SceneStep::TooLong(_) => continue,
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

    /// Whether a run may stay where it is: every agent waits, and no time can run out. What is left are polls, which may be
    /// answered "no" for ever.
    fn may_stay(&self, state: &SceneState) -> bool {
        self.program.cast().zip(&state.agents).all(|(agent, it)| {
            let steps = agent_steps(self.program, self.bounds, agent, it);
            let in_time = |thread: &map_semantics::ThreadSteps| {
                may_time_out(self.bounds, thread.waiting, true) && !thread.timeouts.is_empty()
            };
            steps.all_waiting() && !steps.threads.iter().any(in_time)
        })
    }
}

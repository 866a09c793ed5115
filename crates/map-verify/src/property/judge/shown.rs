//! Turns a path of the labelled graph into a run that can be shown: its steps are replayed on unreduced states, and
//! the propositions at its moments are evaluated again.

use map_ir::{AgentId, Program, Properties};
use map_semantics::{Bounds, SceneState, Step, Watch, scene_steps};

use super::run::Run;
use crate::property::graph::{LetterId, NOBODY, Transition};
use crate::property::search::explored::Explored;
use crate::property::verdict::{RunEnding, ShownRun};
use crate::report::{InternalError, Trace};
use crate::state::Next;
use crate::witness::endless::leads_back;
use crate::witness::replay::{NoReport, ReplayedRun, replay};

/// Replays runs of the labelled graph.
pub(in crate::property) struct Runs<'r, 'a> {
    program: &'a Program,
    properties: &'r Properties,
    bounds: &'a Bounds,
    explored: &'r mut Explored<'a>,
    /// Whether the states of the search represent several states of the scene.
    reduced: bool,
}

impl<'r, 'a> Runs<'r, 'a> {
    /// For the runs of a search for some properties, with or without reductions.
    pub(in crate::property) fn new(
        explored: &'r mut Explored<'a>,
        properties: &'r Properties,
        reduced: bool,
    ) -> Self {
        let (program, bounds) = (explored.space().program, explored.space().bounds);
        Self { program, properties, bounds, explored, reduced }
    }

    /// The steps of a run, and how it continues.
    ///
    /// # Errors
    /// [`NoReport::Unlifted`] if the search was reduced and no run of the scene was found that corresponds to the
    /// path, or its loop does not close. [`NoReport::Broken`] if the steps cannot be replayed, do not have the
    /// letters of the path, or depend on an open comparison although the run does not.
    pub(in crate::property) fn show(&mut self, property: &str, run: &Run) -> Result<ShownRun, NoReport> {
        let Run { first, path, ending, open } = run;
        let initial = self.explored.initial_options(*first);
        let mut steps = Vec::new();
        let mut letters = vec![self.explored.graph().initial_letter(*first)];
        let (mut compared, mut loop_start) = (false, None);
        let mut wrong = false;
        let mut scene = match self.reduced {
            true => Some(self.first(&initial)?),
            false => None,
        };
        for (index, (source, transition)) in path.iter().enumerate() {
            if *ending == RunEnding::Loop(index) {
                loop_start = Some(steps.len());
            }
            if transition.mover == NOBODY {
                // Staying in a state takes no step.
                compared |= self.explored.graph().is_open(*source, transition);
                continue;
            }
            let (step, rests) = match &mut scene {
                Some(scene) => self.lifted(scene, transition)?,
                None => self.step(*source, transition)?,
            };
            compared |= rests;
            steps.push(step);
            match self.explored.graph().is_halt(transition.target) {
                true => wrong = true,
                false => letters.push(transition.letter),
            }
        }
        if compared && !open {
            if self.reduced {
                return Err(NoReport::Unlifted);
            }
            let what = format!("the run about `{property}` rests on an open comparison after all");
            return Err(InternalError(what).into());
        }
        let ending = match *ending {
            RunEnding::Loop(_) => RunEnding::Loop(loop_start.unwrap_or(steps.len())),
            other => other,
        };
        let trace = Trace { initial, steps };
        let replayed = replay(self.program, self.bounds, &trace)?;
        self.confirm(property, &replayed, &letters, wrong)?;
        // A state of the reduced graph that recurs may represent another state than before.
        if let RunEnding::Loop(from) = ending
            && self.reduced
            && from < trace.steps.len()
            && !leads_back(self.program, self.bounds, &replayed, from)
        {
            return Err(NoReport::Unlifted);
        }
        Ok(ShownRun { trace, ending })
    }

    /// The step of a transition, and whether it depends on an open comparison; one that does not is preferred.
    fn step(&self, source: u32, transition: &Transition) -> Result<(Step, bool), InternalError> {
        let halts = self.explored.graph().is_halt(transition.target);
        let target = (!halts).then(|| self.explored.words(transition.target));
        let mut best: Option<(Step, bool)> = None;
        self.explored.for_each_step(&self.explored.words(source), |successor| {
            let fits = self.explored.is_made_by(successor, transition.mover)
                && match (&successor.result, &target) {
                    (Next::State(next), Some(target)) => {
                        let letter = || self.explored.letter_of(source, successor, transition.target);
                        *next == target.as_slice() && letter() == Some(transition.letter)
                    }
                    (Next::Overflow | Next::Runaway | Next::RunError, None) => true,
                    _ => false,
                };
            if fits && best.as_ref().is_none_or(|(_, known)| *known && !successor.compared) {
                best = Some((successor.as_step(), successor.compared));
            }
        });
        best.ok_or_else(|| InternalError("a transition of the labelled graph has no step".to_owned()))
    }

    /// A step of the scene that corresponds to a transition, and whether it depends on an open comparison; one that
    /// does not is preferred. Advances the scene.
    fn lifted(
        &mut self,
        (scene, watch): &mut (SceneState, Watch<'r>),
        transition: &Transition,
    ) -> Result<(Step, bool), NoReport> {
        let halts = self.explored.graph().is_halt(transition.target);
        let target = (!halts).then(|| self.explored.words(transition.target));
        // The agent of the step matters for fairness, unless symmetry has made it unknown.
        let is_known = self.explored.space().agents.symmetry().classes().is_empty();
        // Ways have numbers behind those of all agents, but where messages are under way nothing is reduced.
        let may_step = |agent: AgentId| !is_known || agent.index() == transition.mover as usize;
        let mut best = None;
        for taken in scene_steps(self.program, self.bounds, scene).of_agents(may_step) {
            let next = taken.next_state(self.bounds, scene);
            let mut watch = watch.clone();
            let fits = match (&target, &next) {
                (Some(target), Some(next)) => {
                    let letter = watch.see(Some((taken.step.agent, &taken.observed.outcome)), next);
                    let space = self.explored.space_mut();
                    let words = space.abstracted(next);
                    space.with_monitored(words, watch.monitored()) == *target
                        && letter == *self.explored.graph().letter(transition.letter)
                }
                (None, None) => taken.wrong().is_some(),
                _ => false,
            };
            if fits && best.as_ref().is_none_or(|(_, known, _)| *known && !taken.compared) {
                best = Some((taken.step, taken.compared, next.map(|next| (next, watch))));
            }
        }
        let (step, compared, next) = best.ok_or(NoReport::Unlifted)?;
        if let Some((next, after)) = next {
            (*scene, *watch) = (next, after);
        }
        Ok((step, compared))
    }

    /// The state in which the scene starts with these initial values, seen.
    fn first(&self, initial: &[u32]) -> Result<(SceneState, Watch<'r>), NoReport> {
        let first = SceneState::start(self.program, self.bounds, initial).0.ok_or(NoReport::Unlifted)?;
        let mut watch = Watch::new(self.program, self.bounds, self.properties);
        watch.see(None, &first);
        Ok((first, watch))
    }

    fn confirm(
        &self,
        property: &str,
        replayed: &ReplayedRun,
        letters: &[LetterId],
        wrong: bool,
    ) -> Result<(), InternalError> {
        if replayed.states.len() != letters.len()
            || replayed.steps.len() + 1 != letters.len() + usize::from(wrong)
        {
            return Err(InternalError(format!("the run about `{property}` has lost steps")));
        }
        let mut watch = Watch::new(self.program, self.bounds, self.properties);
        for (index, &letter) in letters.iter().enumerate() {
            let made = index.checked_sub(1).map(|before| &replayed.steps[before]);
            let made = made.map(|made| (made.step.agent, &made.observed.outcome));
            let found = watch.see(made, &replayed.states[index]);
            if found != *self.explored.graph().letter(letter) {
                return Err(InternalError(format!(
                    "moment {index} of the run about `{property}` is not what it was found to be"
                )));
            }
        }
        Ok(())
    }
}

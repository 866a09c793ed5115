//! Lifting: finds a trace of the scene for a path of representatives.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use map_ir::AgentId;
use map_semantics::{SceneState, Status, Step, scene_steps};

use super::replay::{KEPT_MESSAGE, NoTrace};
use crate::agents::{StateId, Whole};
use crate::budget::Budget;
use crate::report::{Trace, ViolationKind};
use crate::state::Scratch;
use crate::state::space::Represented;
use crate::system::{MAX_PASSED, System};

/// Number of path states lifted between two checks of the memory.
const STRIDE: usize = 1 << 5;

/// A trace from these initial values through states that the states of `path` represent, in order, followed by a step
/// that goes wrong if `wrong` is given.
///
/// Replaying it later keeps all its states, which grow with their mailboxes, so this is charged to the budget as
/// well.
///
/// # Errors
/// If there is none, or a limit is reached.
pub(crate) fn lift(
    system: &mut System<'_>,
    initial: Vec<u32>,
    path: &[Vec<u32>],
    wrong: Option<ViolationKind>,
    budget: &mut Budget<'_>,
) -> Result<Trace, NoTrace> {
    let before = system.space.agents.bytes();
    let (program, bounds) = (system.program(), system.space.bounds);
    let first = SceneState::start(program, bounds, &initial).0.ok_or(NoTrace::Unlifted)?;
    let mut lifted = Lifted::new(system, first, None, budget)?;
    let mut trace = Trace { initial, steps: Vec::new() };
    for (index, state) in path[1..].iter().enumerate() {
        if index % STRIDE == 0 {
            budget
                .afford(system.space.agents.bytes() - before + trace.bytes() + lifted.kept * KEPT_MESSAGE)?;
        }
        let reached =
            |it: StepResult<'_>| matches!(it, StepResult::State(words) if words == state.as_slice());
        let (steps, next) = merged_steps(system, lifted, &reached, budget)?;
        trace.steps.extend(steps);
        lifted = next;
    }
    if let Some(kind) = wrong {
        let reached = |it: StepResult<'_>| matches!(it, StepResult::Wrong(it) if it == kind);
        trace.steps.extend(merged_steps(system, lifted, &reached, budget)?.0);
    }
    Ok(trace)
}

/// A state of the scene, and what represents it.
#[derive(Clone)]
struct Lifted {
    scene: SceneState,
    agents: Vec<Rc<Whole>>,
    represented: Represented,
    /// Number of messages that the states on the way here do not share with those before them.
    kept: usize,
}

impl Lifted {
    /// With a state `before` it, only the agents that it does not share are interned.
    fn new(
        system: &mut System<'_>,
        scene: SceneState,
        before: Option<&Self>,
        budget: &mut Budget<'_>,
    ) -> Result<Self, NoTrace> {
        let kept = before.map_or(0, |before| before.kept + before.messages_not_shared(&scene));
        let before = before.map(|before| (&before.scene, &*before.agents));
        loop {
            if let Some(agents) = system.space.interned(&scene, before, &budget.stop) {
                let represented = system.space.represented(&agents, scene.lost);
                return Ok(Self { scene, agents, represented, kept });
            }
            budget.check()?;
        }
    }

    /// Number of messages held by the agents of another state that it does not share with this one.
    fn messages_not_shared(&self, other: &SceneState) -> usize {
        let pairs = self.scene.agents.iter().zip(&other.agents);
        pairs.filter(|(here, there)| !Arc::ptr_eq(here, there)).map(|(_, there)| there.messages()).sum()
    }
}

/// How the reduced search treats a state.
struct ReducedState {
    /// The agent whose steps are an ample set, if any: its interned state and message counts.
    ample: Option<(StateId, Vec<u32>)>,
    /// Whether merging passes through the state.
    passed: bool,
}

impl ReducedState {
    /// By agent: whether its steps are tried. They must belong to the ample set, and the same ones of another agent
    /// must not be tried.
    fn tried(&self, lifted: &Lifted) -> Vec<bool> {
        let is_ample = |agent: &AgentId| {
            let Whole { id, held } = &*lifted.agents[agent.index()];
            self.ample.as_ref().is_none_or(|(ample, counts)| id == ample && held.counts == *counts)
        };
        let mut tried = vec![false; lifted.agents.len()];
        let ample = lifted.represented.firsts.iter().filter(|agent| is_ample(agent));
        ample.for_each(|agent| tried[agent.index()] = true);
        tried
    }
}

impl System<'_> {
    fn reduced_state(&mut self, words: &[u32]) -> ReducedState {
        let mut scratch = Scratch::default();
        while !scratch.locate(&self.space, words) {
            scratch.missing.drain(..).for_each(|missing| self.space.agents.fill(missing));
        }
        let ample = self.ample(&scratch, words);
        let passed = self.is_passed(&scratch, words, ample);
        let ample = ample.map(|slot| {
            let id = scratch.located.slot(slot).id;
            let tail = scratch.located.tail(words, slot);
            (id, self.space.agents.brief(id).split(tail).2.to_vec())
        });
        ReducedState { ample, passed }
    }
}

/// The result of a step.
#[derive(Clone, Copy)]
enum StepResult<'s> {
    State(&'s [u32]),
    Wrong(ViolationKind),
}

/// The steps that one step of the reduced search merges: a shortest sequence to a result for which `goal` holds,
/// preferably one whose last step depends on no open comparison. Also returns the state before a step that goes wrong,
/// else the one after.
fn merged_steps(
    system: &mut System<'_>,
    from: Lifted,
    goal: &dyn Fn(StepResult<'_>) -> bool,
    budget: &mut Budget<'_>,
) -> Result<(Vec<Step>, Lifted), NoTrace> {
    let (program, bounds) = (system.program(), system.space.bounds);
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let mut level: Vec<(Vec<Step>, Lifted)> = vec![(Vec::new(), from)];
    for passed in 0..=MAX_PASSED {
        let mut found: Option<(bool, Vec<Step>, Lifted)> = None;
        let mut next_level = Vec::new();
        for (steps, before) in &level {
            budget.check()?;
            let state = system.reduced_state(&before.represented.words);
            if passed > 0 && !state.passed {
                continue;
            }
            let tried = state.tried(before);
            budget.check()?;
            for taken in scene_steps(program, bounds, &before.scene).of_agents(|agent| tried[agent.index()]) {
                let is_better = found.as_ref().is_none_or(|(compared, ..)| *compared && !taken.compared);
                let steps = || steps.iter().cloned().chain([taken.step.clone()]).collect::<Vec<Step>>();
                let Some(next) = taken.next_state(bounds, &before.scene) else {
                    let reached = taken.wrong().is_some_and(|error| goal(StepResult::Wrong(error.into())));
                    if reached && is_better {
                        found = Some((taken.compared, steps(), before.clone()));
                    }
                    continue;
                };
                let failed = next.agents[taken.step.agent.index()].status == Status::Failed;
                let next = Lifted::new(system, next, Some(before), budget)?;
                let reached = failed && goal(StepResult::Wrong(ViolationKind::Failure))
                    || goal(StepResult::State(&next.represented.words));
                if reached && is_better {
                    found = Some((taken.compared, steps(), next));
                } else if seen.insert(next.represented.words.clone()) {
                    next_level.push((steps(), next));
                }
            }
        }
        if let Some((_, steps, lifted)) = found {
            return Ok((steps, lifted));
        }
        level = next_level;
    }
    Err(NoTrace::Unlifted)
}

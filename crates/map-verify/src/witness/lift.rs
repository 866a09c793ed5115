//! Lifting: finds a trace of the scene for a path of representatives.

use std::collections::HashSet;

use map_ir::AgentId;
use map_semantics::{SceneState, Status, Step, scene_steps};

use super::replay::{KEPT_MESSAGE, NoTrace};
use crate::agents::{StateId, Whole};
use crate::budget::Budget;
use crate::report::{Trace, ViolationKind};
use crate::state::Scratch;
use crate::system::{MAX_PASSED, System};

/// Number of path states lifted between two checks of the memory.
const STRIDE: usize = 1 << 5;

/// A trace from these initial values through states that the states of `path` represent, in order, followed by a step that goes wrong if
/// `wrong` is given.
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
    let mut kept = 0;
    for (index, state) in path[1..].iter().enumerate() {
        if index % STRIDE == 0 {
            budget.afford(system.space.agents.bytes() - before + trace.bytes() + kept * KEPT_MESSAGE)?;
        }
        let reached =
            |it: StepResult<'_>| matches!(it, StepResult::State(words) if words == state.as_slice());
        let (steps, next) = merged_steps(system, lifted, &reached, budget)?;
        let messages: usize = next.scene.agents.iter().map(|agent| agent.messages()).sum();
        kept += steps.len() * messages;
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
    agents: Vec<Whole>,
    words: Vec<u32>,
}

impl Lifted {
    /// With a state `before` it, only the agents that differ are interned.
    fn new(
        system: &mut System<'_>,
        scene: SceneState,
        before: Option<&Self>,
        budget: &mut Budget<'_>,
    ) -> Result<Self, NoTrace> {
        let before = before.map(|before| (&before.scene, &*before.agents));
        loop {
            if let Some(agents) = system.space.interned(&scene, before, &budget.stop) {
                let words = system.space.vector(&agents, scene.lost);
                return Ok(Self { scene, agents, words });
            }
            budget.check()?;
        }
    }
}

/// How the reduced search treats a state.
struct ReducedState {
    /// The agent whose steps are an ample set, if any: its interned state and message counts.
    ample: Option<(StateId, Vec<u32>)>,
    /// Whether merging passes through the state.
    passed: bool,
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
/// preferably one whose last step depends on no open comparison. Also returns the state before a step that goes wrong, else the
/// one after.
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
            let state = system.reduced_state(&before.words);
            if passed > 0 && !state.passed {
                continue;
            }
            let expanded = tried(system, &state, &before.agents);
            budget.check()?;
            for taken in
                scene_steps(program, bounds, &before.scene).of_agents(|agent| expanded[agent.index()])
            {
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
                    || goal(StepResult::State(&next.words));
                if reached && is_better {
                    found = Some((taken.compared, steps(), next));
                } else if seen.insert(next.words.clone()) {
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

/// By agent: whether its steps are tried. They must belong to the ample set, and no earlier agent may have the same ones: agents of a
/// class have if they are in the same state, hold the same, and nobody holds their names.
fn tried(system: &System<'_>, expanded: &ReducedState, agents: &[Whole]) -> Vec<bool> {
    let program = system.program();
    let mut is_held = vec![false; program.agent_names.len()];
    agents.iter().flat_map(|whole| &whole.held.names).for_each(|&name| is_held[name as usize] = true);
    let mut seen = HashSet::new();
    let symmetry = system.space.agents.symmetry();
    let is_tried = |agent: AgentId| {
        let Whole { id, held } = &agents[agent.index()];
        if expanded.ample.as_ref().is_some_and(|(ample, counts)| id != ample || held.counts != *counts) {
            return false;
        }
        match symmetry.class_of(agent).filter(|_| !is_held[agent.index()]) {
            Some(class) => seen.insert((class, id, &held.symbols, &held.names, &held.counts)),
            None => true,
        }
    };
    program.cast().map(is_tried).collect()
}

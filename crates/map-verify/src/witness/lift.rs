//! Lifting: finds a trace of the scene for a path of representatives.

use std::collections::HashSet;

use map_ir::AgentId;
use map_semantics::{SceneState, Status, Step, scene_steps};

use super::replay::{KEPT_MESSAGE, NoTrace};
use crate::abstraction::canonical::Held;
use crate::agents::StateId;
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
    let mut scene = SceneState::start(program, bounds, &initial).0.ok_or(NoTrace::Unlifted)?;
    let mut trace = Trace { initial, steps: Vec::new() };
    let mut kept = 0;
    for (index, state) in path[1..].iter().enumerate() {
        if index % STRIDE == 0 {
            budget.afford(system.space.agents.bytes() - before + trace.bytes() + kept * KEPT_MESSAGE)?;
        }
        let reached =
            |it: StepResult<'_>| matches!(it, StepResult::State(words) if words == state.as_slice());
        let (steps, next) = merged_steps(system, &scene, &reached, budget)?;
        let messages: usize = next.agents.iter().map(|agent| agent.messages()).sum();
        kept += steps.len() * messages;
        trace.steps.extend(steps);
        scene = next;
    }
    if let Some(kind) = wrong {
        let reached = |it: StepResult<'_>| matches!(it, StepResult::Wrong(it) if it == kind);
        trace.steps.extend(merged_steps(system, &scene, &reached, budget)?.0);
    }
    Ok(trace)
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
/// preferably one whose last step depends on no open comparison.
fn merged_steps(
    system: &mut System<'_>,
    from: &SceneState,
    goal: &dyn Fn(StepResult<'_>) -> bool,
    budget: &mut Budget<'_>,
) -> Result<(Vec<Step>, SceneState), NoTrace> {
    let (program, bounds) = (system.program(), system.space.bounds);
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let mut level: Vec<(Vec<Step>, Vec<u32>, SceneState)> =
        vec![(Vec::new(), abstracted(system, from, budget)?, from.clone())];
    for passed in 0..=MAX_PASSED {
        let mut found: Option<(bool, Vec<Step>, SceneState)> = None;
        let mut next_level = Vec::new();
        for (steps, words, scene) in &level {
            budget.check()?;
            let state = system.reduced_state(words);
            if passed > 0 && !state.passed {
                continue;
            }
            let expanded = tried(system, &state, scene);
            budget.check()?;
            for taken in scene_steps(program, bounds, scene).of_agents(|agent| expanded[agent.index()]) {
                let is_better = found.as_ref().is_none_or(|(compared, ..)| *compared && !taken.compared);
                let steps = || steps.iter().cloned().chain([taken.step.clone()]).collect::<Vec<Step>>();
                let Some(next) = taken.next_state(bounds, scene) else {
                    let reached = taken.wrong().is_some_and(|error| goal(StepResult::Wrong(error.into())));
                    if reached && is_better {
                        found = Some((taken.compared, steps(), scene.clone()));
                    }
                    continue;
                };
                let next_words = abstracted(system, &next, budget)?;
                let failed = next.agents[taken.step.agent.index()].status == Status::Failed;
                let reached = failed && goal(StepResult::Wrong(ViolationKind::Failure))
                    || goal(StepResult::State(&next_words));
                if reached && is_better {
                    found = Some((taken.compared, steps(), next));
                } else if seen.insert(next_words.clone()) {
                    next_level.push((steps(), next_words, next));
                }
            }
        }
        if let Some((_, steps, scene)) = found {
            return Ok((steps, scene));
        }
        level = next_level;
    }
    Err(NoTrace::Unlifted)
}

/// By agent: whether its steps are tried. They must belong to the ample set, and no earlier agent may have the same ones: agents of a
/// class have if they are in the same state, hold the same, and nobody holds their names.
fn tried(system: &mut System<'_>, expanded: &ReducedState, scene: &SceneState) -> Vec<bool> {
    let program = system.program();
    let whole: Vec<(StateId, Held)> = program
        .cast()
        .map(|agent| system.space.agents.intern_whole(agent, &scene.agents[agent.index()]))
        .collect();
    let mut is_held = vec![false; program.agent_names.len()];
    whole.iter().flat_map(|(_, held)| &held.names).for_each(|&name| is_held[name as usize] = true);
    let mut seen = HashSet::new();
    let symmetry = system.space.agents.symmetry();
    let is_tried = |agent: AgentId| {
        let (id, held) = &whole[agent.index()];
        let belongs =
            expanded.ample.as_ref().is_none_or(|(ample, counts)| id == ample && held.counts == *counts);
        let is_first = match symmetry.class_of(agent).filter(|_| !is_held[agent.index()]) {
            Some(class) => seen.insert((class, id, &held.symbols, &held.names, &held.counts)),
            None => true,
        };
        belongs && is_first
    };
    program.cast().map(is_tried).collect()
}

/// The vector that represents a state of the scene.
fn abstracted(
    system: &mut System<'_>,
    scene: &SceneState,
    budget: &mut Budget<'_>,
) -> Result<Vec<u32>, NoTrace> {
    loop {
        if let Some(words) = system.space.abstracted_unless(scene, &budget.stop) {
            return Ok(words);
        }
        budget.check()?;
    }
}

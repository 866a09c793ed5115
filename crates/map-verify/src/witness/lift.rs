//! Lifting: finds a trace of the scene for a path of representatives.

use std::collections::HashSet;

use map_ir::AgentId;
use map_semantics::{SceneState, Status, Step, scene_steps};

use super::replay::{KEPT_MESSAGE, NoTrace};
use crate::agents::StateId;
use crate::budget::Budget;
use crate::report::{Trace, ViolationKind};
use crate::state::Scratch;
use crate::system::{MAX_PASSED, System};

/// Number of path states lifted between two checks of the memory.
const STRIDE: usize = 1 << 5;

/// A trace through states that the states of `path` represent, in order, followed by a step that goes wrong if
/// `wrong` is given.
///
/// Replaying it later keeps all its states, which grow with their mailboxes, so this is charged to the budget as
/// well.
///
/// # Errors
/// If there is none, or a limit is reached.
pub(crate) fn lift(
    system: &mut System<'_>,
    path: &[Vec<u32>],
    wrong: Option<ViolationKind>,
    budget: &mut Budget<'_>,
) -> Result<Trace, NoTrace> {
    let before = system.space.agents.bytes();
    let mut scene = SceneState::start(system.program(), system.space.bounds).0.ok_or(NoTrace::Unlifted)?;
    let mut trace = Trace::default();
    let mut kept = 0;
    for (index, state) in path[1..].iter().enumerate() {
        if index % STRIDE == 0 {
            budget.afford(system.space.agents.bytes() - before + trace.bytes() + kept * KEPT_MESSAGE)?;
        }
        let reached =
            |it: StepResult<'_>| matches!(it, StepResult::State(words) if words == state.as_slice());
        let (steps, next) = merged_steps(system, &scene, &reached, budget)?;
        let messages: usize = next.agents.iter().map(|agent| agent.mailbox.len()).sum();
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

    /// Whether the steps of an agent of the scene may belong to the ample set. Symbols and names that the agent holds
    /// are not compared.
    fn belongs(&mut self, expanded: &ReducedState, agent: AgentId, state: &SceneState) -> bool {
        expanded.ample.as_ref().is_none_or(|(id, counts)| {
            let (own, held) = self.space.agents.intern_whole(agent, &state.agents[agent.index()]);
            own == *id && held.counts == *counts
        })
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
        vec![(Vec::new(), system.space.abstracted(from), from.clone())];
    for passed in 0..=MAX_PASSED {
        let mut found: Option<(bool, Vec<Step>, SceneState)> = None;
        let mut next_level = Vec::new();
        for (steps, words, scene) in &level {
            budget.check()?;
            let state = system.reduced_state(words);
            if passed > 0 && !state.passed {
                continue;
            }
            let expanded: Vec<bool> =
                program.cast().map(|agent| system.belongs(&state, agent, scene)).collect();
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
                let next_words = system.space.abstracted(&next);
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

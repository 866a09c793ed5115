//! Traces of the scene itself, from the states that stand for its states.

use std::collections::HashSet;

use map_ir::AgentId;
use map_semantics::{SceneState, Status, Step};

use crate::analysis::Means;
use crate::plain::steps_of;
use crate::report::ViolationKind;
use crate::system::{Buffers, System};
use crate::trace::{KEPT_MESSAGE, NoTrace, Trace};

/// How many steps are lifted between two looks at the clock and the memory.
const STRIDE: usize = 1 << 5;

/// A trace through states for which those of the path stand, in order, and then a step that goes wrong.
///
/// Whoever shows it keeps its states, which grow with what lies in their mailboxes: a long trace that floods one takes more
/// memory than was allowed.
///
/// # Errors
/// If there is none, or a limit comes first.
pub(crate) fn lift(
    system: &mut System<'_>,
    path: &[Vec<u32>],
    wrong: Option<ViolationKind>,
    means: &mut Means<'_>,
) -> Result<Trace, NoTrace> {
    let before = system.space.agents.bytes();
    let mut scene = SceneState::start(system.program(), system.space.bounds).0.ok_or(NoTrace::Unlifted)?;
    let mut trace = Trace::default();
    let mut kept = 0;
    for (index, state) in path[1..].iter().enumerate() {
        if index % STRIDE == 0 {
            means.check()?;
            means.afford(system.space.agents.bytes() - before + trace.bytes() + kept * KEPT_MESSAGE)?;
        }
        let found =
            way(system, &scene, &|it| matches!(it, Reached::State(words) if words == state.as_slice()));
        let (steps, next) = found.ok_or(NoTrace::Unlifted)?;
        let messages: usize = next.agents.iter().map(|agent| agent.mailbox.len()).sum();
        kept += steps.len() * messages;
        trace.steps.extend(steps);
        scene = next;
    }
    if let Some(kind) = wrong {
        let found = way(system, &scene, &|it| matches!(it, Reached::Wrong(it) if it == kind));
        trace.steps.extend(found.ok_or(NoTrace::Unlifted)?.0);
    }
    Ok(trace)
}

impl System<'_> {
    /// Whether a step of an agent in a state of the scene belongs to the ample set of the state that stands for it.
    fn is_expanded(&mut self, words: &[u32], agent: AgentId, state: &SceneState) -> bool {
        let mut buffers = Buffers::default();
        let ample = loop {
            let mut scratch = buffers.take();
            if scratch.locate(&self.space, words) {
                let ample = self.ample(&scratch, words);
                break ample.map(|ample| (words[ample.index()], scratch.tail(words, ample.index())));
            }
            scratch.missing.drain(..).for_each(|missing| self.space.agents.fill(missing));
        };
        // Agents of one class in the same state can do the same. Which symbols and names they hold is left open.
        ample.is_none_or(|(id, tail)| {
            let (own, own_tail) = self.space.agents.intern_whole(agent, &state.agents[agent.index()]);
            let counts = |tail| self.space.agents.brief(id).split(tail).2;
            own == id && counts(tail) == counts(&own_tail)
        })
    }
}

/// What a step comes to.
#[derive(Clone, Copy)]
enum Reached<'s> {
    State(&'s [u32]),
    Wrong(ViolationKind),
}

/// A shortest way of steps that the reduced search makes, to where `goal` holds; free of open comparisons in its last
/// step if there is one.
fn way(
    system: &mut System<'_>,
    from: &SceneState,
    goal: &dyn Fn(Reached<'_>) -> bool,
) -> Option<(Vec<Step>, SceneState)> {
    let (program, bounds) = (system.program(), system.space.bounds);
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let mut level: Vec<(Vec<Step>, Vec<u32>, SceneState)> =
        vec![(Vec::new(), system.space.abstracted(from), from.clone())];
    while !level.is_empty() {
        let mut found: Option<(bool, Vec<Step>, SceneState)> = None;
        let mut next_level = Vec::new();
        for (steps, words, scene) in &level {
            let expanded: Vec<bool> =
                program.cast().map(|agent| system.is_expanded(words, agent, scene)).collect();
            for made in steps_of(program, bounds, scene, |agent| expanded[agent.index()]) {
                let next_words = system.space.abstracted(&made.next);
                let failed =
                    |state: &SceneState| state.agents[made.step.agent.index()].status == Status::Failed;
                let reached = match made.wrong {
                    Some(kind) => goal(Reached::Wrong(kind)),
                    None if failed(&made.next) && goal(Reached::Wrong(ViolationKind::Failure)) => true,
                    None => goal(Reached::State(&next_words)),
                };
                let steps = || steps.iter().cloned().chain([made.step.clone()]).collect::<Vec<Step>>();
                if reached && found.as_ref().is_none_or(|(compared, ..)| *compared && !made.compared) {
                    found = Some((made.compared, steps(), made.next.clone()));
                } else if made.wrong.is_none() && seen.insert(next_words.clone()) {
                    next_level.push((steps(), next_words, made.next));
                }
            }
        }
        if let Some((_, steps, scene)) = found {
            return Some((steps, scene));
        }
        level = next_level;
    }
    None
}

//! Whether a good end can be reached: looked up by a guard, and found naively.

#![expect(
    clippy::mutable_key_type,
    reason = "the index of a mailbox is filled in when it is first used, and is no part of its value"
)]

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::Arc;

use map_guard::{Foresight, Outlook};
use map_ir::{Program, Symbol};
use map_semantics::{AgentState, Bounds, SceneState, SceneStep, StepError, scene_steps};
use map_verify::{GoodEnds, Limits, Tuning, good_ends};

/// The search of a whole scene, which a guard looks up.
pub(super) struct Ends(RefCell<GoodEnds<'static>>);

/// A larger scene is passed over.
const MAX_STATES: usize = 1_000;

impl Ends {
    /// `None` if the scene is too large. What it keeps is never freed: there are few in a test.
    pub(super) fn of(program: &Program) -> Option<Self> {
        let program: &'static Program = Box::leak(Box::new(program.clone()));
        let limits = Limits {
            states: MAX_STATES,
            memory: 1 << 28,
            threads: NonZeroUsize::MIN,
            tuning: Tuning::SHIPPED,
        };
        let bounds: &'static Bounds = Box::leak(Box::new(Bounds::USUAL));
        let found = good_ends(program, bounds, &limits, &mut |_: &_| None);
        found.expect("the engine does not contradict itself").ok().map(|ends| Self(RefCell::new(ends)))
    }
}

impl Foresight for Ends {
    fn outlook(&self) -> Outlook {
        Outlook::Mixed
    }

    fn good_ends(&self, states: Vec<SceneState>) -> Option<Vec<bool>> {
        let mut ends = self.0.borrow_mut();
        states.iter().map(|state| ends.can_be_reached_from(state)).collect()
    }
}

/// All states that are looked at for one guard: behind a message there may be many, each with its own answers.
const MAX_ALL_STATES: usize = 10_000;

/// Looks for good ends step by step.
#[derive(Default)]
pub(super) struct NaiveEnds {
    known: HashMap<Vec<AgentState>, bool>,
    /// How many states have been looked at.
    states: usize,
}

impl NaiveEnds {
    /// Whether a good end can be reached from a state; `None` if that is too much to find out.
    pub(super) fn can_be_reached(&mut self, program: &Program, agents: &[AgentState]) -> Option<bool> {
        if let Some(&known) = self.known.get(agents) {
            return Some(known);
        }
        if self.states > MAX_ALL_STATES {
            return None;
        }
        let bounds = &Bounds::USUAL;
        let first =
            SceneState { agents: agents.iter().cloned().map(Arc::new).collect(), fresh: Symbol(0), lost: 0 };
        let mut seen = HashSet::from([agents.to_vec()]);
        let (mut todo, mut all_known) = (vec![first], true);
        while let Some(state) = todo.pop() {
            self.states += 1;
            let steps = scene_steps(program, bounds, &state);
            if steps.judgement().good_end {
                self.known.insert(agents.to_vec(), true);
                return Some(true);
            }
            for step in steps.all() {
                match step.observed.result {
                    SceneStep::Made | SceneStep::Nothing => {}
                    // What lies behind is not known to the search either.
                    SceneStep::Cut(_) | SceneStep::TooLong(_) | SceneStep::Wrong(StepError::Overflow(_)) => {
                        all_known = false;
                    }
                    SceneStep::Wrong(_) => {}
                }
                let Some(next) = step.next_state(bounds, &state) else { continue };
                let key: Vec<AgentState> = next.agents.iter().map(|agent| (**agent).clone()).collect();
                if seen.insert(key) {
                    todo.push(next);
                }
            }
            if seen.len() > MAX_STATES {
                return None;
            }
        }
        if !all_known {
            return None;
        }
        self.known.insert(agents.to_vec(), false);
        Some(false)
    }
}

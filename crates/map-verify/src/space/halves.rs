//! Steps of states that are stored as wired trees ([`crate::store::Naming::ByWire`]), without a look at their vectors. What the
//! agents of a half of the scene can do, and what becomes of a half by a message from the other one, depends on that half alone, and
//! is remembered; so a step of the scene is two words out of tables.
//!
//! For the scene's own states only, in an exact store, under an instant network. What does not fit is left to [`super::put`],
//! which comes to the same: debug builds compare the two in every state.

use map_ir::{AgentId, PerformativeId};
use map_semantics::{Network, StepKind, Timeouts};

use super::{Judgement, Next, Space, Successor};
use crate::agents::{LocalEnding, Missing};
use crate::store::{Folder, Key, Store};
use half::{Ending, HalfStep, NONE, Outlook};
use names::Unfit;
use tables::Tables;

mod agent;
mod deliver;
mod half;
mod names;
mod pair;
mod tables;
mod top;

/// One thread's tables and buffers.
#[derive(Default)]
pub(crate) struct Halves {
    /// What the agent tables do not say yet.
    pub(crate) missing: Vec<Missing>,
    tables: Tables,
    /// Some node had no place in the store: what comes of it must not be remembered.
    full: bool,
}

/// Why a state was not expanded.
pub(crate) enum Unexpanded {
    /// Something is missing in the agent tables.
    Missing,
    /// The store has to be made larger.
    Full,
    /// It does not fit.
    Unfit,
}

impl From<Unfit> for Unexpanded {
    fn from(Unfit: Unfit) -> Self {
        Self::Unfit
    }
}

/// What a state is expanded with.
struct Means<'m> {
    space: &'m Space<'m>,
    store: &'m Store,
    folder: &'m mut Folder,
}

/// A step that was found.
pub(crate) struct Found<'f> {
    space: &'f Space<'f>,
    step: &'f HalfStep,
    pub(crate) compared: bool,
    pub(crate) result: Next<Key>,
    dropped: &'f [(PerformativeId, AgentId)],
    /// Whether there may be more to be noted of it than that it is there.
    pub(crate) is_new: bool,
}

impl Found<'_> {
    pub(crate) fn agent(&self) -> AgentId {
        AgentId::new(self.step.agent as usize)
    }

    pub(crate) fn thread(&self) -> u32 {
        self.step.thread
    }

    pub(crate) fn kind(&self) -> StepKind {
        self.step.kind
    }

    /// All that is to be told of it.
    pub(crate) fn tell<T>(&self, see: impl FnOnce(Successor<'_, Key>) -> T) -> T {
        let step = self.space.local(self.step.id).nth(self.step.place as usize);
        let after = match &step.ending {
            LocalEnding::State { after, .. } => Some(after),
            _ => None,
        };
        see(Successor {
            agent: self.agent(),
            step: &step,
            after,
            compared: self.compared,
            result: self.result,
            altered: 0..0,
            passed: false,
            dropped: self.dropped,
            sent_to: 0,
            weight: 0,
            losses: &[],
            unlucky: false,
        })
    }
}

impl Space<'_> {
    /// Whether states may be expanded in this way at all.
    pub(crate) fn has_halves(&self) -> bool {
        self.bounds.network == Network::INSTANT && self.agents.only_symbols() && self.agent_count() > 1
    }

    /// Calls `found` for every step of a stored state, as [`Space::expand`] does.
    ///
    /// # Errors
    /// Why that was not possible. Then some of its steps may have been found.
    pub(crate) fn expand_halves(
        &self,
        halves: &mut Halves,
        (store, folder): (&Store, &mut Folder),
        state: u32,
        found: &mut impl FnMut(Found<'_>),
    ) -> Result<Judgement, Unexpanded> {
        debug_assert!(!self.agents.any_ties(), "mailboxes are queues under an instant network");
        halves.full = false;
        halves.tables.make_room();
        let means = &mut Means { space: self, store, folder };
        let outlook = halves.expand(means, store.halves(state), found)?;
        if halves.full {
            Err(Unexpanded::Full)
        } else if !halves.missing.is_empty() {
            Err(Unexpanded::Missing)
        } else {
            Ok(outlook.judged(self.bounds.timeouts))
        }
    }
}

impl Halves {
    pub(crate) fn bytes(&self) -> usize {
        self.tables.bytes()
    }

    /// Finds the steps of the state of two halves. All that is missing is found even where the store is full: which threads
    /// come to a full store is chance.
    fn expand(
        &mut self,
        means: &mut Means<'_>,
        words: [u32; 2],
        found: &mut impl FnMut(Found<'_>),
    ) -> Result<Outlook, Unexpanded> {
        let [left_place, right_place] = means.store.tops().expect("there are two agents at least");
        let left = self.half(means, left_place, words[0])?;
        let right = self.half(means, right_place, means.store.without_wires(words[1]))?;
        let (Some(left), Some(right)) = (left, right) else { return Err(Unexpanded::Missing) };
        let (left, right) = (self.tables.halves[left as usize], self.tables.halves[right as usize]);
        let top = top::Top { places: [left_place, right_place], words, halves: [left, right] };
        let outlook = left.outlook.and(right.outlook);
        let timeouts = outlook.timeouts_may_fire(means.space.bounds.timeouts);
        let doubtful = means.space.bounds.timeouts == Timeouts::Quiescent && outlook.waiting_compared();
        for index in left.steps() {
            let step = self.tables.steps[index];
            if step.is_timeout() && !timeouts {
                continue;
            }
            let Some((result, dropped)) = self.after_left(means, &top, &step)? else { continue };
            found(self.told(means.space, &step, doubtful, (result, dropped)));
            if result.is_ok() {
                self.tables.steps[index].note();
            }
        }
        let steps = self.right_steps(means, &top)?;
        for index in steps {
            let seen = self.tables.top_steps[index];
            let step = seen.step;
            if step.is_timeout() && !timeouts {
                continue;
            }
            let Some((result, dropped)) = self.after_right(means, &top, (&seen, index))? else { continue };
            found(self.told(means.space, &step, doubtful, (result, dropped)));
            if result.is_ok() {
                self.tables.top_steps[index].step.note();
            }
        }
        Ok(outlook)
    }

    fn told<'t>(
        &'t self,
        space: &'t Space<'t>,
        step: &'t HalfStep,
        doubtful: bool,
        (result, dropped): (Result<Key, Ending>, u32),
    ) -> Found<'t> {
        let result = match result {
            Ok(key) => Next::State(key),
            Err(ending) => ending.without_state(space, step),
        };
        let compared = step.is_compared() || (doubtful && step.is_timeout());
        let is_new = step.is_new() || dropped != NONE;
        Found { space, step, compared, result, dropped: self.tables.dropped(dropped), is_new }
    }
}

//! Steps of states that are stored as wired trees ([`crate::store::Naming::ByWire`]), without a look at their vectors. What the
//! agents of a half of the scene can do, and what becomes of a half by a message from the other one, depends on that half alone, and
//! is remembered; so a step of the scene is two words out of tables.
//!
//! For the scene's own states only, in an exact store, under an instant network. What does not fit is left to [`super::put`],
//! which comes to the same: debug builds compare the two in every state.

use map_ir::{AgentId, PerformativeId};
use map_semantics::{Network, StepKind, Timeouts};

use super::{Judgement, Made, Next, Space, Successor};
use crate::agents::{LocalEnding, Missing};
use crate::store::{Folder, Key, Store};
pub(crate) use bundle::{Bundle, Expanded, Tellers, Unbundled};
use half::{HalfStep, Outlook};
use names::Unfit;
use tables::{Tables, Touched};
use top::{After, Top};

mod agent;
mod bundle;
mod deliver;
mod half;
mod names;
mod pair;
mod recent;
mod tables;
mod top;

/// One thread's tables and buffers.
#[derive(Default)]
pub(crate) struct Halves {
    /// What the agent tables do not say yet.
    pub(crate) missing: Vec<Missing>,
    tables: Tables,
    buffers: bundle::Buffers,
    /// The steps of one thread, by kind, with the halves that they lead to.
    same_thread: Vec<(StepKind, [u32; 2])>,
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

/// A step of which there is more to be told.
pub(crate) struct Found<'f> {
    space: &'f Space<'f>,
    step: &'f HalfStep,
    compared: bool,
    result: Next<Key>,
    dropped: &'f [(PerformativeId, AgentId)],
}

/// Which steps are told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tell {
    All,
    /// Those of which something may have to be noted that was not told before.
    New,
}

impl Found<'_> {
    /// All that is to be told of it.
    pub(crate) fn tell<T>(&self, see: impl FnOnce(Successor<'_, Key>) -> T) -> T {
        let step = self.space.local(self.step.id).nth(self.step.place as usize);
        let after = match &step.ending {
            LocalEnding::State { after, .. } => Some(after),
            _ => None,
        };
        see(Successor {
            agent: AgentId::new(self.step.agent as usize),
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

    /// Adds what every step of a stored state leads to, in the order of [`Space::expand`], and calls `found` for those that are
    /// to be told, and for all that lead to no state.
    ///
    /// # Errors
    /// Why that was not possible. Then some of its steps may have been found.
    pub(crate) fn expand_halves(
        &self,
        halves: &mut Halves,
        (store, folder): (&Store, &mut Folder),
        (state, tell): (u32, Tell),
        made: &mut Vec<Made>,
        found: &mut impl FnMut(Found<'_>),
    ) -> Result<Judgement, Unexpanded> {
        debug_assert!(!self.agents.any_ties(), "mailboxes are queues under an instant network");
        halves.full = false;
        halves.tables.make_room(store.len());
        let means = &mut Means { space: self, store, folder };
        let sink = &mut Sink { made, tell, found };
        let touched = halves.tables.touched(store, state);
        let outlook = halves.expand(means, touched, sink)?;
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

    /// Brings what is remembered of the halves of states into the cache, all at once, so that cache misses overlap.
    pub(crate) fn touch(&mut self, store: &Store, states: impl Iterator<Item = u32>) {
        self.tables.touch(store, states);
    }

    /// Finds the steps of a state. All that is missing is found even where the store is full: which threads
    /// come to a full store is chance.
    fn expand(
        &mut self,
        means: &mut Means<'_>,
        touched: Touched,
        sink: &mut Sink<'_, impl FnMut(Found<'_>)>,
    ) -> Result<Outlook, Unexpanded> {
        let places = means.store.tops().expect("there are two agents at least");
        let words = touched.words;
        let left = match touched.left {
            None => self.left_half(means, places[0], words[0])?,
            known => known,
        };
        let right = match touched.right {
            None => self.right_half(means, places, words, left)?,
            known => known,
        };
        let (Some(left), Some(right)) = (left, right) else { return Err(Unexpanded::Missing) };
        let steps = right.steps().zip(right.half.steps());
        let right = right.half;
        let top = Top { places, words, halves: [left, right] };
        let outlook = left.outlook.and(right.outlook);
        let timeouts = outlook.timeouts_may_fire(means.space.bounds.timeouts);
        let doubtful = means.space.bounds.timeouts == Timeouts::Quiescent && outlook.waiting_compared();
        for index in left.steps() {
            let step = &self.tables.steps[index];
            if step.is_timeout() && !timeouts {
                continue;
            }
            if sink.tell == Tell::New
                && step.is_plain(doubtful)
                && let Some(right) = self.tables.right_after(words[1], step)
            {
                sink.made.push(made(step, Store::key_of([step.after, right])));
                continue;
            }
            let step = *step;
            let Some(after) = self.after_left(means, &top, &step)? else { continue };
            if sink.take(self, means.space, (&step, after), doubtful) {
                self.note(means.space, index, after.1);
            }
        }
        for (at, index) in steps {
            let step = &self.tables.steps[index];
            if step.is_timeout() && !timeouts {
                continue;
            }
            if sink.tell == Tell::New
                && step.is_plain(doubtful)
                && let Some(left) = self.tables.left_after(words[0], self.tables.top_steps[at])
            {
                sink.made.push(made(step, Store::key_of([left, self.tables.top_steps[at].after])));
                continue;
            }
            let step = *step;
            let Some(after) = self.after_right(means, &top, (&step, at))? else { continue };
            if sink.take(self, means.space, (&step, after), doubtful) {
                self.note(means.space, index, after.1);
            }
        }
        Ok(outlook)
    }

    /// Notes that a step has been told, and what was dropped by it.
    fn note(&mut self, space: &Space<'_>, step: usize, dropped: u32) {
        let step = &mut self.tables.steps[step];
        if !step.is_noted() {
            step.note();
            let step = space.local(step.id).nth(step.place as usize);
            if let LocalEnding::State { after, .. } = step.ending {
                self.tables.note(after.id);
            }
        }
        self.tables.note_dropped(dropped);
    }
}

/// A step to a state of which there is nothing else to be said.
#[inline]
fn made(step: &HalfStep, key: Key) -> Made {
    let HalfStep { agent, thread, kind, .. } = *step;
    Made { key, agent, thread, weight: 0, kind, compared: false, unlucky: false }
}

/// Where steps go that were found.
struct Sink<'s, F> {
    made: &'s mut Vec<Made>,
    tell: Tell,
    found: &'s mut F,
}

impl<F: FnMut(Found<'_>)> Sink<'_, F> {
    /// Takes a step; whether all that is to be noted of it has been told now.
    #[inline]
    fn take(
        &mut self,
        halves: &Halves,
        space: &Space<'_>,
        (step, (result, dropped)): (&HalfStep, After),
        doubtful: bool,
    ) -> bool {
        let compared = step.is_compared() || (doubtful && step.is_timeout());
        if let Ok(key) = result {
            self.made.push(Made { compared, ..made(step, key) });
            if step.is_noted()
                && !step.fails()
                && !halves.tables.drops_news(dropped)
                && self.tell == Tell::New
            {
                return true;
            }
        }
        self.tell(halves, space, (step, (result, dropped)), compared);
        result.is_ok()
    }

    #[cold]
    fn tell(
        &mut self,
        halves: &Halves,
        space: &Space<'_>,
        (step, (result, dropped)): (&HalfStep, After),
        compared: bool,
    ) {
        let result = match result {
            Ok(key) => Next::State(key),
            Err(ending) => ending.without_state(space, step),
        };
        (self.found)(Found { space, step, compared, result, dropped: halves.tables.dropped(dropped) });
    }
}

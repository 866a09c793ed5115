//! Steps of states that take few bytes, without a look at their vectors: each agent's state with its symbols, a byte each,
//! is a *seat*, and seats are what the leaves of the store's trees stand for. A step is put into the seats of the agents that
//! it changes; the others are looked at only where their symbols have to be named anew.
//!
//! For the scene's own states only, in an exact store, under an instant network. What does not fit is left to [`super::put`],
//! which comes to the same: debug builds compare the two in every state.

use map_ir::{AgentId, PerformativeId};
use map_semantics::{Network, Status, StepKind};
use map_store::Full;

use super::{Compose, Judgement, Next, Space, Successor};
use crate::agents::{Delivered, LocalEnding, LocalStep, Missing, StateId};
use crate::store::{Folder, Key, SEAT, Seat, Store};
use lately::Lately;
use naming::Renamed;
use seats::{Changed, KNOWN, LETTER, Letter, Place, Taken, Turned};

mod keys;
mod lately;
mod locate;
mod naming;
mod seats;

/// One thread's buffers.
#[derive(Default)]
pub(crate) struct Packed {
    /// What the tables do not say yet.
    pub(crate) missing: Vec<Missing>,
    ids: Vec<StateId>,
    places: Vec<Place>,
    ended: Judgement,
    /// How many names symbols have in the state that is expanded.
    unused: u8,
    changed: Vec<Changed>,
    renamed: Renamed,
    dropped: Vec<(PerformativeId, AgentId)>,
    lately: Lately,
}

/// Why a state was not expanded.
pub(crate) enum Unpacked {
    /// Something is missing in the tables.
    Missing,
    /// The store has to be made larger.
    Full,
    /// It does not fit.
    Unfit,
}

impl From<Full> for Unpacked {
    fn from(Full: Full) -> Self {
        Self::Full
    }
}

impl Space<'_> {
    /// Whether states may be expanded in this way at all.
    pub(crate) fn has_seats(&self) -> bool {
        self.bounds.network == Network::INSTANT && self.agents.only_symbols()
    }

    /// Calls `found` for every step of a stored state, as [`Space::expand`] does, with keys for states.
    ///
    /// # Errors
    /// Why that was not possible. Then some of its steps may have been found.
    pub(crate) fn expand_packed(
        &self,
        packed: &mut Packed,
        (store, folder): (&Store, &mut Folder),
        state: u32,
        found: &mut impl FnMut(Successor<'_, Key>),
    ) -> Result<Judgement, Unpacked> {
        debug_assert!(!self.agents.any_ties(), "mailboxes are queues under an instant network");
        store.load_tree(folder, state);
        packed.locate(self, store, folder)?;
        let ids = std::mem::take(&mut packed.ids);
        let mut turns = std::mem::take(&mut packed.lately.turns);
        let ended = packed.ended;
        let mut composer =
            Composer { space: self, packed, turns: &mut turns, store, folder, found, failed: None };
        let judgement = self.all_steps(&ids, ended, &mut composer);
        let failed = composer.failed;
        packed.ids = ids;
        packed.lately.turns = turns;
        match failed {
            Some(failed) => Err(failed),
            None if !packed.missing.is_empty() => Err(Unpacked::Missing),
            None => Ok(judgement),
        }
    }
}

impl Packed {
    pub(crate) fn bytes(&self) -> usize {
        self.lately.bytes()
    }

    /// The states of the agents in the state that was expanded last.
    pub(crate) fn ids(&self) -> &[StateId] {
        &self.ids
    }

    /// Puts a step into the seats and finds what comes of it; nothing if something is missing in the tables.
    fn put(
        &mut self,
        space: &Space<'_>,
        (store, folder): (&Store, &mut Folder),
        agent: AgentId,
        (step, turned): (&LocalStep<'_>, &mut Turned),
    ) -> Result<Option<Next<Key>>, Unpacked> {
        self.changed.clear();
        self.dropped.clear();
        let before = self.missing.len();
        let next = match &step.ending {
            LocalEnding::Cut(bound) => Next::Cut(*bound),
            LocalEnding::TooLong => Next::TooLong,
            LocalEnding::RunError => Next::RunError,
            LocalEnding::Runaway if self.send(space, step, &turned.letter)? => Next::Runaway,
            LocalEnding::Runaway => Next::Overflow,
            LocalEnding::State { .. } if step.sent.is_none() => {
                Next::State(self.key_alone(store, folder, agent.index(), turned)?)
            }
            LocalEnding::State { .. } => {
                self.changed.push(Changed { agent: agent.index(), taken: turned.taken, delivery: None });
                if !self.send(space, step, &turned.letter)? {
                    Next::Overflow
                } else if !self.missing.is_empty() {
                    // Nobody will look at the rest.
                    return Ok(None);
                } else {
                    Next::State(self.key(store, folder, turned)?)
                }
            }
        };
        Ok((self.missing.len() == before).then_some(next))
    }

    /// Delivers what a step sends; false if a mailbox is full.
    #[inline]
    fn send(&mut self, space: &Space<'_>, step: &LocalStep<'_>, letter: &Letter) -> Result<bool, Unpacked> {
        let Some(sent) = &step.sent else { return Ok(true) };
        for &to in &sent.to {
            let place = &self.places[to.index()];
            match place.status {
                Status::Running => {}
                Status::Crashed => continue,
                Status::Done | Status::Failed => {
                    self.dropped.push((sent.performative, to));
                    continue;
                }
            }
            if place.mailbox >= space.bounds.mailbox {
                return Ok(false);
            }
            let (slot, known) = self.lately.delivery(place.taken.leaf, letter);
            let taken = match known {
                Some(known) => Some(known),
                None => self.deliver(space, to, letter, slot)?,
            };
            if let Some(taken) = taken {
                self.changed.push(Changed { agent: to.index(), taken, delivery: Some(slot) });
            }
        }
        Ok(true)
    }

    /// What becomes of an agent that gets a message; nothing if that is missing in the tables.
    fn deliver(
        &mut self,
        space: &Space<'_>,
        to: AgentId,
        letter: &Letter,
        slot: u32,
    ) -> Result<Option<Taken>, Unpacked> {
        let Taken { seat, symbols, leaf, .. } = &self.places[to.index()].taken;
        let own = usize::from(*symbols);
        let mut names = [0; KNOWN];
        names[..SEAT].copy_from_slice(&seat.symbols);
        let mut known = own;
        let pattern = &mut [0_u32; LETTER];
        for (place, &symbol) in pattern.iter_mut().zip(letter.held()) {
            let position = names[..known].iter().position(|&it| it == symbol);
            let position = position.unwrap_or_else(|| {
                names[known] = symbol;
                known += 1;
                known - 1
            });
            *place = position as u32;
        }
        let pattern = &pattern[..letter.held().len()];
        let Delivered { next, received, .. } = match space.agents.deliver(seat.id, letter.message, pattern) {
            Ok(delivered) => delivered,
            Err(missing) => {
                self.missing.push(missing);
                return Ok(None);
            }
        };
        let mut seat = Seat { id: next, symbols: [0; SEAT] };
        gather(&received.symbols, &names[..known], &mut seat.symbols)?;
        let taken = Taken::new(seat, received.symbols.len());
        self.lately.note_delivery(slot, *leaf, letter, taken);
        Ok(Some(taken))
    }
}

/// The names of symbols, a byte each.
#[inline]
fn gather(symbols: &[u32], names: &[u8], out: &mut [u8]) -> Result<(), Unpacked> {
    if symbols.len() > out.len() {
        return Err(Unpacked::Unfit);
    }
    for (out, &symbol) in out.iter_mut().zip(symbols) {
        *out = *names.get(symbol as usize).ok_or(Unpacked::Unfit)?;
    }
    Ok(())
}

/// Puts the steps of a state into its seats.
struct Composer<'c, 'a, F> {
    space: &'c Space<'a>,
    packed: &'c mut Packed,
    turns: &'c mut [Turned],
    store: &'c Store,
    folder: &'c mut Folder,
    found: &'c mut F,
    /// Why nobody will look at the rest.
    failed: Option<Unpacked>,
}

impl<F: FnMut(Successor<'_, Key>)> Compose for Composer<'_, '_, F> {
    fn is_like_the_one_before(&self, _: usize) -> bool {
        false
    }

    fn compose(&mut self, agent: AgentId, (step, place): (&LocalStep<'_>, usize), doubtful: bool) -> usize {
        if matches!(self.failed, Some(Unpacked::Unfit)) {
            return 0;
        }
        let first = self.packed.places[agent.index()].turns as usize;
        let turned = &mut self.turns[first + place];
        let result = match self.packed.put(self.space, (self.store, self.folder), agent, (step, turned)) {
            Ok(Some(next)) => next,
            Ok(None) => return 0,
            Err(failed) => {
                // All that is missing is found nevertheless: which threads come to a full store is chance.
                self.failed = Some(failed);
                return 0;
            }
        };
        let after = match &step.ending {
            LocalEnding::State { after, .. } => Some(after),
            _ => None,
        };
        (self.found)(Successor {
            agent,
            step,
            after,
            compared: step.label.compared || doubtful,
            result,
            altered: 0..0,
            passed: false,
            dropped: &self.packed.dropped,
            sent_to: 0,
            weight: 0,
            losses: &[],
            unlucky: step.label.kind == StepKind::Crash,
        });
        1
    }
}

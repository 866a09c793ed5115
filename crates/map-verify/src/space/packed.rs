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
use crate::agents::{Delivered, LocalEnding, LocalStep, Missing, Sent, StateId};
use crate::store::{Folder, Key, SEAT, Seat, Store};
use lately::{Asked, Lately, PATTERN};
use naming::{Renamed, are_in_turn};

mod lately;
mod naming;

/// The most symbols of one state. Those of one step that are new have to fit into a byte with them.
const MOST_SYMBOLS: usize = 200;

/// The most symbols that a step may make, and those with the ones that its agent holds.
const NEW: usize = 16;
const KNOWN: usize = SEAT + NEW;

/// One thread's buffers.
#[derive(Default)]
pub(crate) struct Packed {
    /// What the tables do not say yet.
    pub(crate) missing: Vec<Missing>,
    ids: Vec<StateId>,
    places: Vec<Place>,
    ended: Judgement,
    changed: Vec<Changed>,
    dropped: Vec<(PerformativeId, AgentId)>,
    deliveries: Lately,
}

/// An agent of the state that is expanded.
struct Place {
    seat: Seat,
    symbols: u8,
    /// The first name that no symbol has which some agent before holds. Symbols are numbered by first occurrence.
    unused: u8,
    /// The same with this agent.
    next_unused: u8,
    status: Status,
    /// How many messages it has.
    mailbox: u32,
    /// Names of the symbols that it holds, then of new ones.
    names: [u8; KNOWN],
}

impl Place {
    /// Names of the symbols that it holds, then of new ones.
    fn names(&self) -> &[u8] {
        &self.names[..usize::from(self.symbols) + NEW]
    }
}

/// An agent that a step changes.
struct Changed {
    agent: usize,
    seat: Seat,
    symbols: u8,
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
        let ended = packed.ended;
        let mut composer = Composer { space: self, packed, store, folder, found, failed: None };
        let judgement = self.all_steps(&ids, ended, &mut composer);
        let failed = composer.failed;
        packed.ids = ids;
        match failed {
            Some(failed) => Err(failed),
            None if !packed.missing.is_empty() => Err(Unpacked::Missing),
            None => Ok(judgement),
        }
    }
}

impl Packed {
    pub(crate) fn bytes(&self) -> usize {
        self.deliveries.bytes()
    }

    /// The states of the agents in the state that was expanded last.
    pub(crate) fn ids(&self) -> &[StateId] {
        &self.ids
    }

    /// Finds the seats of a state.
    fn locate(&mut self, space: &Space<'_>, store: &Store, folder: &Folder) -> Result<(), Unpacked> {
        self.ids.clear();
        self.places.clear();
        self.ended = Judgement { all_done: true, ..Judgement::default() };
        let mut unused = 0_u8;
        for agent in 0..space.agent_count() {
            let symbols = |id: StateId| space.agents.brief(id).symbols as usize;
            let seat = store.seat(folder.leaf(agent), symbols).ok_or(Unpacked::Unfit)?;
            let brief = space.agents.brief(seat.id);
            if !brief.expanded {
                self.missing.push(Missing::Locals(seat.id));
            }
            self.ended.all_done &= matches!(brief.status, Status::Done | Status::Crashed);
            self.ended.some_failed |= brief.status == Status::Failed;
            let symbols = brief.symbols as u8;
            let (status, mailbox) = (brief.status, brief.mailbox(&[]));
            let first = unused;
            if symbols > 0 {
                // Behind the symbols there are zeros.
                let most = seat.symbols.iter().fold(0, |most, &symbol| most.max(symbol));
                unused = unused.max(most + 1);
            }
            self.ids.push(seat.id);
            let names = [0; KNOWN];
            self.places.push(Place {
                seat,
                symbols,
                unused: first,
                next_unused: unused,
                status,
                mailbox,
                names,
            });
        }
        if usize::from(unused) > MOST_SYMBOLS {
            return Err(Unpacked::Unfit);
        }
        let new: [u8; NEW] = std::array::from_fn(|index| unused + index as u8);
        for place in &mut self.places {
            place.names[..SEAT].copy_from_slice(&place.seat.symbols);
            place.names[usize::from(place.symbols)..][..NEW].copy_from_slice(&new);
        }
        if self.missing.is_empty() { Ok(()) } else { Err(Unpacked::Missing) }
    }

    /// Puts a step into the seats and finds what comes of it; nothing if something is missing in the tables.
    fn put(
        &mut self,
        space: &Space<'_>,
        (store, folder): (&Store, &mut Folder),
        agent: AgentId,
        step: &LocalStep<'_>,
    ) -> Result<Option<Next<Key>>, Unpacked> {
        self.changed.clear();
        self.dropped.clear();
        let before = self.missing.len();
        let next = match &step.ending {
            LocalEnding::Cut(bound) => Next::Cut(*bound),
            LocalEnding::TooLong => Next::TooLong,
            LocalEnding::RunError => Next::RunError,
            LocalEnding::Runaway if self.send(space, agent, step)? => Next::Runaway,
            LocalEnding::Runaway => Next::Overflow,
            LocalEnding::State { after, more, .. } => {
                debug_assert!(more.is_none(), "messages are counted by slicing alone");
                let mut seat = Seat { id: after.next, symbols: [0; SEAT] };
                gather(&after.kept.symbols, self.places[agent.index()].names(), &mut seat.symbols)?;
                let symbols = after.kept.symbols.len() as u8;
                self.changed.push(Changed { agent: agent.index(), seat, symbols });
                let roomy = self.send(space, agent, step)?;
                if !roomy {
                    Next::Overflow
                } else if !self.missing.is_empty() {
                    // Nobody will look at the rest.
                    return Ok(None);
                } else {
                    Next::State(self.key(store, folder)?)
                }
            }
        };
        Ok((self.missing.len() == before).then_some(next))
    }

    /// Delivers what a step sends; false if a mailbox is full.
    fn send(&mut self, space: &Space<'_>, agent: AgentId, step: &LocalStep<'_>) -> Result<bool, Unpacked> {
        let Some(sent) = &step.sent else { return Ok(true) };
        let held = &mut [0; PATTERN];
        gather(&sent.symbols, self.places[agent.index()].names(), held)?;
        let held = &held[..sent.symbols.len()];
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
            let changed = self.deliver(space, to, sent, held)?;
            self.changed.extend(changed);
        }
        Ok(true)
    }

    /// What becomes of an agent that gets a message with these symbols; nothing if that is missing in the tables.
    fn deliver(
        &mut self,
        space: &Space<'_>,
        to: AgentId,
        sent: &Sent,
        held: &[u8],
    ) -> Result<Option<Changed>, Unpacked> {
        let Place { seat, symbols, .. } = &self.places[to.index()];
        let own = usize::from(*symbols);
        let mut names = [0; KNOWN];
        names[..SEAT].copy_from_slice(&seat.symbols);
        let mut known = own;
        let pattern = &mut [0; PATTERN];
        for (place, &symbol) in pattern.iter_mut().zip(held) {
            let position = names[..known].iter().position(|&it| it == symbol);
            let position = position.unwrap_or_else(|| {
                names[known] = symbol;
                known += 1;
                known - 1
            });
            *place = position as u8;
        }
        let asked =
            Asked { recipient: seat.id, message: sent.message, pattern: u64::from_le_bytes(*pattern) };
        let place = match self.deliveries.place(space, asked, &pattern[..held.len()]) {
            Ok(place) => place,
            Err(missing) => {
                self.missing.push(missing);
                return Ok(None);
            }
        };
        let Delivered { next, received, .. } = space.agents.delivered(place);
        let mut seat = Seat { id: next, symbols: [0; SEAT] };
        gather(&received.symbols, &names[..known], &mut seat.symbols)?;
        let symbols = received.symbols.len() as u8;
        Ok(Some(Changed { agent: to.index(), seat, symbols }))
    }

    /// The key of the state after a step: symbols are named by first occurrence from the first agent on that is changed.
    fn key(&mut self, store: &Store, folder: &mut Folder) -> Result<Key, Unpacked> {
        let Self { places, changed, .. } = self;
        if !changed.is_sorted_by_key(|it| it.agent) {
            changed.sort_unstable_by_key(|it| it.agent);
        }
        folder.start_successor(places.len());
        let mut changes = changed.iter();
        let mut change = changes.next();
        let mut agent = change.expect("a step changes its agent").agent;
        // As long as symbols have the names that they would be given.
        let mut fresh = places[agent].unused;
        let renamed = loop {
            let Some(place) = places.get(agent) else { break None };
            let is_changed = change.is_some_and(|it| it.agent == agent);
            if !is_changed && fresh == place.unused {
                let Some(next) = change else { break None };
                agent = next.agent;
                fresh = places[agent].unused;
                continue;
            }
            let (seat, symbols) = match change {
                Some(it) if is_changed => (&it.seat, it.symbols),
                _ => (&place.seat, place.symbols),
            };
            if fresh == place.unused && symbols == place.symbols && seat.symbols == place.seat.symbols {
                fresh = place.next_unused;
            } else if !are_in_turn(&seat.symbols[..usize::from(symbols)], &mut fresh) {
                break Some(Renamed::new(fresh));
            }
            if is_changed {
                store.set_leaf(folder, agent, seat, usize::from(symbols))?;
                change = changes.next();
            }
            agent += 1;
        };
        if let Some(mut renamed) = renamed {
            for (agent, place) in places.iter().enumerate().skip(agent) {
                let (mut seat, symbols) = match change {
                    Some(it) if it.agent == agent => {
                        change = changes.next();
                        (it.seat, it.symbols)
                    }
                    _ if place.symbols == 0 => continue,
                    _ => (place.seat, place.symbols),
                };
                renamed.rename(&mut seat.symbols[..usize::from(symbols)]);
                if seat != place.seat {
                    store.set_leaf(folder, agent, &seat, usize::from(symbols))?;
                }
            }
        }
        Ok(store.fold(folder)?)
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

    fn compose(&mut self, agent: AgentId, step: &LocalStep<'_>, doubtful: bool) -> usize {
        if matches!(self.failed, Some(Unpacked::Unfit)) {
            return 0;
        }
        let result = match self.packed.put(self.space, (self.store, self.folder), agent, step) {
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

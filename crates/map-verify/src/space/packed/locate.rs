//! The agents of a state that is expanded, and what their steps make of them.

use map_semantics::Status;

use super::seats::{KNOWN, Letter, MOST_SYMBOLS, NEW, NOWHERE, Place, Taken, Turned, UNKNOWN};
use super::{Judgement, Packed, Unpacked, gather};
use crate::agents::{LocalEnding, LocalStep, Missing, StateId};
use crate::space::Space;
use crate::store::{Folder, SEAT, Seat, Store};

impl Packed {
    /// Finds the seats of a state. Those that are as in the state before need not be looked for.
    pub(super) fn locate(
        &mut self,
        space: &Space<'_>,
        store: &Store,
        folder: &Folder,
    ) -> Result<(), Unpacked> {
        let agents = space.agent_count();
        self.places.resize(agents, Place::NONE);
        self.ids.resize(agents, 0);
        self.ended = Judgement { all_done: true, ..Judgement::default() };
        self.unused = 0;
        for agent in 0..agents {
            let leaf = folder.leaf(agent);
            if self.places[agent].taken.leaf != leaf {
                self.places[agent] = match self.lately.place(leaf) {
                    Some(known) => known,
                    None => self.find_place(space, store, leaf)?,
                };
            }
            let place = &mut self.places[agent];
            self.ended.all_done &= matches!(place.status, Status::Done | Status::Crashed);
            self.ended.some_failed |= place.status == Status::Failed;
            place.before = self.unused;
            self.unused = self.unused.max(place.taken.uses);
            self.ids[agent] = place.taken.seat.id;
        }
        if usize::from(self.unused) > MOST_SYMBOLS {
            return Err(Unpacked::Unfit);
        }
        if !self.missing.is_empty() {
            return Err(Unpacked::Missing);
        }
        if self.lately.make_room() {
            self.places.iter_mut().for_each(|place| place.turns = NOWHERE);
        }
        for agent in 0..agents {
            let place = &self.places[agent];
            // Where no symbol is made it does not matter how many names are in use.
            let unused = if place.makes_symbols { self.unused } else { 0 };
            if place.turns != NOWHERE && place.turns_unused == unused {
                continue;
            }
            let turns = match self.lately.turns(place.taken.leaf, unused) {
                Some(known) => known,
                None => self.find_turns(space, agent, unused)?,
            };
            (self.places[agent].turns, self.places[agent].turns_unused) = (turns, unused);
        }
        Ok(())
    }

    /// Finds what the steps of an agent make of it.
    fn find_turns(&mut self, space: &Space<'_>, agent: usize, unused: u8) -> Result<u32, Unpacked> {
        let Taken { seat, symbols, leaf, .. } = self.places[agent].taken;
        let (names, known) = (self.names(agent), usize::from(symbols) + NEW);
        let start = self.lately.start_turns();
        for step in space.local(seat.id).all() {
            match turned(&step, &names[..known]) {
                Ok(turned) => self.lately.turns.push(turned),
                Err(unfit) => {
                    self.lately.turns.truncate(start as usize);
                    return Err(unfit);
                }
            }
        }
        self.lately.note_turns(leaf, unused, start);
        Ok(start)
    }

    fn find_place(&mut self, space: &Space<'_>, store: &Store, leaf: u32) -> Result<Place, Unpacked> {
        let symbols = |id: StateId| space.agents.brief(id).symbols as usize;
        let seat = store.seat(leaf, symbols).ok_or(Unpacked::Unfit)?;
        if seat.symbols.iter().any(|&symbol| usize::from(symbol) >= MOST_SYMBOLS) {
            return Err(Unpacked::Unfit);
        }
        let brief = space.agents.brief(seat.id);
        let taken = Taken { leaf, ..Taken::new(seat, brief.symbols as usize) };
        let mut place = Place { taken, status: brief.status, mailbox: brief.mailbox(&[]), ..Place::NONE };
        let Some(locals) = space.agents.locals(seat.id) else {
            self.missing.push(Missing::Locals(seat.id));
            // Looked for again when they are there.
            return Ok(Place { taken: Taken { leaf: UNKNOWN, ..taken }, ..place });
        };
        let is_new = |&symbol: &u32| symbol >= brief.symbols;
        place.makes_symbols = locals.all().any(|step| {
            let sent = step.sent.as_ref().is_some_and(|sent| sent.symbols.iter().any(is_new));
            sent || matches!(&step.ending, LocalEnding::State { after, .. } if after.kept.symbols.iter().any(is_new))
        });
        self.lately.note_place(place);
        Ok(place)
    }

    /// Names of the symbols that an agent holds, then of [`NEW`] new ones; behind these there is nothing.
    fn names(&self, agent: usize) -> [u8; KNOWN] {
        let Taken { seat, symbols, .. } = &self.places[agent].taken;
        let mut names = [0; KNOWN];
        names[..SEAT].copy_from_slice(&seat.symbols);
        let new: [u8; NEW] = std::array::from_fn(|index| self.unused + index as u8);
        names[usize::from(*symbols)..][..NEW].copy_from_slice(&new);
        names
    }
}

/// What a step makes of its agent, whose symbols and new ones have these names.
fn turned(step: &LocalStep<'_>, names: &[u8]) -> Result<Turned, Unpacked> {
    let mut seat = Seat { id: 0, symbols: [0; SEAT] };
    let mut symbols = 0;
    if let LocalEnding::State { after, more, .. } = &step.ending {
        debug_assert!(more.is_none(), "messages are counted by slicing alone");
        seat.id = after.next;
        gather(&after.kept.symbols, names, &mut seat.symbols)?;
        symbols = after.kept.symbols.len();
    }
    let mut letter = Letter::NONE;
    if let Some(sent) = &step.sent {
        gather(&sent.symbols, names, &mut letter.held)?;
        (letter.message, letter.symbols) = (sent.message, sent.symbols.len() as u8);
    }
    Ok(Turned { taken: Taken::new(seat, symbols), letter })
}

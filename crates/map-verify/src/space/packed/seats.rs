//! Agents of a state as seats, and what a step makes of them.

use map_semantics::Status;

use crate::store::{SEAT, Seat};

/// The most symbols of one state. Those of one step that are new have to fit into a byte with them.
pub(super) const MOST_SYMBOLS: usize = 200;

/// The most symbols that a step may make, and those with the ones that its agent holds.
pub(super) const NEW: usize = 16;
pub(super) const KNOWN: usize = SEAT + NEW;

/// The most symbols of a message.
pub(super) const LETTER: usize = 8;

/// A seat, and what tells whether its symbols are named by first occurrence.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    pub(super) seat: Seat,
    pub(super) symbols: u8,
    /// How many names have to be in use before it, at least, for its symbols to be named in turn.
    pub(super) needs: u8,
    /// How many names are in use after it then, at least.
    pub(super) uses: u8,
    /// The seat's leaf, once it is known.
    pub(super) leaf: u32,
}

/// No leaf.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// An agent of the state that is expanded.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) taken: Taken,
    pub(super) status: Status,
    /// How many messages it has.
    pub(super) mailbox: u32,
    /// How many names are in use before it. Symbols are numbered by first occurrence.
    pub(super) before: u8,
    /// Whether some step makes a symbol.
    pub(super) makes_symbols: bool,
    /// Where what its steps make of it starts, and how many names are in use in the whole scene if that matters.
    pub(super) turns: u32,
    pub(super) turns_unused: u8,
}

/// No turns.
pub(super) const NOWHERE: u32 = u32::MAX;

impl Place {
    pub(super) const NONE: Self = Self {
        taken: Taken {
            seat: Seat { id: 0, symbols: [0; SEAT] },
            symbols: 0,
            needs: 0,
            uses: 0,
            leaf: UNKNOWN,
        },
        status: Status::Running,
        mailbox: 0,
        before: 0,
        makes_symbols: false,
        turns: NOWHERE,
        turns_unused: 0,
    };
}

/// What a step makes of its agent, and what it sends.
#[derive(Clone, Copy)]
pub(super) struct Turned {
    pub(super) taken: Taken,
    pub(super) letter: Letter,
}

/// An agent that a step changes.
pub(super) struct Changed {
    pub(super) agent: usize,
    pub(super) taken: Taken,
    /// Where its delivery is noted; none for the agent that makes the step.
    pub(super) delivery: Option<u32>,
}

/// A message, and the names of its symbols in the state that is expanded, then zeros.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Letter {
    pub(super) message: u32,
    pub(super) symbols: u8,
    pub(super) held: [u8; LETTER],
}

impl Taken {
    pub(super) fn new(seat: Seat, symbols: usize) -> Self {
        let (mut needs, mut uses) = (0, 0);
        for &symbol in &seat.symbols[..symbols] {
            // A symbol may have a name that is in use, or the next one.
            if symbol > uses {
                needs = symbol;
            }
            uses = uses.max(symbol + 1);
        }
        let leaf = if symbols == 0 { seat.id } else { UNKNOWN };
        Self { seat, symbols: symbols as u8, needs, uses, leaf }
    }
}

impl Letter {
    pub(super) const NONE: Self = Self { message: u32::MAX, symbols: 0, held: [0; LETTER] };

    pub(super) fn held(&self) -> &[u8] {
        &self.held[..usize::from(self.symbols)]
    }
}

#[cfg(test)]
mod tests {
    use map_testkit::scenes::Random;

    use super::{SEAT, Seat, Taken};

    /// Whether symbols have the names that they would be given by first occurrence after so many others; and how many are
    /// in use then.
    fn in_turn(symbols: &[u8], before: u8) -> (bool, u8) {
        let mut next = before;
        let all = symbols.iter().all(|&symbol| {
            let is_next = symbol <= next;
            next += u8::from(symbol == next);
            is_next
        });
        (all, next)
    }

    #[test]
    fn a_seat_tells_what_it_needs_to_be_in_turn() {
        let mut needy = 0;
        for seed in 0..2_000 {
            let mut random = Random::new(seed, 0);
            let (count, most) = (random.below(SEAT + 1), 1 + random.below(8));
            let mut seat = Seat { id: 7, symbols: [0; SEAT] };
            seat.symbols[..count].iter_mut().for_each(|symbol| *symbol = random.below(most) as u8);
            let Taken { needs, uses, .. } = Taken::new(seat, count);
            needy += usize::from(needs > 0);
            for before in 0..12 {
                let (all, in_use) = in_turn(&seat.symbols[..count], before);
                assert_eq!(all, before >= needs, "seed {seed}, {before} before: {:?}", seat.symbols);
                assert!(!all || in_use == before.max(uses), "seed {seed}, {before} before");
            }
        }
        assert!((300..1_700).contains(&needy), "{needy}");
    }
}

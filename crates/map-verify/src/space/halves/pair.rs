//! Two parts of the scene together.

use super::half::{Effect, Ending, Half, HalfStep, Letter, NONE};
use super::names::{Names, Places, Unfit, are_kept};
use super::{Halves, Means};
use crate::store::Part;

/// Two parts of the scene, the right one without its wires, and which of its symbols each symbol of theirs is.
pub(super) struct Joint {
    pub(super) places: [usize; 2],
    pub(super) words: [u32; 2],
    /// The right word with its wires.
    wired: u32,
    pub(super) names: [Names; 2],
    /// How many symbols they hold together. What is new to both has names from here on.
    pub(super) symbols: usize,
}

/// A part that a step may have changed: its word, and which symbol of the joint each of its symbols is.
pub(super) type Changed = (u32, Names);

impl Joint {
    /// Which symbols of the joint those of one of its parts are, of which some may be new to the part.
    pub(super) fn names_of(&self, side: usize, symbols: &[u8]) -> Result<Names, Unfit> {
        let names = &self.names[side];
        let new = u8::try_from(self.symbols - names.len()).map_err(|_| Unfit)?;
        // New symbols need not be numbered one after the other: a step may have made others that nobody holds.
        let mut fits = true;
        let named = Names::each(symbols, |symbol| match names.get(usize::from(symbol)) {
            Some(&name) => name,
            None => {
                let (name, overflows) = symbol.overflowing_add(new);
                fits &= !overflows;
                name
            }
        })?;
        if fits { Ok(named) } else { Err(Unfit) }
    }

    /// A part as it is.
    pub(super) fn unchanged(&self, side: usize) -> Changed {
        (self.words[side], self.names[side])
    }
}

/// Both parts in order, of which one is on this side.
pub(super) fn in_order<T>(side: usize, this: T, other: T) -> [T; 2] {
    if side == 0 { [this, other] } else { [other, this] }
}

impl Halves {
    /// What is known of a part of the scene, found if it is not known; nothing if something is missing.
    pub(super) fn half(
        &mut self,
        means: &mut Means<'_>,
        place: usize,
        word: u32,
    ) -> Result<Option<u32>, Unfit> {
        if let Some(known) = self.tables.half_at(means.store, place, word) {
            return known.map(Some);
        }
        let parts = match means.store.part(place) {
            Part::Agent(_) => None,
            Part::Pair(left, right) => match self.parts(means, word, [left, right])? {
                Some(parts) => Some(parts),
                None => return Ok(None),
            },
        };
        let start = self.tables.steps.len();
        let found = match &parts {
            None => self.of_agent(means, (place, word), start),
            Some(parts) => self.of_pair(means, place, parts, start),
        };
        if !matches!(found, Ok(Some(_))) {
            self.tables.steps.truncate(start);
        }
        if found.is_err() && !self.full && self.missing.is_empty() {
            self.tables.note_unfit(means.store, place, word);
        }
        let half = found?;
        Ok(half.map(|half| self.tables.add_half(means.store, (place, word), half, !self.full)))
    }

    /// The parts of a pair; nothing if something is missing.
    fn parts(
        &mut self,
        means: &mut Means<'_>,
        word: u32,
        places: [usize; 2],
    ) -> Result<Option<(Joint, [Half; 2])>, Unfit> {
        let (left_word, right_word) = means.store.pair(word);
        let left = self.half(means, places[0], left_word)?;
        let right = self.half(means, places[1], means.store.without_wires(right_word))?;
        let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
        let halves = [left, right].map(|half| self.tables.halves[half as usize]);
        let counts = halves.map(|half| half.symbols as usize);
        Ok(Some((self.joint(means, places, [left_word, right_word], counts)?, halves)))
    }

    /// What two parts can do together, with the steps from `start` on; nothing if something is missing.
    fn of_pair(
        &mut self,
        means: &mut Means<'_>,
        place: usize,
        (joint, halves): &(Joint, [Half; 2]),
        start: usize,
    ) -> Result<Option<Half>, Unfit> {
        let outlook = halves[0].outlook.and(halves[1].outlook);
        let timeouts = outlook.timeouts_may_fire(means.space.bounds.timeouts);
        let mut is_whole = true;
        for (side, half) in halves.iter().enumerate() {
            for index in half.steps() {
                let step = self.tables.steps[index];
                if step.is_timeout() && !timeouts {
                    continue;
                }
                match self.lift(means, (joint, place), side, &step)? {
                    Some(lifted) => self.tables.steps.push(lifted),
                    None => is_whole = false,
                }
            }
        }
        Ok(is_whole.then(|| Half::new(joint.symbols, outlook, start..self.tables.steps.len())))
    }

    /// Two parts that hold so many symbols; the right word may be wired.
    pub(super) fn joint(
        &mut self,
        means: &Means<'_>,
        places: [usize; 2],
        words: [u32; 2],
        counts: [usize; 2],
    ) -> Result<Joint, Unfit> {
        let wires = &mut self.tables.wires;
        if !means.store.read_wires(words[1], counts[1], wires) {
            return Err(Unfit);
        }
        let mut symbols = counts[0];
        let name = |&wire: &u8| match wire {
            0 => {
                symbols += 1;
                Ok(symbols - 1)
            }
            place => Ok(usize::from(place) - 1),
        };
        let right = Names::collect(wires.iter().map(name))?;
        let names = [Names::same(counts[0])?, right];
        let [left, wired] = words;
        Ok(Joint { places, words: [left, means.store.without_wires(wired)], wired, names, symbols })
    }

    /// A step of one of two parts as a step of both, which are at a place together; nothing if something is missing.
    fn lift(
        &mut self,
        means: &mut Means<'_>,
        (joint, place): (&Joint, usize),
        side: usize,
        step: &HalfStep,
    ) -> Result<Option<HalfStep>, Unfit> {
        if step.effect == NONE {
            return Ok(Some(*step));
        }
        let mut ending = step.ending;
        let Effect { map, letter, no_state } = self.tables.effects[step.effect as usize];
        if letter == NONE && !no_state && self.tables.is_same(map, joint.names[side].len()) {
            return self.lift_same(means, joint, side, step).map(Some);
        }
        let mut other = joint.unchanged(1 - side);
        let (mut dropped, mut beyond) = (step.dropped, NONE);
        if letter != NONE {
            let Letter { address, symbols, .. } = self.tables.letters[letter as usize];
            let names = joint.names_of(side, self.tables.read(symbols))?;
            match self.send(means, (joint, 1 - side), address, &names)? {
                Sent::Missing => return Ok(None),
                // The other recipients are asked nevertheless, as they would be if they came first.
                Sent::Overflow => ending = Ending::Overflow,
                Sent::Done(changed, its_dropped) => {
                    other = changed;
                    dropped = self.tables.drop_both(dropped, its_dropped);
                }
            }
            if self.tables.goes_beyond(means.store, address, place) {
                let symbols = self.tables.string(&names);
                beyond = self.tables.letter(Letter { address, symbols, place: NONE });
            }
        }
        let (mut after, mut names) = (0, Names::default());
        let no_state = no_state || ending == Ending::Overflow;
        if !no_state {
            let this = (step.after, joint.names_of(side, self.tables.read(map))?);
            let [left, right] = in_order(side, this, other);
            (after, names) = self.pair(means, &left, &right)?;
        }
        let keeps = are_kept(joint.symbols, &names);
        let map = self.tables.string(&names);
        let effect = self.tables.effect(Effect { map, letter: beyond, no_state });
        Ok(Some(HalfStep { ending, after, effect, dropped, ..step.sending(beyond != NONE).keeping(keeps) }))
    }

    /// The same of a step that sends nothing, after which its part holds the same symbols as before, in the same places: it is
    /// wired as before.
    fn lift_same(
        &mut self,
        means: &mut Means<'_>,
        joint: &Joint,
        side: usize,
        step: &HalfStep,
    ) -> Result<HalfStep, Unfit> {
        let words = match side {
            0 => Ok([step.after, joint.wired]),
            _ => means.store.wired_as(means.folder, step.after, joint.wired).map(|it| [joint.words[0], it]),
        };
        let after = words.and_then(|[left, right]| means.store.pair_of(means.folder, left, right));
        let map = self.tables.string(&Names::same(joint.symbols)?);
        let effect = self.tables.effect(Effect { map, letter: NONE, no_state: false });
        let after = self.or_full(after);
        Ok(HalfStep { after, effect, ..step.sending(false).keeping(true) })
    }

    /// A word, or any if there is no place for it in the store.
    pub(super) fn or_full(&mut self, word: Result<u32, map_store::Full>) -> u32 {
        word.unwrap_or_else(|map_store::Full| {
            self.full = true;
            0
        })
    }

    /// Two parts as one.
    pub(super) fn pair(
        &mut self,
        means: &mut Means<'_>,
        left: &Changed,
        right: &Changed,
    ) -> Result<Changed, Unfit> {
        let right_word = self.wire(means, &left.1, right);
        let mut names = left.1;
        let foreign = right.1.iter().zip(&self.tables.wires).filter(|&(_, &wire)| wire == 0);
        for (&name, _) in foreign {
            names.push(usize::from(name))?;
        }
        let word = means.store.pair_of(means.folder, left.0, right_word);
        Ok((self.or_full(word), names))
    }

    /// The right word that is wired to a left part whose symbols have these names; its wires are left in the tables.
    pub(super) fn wire(&mut self, means: &mut Means<'_>, left: &Names, (word, names): &Changed) -> u32 {
        let places = Places::of(left);
        let wires = &mut self.tables.wires;
        wires.clear();
        wires.extend(names.iter().map(|&name| places.get(name)));
        self.wired(means, *word)
    }

    /// The right word with the wires at hand.
    pub(super) fn wired(&mut self, means: &mut Means<'_>, word: u32) -> u32 {
        let word = means.store.wire(means.folder, word, &self.tables.wires);
        self.or_full(word)
    }
}

/// What comes of a message to a part.
pub(super) enum Sent {
    /// Something is missing in the agent tables.
    Missing,
    /// A mailbox is full.
    Overflow,
    /// The part after it, and what was dropped.
    Done(Changed, u32),
}

#[cfg(test)]
mod tests {
    use super::{Joint, Names, Unfit};

    /// Parts that hold two symbols and three, of which one is the same.
    fn joint() -> Joint {
        let right = Names::collect([0, 2, 3].map(Ok).into_iter()).expect("few");
        Joint {
            places: [0, 1],
            words: [0, 0],
            wired: 0,
            names: [Names::same(2).expect("few"), right],
            symbols: 4,
        }
    }

    #[test]
    fn symbols_of_a_part_have_names_in_the_joint_and_new_ones_follow() {
        assert_eq!(*joint().names_of(1, &[2, 0, 1, 3, 5]).expect("few"), [3, 0, 2, 4, 6]);
        assert_eq!(*joint().names_of(0, &[1, 2, 9]).expect("few"), [1, 4, 11]);
    }

    #[test]
    fn a_new_symbol_that_has_no_name_is_not_taken_for_another() {
        assert_eq!(*joint().names_of(0, &[253]).expect("the last one that fits"), [255]);
        assert!(matches!(joint().names_of(0, &[254]), Err(Unfit)));
    }
}

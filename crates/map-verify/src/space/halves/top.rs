//! The two halves of a state together.

use super::half::{Effect, Ending, Half, HalfStep, Letter, NONE};
use super::names::{Names, Unfit};
use super::pair::{Joint, Sent};
use super::tables::{Delivered, Seen};
use super::{Halves, Means};
use crate::store::{Key, Store};

/// The halves of the state that is expanded; the right word may be wired.
pub(super) struct Top {
    pub(super) places: [usize; 2],
    pub(super) words: [u32; 2],
    pub(super) halves: [Half; 2],
}

/// A step of the right half as the left one sees it: after it there is the right half with wires as if the left one stayed as
/// it is.
#[derive(Clone, Copy)]
pub(super) struct TopStep {
    pub(super) step: HalfStep,
    /// What the left half gets.
    pub(super) letter: u32,
    /// The right half keeps a symbol that is new to the left one, which gets it.
    keeps: bool,
}

/// The state after a step, or how the step ends without one; and what was dropped.
pub(super) type After = (Result<Key, Ending>, u32);

impl Halves {
    /// What comes of a step of the left half; nothing if something is missing.
    #[inline]
    pub(super) fn after_left(
        &mut self,
        means: &mut Means<'_>,
        top: &Top,
        step: &HalfStep,
    ) -> Result<Option<After>, Unfit> {
        if step.effect == NONE {
            return Ok(Some((Err(step.ending), NONE)));
        }
        let right = top.words[1];
        if !step.sends() && !Store::is_wired(right) && step.ending == Ending::State {
            return Ok(Some((Ok(Store::key_of([step.after, right])), step.dropped)));
        }
        let reply = match self.tables.reply(right, step.effect) {
            Some(known) => known,
            None => match self.right_after(means, top, step.effect)? {
                Some(reply) => {
                    if !self.full {
                        self.tables.note_reply(right, step.effect, reply);
                    }
                    reply
                }
                None => return Ok(None),
            },
        };
        Ok(Some(match reply {
            Delivered::Overflow => (Err(Ending::Overflow), NONE),
            Delivered::Done { .. } if step.ending != Ending::State => (Err(step.ending), NONE),
            Delivered::Done { after, dropped, .. } => {
                let dropped = self.tables.drop_both(step.dropped, dropped);
                (Ok(Store::key_of([step.after, after])), dropped)
            }
        }))
    }

    /// What becomes of the right half, with its wires, by a step of the left one.
    fn right_after(
        &mut self,
        means: &mut Means<'_>,
        top: &Top,
        effect: u32,
    ) -> Result<Option<Delivered>, Unfit> {
        let Effect { map, letter, no_state } = self.tables.effects[effect as usize];
        let joint = self.top_joint(means, top)?;
        let (mut right, mut dropped) = (joint.unchanged(1), NONE);
        if letter != NONE {
            let Letter { address, symbols, .. } = self.tables.letters[letter as usize];
            let names = joint.names_of(0, self.tables.read(symbols))?;
            match self.send(means, (&joint, 1), address, &names)? {
                Sent::Missing => return Ok(None),
                Sent::Overflow => return Ok(Some(Delivered::Overflow)),
                Sent::Done(changed, its_dropped) => (right, dropped) = (changed, its_dropped),
            }
        }
        let left = joint.names_of(0, self.tables.read(map))?;
        let after = if no_state { 0 } else { self.wire(means, &left, &right) };
        Ok(Some(Delivered::Done { after, map, dropped, is_prefix: false }))
    }

    fn top_joint(&mut self, means: &Means<'_>, top: &Top) -> Result<Joint, Unfit> {
        self.joint(means, top.places, top.words, top.halves.map(|half| half.symbols as usize))
    }

    /// The left half; nothing if something is missing.
    #[inline]
    pub(super) fn left_half(
        &mut self,
        means: &mut Means<'_>,
        place: usize,
        word: u32,
    ) -> Result<Option<Half>, Unfit> {
        if let Some(known) = self.tables.left(word) {
            return Ok(Some(known));
        }
        let Some(half) = self.half(means, place, word)? else { return Ok(None) };
        let half = self.tables.halves[half as usize];
        if !self.full {
            self.tables.note_left(word, half);
        }
        Ok(Some(half))
    }

    /// The right half, whose word may be wired, as the left one sees it, if there is one; nothing if something is missing.
    #[inline]
    pub(super) fn right_half(
        &mut self,
        means: &mut Means<'_>,
        places: [usize; 2],
        words: [u32; 2],
        left: Option<Half>,
    ) -> Result<Option<Seen>, Unfit> {
        if let Some(left) = left
            && let Some(known) = self.tables.seen((words[1], left.symbols as usize))
        {
            return Ok(Some(known));
        }
        let right = self.half(means, places[1], means.store.without_wires(words[1]))?;
        let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
        let right = self.tables.halves[right as usize];
        let top = Top { places, words, halves: [left, right] };
        let joint = self.top_joint(means, &top)?;
        let start = self.tables.top_steps.len();
        for index in right.steps() {
            let step = self.tables.steps[index];
            let seen = match self.seen_from_left(means, &joint, &step) {
                Ok(seen) => seen,
                Err(unfit) => {
                    self.tables.top_steps.truncate(start);
                    return Err(unfit);
                }
            };
            self.tables.top_steps.push(seen);
        }
        let at = (words[1], left.symbols as usize);
        Ok(Some(self.tables.note_seen(at, (right, start), !self.full)))
    }

    fn seen_from_left(
        &mut self,
        means: &mut Means<'_>,
        joint: &Joint,
        step: &HalfStep,
    ) -> Result<TopStep, Unfit> {
        let mut seen = TopStep { step: step.sending(false), letter: NONE, keeps: false };
        if step.effect == NONE {
            return Ok(seen);
        }
        let Effect { map, letter, no_state } = self.tables.effects[step.effect as usize];
        let names = joint.names_of(1, self.tables.read(map))?;
        if !no_state {
            seen.step.after = self.wire(means, &joint.names[0], &(step.after, names));
        }
        if letter != NONE {
            let Letter { address, symbols, .. } = self.tables.letters[letter as usize];
            let (symbols, foreign) =
                joint.names_of(1, self.tables.read(symbols))?.seen_by(&joint.names[0])?;
            let (symbols, place) = (self.tables.string(&symbols), joint.places[0] as u32);
            seen.letter = self.tables.letter(Letter { address, symbols, place });
            seen.keeps = foreign.iter().any(|&name| names.place(name).is_some());
        }
        Ok(seen)
    }

    /// What comes of a step of the right half, which is at a place among all such; nothing if something is missing.
    #[inline]
    pub(super) fn after_right(
        &mut self,
        means: &mut Means<'_>,
        top: &Top,
        (seen, index): (&TopStep, usize),
    ) -> Result<Option<After>, Unfit> {
        let TopStep { step, letter, keeps } = seen;
        if step.effect == NONE {
            return Ok(Some((Err(step.ending), NONE)));
        }
        let no_state = step.ending != Ending::State;
        let (mut left, mut right, mut dropped) = (top.words[0], step.after, step.dropped);
        if *letter != NONE {
            let Some(delivered) = self.deliver(means, top.places[0], left, *letter)? else {
                return Ok(None);
            };
            let Delivered::Done { after, map, dropped: its_dropped, is_prefix } = delivered else {
                return Ok(Some((Err(Ending::Overflow), NONE)));
            };
            if !no_state && (*keeps || !is_prefix) {
                right = self.rewired(means, top, (step, index), map)?;
            }
            left = after;
            dropped = self.tables.drop_both(dropped, its_dropped);
        }
        let result = if no_state { Err(step.ending) } else { Ok(Store::key_of([left, right])) };
        Ok(Some((result, dropped)))
    }

    /// The right half after a step of its own by which the symbols of the left one have become others.
    fn rewired(
        &mut self,
        means: &mut Means<'_>,
        top: &Top,
        (step, index): (&HalfStep, usize),
        left_map: u32,
    ) -> Result<u32, Unfit> {
        if let Some(known) = self.tables.rewired(index, left_map) {
            return Ok(known);
        }
        let joint = self.top_joint(means, top)?;
        let Effect { map, letter, .. } = self.tables.effects[step.effect as usize];
        let Letter { symbols, .. } = self.tables.letters[letter as usize];
        let (_, foreign) = joint.names_of(1, self.tables.read(symbols))?.seen_by(&joint.names[0])?;
        let held = joint.names[0].len();
        let name = |&symbol: &u8| match usize::from(symbol).checked_sub(held) {
            None => Ok(usize::from(symbol)),
            Some(new) => foreign.get(new).map(|&name| usize::from(name)).ok_or(Unfit),
        };
        let left = Names::collect(self.tables.read(left_map).iter().map(name))?;
        let right = (means.store.without_wires(step.after), joint.names_of(1, self.tables.read(map))?);
        let word = self.wire(means, &left, &right);
        if !self.full {
            self.tables.note_rewired(index, left_map, word);
        }
        Ok(word)
    }
}

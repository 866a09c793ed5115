//! The two halves of a state together.

use super::half::{Effect, Ending, Half, HalfStep, Letter, NONE};
use super::names::{Names, Places, Unfit, seen_by};
use super::pair::{Joint, Sent};
use super::tables::{Delivered, Reply, Seen, Tables};
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
    /// The word of the right half after it.
    pub(super) after: u32,
    /// What the left half gets.
    pub(super) letter: u32,
    /// The right half keeps a symbol that is new to the left one, which gets it.
    keeps: bool,
}

/// The state after a step, or how the step ends without one; and what was dropped.
pub(super) type After = (Result<Key, Ending>, u32);

impl Tables {
    /// The right half after a step of the left one, if it is known, and there is nothing else to be said of it.
    #[inline]
    pub(super) fn right_after(&self, right: u32, step: &HalfStep) -> Option<u32> {
        if step.leaves(right) {
            return Some(right);
        }
        let reply = self.reply(right, step.effect)?;
        (reply.dropped == NONE && reply != Reply::OVERFLOW).then_some(reply.after)
    }

    /// The left half after a step of the right one, if it is known, and there is nothing else to be said of both.
    #[inline]
    pub(super) fn left_after(&self, left: u32, TopStep { letter, keeps, .. }: TopStep) -> Option<u32> {
        if letter == NONE {
            return Some(left);
        }
        match self.delivery(false, left, letter)? {
            Delivered::Done { after, dropped: NONE, is_prefix: true, .. } if !keeps => Some(after),
            _ => None,
        }
    }
}

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
        if step.leaves(right) && step.ending == Ending::State {
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
            Reply::OVERFLOW => (Err(Ending::Overflow), NONE),
            _ if step.ending != Ending::State => (Err(step.ending), NONE),
            Reply { after, dropped } => {
                let dropped = self.tables.drop_both(step.dropped, dropped);
                (Ok(Store::key_of([step.after, after])), dropped)
            }
        }))
    }

    /// What becomes of the right half, with its wires, by a step of the left one.
    fn right_after(&mut self, means: &mut Means<'_>, top: &Top, effect: u32) -> Result<Option<Reply>, Unfit> {
        let Effect { map, letter, no_state } = self.tables.effects[effect as usize];
        if letter == NONE {
            let after = if no_state { 0 } else { self.right_by_map(means, top, map)? };
            return Ok(Some(Reply { after, dropped: NONE }));
        }
        let joint = self.top_joint(means, top)?;
        let Letter { address, symbols, .. } = self.tables.letters[letter as usize];
        let names = joint.names_of(0, self.tables.read(symbols))?;
        let (right, dropped) = match self.send(means, (&joint, 1), address, &names)? {
            Sent::Missing => return Ok(None),
            Sent::Overflow => return Ok(Some(Reply::OVERFLOW)),
            Sent::Done(changed, dropped) => (changed, dropped),
        };
        let left = joint.names_of(0, self.tables.read(map))?;
        let after = if no_state { 0 } else { self.wire(means, &left, &right) };
        Ok(Some(Reply { after, dropped }))
    }

    /// The right half beside a left one of which each symbol is what a string of them says: it has others for wires.
    fn right_by_map(&mut self, means: &mut Means<'_>, top: &Top, map: u32) -> Result<u32, Unfit> {
        let Tables { wires, strings, .. } = &mut self.tables;
        if !means.store.read_wires(top.words[1], top.halves[1].symbols as usize, wires) {
            return Err(Unfit);
        }
        let after = Places::of(&strings[map as usize]);
        for wire in wires.iter_mut().filter(|wire| **wire != 0) {
            *wire = after.get(*wire - 1);
        }
        let word = means.store.without_wires(top.words[1]);
        Ok(self.wired(means, word))
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
        let start = self.tables.top_steps.len();
        if let Err(unfit) = self.see(means, (places[0], left.symbols as usize), words[1], &right) {
            self.tables.top_steps.truncate(start);
            return Err(unfit);
        }
        let at = (words[1], left.symbols as usize);
        Ok(Some(self.tables.note_seen(at, (right, start), !self.full)))
    }

    /// Adds the steps of a right half under a word as a left one sees them, which is at a place and holds so many symbols.
    fn see(
        &mut self,
        means: &mut Means<'_>,
        left: (usize, usize),
        word: u32,
        right: &Half,
    ) -> Result<(), Unfit> {
        let mut wires = std::mem::take(&mut self.tables.right_wires);
        let fits = means.store.read_wires(word, right.symbols as usize, &mut wires);
        let seen = if fits { Ok(()) } else { Err(Unfit) }.and_then(|()| {
            right.steps().try_for_each(|index| {
                let step = self.tables.steps[index];
                let seen = self.seen_from_left(means, left, (word, &wires), &step)?;
                self.tables.top_steps.push(seen);
                Ok(())
            })
        });
        self.tables.right_wires = wires;
        seen
    }

    /// A step of a right half under a word that is wired in that way to a left one, which is at a place and holds so many symbols.
    fn seen_from_left(
        &mut self,
        means: &mut Means<'_>,
        (place, held): (usize, usize),
        (word, wires): (u32, &[u8]),
        step: &HalfStep,
    ) -> Result<TopStep, Unfit> {
        let mut seen = TopStep { after: step.after, letter: NONE, keeps: false };
        if step.effect == NONE {
            return Ok(seen);
        }
        let Effect { map, letter, no_state } = self.tables.effects[step.effect as usize];
        let wire = |&symbol: &u8| wires.get(usize::from(symbol)).copied().unwrap_or(0);
        if no_state || !Store::is_wired(word) {
            // It stays unwired.
        } else if self.tables.is_same(map, wires.len()) {
            let after = means.store.wired_as(means.folder, step.after, word);
            seen.after = self.or_full(after);
        } else {
            let Tables { wires, strings, .. } = &mut self.tables;
            wires.clear();
            wires.extend(strings[map as usize].iter().map(wire));
            seen.after = self.wired(means, step.after);
        }
        if letter != NONE {
            let Letter { address, symbols, .. } = self.tables.letters[letter as usize];
            let place_of = |symbol| usize::from(wire(&symbol)).checked_sub(1);
            let (names, foreign) = seen_by(self.tables.read(symbols), held, place_of)?;
            let symbols = self.tables.string(&names);
            seen.letter = self.tables.letter(Letter { address, symbols, place: place as u32 });
            let kept = self.tables.read(map);
            seen.keeps = foreign.iter().any(|name| kept.contains(name));
        }
        Ok(seen)
    }

    /// What comes of a step of the right half, which is at a place among those that the left one sees; nothing if something is missing.
    #[inline]
    pub(super) fn after_right(
        &mut self,
        means: &mut Means<'_>,
        top: &Top,
        (step, at): (&HalfStep, usize),
    ) -> Result<Option<After>, Unfit> {
        let TopStep { after, letter, keeps } = self.tables.top_steps[at];
        if step.effect == NONE {
            return Ok(Some((Err(step.ending), NONE)));
        }
        let no_state = step.ending != Ending::State;
        let (mut left, mut right, mut dropped) = (top.words[0], after, step.dropped);
        if letter != NONE {
            let Some(delivered) = self.deliver(means, top.places[0], left, letter)? else {
                return Ok(None);
            };
            let Delivered::Done { after, map, dropped: its_dropped, is_prefix } = delivered else {
                return Ok(Some((Err(Ending::Overflow), NONE)));
            };
            if !no_state && (keeps || !is_prefix) {
                right = self.rewired(means, top, (step, at), map)?;
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
        (step, at): (&HalfStep, usize),
        left_map: u32,
    ) -> Result<u32, Unfit> {
        if let Some(known) = self.tables.rewired(at, left_map) {
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
        let right = (step.after, joint.names_of(1, self.tables.read(map))?);
        let word = self.wire(means, &left, &right);
        if !self.full {
            self.tables.note_rewired(at, left_map, word);
        }
        Ok(word)
    }
}

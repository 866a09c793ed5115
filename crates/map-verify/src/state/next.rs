//! Writing the next state from the one before and the agents changed by a step.

use std::sync::Arc;

use map_ir::AgentId;
use map_semantics::{AgentState, order_bags};

use super::joining::Entry;
use super::scratch::{Changed, Scratch};
use super::space::Space;
use crate::abstraction::canonical::{self, Held, canonical};
use crate::agents::StateId;

const UNNAMED: u32 = u32::MAX;

impl Scratch {
    /// Writes the next state in canonical form, symbols numbered by first occurrence.
    pub(super) fn write_next(&mut self, space: &Space<'_>, words: &[u32], lost: u32) {
        self.altered = 0..space.layout.singles();
        if space.layout.classes.is_empty() {
            self.patch(space, words, lost);
        } else if self.located.holds || self.changed.iter().any(|it| space.agents.brief(it.next).holds()) {
            let scene = self.scene(space, words);
            space.write(&canonical(scene), space.layout.lost(words) + lost, &mut self.next);
        } else {
            self.join(space, words, lost);
        }
    }

    /// The next state as slots; names are indices of slots.
    fn scene(&self, space: &Space<'_>, words: &[u32]) -> canonical::Scene {
        let slots = self.located.slots();
        // Each slot with its token: unchanged agents of slots, changed agents, and unchanged agents that were singled
        // out.
        let mut all: Vec<(u32, canonical::Slot)> = Vec::new();
        let mut push = |token: u32, id: StateId, count: u32, tail: &[u32]| {
            let brief = space.agents.brief(id);
            let (symbols, names, counts) = brief.split(tail);
            let held = Held { symbols: symbols.to_vec(), names: names.to_vec(), counts: counts.to_vec() };
            let class = slots[self.slot_of(token)].class();
            let fingerprint = brief.fingerprint;
            all.push((token, canonical::Slot { class, fingerprint, id, count, held }));
        };
        for (slot, &left) in self.left.iter().enumerate().filter(|(_, left)| **left > 0) {
            push(slot as u32, slots[slot].id, left, self.located.tail(words, slot));
        }
        for it in &self.changed {
            push(it.token, it.next, it.count, it.tail(&self.tails));
        }
        for (index, &slot) in self.singled.iter().enumerate() {
            let token = (slots.len() + index) as u32;
            if !self.changed.iter().any(|it| it.token == token) {
                push(token, slots[slot].id, 1, self.located.tail(words, slot));
            }
        }
        all.sort_by_key(|&(token, ref slot)| (slot.class, token));
        let place =
            |token: u32| all.iter().position(|&(it, _)| it == token).expect("every token is somewhere");
        let mut places = vec![0; slots.len() + self.singled.len()];
        for &(token, _) in &all {
            places[token as usize] = place(token) as u32;
        }
        let mut scene: canonical::Scene = all.into_iter().map(|(_, slot)| slot).collect();
        for name in scene.iter_mut().flat_map(|slot| &mut slot.held.names) {
            *name = places[*name as usize];
        }
        scene
    }

    /// Writes the next state if no agent holds symbols or names: the slots of each class, sorted.
    fn join(&mut self, space: &Space<'_>, words: &[u32], lost: u32) {
        let Self { joining, located, changed, tails, left, singled, next, .. } = self;
        let layout = &space.layout;
        let slot_of = |it: &Changed| {
            let slot = it.token as usize;
            slot.checked_sub(left.len()).map_or(slot, |index| singled[index])
        };
        joining.slots.clear();
        joining.tails.clear();
        joining.counts.clear();
        for class in 0..layout.classes.len() {
            let slots = located.of_class(class);
            let of_class = || changed.iter().filter(|it| slots.contains(&slot_of(it)));
            if of_class().next().is_none() {
                joining.counts.push(slots.len() as u32);
                joining.slots.extend_from_slice(&words[layout.slots_of(words, class)]);
                joining.tails.extend_from_slice(&words[located.start(slots.start)..located.start(slots.end)]);
                continue;
            }
            joining.entries.clear();
            for slot in slots.clone().filter(|&slot| left[slot] > 0) {
                let tail = (located.start(slot) as u32, located.start(slot + 1) as u32);
                let id = located.slot(slot).id;
                let fingerprint = space.agents.brief(id).fingerprint;
                joining.entries.push(Entry { fingerprint, id, count: left[slot], is_changed: false, tail });
            }
            for it in of_class() {
                let Changed { next: id, count, tail, .. } = *it;
                let fingerprint = space.agents.brief(id).fingerprint;
                joining.entries.push(Entry { fingerprint, id, count, is_changed: true, tail });
            }
            joining.join(words, tails);
        }
        next.clear();
        next.extend_from_slice(&words[..layout.singles()]);
        if layout.counts_losses {
            next[layout.fixed.len()] += lost;
        }
        next.extend_from_slice(&joining.counts);
        next.extend_from_slice(&joining.slots);
        for slot in 0..layout.fixed.len() {
            match changed.iter().find(|it| it.token as usize == slot) {
                None => next.extend_from_slice(located.tail(words, slot)),
                Some(it) => {
                    next[slot] = it.next;
                    next.extend_from_slice(it.tail(tails));
                }
            }
        }
        next.extend_from_slice(&joining.tails);
    }

    /// Writes the next state if there are no classes.
    fn patch(&mut self, space: &Space<'_>, words: &[u32], lost: u32) {
        let Self { next, changed, tails, located, .. } = self;
        let agents = space.layout.fixed.len();
        next.clear();
        next.extend_from_slice(&words[..space.layout.header()]);
        if space.layout.counts_losses {
            next[agents] += lost;
        }
        if changed.len() > 1 {
            changed.sort_unstable_by_key(|it| it.token);
        }
        let mut may_hold = located.holds;
        let mut rest = located.start(0);
        for it in changed.iter() {
            let slot = it.token as usize;
            next[slot] = it.next;
            may_hold |= space.agents.brief(it.next).holds();
            next.extend_from_slice(&words[rest..located.start(slot)]);
            next.extend_from_slice(it.tail(tails));
            rest = located.start(slot + 1);
        }
        next.extend_from_slice(&words[rest..]);
        if space.agents.any_ties() && self.has_ties(space) {
            self.order(space);
            if self.missing.is_empty() {
                self.number_symbols(space);
            }
        } else if may_hold {
            match space.agents.only_symbols() {
                true => self.number_from_changed(lost > 0),
                false => self.number_symbols(space),
            }
        }
    }

    fn has_ties(&self, space: &Space<'_>) -> bool {
        self.next[..space.layout.fixed.len()].iter().any(|&id| space.agents.brief(id).ties)
    }

    /// Puts the bags of the state just written into their normal order.
    fn order(&mut self, space: &Space<'_>) {
        let mut symbols = &self.next[space.layout.header()..];
        let named = self.next[..space.layout.fixed.len()].iter().map(|&id| {
            let (held, rest) = symbols.split_at(space.agents.brief(id).symbols as usize);
            symbols = rest;
            Arc::new(space.agents.named(id, held))
        });
        let mut scene: Vec<Arc<AgentState>> = named.collect();
        order_bags(&mut scene);
        self.next.truncate(space.layout.header());
        for (agent, state) in scene.into_iter().enumerate() {
            match space.agents.known(AgentId::new(agent), Arc::unwrap_or_clone(state)) {
                Ok((id, symbols)) => {
                    self.next[agent] = id;
                    self.next.extend(symbols);
                }
                Err(missing) => self.missing.push(missing),
            }
        }
    }

    /// Renumbers the symbols if the tails hold nothing else. Symbols of agents before the first changed one keep
    /// their numbers; so do those after the last changed one, unless some symbol is out of order.
    fn number_from_changed(&mut self, loses: bool) {
        let Some((first, last)) = self.changed.first().zip(self.changed.last()) else { return };
        let (first, behind) = (first.token as usize, last.token as usize + 1);
        let start = self.located.start(first);
        let end = self.next.len() - (self.located.start(self.left.len()) - self.located.start(behind));
        self.altered.start = first;
        let mut fresh = self.located.unused(first);
        for place in start..self.next.len() {
            if place == end && fresh == self.located.unused(behind) {
                break;
            }
            let symbol = self.next[place];
            if symbol > fresh {
                return self.rename_from(place, fresh);
            }
            fresh += u32::from(symbol == fresh);
        }
        if !loses {
            self.altered.end = behind;
        }
    }

    /// Renumbers the symbols from a place on; `fresh` are numbered before it.
    fn rename_from(&mut self, place: usize, mut fresh: u32) {
        let Self { next, renamed, .. } = self;
        renamed.clear();
        renamed.extend(0..fresh);
        next[place..].iter_mut().for_each(|symbol| rename(symbol, renamed, &mut fresh));
    }

    /// Numbers the symbols by first occurrence, if there are no classes.
    fn number_symbols(&mut self, space: &Space<'_>) {
        let Self { next, renamed, .. } = self;
        renamed.clear();
        let mut fresh = 0;
        let (ids, mut rest) = next.split_at_mut(space.layout.header());
        for &id in &ids[..space.layout.fixed.len()] {
            let brief = space.agents.brief(id);
            let (tail, others) = rest.split_at_mut(brief.tail());
            for symbol in &mut tail[..brief.symbols as usize] {
                rename(symbol, renamed, &mut fresh);
            }
            rest = others;
        }
    }
}

/// Replaces a symbol by its new number; assigns the next one if it has none.
fn rename(symbol: &mut u32, renamed: &mut Vec<u32>, fresh: &mut u32) {
    let index = *symbol as usize;
    if renamed.len() <= index {
        renamed.resize(index + 1, UNNAMED);
    }
    if renamed[index] == UNNAMED {
        renamed[index] = *fresh;
        *fresh += 1;
    }
    *symbol = renamed[index];
}

//! The key of the state after a step.

use super::seats::{Changed, Place, Turned, UNKNOWN};
use super::{Packed, Unpacked};
use crate::store::{Folder, Key, Store};

impl Packed {
    /// The key of the state after a step that sends nothing.
    #[inline]
    pub(super) fn key_alone(
        &mut self,
        store: &Store,
        folder: &mut Folder,
        agent: usize,
        turned: &mut Turned,
    ) -> Result<Key, Unpacked> {
        let Place { taken: was, before, .. } = &self.places[agent];
        let taken = &mut turned.taken;
        if taken.needs > *before || taken.uses.max(*before) != was.uses.max(*before) {
            // Others' symbols may have to be named anew.
            self.changed.push(Changed { agent, taken: *taken, delivery: None });
            return self.key(store, folder, turned);
        }
        if taken.leaf == UNKNOWN {
            taken.leaf = store.leaf_of(folder, &taken.seat, usize::from(taken.symbols))?;
        }
        Ok(store.key_with(folder, agent, taken.leaf)?)
    }

    /// The key of the state after a step: symbols are named by first occurrence from the first agent on that is changed.
    pub(super) fn key(
        &mut self,
        store: &Store,
        folder: &mut Folder,
        turned: &mut Turned,
    ) -> Result<Key, Unpacked> {
        let Self { places, changed, lately, renamed, .. } = self;
        if !changed.is_sorted_by_key(|it| it.agent) {
            changed.sort_unstable_by_key(|it| it.agent);
        }
        folder.start_successor();
        let out_of_turn = out_of_turn(places, changed);
        let end = out_of_turn.map_or(places.len(), |(agent, _)| agent);
        let kept = changed.iter().take_while(|it| it.agent < end).count();
        let (kept, moved) = changed.split_at_mut(kept);
        for Changed { agent, taken, delivery } in kept {
            if taken.leaf == UNKNOWN {
                taken.leaf = store.leaf_of(folder, &taken.seat, usize::from(taken.symbols))?;
                match delivery {
                    Some(slot) => lately.note_leaf(*slot, taken),
                    None => turned.taken.leaf = taken.leaf,
                }
            }
            folder.set_leaf(*agent, taken.leaf);
        }
        if let Some((_, in_use)) = out_of_turn {
            renamed.start(in_use);
            let mut moved = &*moved;
            for (agent, place) in places.iter().enumerate().skip(end) {
                let mut taken = &place.taken;
                if let [change, rest @ ..] = moved
                    && change.agent == agent
                {
                    (taken, moved) = (&change.taken, rest);
                } else if taken.symbols == 0 {
                    continue;
                }
                let (mut seat, symbols) = (taken.seat, usize::from(taken.symbols));
                renamed.rename(&mut seat.symbols[..symbols]);
                if seat != place.taken.seat {
                    let leaf = store.leaf_of(folder, &seat, symbols)?;
                    folder.set_leaf(agent, leaf);
                }
            }
        }
        Ok(store.fold(folder)?)
    }
}

/// The first agent whose symbols are not named in turn after these changes, and how many names are in use before it.
fn out_of_turn(places: &[Place], changed: &[Changed]) -> Option<(usize, u8)> {
    let mut changes = changed.iter();
    let mut change = changes.next();
    let mut agent = change.expect("a step changes its agent").agent;
    let mut in_use = places[agent].before;
    loop {
        let place = places.get(agent)?;
        let taken = match change {
            Some(it) if it.agent == agent => {
                change = changes.next();
                &it.taken
            }
            _ if in_use != place.before => &place.taken,
            // From here on all is as it was, up to the next that is changed.
            Some(next) => {
                agent = next.agent;
                in_use = places[agent].before;
                continue;
            }
            None => return None,
        };
        if taken.needs > in_use {
            return Some((agent, in_use));
        }
        in_use = in_use.max(taken.uses);
        agent += 1;
    }
}

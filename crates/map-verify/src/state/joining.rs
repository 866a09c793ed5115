//! Merging equal agents of a class into one slot.

use std::cmp::Ordering;

use crate::agents::StateId;

/// Up to this many entries are sorted by insertion.
const FEW: usize = 16;

/// Buffers for joining slots.
#[derive(Default)]
pub(super) struct Joining {
    pub(super) entries: Vec<Entry>,
    /// The slots of all classes, as words, and their tails.
    pub(super) slots: Vec<u32>,
    pub(super) tails: Vec<u32>,
    /// By class: its number of slots.
    pub(super) counts: Vec<u32>,
}

/// Agents of a class in the same local state.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// That of the local state, by which slots are sorted.
    pub(super) fingerprint: u64,
    pub(super) id: StateId,
    pub(super) count: u32,
    /// Whether the step changes them. If so `tail` is a range of the step's tails, else of the state before.
    pub(super) is_changed: bool,
    pub(super) tail: (u32, u32),
}

impl Joining {
    /// Sorts the entries of a class, merges equal ones, and appends the result.
    pub(super) fn join(&mut self, words: &[u32], changed_tails: &[u32]) {
        let Self { entries, slots, tails, counts } = self;
        let tail = |entry: &Entry| {
            let from = if entry.is_changed { changed_tails } else { words };
            &from[entry.tail.0 as usize..entry.tail.1 as usize]
        };
        let order = |it: &Entry| (it.fingerprint, it.id);
        sort(entries, |a, b| order(a).cmp(&order(b)).then_with(|| tail(a).cmp(tail(b))));
        let before = slots.len();
        let mut last: Option<&Entry> = None;
        for entry in entries.iter() {
            match last {
                Some(known) if known.id == entry.id && tail(known) == tail(entry) => {
                    let end = slots.len() - 1;
                    slots[end] += entry.count;
                }
                _ => {
                    slots.extend([entry.id, entry.count]);
                    tails.extend_from_slice(tail(entry));
                    last = Some(entry);
                }
            }
        }
        counts.push(((slots.len() - before) / 2) as u32);
    }
}

/// Sorts entries that are nearly sorted.
fn sort(entries: &mut [Entry], order: impl Fn(&Entry, &Entry) -> Ordering) {
    if entries.len() > FEW {
        return entries.sort_unstable_by(order);
    }
    for end in 1..entries.len() {
        let mut place = end;
        while place > 0 && order(&entries[place], &entries[place - 1]).is_lt() {
            entries.swap(place, place - 1);
            place -= 1;
        }
    }
}

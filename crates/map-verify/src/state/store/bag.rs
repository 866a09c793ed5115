//! The stored form of a class's bag: its local states, and the number of agents in each.

use map_store::Full;

use super::nodes::{KIND, NodeCache};

/// Top bits of a word that represents several slots. A single slot is represented by its leaf.
pub(super) const SEVERAL: u32 = KIND;

/// Maximum number of slots whose counts are packed into a word.
const MOST_PACKED: usize = 7;

/// Packs the counts of some slots into a word: the number of slots, then all counts except the last, which follows
/// from the size of the class. `None` if they do not fit.
fn packed(counts: impl ExactSizeIterator<Item = u32>) -> Option<u32> {
    let slots = counts.len();
    let bits = bits_for(slots)?;
    let mut word = slots as u32;
    for (place, count) in counts.take(slots - 1).enumerate() {
        if count >> bits != 0 {
            return None;
        }
        word |= count << (3 + bits * place as u32);
    }
    Some(word)
}

/// Bits per count, if the counts of this many slots can be packed.
fn bits_for(slots: usize) -> Option<u32> {
    (2..=MOST_PACKED).contains(&slots).then(|| 29 / (slots as u32 - 1))
}

/// The bag folded last, to save the look-up of its local states' node.
#[derive(Default)]
pub(super) struct Folded {
    leaves: Vec<u32>,
    support: u32,
}

/// The word that represents a bag. `leaves` and `counts` run over its slots.
pub(super) fn fold(
    nodes: &mut NodeCache,
    pairs: &map_store::Pairs,
    leaves: &[u32],
    counts: impl ExactSizeIterator<Item = u32> + DoubleEndedIterator + Clone,
    last: &mut Folded,
) -> Result<u32, Full> {
    let [first, rest @ ..] = leaves else { return Ok(0) };
    if rest.is_empty() {
        return Ok(*first);
    }
    let Some(counts_word) = packed(counts.clone()) else {
        let list = fold_long(nodes, pairs, leaves, counts)?;
        return Ok(nodes.number(pairs, list, 0)? | SEVERAL);
    };
    if last.leaves != leaves {
        let mut leaves = leaves.iter().rev();
        let mut support = *leaves.next().expect("there are several");
        for &leaf in leaves {
            support = nodes.number(pairs, leaf, support)?;
        }
        last.support = support;
        last.leaves.clear();
        last.leaves.extend([first].into_iter().chain(rest));
    }
    Ok(nodes.number(pairs, last.support, counts_word)? | SEVERAL)
}

/// The node of a linked list of (leaf, count) pairs, with its length.
fn fold_long(
    nodes: &mut NodeCache,
    pairs: &map_store::Pairs,
    leaves: &[u32],
    counts: impl ExactSizeIterator<Item = u32> + DoubleEndedIterator,
) -> Result<u32, Full> {
    let mut list = leaves.len() as u32;
    for (&leaf, count) in leaves.iter().zip(counts).rev() {
        let pair = nodes.number(pairs, leaf, count)?;
        list = nodes.number(pairs, pair, list)?;
    }
    nodes.number(pairs, leaves.len() as u32, list)
}

/// Inverse of [`fold`] for a class of `class` agents: calls `see` for each leaf with its count.
pub(super) fn unfold(pairs: &map_store::Pairs, word: u32, class: usize, mut see: impl FnMut(u32, u32)) {
    if word & KIND != SEVERAL {
        return see(word, class as u32);
    }
    let (mut rest, counts) = pairs.get(word & !KIND);
    if counts == 0 {
        let (slots, mut list) = pairs.get(rest);
        for _ in 0..slots {
            let (pair, behind) = pairs.get(list);
            let (leaf, count) = pairs.get(pair);
            see(leaf, count);
            list = behind;
        }
        return;
    }
    let slots = counts as usize & 7;
    let bits = bits_for(slots).expect("so many were packed");
    let mut left = class as u32;
    for place in 0..slots - 1 {
        let leaf;
        (leaf, rest) = pairs.get(rest);
        let count = counts >> (3 + bits * place as u32) & ((1 << bits) - 1);
        see(leaf, count);
        left -= count;
    }
    see(rest, left);
}

//! Backward reachability, level by level, from the last to the first, repeatedly as long as states are added.

use map_graph::BitSet;

use super::Explorer;
use super::flow::{Limited, agree};
use crate::budget::Progress;
use crate::mark;
use crate::together::transitions::Transition;
use crate::together::{ClusterLost, Link};

/// For the transitions of the states of a level, process by process, whether their targets are in a set.
pub(super) struct Leads {
    /// By process: a bit for each transition that leads there, in order.
    bits: Vec<Vec<u8>>,
    /// By process: how many transitions of earlier levels lead there.
    before: Vec<u64>,
}

impl Leads {
    /// Whether the `place`th transition to a process leads into the set.
    pub(super) fn contains(&self, owner: usize, place: u64) -> bool {
        let place = (place - self.before[owner]) as usize;
        self.bits[owner][place / 8] >> (place % 8) & 1 != 0
    }
}

/// Asks the others which transitions of a level lead into a set. `set` has those of its states that are this process's.
pub(super) fn leads(
    explorer: &Explorer<'_>,
    link: &mut Link<'_>,
    level: usize,
    set: &BitSet,
) -> Result<Leads, ClusterLost> {
    let shard = &explorer.shard;
    let mut bits = vec![Vec::new(); link.count()];
    let mut receive = |from: usize, block: &[u8]| bits[from].extend_from_slice(block);
    for to in 0..link.count() {
        let (mut byte, mut place) = (0_u8, 0_u32);
        for target in shard.heard_in(level, to) {
            byte |= u8::from(set.contains(target as usize)) << place;
            place += 1;
            if place == u8::BITS {
                link.block(to).push(byte);
                link.send_full(to, &mut receive)?;
                (byte, place) = (0, 0);
            }
        }
        if place > 0 {
            link.block(to).push(byte);
        }
    }
    link.meet(&mut receive)?;
    let before = shard.transitions.led_before(shard.level(level).start);
    Ok(Leads { bits, before })
}

/// Calls `see` for every state of a level with its transitions and whether they lead into the set.
pub(super) fn for_each_lead(
    explorer: &Explorer<'_>,
    level: usize,
    leads: &Leads,
    mut see: impl FnMut(usize, &[(Transition, bool)]),
) {
    let shard = &explorer.shard;
    let mut each = Vec::new();
    shard.transitions.for_each(shard.level(level), |state, transitions, led| {
        let mut led = led.to_vec();
        each.clear();
        each.extend(transitions.iter().map(|&it| {
            let place = led[it.owner];
            led[it.owner] += 1;
            (it, leads.contains(it.owner, place))
        }));
        see(state, &each);
    });
}

/// Adds to a set the states that can reach it without faults.
pub(super) fn reach(
    explorer: &Explorer<'_>,
    link: &mut Link<'_>,
    mut set: BitSet,
    progress: &mut dyn Progress,
) -> Limited<BitSet> {
    loop {
        let mut joined = 0_u64;
        for level in (0..explorer.shard.levels.len()).rev() {
            let leads = leads(explorer, link, level, &set)?;
            for_each_lead(explorer, level, &leads, |state, transitions| {
                if !set.contains(state) && transitions.iter().any(|(it, leads)| *leads && !it.unlucky) {
                    set.insert(state);
                    joined += 1;
                }
            });
        }
        if link.sum(joined)? == 0 {
            return Ok(Ok(set));
        }
        if let Err(limit) = agree(link, explorer, None, progress)? {
            return Ok(Err(limit));
        }
    }
}

/// The states of this process whose transitions are all faults.
pub(super) fn ends(explorer: &Explorer<'_>) -> BitSet {
    let shard = &explorer.shard;
    let mut ends = BitSet::new(shard.len());
    shard.transitions.for_each(0..shard.len(), |state, transitions, _| {
        if shard.marks[state] & mark::LOOP == 0 && transitions.iter().all(|it| it.unlucky) {
            ends.insert(state);
        }
    });
    ends
}

//! A decoded vector: its slots, and where their tails are.

use map_ir::AgentId;
use map_semantics::Census;

use super::space::Space;
use crate::agents::{Missing, StateId, Summary};

/// A fixed agent, or members of a class in the same local state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) id: StateId,
    /// Number of agents in it.
    pub(crate) count: u32,
    /// Their class; [`NO_CLASS`] if it is a fixed agent.
    class: u32,
    /// The first of them.
    pub(crate) agent: AgentId,
    /// Start of their tail, which ends where the next slot's starts.
    tail: u32,
    /// The first symbol that no earlier slot holds. Symbols are numbered by first occurrence.
    pub(super) unused: u32,
    /// Number of symbols that each of them holds.
    symbols: u32,
}

const NO_CLASS: u32 = u32::MAX;

impl Slot {
    /// Their class, unless it is a fixed agent.
    pub(crate) fn class(&self) -> Option<usize> {
        (self.class != NO_CLASS).then_some(self.class as usize)
    }

    /// Whether it has exactly one agent.
    pub(super) fn is_single(&self) -> bool {
        self.count == 1
    }
}

/// A decoded vector.
#[derive(Default)]
pub(crate) struct Located {
    /// Fixed agents, then the slots of each class; then a sentinel with the end of the tails and the first unused
    /// symbol.
    slots: Vec<Slot>,
    /// The first slot of each class, and the end of the last class.
    class_starts: Vec<usize>,
    /// Whether some agent holds symbols or names of interchangeable agents.
    pub(super) holds: bool,
}

impl Located {
    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots[..self.slots.len() - 1]
    }

    pub(crate) fn slot(&self, slot: usize) -> &Slot {
        &self.slots[slot]
    }

    /// The slots of a class.
    pub(crate) fn of_class(&self, class: usize) -> std::ops::Range<usize> {
        self.class_starts[class]..self.class_starts[class + 1]
    }

    /// The start of a slot's tail; for the number of slots, the end of the last one.
    pub(super) fn start(&self, slot: usize) -> usize {
        self.slots[slot].tail as usize
    }

    /// The tail of a slot: what each of its agents holds.
    pub(crate) fn tail<'w>(&self, words: &'w [u32], slot: usize) -> &'w [u32] {
        &words[self.start(slot)..self.start(slot + 1)]
    }

    /// The symbols that an agent in a slot holds.
    pub(super) fn symbols<'w>(&self, words: &'w [u32], slot: usize) -> &'w [u32] {
        &words[self.start(slot)..][..self.slots[slot].symbols as usize]
    }

    /// The first symbol that no earlier slot holds; for the number of slots, that none holds.
    pub(super) fn unused(&self, slot: usize) -> u32 {
        self.slots[slot].unused
    }

    /// Decodes a vector; adds to `missing` the agents whose steps the tables lack.
    pub(super) fn locate(&mut self, space: &Space<'_>, words: &[u32], missing: &mut Vec<Missing>) {
        let layout = &space.layout;
        let Self { slots, class_starts, holds } = self;
        let (mut tail, mut unused) = (layout.tails(words), 0);
        *holds = false;
        slots.clear();
        class_starts.clear();
        let mut push = |slots: &mut Vec<Slot>, id: StateId, count: u32, class: u32, agent: AgentId| {
            let brief = space.agents.brief(id);
            if !brief.expanded {
                missing.push(Missing::Locals(id));
            }
            *holds |= brief.holds();
            slots.push(Slot { id, count, class, agent, tail: tail as u32, unused, symbols: brief.symbols });
            if brief.symbols > 0 {
                let symbols = &words[tail..][..brief.symbols as usize];
                unused = symbols.iter().fold(unused, |unused, &symbol| unused.max(symbol + 1));
            }
            tail += brief.tail();
        };
        for (&id, &agent) in words.iter().zip(&layout.fixed) {
            push(slots, id, 1, NO_CLASS, agent);
        }
        let mut at = layout.header();
        for (class, members) in layout.classes.iter().enumerate() {
            class_starts.push(slots.len());
            let end = at + 2 * words[layout.singles() + class] as usize;
            let mut rank = 0;
            while at < end {
                push(slots, words[at], words[at + 1], class as u32, members[rank as usize]);
                rank += words[at + 1];
                at += 2;
            }
        }
        class_starts.push(slots.len());
        let (agent, tail) = (AgentId::new(0), tail as u32);
        slots.push(Slot { id: 0, count: 0, class: NO_CLASS, agent, tail, unused, symbols: 0 });
    }

    /// Counts which agents have ended and which are waiting. The steps of all must be known.
    pub(super) fn census(&self, space: &Space<'_>) -> Census {
        let mut census = Census::new(space.bounds);
        for &Slot { id, count, .. } in self.slots() {
            let brief = space.agents.brief(id);
            let Summary { all_waiting, waiting_compared, .. } = brief.summary;
            census.count(brief.status, count, all_waiting, waiting_compared);
        }
        census
    }
}

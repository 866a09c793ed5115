//! Access to single agents of a global state, independent of its layout.

use std::sync::Arc;

use map_ir::{AgentId, PartId, Symbol, Value};
use map_semantics::{AgentState, SceneState};

use super::space::Space;
use crate::agents::StateId;

impl Space<'_> {
    /// The local states of a vector, slot by slot: first agent, local state, and number of agents.
    pub(crate) fn local_states<'w>(
        &'w self,
        words: &'w [u32],
    ) -> impl Iterator<Item = (AgentId, StateId, u32)> + 'w {
        let (mut class_at, mut rank) = (None, 0);
        self.layout.local_states(words).enumerate().map(move |(slot, (class, id, count))| {
            if class != class_at {
                (class_at, rank) = (class, 0);
            }
            let agent = self.layout.agent(slot, class, rank);
            rank += count;
            (agent, id, count)
        })
    }

    /// The local state of an agent, and its tail.
    pub(crate) fn local_state<'w>(&self, words: &'w [u32], agent: AgentId) -> (StateId, &'w [u32]) {
        let slot = self.layout.slot_of(words, agent);
        let mut start = self.layout.tails(words);
        for (place, (_, id, _)) in self.layout.local_states(words).enumerate() {
            let end = start + self.tail_of(id);
            if place == slot {
                return (id, &words[start..end]);
            }
            start = end;
        }
        unreachable!("every agent is in a slot")
    }

    /// The first agent in a slot.
    pub(crate) fn agent_in(&self, words: &[u32], slot: usize) -> AgentId {
        self.local_states(words).nth(slot).expect("there is such a slot").0
    }

    /// The local state of an agent. With symmetry it is interned as a state of the first agent of its class.
    pub(crate) fn id_of(&self, words: &[u32], agent: AgentId) -> StateId {
        let slot = self.layout.slot_of(words, agent);
        let (_, id, _) = self.layout.local_states(words).nth(slot).expect("every agent is in a slot");
        id
    }

    /// Number of messages in an agent's mailbox.
    pub(crate) fn mailbox_of(&self, words: &[u32], agent: AgentId) -> u32 {
        let (id, tail) = self.local_state(words, agent);
        self.agents.brief(id).mailbox(tail) - self.agents.under_way(id)
    }

    /// Number of messages in all mailboxes of a state and on their way there.
    pub(crate) fn messages(&self, words: &[u32]) -> usize {
        self.mailboxes(words).map(|(_, count, messages)| messages as usize * count as usize).sum()
    }

    /// Number of messages in the fullest mailbox of a part.
    pub(crate) fn fullest(&self, words: &[u32], part: PartId) -> u32 {
        let of_part = self.mailboxes(words).filter(|&(agent, ..)| self.program.agent(agent).part == part);
        of_part.map(|(.., messages)| messages).max().unwrap_or(0)
    }

    /// The mailboxes of a vector, slot by slot: first agent, number of agents, and number of messages in each of them.
    fn mailboxes<'w>(&'w self, words: &'w [u32]) -> impl Iterator<Item = (AgentId, u32, u32)> + 'w {
        let mut tails = &words[self.layout.tails(words)..];
        self.local_states(words).map(move |(agent, id, count)| {
            let brief = self.agents.brief(id);
            let (tail, rest) = tails.split_at(brief.tail());
            tails = rest;
            (agent, count, brief.mailbox(tail))
        })
    }

    /// Translates a value of an agent's local state to the names that symbols and interchangeable agents have in the
    /// scene.
    pub(crate) fn in_the_scene(&self, words: &[u32], owner: AgentId, mut value: Value) -> Value {
        let (id, tail) = self.local_state(words, owner);
        let (symbols, names, _) = self.agents.brief(id).split(tail);
        if let Some(symbol) = value.symbol_mut() {
            *symbol = Symbol(symbols[symbol.0 as usize]);
        }
        if let Value::Agent(name) = &mut value {
            let symmetry = self.agents.symmetry();
            let mut here = vec![symmetry.stands_for(owner)];
            here.extend(self.agents.names(id));
            let mut there = vec![owner];
            there.extend(names.iter().map(|&slot| self.agent_in(words, slot as usize)));
            *name = symmetry.meaning(*name, &here, &there);
        }
        value
    }

    /// A state of the scene that the vector represents, except for values removed by slicing.
    pub(crate) fn scene(&self, words: &[u32]) -> SceneState {
        let slots: Vec<AgentId> = self.local_states(words).map(|(agent, ..)| agent).collect();
        let agents = self.program.cast().map(|agent| {
            let (id, tail) = self.local_state(words, agent);
            let (symbols, names, counts) = self.agents.brief(id).split(tail);
            let names: Vec<AgentId> = names.iter().map(|&slot| slots[slot as usize]).collect();
            Arc::new(self.agents.in_the_scene(agent, id, symbols, &names, counts))
        });
        let agents: Vec<Arc<AgentState>> = agents.collect();
        let mut fresh = Symbol(0);
        for agent in &agents {
            agent.visit_symbols(&mut |symbol| fresh = fresh.max(Symbol(symbol.0 + 1)));
        }
        SceneState { agents, fresh, lost: self.layout.lost(words) }
    }
}

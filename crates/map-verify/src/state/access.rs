//! What single agents are in a global state, for whoever need not know how its words are laid out.

use map_ir::{AgentId, Symbol, Value};

use super::space::Space;
use crate::agents::{Brief, StateId};

impl Space<'_> {
    /// The interned states that the agents of a state are in. The same one may come several times.
    pub(crate) fn ids<'w>(&self, words: &'w [u32]) -> &'w [StateId] {
        &words[..self.agent_count()]
    }

    /// The interned state that an agent is in. With symmetry it is interned as that of the first agent of its class.
    pub(crate) fn id_of(&self, words: &[u32], agent: AgentId) -> StateId {
        self.ids(words)[agent.index()]
    }

    /// How many messages lie in the mailbox of an agent.
    pub(crate) fn mailbox_of(&self, words: &[u32], agent: AgentId) -> u32 {
        let (brief, tail) = self.held_by(words, agent);
        brief.mailbox(tail)
    }

    /// A value of the interned state that an agent is in, with the names that symbols and interchangeable agents have in
    /// the scene.
    pub(crate) fn in_the_scene(&self, words: &[u32], owner: AgentId, mut value: Value) -> Value {
        let (brief, tail) = self.held_by(words, owner);
        let (symbols, names, _) = brief.split(tail);
        if let Some(symbol) = value.symbol_mut() {
            *symbol = Symbol(symbols[symbol.0 as usize]);
        }
        if let Value::Agent(name) = &mut value {
            let agents = &self.agents;
            let mut here = vec![agents.symmetry().stands_for(owner)];
            here.extend(agents.names(self.id_of(words, owner)));
            let mut there = vec![owner];
            there.extend(names.iter().map(|&name| AgentId::new(name as usize)));
            *name = agents.symmetry().meaning(*name, &here, &there);
        }
        value
    }

    /// What stands in the state beside the interned one of an agent.
    fn held_by<'w>(&self, words: &'w [u32], agent: AgentId) -> (&Brief, &'w [u32]) {
        let brief = |&id: &StateId| self.agents.brief(id);
        let before: usize = self.ids(words)[..agent.index()].iter().map(|id| brief(id).tail()).sum();
        let own = brief(&self.id_of(words, agent));
        let start = self.header() + before;
        (own, &words[start..start + own.tail()])
    }
}

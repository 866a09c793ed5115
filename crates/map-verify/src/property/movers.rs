//! Who makes the steps of a scene, for fairness.

use map_ir::AgentId;
use map_semantics::{Bounds, Network};

/// The agents of a scene and, where messages are under way for a while, the ways from each agent to each: whatever is
/// on its way arrives, even if the recipient has other steps to make, and messages of others to get. Numbered, agents
/// first, in the order of the cast.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Movers {
    agents: usize,
    ways: bool,
}

impl Movers {
    /// Those of a scene with this many agents.
    pub(crate) fn new(agents: usize, bounds: &Bounds) -> Self {
        // By name: whoever adds a fault decides whether somebody else than an agent makes steps under it.
        let Network { unordered: _, delayed, losses: _, crashes: _ } = bounds.network;
        Self { agents, ways: delayed }
    }

    /// Their number.
    pub(crate) fn count(self) -> usize {
        self.agents + if self.ways { self.agents * self.agents } else { 0 }
    }

    /// The number of whoever makes a step of an agent: the agent, or the way if a message of a sender arrives.
    pub(crate) fn number(self, agent: AgentId, sender: Option<AgentId>) -> usize {
        match sender {
            Some(sender) => self.agents * (1 + agent.index()) + sender.index(),
            None => agent.index(),
        }
    }
}

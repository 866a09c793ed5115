//! Lines of a conversation that cannot be used. Nothing is certain any more about the agents that they may concern.

use map_ir::AgentId;

use crate::conversation::Conversation;
use crate::report::{Gap, Mark};

/// The maximum number of gaps of a conversation that are listed.
const MAX_LISTED: usize = 64;

impl Conversation {
    /// A line that cannot be used may concern these agents.
    pub fn gap(&mut self, mark: Mark, agents: &[AgentId]) {
        if let Some(in_order) = &mut self.in_order {
            in_order.gap(mark, agents);
        }
        self.gap_by_time(mark, agents);
        if let Some(mid_way) = &mut self.mid_way {
            mid_way.gap(mark, agents);
        }
        for agent in agents {
            self.gaps.doubts[agent.index()].get_or_insert(mark);
        }
        if self.gaps.listed.len() < MAX_LISTED {
            self.gaps.listed.push(Gap { mark, agents: agents.to_vec() });
        }
        agents.iter().for_each(|&agent| self.release(agent));
    }

    /// A line that cannot be used came before the first one, and may have been the first one.
    pub fn doubt_beginning(&mut self, mark: Mark) {
        if let Some(in_order) = &mut self.in_order {
            in_order.doubt_beginning(mark);
        }
        self.gaps.beginning = Some(mark);
    }

    /// Whether an agent may have sent or heard what a line says that cannot be used.
    pub(crate) fn is_doubtful(&self, agent: AgentId) -> bool {
        self.gaps.doubts[agent.index()].is_some()
    }
}

//! Lines of a conversation that cannot be used. Nothing is certain any more about the agents that they may concern.

use map_ir::AgentId;

use crate::conversation::Conversation;
use crate::report::{Gap, Mark};

/// The maximum number of gaps of a conversation that are listed.
const MAX_LISTED: usize = 64;

/// What the lines that cannot be used leave in doubt.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gaps {
    /// The first of them.
    pub(crate) listed: Vec<Gap>,
    /// By agent: the first gap that may concern it.
    pub(crate) doubts: Vec<Option<Mark>>,
    /// A gap before the first line, which may have been the first one.
    pub(crate) beginning: Option<Mark>,
    /// The first line.
    pub(crate) first_line: Option<Mark>,
}

impl Gaps {
    pub(crate) fn new(agents: usize) -> Self {
        Self { doubts: vec![None; agents], ..Self::default() }
    }

    /// The gap because of which it is not certain what this agent did at a line. If the first line does not fit, and
    /// one may be missing before it, nothing is certain of anybody.
    pub(crate) fn doubt(&mut self, agent: AgentId, at: Mark) -> Option<Mark> {
        let is_first = self.first_line.is_some_and(|first| (first.log, first.line) == (at.log, at.line));
        if is_first && let Some(gap) = self.beginning {
            self.doubts.iter_mut().for_each(|doubt| *doubt = doubt.or(Some(gap)));
        }
        self.doubts[agent.index()]
    }

    /// The first gap.
    pub(crate) fn first(&self) -> Option<Mark> {
        self.listed.first().map(|gap| gap.mark).or_else(|| self.doubts.iter().copied().flatten().next())
    }
}

impl Conversation {
    /// A line that cannot be used may concern these agents.
    pub fn gap(&mut self, mark: Mark, agents: &[AgentId]) {
        if let Some(in_order) = &mut self.in_order {
            in_order.gap(mark, agents);
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

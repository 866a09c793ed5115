//! What lines that cannot be used leave in doubt.

use map_ir::AgentId;

use crate::report::{Gap, Mark};

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

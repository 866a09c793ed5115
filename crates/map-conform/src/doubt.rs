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
    /// Whether the conversation is taken to have begun before the log, and nobody knows who was there then.
    pub(crate) lacks_beginning: bool,
    /// Whether that is so if the first line does not fit.
    pub(crate) may_lack_beginning: bool,
}

impl Gaps {
    pub(crate) fn new(agents: usize) -> Self {
        Self { doubts: vec![None; agents], ..Self::default() }
    }

    /// The gap because of which it is not certain what this agent did at a line. If the first line does not fit, and
    /// one may be missing before it, nothing is certain of anybody. If what is missing has no place, the line itself is
    /// the gap.
    pub(crate) fn doubt(&mut self, agent: AgentId, at: Mark) -> Option<Mark> {
        if self.is_first_line(at) {
            self.first_line_does_not_fit();
        }
        self.doubts[agent.index()].or(self.lacks_beginning.then_some(at))
    }

    /// The gap because of which a message that arrives or gets lost at a line may have been sent, or have arrived.
    pub(crate) fn doubt_of_arrival(&self, at: Mark) -> Option<Mark> {
        self.first().or(self.lacks_beginning.then_some(at))
    }

    pub(crate) fn is_first_line(&self, at: Mark) -> bool {
        self.first_line.is_some_and(|first| (first.log, first.line) == (at.log, at.line))
    }

    /// Notes that the first line does not fit.
    pub(crate) fn first_line_does_not_fit(&mut self) {
        if let Some(gap) = self.beginning {
            self.doubts.iter_mut().for_each(|doubt| *doubt = doubt.or(Some(gap)));
        }
        self.lacks_beginning |= self.may_lack_beginning;
    }

    /// The first gap.
    pub(crate) fn first(&self) -> Option<Mark> {
        self.listed.first().map(|gap| gap.mark).or_else(|| self.doubts.iter().copied().flatten().next())
    }
}

//! What can happen next, to be drawn below what has happened.

use map_ir::AgentId;
use map_session::TakenStep;

use super::{Act, Chart, MessageCopy, Recorder, Row, What};

/// The steps that can follow on those of a chart.
#[derive(Clone, Debug)]
pub struct Next {
    /// Those that are drawn, in order.
    pub(super) steps: Vec<NextStep>,
    /// How many are not drawn.
    pub(super) hidden: usize,
}

/// A step as it would be drawn if it were taken.
#[derive(Clone, Debug)]
pub(super) struct NextStep {
    /// Its row; `first` and `last` are its number among all steps that can follow, from 1. The copies of a message are
    /// those of this step.
    pub(super) row: Row,
    /// The copies that it sends.
    pub(super) copies: Vec<MessageCopy>,
}

/// Which rows of a chart have happened, and which can happen next.
#[derive(Clone, Copy)]
pub(super) struct Outlook {
    /// The rows from this one on can happen next, each instead of the others.
    pub(super) from: usize,
    /// How many more could.
    pub(super) hidden: usize,
}

impl Next {
    /// These steps, each of which can follow on what was recorded. At most `most` are drawn, about as many of each
    /// agent.
    #[must_use]
    pub fn new(recorder: &Recorder<'_>, steps: &[TakenStep<'_>], most: usize) -> Self {
        let agents: Vec<AgentId> = steps.iter().map(|it| it.step.agent).collect();
        let drawn = fairly(&agents, most);
        let hidden = steps.len() - drawn.len();
        let step = |index: usize| {
            let (mut row, copies) = recorder.next(&steps[index]);
            (row.first, row.last) = (index as u64 + 1, index as u64 + 1);
            NextStep { row, copies }
        };
        Self { steps: drawn.into_iter().map(step).collect(), hidden }
    }

    /// The chart with these steps as further rows.
    pub(super) fn below(&self, chart: &Chart) -> (Chart, Outlook) {
        let outlook = Outlook { from: chart.rows.len(), hidden: self.hidden };
        let mut chart = chart.clone();
        for NextStep { row, copies } in &self.steps {
            let (sent, known) = (chart.rows.len(), chart.copies.len());
            chart.copies.extend(copies.iter().map(|copy| MessageCopy { sent, ..copy.clone() }));
            let mut row = row.clone();
            if let What::Step { act: Act::Send(copies), .. } = &mut row.what {
                copies.iter_mut().for_each(|copy| *copy += known);
            }
            chart.rows.push(row);
        }
        (chart, outlook)
    }
}

impl Outlook {
    /// Nothing is said of what can happen next.
    pub(super) fn none(chart: &Chart) -> Self {
        Self { from: chart.rows.len(), hidden: 0 }
    }

    /// Whether there is anything to be drawn of it.
    pub(super) fn is_empty(self, chart: &Chart) -> bool {
        self.from == chart.rows.len() && self.hidden == 0
    }
}

/// At most `most` of the steps of these agents, in their order: of each agent one, then of each a second one, and so
/// on.
fn fairly(agents: &[AgentId], most: usize) -> Vec<usize> {
    let mut earlier = vec![0_usize; agents.iter().map(|it| it.index() + 1).max().unwrap_or(0)];
    let mut turns: Vec<(usize, usize)> = Vec::with_capacity(agents.len());
    for (index, agent) in agents.iter().enumerate() {
        let turn = &mut earlier[agent.index()];
        turns.push((*turn, index));
        *turn += 1;
    }
    turns.sort_unstable();
    let mut chosen: Vec<usize> = turns.into_iter().take(most).map(|(_, index)| index).collect();
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use map_ir::AgentId;

    use super::fairly;

    #[test]
    fn every_agent_has_its_turn() {
        let agents = |list: &[usize]| -> Vec<AgentId> { list.iter().copied().map(AgentId::new).collect() };
        assert_eq!(fairly(&agents(&[0, 0, 0, 0, 1, 2, 2]), 4), [0, 1, 4, 5]);
        assert_eq!(fairly(&agents(&[0, 0, 0, 0, 1, 2, 2]), 5), [0, 1, 4, 5, 6]);
        assert_eq!(fairly(&agents(&[2, 0, 1]), 2), [0, 1]);
        assert_eq!(fairly(&agents(&[2, 0, 1]), 9), [0, 1, 2]);
        assert!(fairly(&[], 9).is_empty());
    }
}

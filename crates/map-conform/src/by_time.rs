//! Conversations in one log whose times run back: nobody knows whether the lines or the times are in the right order.
//! So both are tried, and nothing is certain that only one of them shows.

use map_ir::AgentId;

use crate::conversation::Conversation;
use crate::own::Own;
use crate::pending::MAX_UNDER_WAY;
use crate::report::{Mark, Report, Verdict, Violation};
use crate::settings::Order;
use crate::waiting::Waiting;

impl Conversation {
    /// The times of its lines run back, so that it is judged by their order, too, or by it alone.
    pub(crate) fn judge_by_time(&mut self) {
        self.by_time = Some(Box::new(Self::new(&self.scene)));
        self.waiting = Waiting::new(self.scene.settings.reorder);
    }

    /// Passes a line on to the order of the times.
    pub(crate) fn line_by_time(&mut self, agent: AgentId, mark: Mark, own: &Own) {
        let Some(by_time) = &mut self.by_time else { return };
        if self.waiting.len() >= MAX_UNDER_WAY {
            return by_time.give_up(agent, mark);
        }
        self.waiting.push(agent, mark, own.clone());
        self.release_by_time(false);
    }

    /// Judges the lines before which none can come any more by the times, or all.
    fn release_by_time(&mut self, is_last: bool) {
        let Some(by_time) = &mut self.by_time else { return };
        while let Some((agent, mark, own)) = self.waiting.pop(is_last) {
            by_time.line(agent, mark, own);
        }
    }

    /// A line that cannot be used, in the order of the times.
    pub(crate) fn gap_by_time(&mut self, mark: Mark, agents: &[AgentId]) {
        if let Some(by_time) = &mut self.by_time {
            // It may belong before what waits.
            by_time.gap(mark, agents);
        }
    }

    /// The times run back at this line. Of what is not judged by their order, too, nothing is certain from then on.
    pub(crate) fn note_run_back(&mut self, mark: Mark) {
        self.runs_back.get_or_insert(mark);
        if self.by_time.is_some() {
            return;
        }
        if let Some(in_order) = &mut self.in_order {
            in_order.note_run_back(mark);
        }
        for doubt in &mut self.gaps.doubts {
            doubt.get_or_insert(mark);
        }
        for violation in self.violations.iter_mut().filter(|violation| violation.mark.time >= mark.time) {
            violation.gap.get_or_insert(mark);
        }
    }

    /// What both orders show, or the better of what they show.
    pub(crate) fn report_by_time(mut self) -> Report {
        let (order, runs_back) = (self.scene.settings.order, self.runs_back);
        self.release_by_time(true);
        let Some(by_time) = self.by_time.take().map(|by_time| by_time.report()) else { return self.report() };
        if order == Order::Times {
            return Report { runs_back, ..by_time };
        }
        let by_line = self.report();
        let (worse, better) =
            if rank(&by_line) <= rank(&by_time) { (&by_time, by_line) } else { (&by_line, by_time) };
        let is_same = rank(worse) == rank(&better);
        let mut report = better;
        match report.verdict {
            Verdict::Violated => {
                let also: Vec<Violation> = worse.violations.clone();
                let agrees = |violation: &Violation| {
                    let other = also.iter().find(|other| other.agent == violation.agent);
                    other.is_some_and(|other| violation.agent.is_some() && other.gap.is_none())
                };
                for violation in report.violations.iter_mut().filter(|violation| !agrees(violation)) {
                    violation.gap = violation.gap.or(runs_back);
                }
                report.possibly = report.violations.iter().all(|violation| violation.gap.is_some());
            }
            Verdict::Conforms | Verdict::SoFar | Verdict::Stuck => report.possibly |= !is_same,
            Verdict::Inconclusive => {}
        }
        Report { runs_back, ..report }
    }
}

/// How good a verdict is; the best is the least.
fn rank(report: &Report) -> u8 {
    match report.verdict {
        Verdict::Conforms => 0,
        Verdict::SoFar => 1,
        Verdict::Stuck => 2,
        Verdict::Inconclusive => 3,
        Verdict::Violated => 4,
    }
}

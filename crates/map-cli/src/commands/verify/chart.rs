//! The chart of a counterexample, shown below its story.

use map_explain::explain_deadlock;
use map_ir::SourceSpan;
use map_render::chart::Chart;
use map_verify::{Replayed, ViolationKind};

use super::properties::Answers;
use super::searched::Searched;
use crate::chart;

impl Searched<'_> {
    /// The chart of the verdict's violation followed by an empty line, or an empty string if none is wanted.
    pub(super) fn chart_of_verdict(&self) -> String {
        let (Some(violation), Some(shown)) = (self.violation(), self.run_of_verdict()) else {
            return String::new();
        };
        let replayed = shown.replayed;
        let stuck = match violation.kind {
            ViolationKind::Deadlock => explain_deadlock(self.answers.program, replayed),
            _ => Vec::new(),
        };
        let mut chart = chart::of_replayed(self.answers.program, replayed, &stuck);
        chart.repeated_from = shown.repeated_from;
        if !stuck.is_empty() && !self.answers.args.full_trace {
            chart = chart::without_irrelevant(&chart, &stuck, &self.report.bounds);
        }
        self.answers.drawn(&chart)
    }
}

impl Searched<'_> {
    /// The chart of the verdict's run in place of its steps, with the lines of the source; `None` if steps are to be
    /// listed. Who waits for whom is said elsewhere.
    pub(super) fn drawn_run(&self) -> Option<String> {
        let shown = self.run_of_verdict()?;
        let stuck = match self.violation()?.kind {
            ViolationKind::Deadlock => explain_deadlock(self.answers.program, shown.replayed),
            _ => Vec::new(),
        };
        let mut chart = chart::of_replayed(self.answers.program, shown.replayed, &[]);
        chart.repeated_from = shown.repeated_from;
        if !stuck.is_empty() && !self.answers.args.full_trace {
            chart = chart::without_irrelevant(&chart, &stuck, &self.report.bounds);
        }
        self.answers.drawn_in_place(chart)
    }
}

impl Answers<'_> {
    /// The chart of a property's run in place of its steps; `None` if steps are to be listed.
    pub(super) fn drawn_run_of_property(
        &self,
        replayed: &Replayed,
        repeated: Option<usize>,
    ) -> Option<String> {
        let mut chart = chart::of_replayed(self.program, replayed, &[]);
        chart.repeated_from = repeated;
        self.drawn_in_place(chart)
    }

    fn drawn_in_place(&self, mut chart: Chart) -> Option<String> {
        chart.lifelines.iter_mut().for_each(|lifeline| lifeline.unread.clear());
        let source = &self.loaded.source;
        let place = |span: SourceSpan| format!(":{}", source.position(span.start).line);
        self.args.chart.drawn_in_place(&chart, self.args.full_trace, &place)
    }

    /// The chart of a run that violates or witnesses a property; the steps from `repeated` on are repeated for ever.
    pub(super) fn chart_of_property(&self, replayed: &Replayed, repeated: Option<usize>) -> String {
        let mut chart = chart::of_replayed(self.program, replayed, &[]);
        chart.repeated_from = repeated;
        self.drawn(&chart)
    }

    fn drawn(&self, chart: &Chart) -> String {
        self.args.chart.drawn(chart, self.args.full_trace)
    }
}

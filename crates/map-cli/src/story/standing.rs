//! How a run stands that has been led somewhere by hand or by a trace: it may have ended or not.

use map_semantics::{SceneStep, Turn};
use map_simulate::{EndWord, Run, RunEnd};

use super::run_end::{Ended, exit_of, styled};
use super::{Teller, livelock, style};
use crate::exit::Exit;
use crate::possible::Possible;

/// The words with which a search ends that only a search can justify: the trace leads there, and more can happen.
const OF_A_SEARCH: [&str; 2] = ["livelock", "deadlock"];

/// How a run stands.
#[derive(Clone, Copy)]
pub(crate) struct Standing<'a> {
    ended: Ended<'a>,
    /// How it ended according to whoever saved its trace.
    recorded: &'a str,
}

/// Sets the end of a run that has been led to where these steps are possible; it stays [`RunEnd::Stopped`] if one of
/// them can be made.
pub(crate) fn judge(run: &mut Run, possible: &[Possible]) {
    if run.end != RunEnd::Stopped {
        return;
    }
    let Some(state) = &run.state else { return };
    // A crash may come at any time: it does not keep a scene going.
    if possible.iter().any(|it| it.can_be_made() && it.step.turn != Turn::Crash) {
        return;
    }
    let cut = possible.iter().find_map(|it| match it.observed.result {
        SceneStep::Cut(bound) => Some(RunEnd::Cut(bound)),
        SceneStep::TooLong(point) => Some(RunEnd::TooLong(it.step.agent, point)),
        _ => None,
    });
    let all_ended = state.agents.iter().all(|agent| agent.control.threads().next().is_none());
    run.end = if all_ended { RunEnd::Ended } else { cut.unwrap_or(RunEnd::NothingMoves) };
}

impl<'a> Standing<'a> {
    /// How a run stands that has been judged.
    pub(crate) fn new(ended: Ended<'a>, recorded: &'a str) -> Self {
        Self { ended, recorded }
    }

    fn is_open(&self) -> bool {
        self.ended.run.end == RunEnd::Stopped
    }

    /// Whether more can happen, and only the search that came here knew how this ends.
    fn is_of_a_search(&self) -> bool {
        OF_A_SEARCH.contains(&self.recorded)
    }

    /// Whether the trace is said to violate a property, whatever the end of it.
    fn is_of_a_property(&self) -> bool {
        self.recorded.starts_with("property ")
    }

    /// The verdict.
    pub(crate) fn word(&self) -> &'a str {
        match EndWord::of(self.ended.run) {
            _ if self.is_open() && self.ended.run.some_failed() => EndWord::Failure.word(),
            _ if self.is_open() && self.is_of_a_search() => self.recorded,
            _ if self.is_of_a_property() => self.recorded,
            EndWord::Stopped => "not ended",
            end => end.word(),
        }
    }

    /// The exit code that belongs to the verdict.
    pub(crate) fn exit(&self) -> Exit {
        match EndWord::of(self.ended.run) {
            _ if self.is_open() && (self.ended.run.some_failed() || self.is_of_a_search()) => Exit::Violation,
            _ if self.is_of_a_property() => Exit::Violation,
            EndWord::Stopped => Exit::Inconclusive,
            end => exit_of(end),
        }
    }

    /// The verdict and what explains it.
    pub(crate) fn text(&self, teller: &Teller<'_>) -> String {
        let mut text = self.text_of_the_end(teller);
        if self.is_of_a_property() {
            let said = "so says the search that came here; properties are not judged again";
            text.push_str(&format!("{}: {said}\n", style::bad(self.recorded)));
        }
        text
    }

    fn text_of_the_end(&self, teller: &Teller<'_>) -> String {
        if !self.is_open() {
            return self.ended.text(teller);
        }
        if self.ended.run.some_failed() {
            let sentence = "an agent has failed; more can happen";
            return self.ended.text_with(teller, &styled(EndWord::Failure), sentence);
        }
        if !self.is_of_a_search() {
            let sentence = "this is as far as it goes, and more can happen";
            return self.ended.text_with(teller, &style::doubtful("not ended"), sentence);
        }
        let sentence = format!(
            "so says the search that came here; the trace shows the way, not that {}",
            if self.recorded == "livelock" { "there is no way out" } else { "nothing need happen any more" }
        );
        let mut text = self.ended.text_with(teller, &style::bad(self.recorded), &sentence);
        if let Some(state) = &self.ended.run.state {
            text.push_str("  Something can still happen:\n");
            text.push_str(&livelock::steps_left(teller, self.ended.bounds, state));
        }
        text
    }
}

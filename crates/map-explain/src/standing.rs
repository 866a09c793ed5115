//! The status of a run that was driven by hand or by a trace, and may not have ended.

use map_ir::Program;
use map_semantics::{Bounds, EnabledStep, SceneStep, Status, Turn, scene_steps};
use map_simulate::{EndWord, Run, RunEnd};

use crate::{Ended, Role, Teller, Text, Tone, livelock, tone_of};

/// Verdicts that only a search can justify: after the trace that shows them, more can happen.
const OF_A_SEARCH: [&str; 2] = ["livelock", "deadlock"];

/// The status of a run.
#[derive(Clone, Copy)]
pub struct Standing<'a> {
    ended: Ended<'a>,
    /// The verdict recorded with its trace.
    recorded: &'a str,
}

/// Computes the steps of the last state of a run, and sets the run's end if there are none; otherwise it stays
/// [`RunEnd::Stopped`]. The result is empty after a step that went wrong.
pub fn judge(program: &Program, bounds: &Bounds, run: &mut Run) -> Vec<EnabledStep> {
    let Some(state) = run.state.as_ref().filter(|_| !matches!(run.end, RunEnd::Wrong(..))) else {
        return Vec::new();
    };
    let steps: Vec<EnabledStep> = scene_steps(program, bounds, state).all().collect();
    // A crash is possible at any time, so it does not count as progress.
    let goes_on = steps.iter().any(|it| it.is_taken() && it.step.turn != Turn::Crash);
    if run.end != RunEnd::Stopped || goes_on {
        return steps;
    }
    let cut = steps.iter().find_map(|it| match it.observed.result {
        SceneStep::Cut(bound) => Some(RunEnd::Cut(bound)),
        SceneStep::TooLong(point) => Some(RunEnd::TooLong(it.step.agent, point)),
        _ => None,
    });
    let all_ended = state.agents.iter().all(|agent| agent.status != Status::Running);
    run.end = if all_ended { RunEnd::Ended } else { cut.unwrap_or(RunEnd::NothingMoves) };
    steps
}

impl<'a> Standing<'a> {
    /// The status of a run that has been judged.
    #[must_use]
    pub fn new(ended: Ended<'a>, recorded: &'a str) -> Self {
        Self { ended, recorded }
    }

    fn is_open(&self) -> bool {
        self.ended.run.end == RunEnd::Stopped
    }

    /// Whether the recorded verdict is one that only a search can justify.
    fn is_of_a_search(&self) -> bool {
        OF_A_SEARCH.contains(&self.recorded)
    }

    /// Whether the trace was recorded as violating a property, whatever its end.
    fn is_of_a_property(&self) -> bool {
        self.recorded.starts_with("property ")
    }

    /// The verdict.
    #[must_use]
    pub fn word(&self) -> &'a str {
        match EndWord::of(self.ended.run) {
            _ if self.is_open() && self.ended.run.some_failed() => EndWord::Failure.word(),
            _ if self.is_open() && self.is_of_a_search() => self.recorded,
            _ if self.is_of_a_property() => self.recorded,
            EndWord::Stopped => "not ended",
            end => end.word(),
        }
    }

    /// The tone of the verdict.
    #[must_use]
    pub fn tone(&self) -> Tone {
        match EndWord::of(self.ended.run) {
            _ if self.is_open() && (self.ended.run.some_failed() || self.is_of_a_search()) => Tone::Bad,
            _ if self.is_of_a_property() => Tone::Bad,
            end => tone_of(end),
        }
    }

    /// The verdict and its explanation.
    #[must_use]
    pub fn text(&self, teller: &Teller<'_>) -> Text {
        let mut text = self.text_of_the_end(teller);
        if self.is_of_a_property() {
            let said = "so says the search that came here; properties are not judged again";
            text.push(Role::Verdict(Tone::Bad), self.recorded);
            text.push_str(&format!(": {said}\n"));
        }
        text
    }

    fn text_of_the_end(&self, teller: &Teller<'_>) -> Text {
        if !self.is_open() {
            return self.ended.text(teller);
        }
        if self.ended.run.some_failed() {
            let sentence = "an agent has failed; more can happen";
            return self.ended.text_with(teller, Tone::Bad, EndWord::Failure.word(), sentence);
        }
        if !self.is_of_a_search() {
            let sentence = "this is as far as it goes, and more can happen";
            return self.ended.text_with(teller, Tone::Doubtful, "not ended", sentence);
        }
        let sentence = format!(
            "so says the search that came here; the trace shows the way, not that {}",
            if self.recorded == "livelock" { "there is no way out" } else { "nothing need happen any more" }
        );
        let mut text = self.ended.text_with(teller, Tone::Bad, self.recorded, &sentence);
        if let Some(state) = &self.ended.run.state {
            text.push_str("  Something can still happen:\n");
            text.append(livelock::steps_left(teller, self.ended.bounds, state));
        }
        text
    }
}

//! The status of a run that was driven by hand or by a trace, and may not have ended.

use map_simulate::{EndWord, RunEnd};

use crate::{EndedRun, Namer, Role, Text, Tone, livelock, tone_of};

/// Verdicts that only a search can justify: after the trace that shows them, more can happen.
const OF_A_SEARCH: [&str; 2] = ["livelock", "deadlock"];

/// The status of a run.
#[derive(Clone, Copy)]
pub struct Standing<'a> {
    ended: EndedRun<'a>,
    /// The verdict recorded with its trace.
    recorded: &'a str,
}

impl<'a> Standing<'a> {
    /// The status of a run that has been judged.
    #[must_use]
    pub fn new(ended: EndedRun<'a>, recorded: &'a str) -> Self {
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
    pub fn text(&self, namer: &Namer<'_>) -> Text {
        let mut text = self.text_of_the_end(namer);
        if self.is_of_a_property() {
            let said = "so says the search that came here; properties are not judged again";
            text.push(Role::Verdict(Tone::Bad), self.recorded);
            text.push_str(&format!(": {said}\n"));
        }
        text
    }

    fn text_of_the_end(&self, namer: &Namer<'_>) -> Text {
        if !self.is_open() {
            return self.ended.text(namer);
        }
        if self.ended.run.some_failed() {
            let sentence = "an agent has failed; more can happen";
            return self.ended.text_with(namer, Tone::Bad, EndWord::Failure.word(), sentence);
        }
        if !self.is_of_a_search() {
            let sentence = "this is as far as it goes, and more can happen";
            return self.ended.text_with(namer, Tone::Doubtful, "not ended", sentence);
        }
        let sentence = format!(
            "so says the search that came here; the trace shows the way, not that {}",
            if self.recorded == "livelock" { "there is no way out" } else { "nothing need happen any more" }
        );
        let mut text = self.ended.text_with(namer, Tone::Bad, self.recorded, &sentence);
        if let Some(state) = &self.ended.run.state {
            text.push_str("  Something can still happen:\n");
            text.append(livelock::steps_left(namer, self.ended.bounds, state));
        }
        text
    }
}

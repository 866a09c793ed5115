//! What SPIN found, as text and as JSON.

use std::fmt::Write as _;
use std::time::Duration;

use map_verify::{PropertyVerdict, ViolationKind};

use super::super::searched::Searched;
use crate::json::{SpinOutput, SpinPropertyOutput, Word};
use crate::numbers::{counted, grouped, seconds};
use crate::style;

/// What SPIN found in an exported model.
pub(in crate::commands::verify) struct Opinion {
    pub(super) version: String,
    /// The kinds of violation; the first is that of the trail.
    pub(super) violations: Vec<ViolationKind>,
    /// Whether some run never ends.
    pub(super) infinite: bool,
    /// What prevented a complete search.
    pub(super) limited: Option<String>,
    pub(super) states: u64,
    pub(super) transitions: u64,
    /// The time of the searches, without compiling the verifiers.
    pub(super) searching: Duration,
    pub(super) took: Duration,
    pub(super) trail: Option<String>,
    /// The length of the trail, which has been replayed.
    pub(super) retraced: Option<usize>,
    pub(super) agrees: Option<bool>,
    /// The results for the properties that the model states, in order.
    pub(super) properties: Vec<Claimed>,
}

/// SPIN's verdict on a property and ours, both over all runs.
pub(in crate::commands::verify) struct Claimed {
    pub(super) name: String,
    /// Whether it holds; `None` if SPIN reached a limit.
    pub(super) holds: Option<bool>,
    pub(super) limited: Option<String>,
    pub(super) ours: PropertyVerdict,
    /// `None` if there is nothing to compare.
    pub(super) agrees: Option<bool>,
    pub(super) states: u64,
    /// The length of its trail, which has been replayed; it may be a witness of something possible.
    pub(super) retraced: Option<usize>,
}

impl Claimed {
    fn verdict(&self) -> PropertyVerdict {
        match self.holds {
            Some(true) => PropertyVerdict::Holds,
            Some(false) => PropertyVerdict::Violated,
            None => PropertyVerdict::Inconclusive,
        }
    }

    fn text(&self, text: &mut String) {
        let _ = write!(text, "property {}  {}", self.name, self.verdict().word());
        if let Some(why) = &self.limited {
            let _ = write!(text, ": {why}");
        }
        let _ = write!(text, ", {}", counted(self.states, "state"));
        if let Some(steps) = self.retraced {
            let _ =
                write!(text, "; its trail is {} of the dialogue, and replays", counted(steps as u64, "step"));
        }
        let _ = match self.agrees {
            Some(true) => writeln!(text, "; {}", style::good("so is ours")),
            Some(false) => writeln!(
                text,
                "; {}: a defect of map, or of SPIN. Please report it, with the file",
                style::bad(format!("ours is {}", self.ours.word()))
            ),
            None => writeln!(text, "; ours is {}: nothing to compare", self.ours.word()),
        };
    }

    fn output(&self) -> SpinPropertyOutput {
        SpinPropertyOutput {
            name: self.name.clone(),
            verdict: self.verdict().into(),
            limit: self.limited.clone(),
            ours: self.ours.into(),
            states: self.states,
            trail_steps: self.retraced,
            agrees: self.agrees,
        }
    }
}

impl Opinion {
    pub(super) fn limited(why: &str, took: Duration) -> Self {
        Self {
            version: String::new(),
            violations: Vec::new(),
            infinite: false,
            limited: Some(why.to_owned()),
            states: 0,
            transitions: 0,
            searching: Duration::ZERO,
            took,
            trail: None,
            retraced: None,
            agrees: None,
            properties: Vec::new(),
        }
    }

    /// The lines below our own result.
    pub(in crate::commands::verify) fn text(&self, searched: &Searched<'_>) -> String {
        let mut text = String::from("\n");
        if let Some(why) = &self.limited {
            let took = seconds(self.took);
            let _ = writeln!(text, "{}  no verdict after {took}: {why}", style::head("SPIN"));
            self.properties_text(&mut text);
            return text;
        }
        let _ = writeln!(text, "{}  {}", style::head(&self.version), self.verdict());
        let ours = &searched.found.report.statistics;
        let _ = writeln!(
            text,
            "{}, {} in {}; ours {} and {} in {}",
            counted(self.states, "state"),
            counted(self.transitions, "transition"),
            seconds(self.searching),
            grouped(ours.states as u64),
            grouped(ours.transitions as u64),
            seconds(searched.found.figures.searching),
        );
        if let Some(steps) = self.retraced {
            let _ =
                writeln!(text, "its trail is {} of the dialogue, and replays", counted(steps as u64, "step"));
        }
        let _ = match self.agrees {
            Some(true) => writeln!(text, "{}", style::good("the two agree")),
            Some(false) => writeln!(
                text,
                "{}: a defect of map, or of SPIN. Please report it, with the file",
                style::bad("the two do not agree")
            ),
            None => writeln!(text, "nothing to compare"),
        };
        self.properties_text(&mut text);
        text
    }

    fn properties_text(&self, text: &mut String) {
        if !self.properties.is_empty() {
            text.push_str("\nSPIN on the properties, in all runs, as with --fairness none\n");
        }
        self.properties.iter().for_each(|property| property.text(text));
    }

    fn verdict(&self) -> String {
        let kinds: Vec<&str> = self.violations.iter().map(|kind| kind.words()).collect();
        match (kinds.as_slice(), self.infinite) {
            ([], false) => "every run ends, and ends well".to_owned(),
            ([], true) => "nothing goes wrong, but some runs never end".to_owned(),
            (kinds, false) => kinds.join(", "),
            (kinds, true) => format!("{}; some runs never end", kinds.join(", ")),
        }
    }

    pub(in crate::commands::verify) fn output(&self) -> SpinOutput {
        SpinOutput {
            version: self.version.clone(),
            violations: self.violations.iter().copied().map(Word).collect(),
            infinite_runs: self.infinite,
            limit: self.limited.clone(),
            states: self.states,
            transitions: self.transitions,
            seconds: self.searching.as_secs_f64(),
            trail_steps: self.retraced,
            agrees: self.agrees,
            properties: self.properties.iter().map(Claimed::output).collect(),
        }
    }
}

//! What SPIN found in an exported model, and whether it is what we found.

use std::time::Duration;

use map_explain::{Role, Text, Tone, counted, grouped, seconds};
use map_export::{Destination, Model, Wrong, retrace};
use map_json::{SpinOutput, Word};
use map_session::Verification;
use map_verify::{Trace, Verdict, ViolationKind, replay};

use crate::claims::{ClaimedProperty, defect, replays};

/// What SPIN found in an exported model.
#[derive(Clone, Debug, Default)]
pub struct Opinion {
    /// SPIN's version.
    pub version: String,
    /// The kinds of violation; the first is that of the trail.
    pub violations: Vec<ViolationKind>,
    /// Whether some run never ends.
    pub infinite: bool,
    /// What prevented a complete search.
    pub limited: Option<String>,
    /// The number of states.
    pub states: u64,
    /// The number of transitions.
    pub transitions: u64,
    /// The time of the searches, without compiling the verifiers.
    pub searching: Duration,
    /// The time in all.
    pub took: Duration,
    /// The trail to the first violation, as SPIN prints it.
    pub trail: Option<String>,
    /// The length of the trail, once it has been replayed.
    pub retraced: Option<usize>,
    /// Whether the verdict is of the same class as ours; `None` if they cannot be compared, or were not.
    pub agrees: Option<bool>,
    /// The results for the properties that the model states, in order.
    pub properties: Vec<ClaimedProperty>,
}

impl Opinion {
    /// SPIN was kept from a verdict.
    #[must_use]
    pub fn limited(why: &str, took: Duration) -> Self {
        Self { limited: Some(why.to_owned()), took, ..Self::default() }
    }

    /// Compares it with what was found in the scene, and replays the trail.
    ///
    /// # Errors
    /// If the trail is no run of the dialogue: a defect.
    pub fn compare(&mut self, model: &Model, found: &Verification) -> Result<(), String> {
        self.retraced = self.retrace(model, found)?;
        self.agrees = self.agreement(found);
        Ok(())
    }

    /// Translates the trail into steps of the dialogue and replays them; returns how many there are.
    fn retrace(&self, model: &Model, found: &Verification) -> Result<Option<usize>, String> {
        let (Some(trail), Some(&first)) = (&self.trail, self.violations.first()) else { return Ok(None) };
        let destination = match first {
            ViolationKind::Failure => Destination::Wrong(Wrong::Failure),
            ViolationKind::MailboxOverflow => Destination::Wrong(Wrong::Overflow),
            ViolationKind::RunawayRecursion => Destination::Wrong(Wrong::Runaway),
            ViolationKind::RunError => Destination::Wrong(Wrong::RunError),
            ViolationKind::Deadlock | ViolationKind::Livelock => Destination::Deadlock,
        };
        let wrong = |what: &str| format!("SPIN's trail to a {}: {what}", first.words());
        let (program, bounds) = (&found.scene.program, &found.scene.bounds);
        let trail = model.trail(trail);
        let steps = retrace(program, bounds, &trail, destination)
            .ok_or_else(|| wrong("it is no run of the dialogue"))?;
        let trace = Trace { initial: trail.initial, steps };
        let replayed = replay(program, bounds, &trace).map_err(|error| wrong(&error.to_string()))?;
        Ok(Some(replayed.steps.len()))
    }

    /// Whether the two verdicts are of the same class; `None` if they cannot be compared.
    fn agreement(&self, found: &Verification) -> Option<bool> {
        if self.limited.is_some() {
            return None;
        }
        match (found.report.verdict, found.violation()) {
            (Verdict::Inconclusive, _) => None,
            (Verdict::Terminates, _) => Some(self.violations.is_empty() && !self.infinite),
            (Verdict::TerminatesIfFair, _) => Some(self.violations.is_empty() && self.infinite),
            (Verdict::Violated(ViolationKind::Livelock), _) => Some(self.infinite),
            // In the model an open comparison is a step of its own, so the state is no deadlock there.
            (Verdict::Violated(ViolationKind::Deadlock), Some(violation)) if violation.possible => None,
            (Verdict::Violated(kind), _) => Some(self.violations.contains(&kind)),
        }
    }

    /// The lines below our own result.
    #[must_use]
    pub fn text(&self, found: &Verification) -> Text {
        let mut text = Text::plain("\n");
        match &self.limited {
            Some(why) => {
                text.push(Role::Heading, "SPIN");
                text.push_str(&format!("  no verdict after {}: {why}\n", seconds(self.took)));
            }
            None => self.compared(found, &mut text),
        }
        if !self.properties.is_empty() {
            text.push_str("\nSPIN on the properties, in all runs, as with --fairness none\n");
        }
        self.properties.iter().for_each(|property| text.append(property.text()));
        text
    }

    fn compared(&self, found: &Verification, text: &mut Text) {
        text.push(Role::Heading, &self.version);
        let ours = &found.report.statistics;
        text.push_str(&format!(
            "  {}\n{}, {} in {}; ours {} and {} in {}\n",
            self.verdict(),
            counted(self.states, "state"),
            counted(self.transitions, "transition"),
            seconds(self.searching),
            grouped(ours.states as u64),
            grouped(ours.transitions as u64),
            seconds(found.figures.searching),
        ));
        if let Some(steps) = self.retraced {
            text.push_str(&format!("{}\n", replays(steps)));
        }
        match self.agrees {
            Some(true) => text.push(Role::Verdict(Tone::Good), "the two agree"),
            Some(false) => text.append(defect("the two do not agree")),
            None => text.push_str("nothing to compare"),
        }
        text.push_str("\n");
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

    /// The opinion for programs.
    #[must_use]
    pub fn output(&self) -> SpinOutput {
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
            properties: self.properties.iter().map(ClaimedProperty::output).collect(),
        }
    }
}

//! SPIN's verdicts on properties, and whether they are ours, both over all runs.

use map_explain::{Role, Text, Tone, counted};
use map_export::{Claim, Model, retrace_claim};
use map_json::SpinPropertyOutput;
use map_session::Scene;
use map_verify::{PropertyJudgement, PropertyReport, PropertyVerdict, Trace, replay, run_violates};

/// What SPIN found about a claim.
#[derive(Clone, Debug)]
pub struct ClaimOutcome {
    /// Whether a run violates it.
    pub violated: bool,
    /// What kept SPIN from a verdict.
    pub limited: Option<String>,
    /// The number of states.
    pub states: u64,
    /// The run that violates it, as SPIN prints it.
    pub trail: Option<String>,
}

impl ClaimOutcome {
    /// SPIN was kept from a verdict.
    #[must_use]
    pub fn limited(why: &str) -> Self {
        Self { violated: false, limited: Some(why.to_owned()), states: 0, trail: None }
    }
}

/// SPIN's verdict on a property and ours, both over all runs.
#[derive(Clone, Debug)]
pub struct ClaimedProperty {
    name: String,
    verdict: PropertyVerdict,
    limited: Option<String>,
    ours: PropertyVerdict,
    /// Whether the verdicts are the same; `None` if there is nothing to compare.
    pub agrees: Option<bool>,
    states: u64,
    /// The length of its trail, which has been replayed; it may be a witness of something possible.
    retraced: Option<usize>,
}

/// Compares the outcomes of the claims of a model, in their order, with what was found about the properties of the
/// scene in all runs. Properties that the model does not state are left out.
///
/// # Errors
/// Which of SPIN's trails is no run of the dialogue that violates its claim.
pub fn compare_claims(
    scene: &Scene,
    model: &Model,
    outcomes: &[ClaimOutcome],
    ours: &PropertyReport,
) -> Result<Vec<ClaimedProperty>, String> {
    let mut all = Vec::new();
    for (index, judged) in ours.properties.iter().enumerate() {
        let claims = model.claims.iter().zip(outcomes).filter(|(claim, _)| claim.property == index);
        let claims: Vec<(&Claim, &ClaimOutcome)> = claims.collect();
        if !claims.is_empty() {
            all.push(together(judged, &claims, retraced(scene, model, &claims)?));
        }
    }
    Ok(all)
}

/// Combines the outcomes of all claims that make up a property.
fn together(
    judged: &PropertyJudgement,
    claims: &[(&Claim, &ClaimOutcome)],
    retraced: Option<usize>,
) -> ClaimedProperty {
    let limited = claims.iter().find_map(|(_, outcome)| outcome.limited.clone());
    let wrong = |(claim, outcome): &(&Claim, &ClaimOutcome)| {
        outcome.limited.is_none() && outcome.violated != claim.to_refute
    };
    let verdict = match (claims.iter().any(wrong), &limited) {
        (true, _) => PropertyVerdict::Violated,
        (false, None) => PropertyVerdict::Holds,
        (false, Some(_)) => PropertyVerdict::Inconclusive,
    };
    // A run whose end depends on the outcome of open comparisons is no run of the model.
    let is_open = judged.possible || [verdict, judged.verdict].contains(&PropertyVerdict::Inconclusive);
    ClaimedProperty {
        name: judged.name.clone(),
        verdict,
        limited: limited.filter(|_| verdict == PropertyVerdict::Inconclusive),
        ours: judged.verdict,
        agrees: (!is_open).then_some(verdict == judged.verdict),
        states: claims.iter().map(|(_, outcome)| outcome.states).max().unwrap_or(0),
        retraced,
    }
}

/// Translates SPIN's counterexamples into steps of the dialogue, replays each, and checks that it violates its claim;
/// returns the length of the shortest.
fn retraced(
    Scene { program, properties, bounds, .. }: &Scene,
    model: &Model,
    claims: &[(&Claim, &ClaimOutcome)],
) -> Result<Option<usize>, String> {
    let properties = &properties.compiled;
    let mut shortest = None;
    for (claim, outcome) in claims {
        let Some(trail) = &outcome.trail else { continue };
        let wrong = |what: &str| format!("SPIN's trail against {}: {what}", claim.name);
        let shown = model.counterexample(trail);
        let violates = |prefix: &[_], cycle: &[_]| run_violates(&claim.formula, prefix, cycle);
        let run = retrace_claim(program, properties, bounds, &shown, violates)
            .ok_or_else(|| wrong("it is no run of the dialogue that violates it"))?;
        let trace = Trace { initial: shown.initial, steps: run.steps };
        let replayed = replay(program, bounds, &trace).map_err(|error| wrong(&error.to_string()))?;
        let steps = replayed.steps.len();
        shortest = Some(shortest.map_or(steps, |known: usize| known.min(steps)));
    }
    Ok(shortest)
}

impl ClaimedProperty {
    pub(crate) fn text(&self) -> Text {
        let mut text = Text::plain(format!("property {}  {}", self.name, self.verdict.word()));
        if let Some(why) = &self.limited {
            text.push_str(&format!(": {why}"));
        }
        text.push_str(&format!(", {}", counted(self.states, "state")));
        if let Some(steps) = self.retraced {
            text.push_str(&format!("; {}", replays(steps)));
        }
        text.push_str("; ");
        let ours = self.ours.word();
        match self.agrees {
            Some(true) => text.push(Role::Verdict(Tone::Good), "so is ours"),
            Some(false) => text.append(defect(&format!("ours is {ours}"))),
            None => text.push_str(&format!("ours is {ours}: nothing to compare")),
        }
        text.push_str("\n");
        text
    }

    pub(crate) fn output(&self) -> SpinPropertyOutput {
        SpinPropertyOutput {
            name: self.name.clone(),
            verdict: self.verdict.into(),
            limit: self.limited.clone(),
            ours: self.ours.into(),
            states: self.states,
            trail_steps: self.retraced,
            agrees: self.agrees,
        }
    }
}

/// What is said of a trail that was replayed.
pub(super) fn replays(steps: usize) -> String {
    format!("its trail is {} of the dialogue, and replays", counted(steps as u64, "step"))
}

/// What is said where the two disagree.
pub(super) fn defect(how: &str) -> Text {
    let mut text = Text::of(Role::Verdict(Tone::Bad), how);
    text.push_str(": a defect of map, or of SPIN. Please report it, with the file");
    text
}

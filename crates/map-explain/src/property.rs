//! The verdict on a property, and the run that shows it.

use map_semantics::Bounds;
use map_verify::{PropertyJudgement, PropertyVerdict, ReplayedRun, RunEnding};

use crate::{Namer, Role, Text, Tone, comparisons, counted, livelock};

/// The verdict on a property with its qualifications: `violated after 3 steps`. `is_cut` says whether a bound cut some
/// step of the search.
#[must_use]
pub fn verdict(judged: &PropertyJudgement, is_cut: bool) -> Text {
    let word = judged.verdict.word();
    let possible = if judged.possible { "possibly " } else { "" };
    let steps = judged.shown.as_ref().map(|run| run.trace.steps.len());
    let after = match steps {
        Some(0) => " before the first step".to_owned(),
        Some(steps) => format!(" after {}", counted(steps as u64, "step")),
        None => String::new(),
    };
    let within = if steps.is_none() && is_cut { ", within these bounds" } else { "" };
    let (tone, words) = match judged.verdict {
        PropertyVerdict::Holds if steps.is_some() => (Tone::Good, format!("{possible}{word}, shown{after}")),
        PropertyVerdict::Holds => (Tone::Good, format!("{possible}{word}{within}")),
        PropertyVerdict::Violated => {
            let instance = judged.instance.as_ref().map(|it| format!(" for {it}")).unwrap_or_default();
            (Tone::Bad, format!("{possible}{word}{after}{instance}{within}"))
        }
        PropertyVerdict::Inconclusive => (Tone::Doubtful, word.to_owned()),
    };
    Text::of(Role::Verdict(tone), words)
}

/// How the run that shows a verdict continues after its last step, and which open comparisons it rests on.
#[must_use]
pub fn end_of_run(
    namer: &Namer<'_>,
    bounds: &Bounds,
    judged: &PropertyJudgement,
    replayed: &ReplayedRun,
) -> Text {
    let mut text = Text::default();
    match judged.shown.as_ref().map(|run| run.ending) {
        Some(RunEnding::TooLate) if judged.only_goal_missing => {
            text.push_str(
                "  The left side of `until` holds all along; the right side cannot happen any more. Where it need not \
                 happen, write `unless`.\n",
            );
        }
        Some(RunEnding::TooLate) if replayed.steps.is_empty() => {
            text.push_str("  It cannot happen, whatever the agents do.\n");
        }
        Some(RunEnding::TooLate) => {
            text.push_str("  From here on it cannot happen any more, whatever follows.\n");
        }
        Some(RunEnding::Loop(_)) if judged.repeated_from(replayed).is_none() => {
            text.push_str("  There the run stays for ever.\n");
        }
        Some(RunEnding::Loop(_) | RunEnding::Shown) | None => {}
    }
    if judged.possible {
        text.append(what_it_rests_on(namer, bounds, judged, replayed));
    }
    text
}

/// The comparisons that a run rests on. If its steps rest on none, it may rest on what is not done at its end.
fn what_it_rests_on(
    namer: &Namer<'_>,
    bounds: &Bounds,
    judged: &PropertyJudgement,
    replayed: &ReplayedRun,
) -> Text {
    let outcomes = replayed.steps.iter().map(|step| &step.observed.outcome);
    let comparisons = comparisons::comparisons(namer, outcomes);
    let shown = judged.shown.as_ref().is_none_or(|run| run.ending == RunEnding::Shown);
    match replayed.states.last() {
        _ if !comparisons.is_empty() => {
            let lines = comparisons.iter().map(|it| format!("    {it}\n")).collect::<String>();
            Text::plain(format!("  It is so only if open comparisons come out so:\n{lines}"))
        }
        Some(last) if !shown => {
            let mut text = Text::plain(
                "  It is so only if open comparisons come out the other way in what could be done then:\n",
            );
            text.append(livelock::steps_left(namer, bounds, last));
            text
        }
        _ => Text::plain("  It is so only if what open comparisons make possible is so.\n"),
    }
}

//! What was found about properties alone, without a search for termination.

use std::fmt::Write as _;

use map_session::{Figures, PropertyAnswers};

use super::Presentation;
use super::brief::effort;
use super::limits::{self, cuts_in_words};
use super::properties::{PropertyTelling, assumptions, fine_print, overview};
use crate::{Role, Text, bounds, bytes, counted, seconds};

/// One line: the file, and how many properties hold.
#[must_use]
pub fn judged_in_line(answers: &PropertyAnswers, how: &Presentation<'_>) -> Text {
    let mut text = PropertyTelling { found: answers, how }.headed();
    let _ = writeln!(text, "{}", overview(answers).words.unwrap_or_default());
    text
}

/// Headline, properties, what they depend on, summary.
#[must_use]
pub fn judged_in_short(answers: &PropertyAnswers, figures: Figures, how: &Presentation<'_>) -> Text {
    let telling = PropertyTelling { found: answers, how };
    let mut namer = telling.namer();
    let words = overview(answers).words.unwrap_or_default();
    let mut text = telling.headed();
    let _ = writeln!(text, "{words}");
    text.append(telling.briefly(&mut namer, None));
    text.push_str(&stopped(answers));
    text.append(telling.depends_on(&namer, answers.cut_by(), assumptions(answers)));
    if answers.violated().next().is_some() {
        text.push(Role::Aside, "next:");
        let _ = writeln!(text, " {}", how.offers.run_of_property);
    }
    let states = answers.report.as_ref().map_or(0, |report| report.statistics.states);
    let states = counted(states as u64, "state");
    let effort = effort(figures.took, figures.peak_memory);
    let _ = writeln!(text, "{}: {words} ({states}, {effort})", answers.scene.program.scene);
    text
}

/// Which limit ended the search, if one did.
fn stopped(answers: &PropertyAnswers) -> String {
    let Some(limit) = answers.limit() else { return String::new() };
    let reached = limits::reached(&answers.limits, limit, answers.cut_by());
    format!("The search is not complete: {reached}.\n")
}

/// Headline, properties, figures, bounds.
#[must_use]
pub fn judged_in_full(answers: &PropertyAnswers, figures: Figures, how: &Presentation<'_>) -> Text {
    let scene = &answers.scene;
    let telling = PropertyTelling { found: answers, how };
    let mut namer = telling.namer();
    let mut text = Text::plain(format!("{}  ", scene.source.name()));
    text.push(Role::Heading, &scene.program.scene);
    text.push_str("\n");
    if scene.properties.entries.is_empty() {
        text.push_str("no properties\n");
    }
    text.append(telling.in_full(&mut namer));
    text.push_str(&stopped(answers));
    let _ = writeln!(text, "{}, {}", seconds(figures.took), bytes(figures.peak_memory));
    let mut lines = vec![
        format!("cast: {}", bounds::cast(&scene.program)),
        format!("bounds: {}", bounds::bounds(&namer, &scene.bounds)),
    ];
    lines.extend(cuts_in_words(answers.cut_by()));
    lines.extend(fine_print(answers));
    lines.push(format!("limits: {}", limits::words(&answers.limits)));
    lines.extend(assumptions(answers).into_iter().map(|assumption| format!("assumed: {assumption}")));
    for line in lines {
        text.push(Role::Aside, line);
        text.push_str("\n");
    }
    text
}

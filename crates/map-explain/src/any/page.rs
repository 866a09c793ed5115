//! What was found for any number of agents as a page. A violation is one with some number of agents, and has the page
//! of that number.

use map_ir::{PartId, Program};
use map_render::graph::{Graph, roles};
use map_render::report::{Never, Report, Tone, VerdictText};
use map_session::AnyAnswer;

use super::{AnyPresentation, grounds, tone, verdict_in_words};
use crate::{grouped, seconds};

/// The page.
#[must_use]
pub fn report(found: &AnyAnswer, how: AnyPresentation<'_>) -> Report {
    let tone = match tone(found, how) {
        crate::Tone::Good => Tone::Good,
        crate::Tone::Bad => Tone::Bad,
        crate::Tone::Doubtful => Tone::Doubtful,
    };
    let source = &found.scene.source;
    Report {
        file: source.name().to_owned(),
        scene: found.scene.program.scene.clone(),
        verdict: VerdictText { words: verdict_in_words(found, how), tone },
        of_properties: None,
        casts: Vec::new(),
        weathers: Vec::new(),
        notes: grounds(found, how).lines().map(|line| line.trim().to_owned()).collect(),
        properties: Vec::new(),
        costs: Vec::new(),
        runs: Vec::new(),
        assumptions: Vec::new(),
        // What happens with no number of agents is not known.
        never: Never::default(),
        graphs: role_graphs(&found.scene.program),
        source: source.text().to_owned(),
        coverage: Vec::new(),
        numbers: figures(found),
        origin: format!("Written by map verify {}.", env!("CARGO_PKG_VERSION")),
        live: None,
    }
}

fn role_graphs(program: &Program) -> Vec<Graph> {
    let parts = (0..program.parts.len()).map(PartId::new);
    parts.filter_map(|part| roles::role_graph(program, part, None).ok()).collect()
}

fn figures(found: &AnyAnswer) -> Vec<(String, String)> {
    let mut figures = Vec::new();
    for attempt in &found.answer.attempts {
        let what = if attempt.result.is_ok() { "views that prove it" } else { "views that prove nothing" };
        figures.push((what.to_owned(), grouped(attempt.views as u64)));
    }
    for (count, report) in &found.answer.concrete {
        let states = grouped(report.statistics.states as u64);
        figures.push((format!("states with {}={count}", found.question.role), states));
    }
    figures.push(("time".to_owned(), seconds(found.took)));
    figures
}

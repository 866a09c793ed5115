//! `--report`: what was found for any number of agents on an HTML page. A violation is one with some number of agents,
//! and has the report of that number.

use std::path::Path;

use anstream::adapter::strip_str;
use map_ir::{PartId, Program};
use map_render::graph::{Graph, roles};
use map_render::report::{Never, Report, Tone, VerdictText, print};

use super::asked::Asked;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::write_besides;
use crate::numbers::{grouped, seconds};

/// Writes the page, atomically.
pub(super) fn write(asked: &Asked<'_>, target: &Path, console: &mut Console) -> Result<(), Failure> {
    write_besides("the report", target, &print(&page(asked)), console).map(|_| ())
}

fn page(asked: &Asked<'_>) -> Report {
    let tone = match asked.exit() {
        Exit::Fine => Tone::Good,
        Exit::Violation => Tone::Bad,
        _ => Tone::Doubtful,
    };
    let grounds = strip_str(&asked.grounds()).to_string();
    let source = &asked.loaded.source;
    Report {
        file: source.name().to_owned(),
        scene: asked.program().scene.clone(),
        verdict: VerdictText { words: asked.verdict_in_words(), tone },
        of_properties: None,
        casts: Vec::new(),
        notes: grounds.lines().map(|line| line.trim().to_owned()).collect(),
        properties: Vec::new(),
        runs: Vec::new(),
        assumptions: Vec::new(),
        // What happens with no number of agents is not known.
        never: Never::default(),
        graphs: role_graphs(asked.program()),
        source: source.text().to_owned(),
        coverage: Vec::new(),
        numbers: figures(asked),
        origin: format!("Written by map verify {}.", env!("CARGO_PKG_VERSION")),
    }
}

fn role_graphs(program: &Program) -> Vec<Graph> {
    let parts = (0..program.parts.len()).map(PartId::new);
    parts.filter_map(|part| roles::role_graph(program, part, None).ok()).collect()
}

fn figures(asked: &Asked<'_>) -> Vec<(String, String)> {
    let mut figures = Vec::new();
    for attempt in &asked.found.answer.attempts {
        let what = if attempt.result.is_ok() { "views that prove it" } else { "views that prove nothing" };
        figures.push((what.to_owned(), grouped(attempt.views as u64)));
    }
    for (count, report) in &asked.found.answer.concrete {
        let states = grouped(report.statistics.states as u64);
        figures.push((format!("states with {}={count}", asked.question.role), states));
    }
    figures.push(("time".to_owned(), seconds(asked.found.took)));
    figures
}

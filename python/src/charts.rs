//! Pictures in the languages that Python's users ask for.

use map_ir::{PartId, Program};
use map_render::chart::shown::MAX_TEXT_ROWS;
use map_render::chart::{self, Chart, fold};
use map_render::graph::{Graph, dot, mermaid, roles, svg, text};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The columns of charts in characters.
pub(crate) const WIDTH: usize = 100;

/// A chart in a language.
///
/// # Errors
/// If there is no such language.
pub(crate) fn chart(chart: &Chart, language: &str) -> PyResult<String> {
    let folded = || fold::usual(chart, MAX_TEXT_ROWS);
    Ok(match language {
        "svg" => format!("{}\n", chart::svg::draw(&fold::repetitions(chart))),
        "text" => chart::text::draw(&folded(), WIDTH),
        "mermaid" => chart::mermaid::print(&folded()),
        "plantuml" => chart::plantuml::print(&folded()),
        "html" => {
            let around = chart::page::Around { title: &chart.scene, above: &[], below: "" };
            chart::page::print(chart, &around)
        }
        _ => return Err(unknown(language, "svg, html, text, mermaid, plantuml")),
    })
}

/// Graphs in a language.
///
/// # Errors
/// If there is no such language.
pub(crate) fn graphs(graphs: &[Graph], language: &str) -> PyResult<String> {
    Ok(match language {
        "svg" => format!("{}\n", svg::draw(graphs)),
        "text" => text::text(graphs),
        "mermaid" => mermaid::mermaid(graphs),
        "dot" => dot::dot(graphs),
        _ => return Err(unknown(language, "svg, text, mermaid, dot")),
    })
}

fn unknown(language: &str, known: &str) -> PyErr {
    PyValueError::new_err(format!("{language:?} is no language of pictures; there are: {known}"))
}

/// The graphs of the roles, or of one of them.
///
/// # Errors
/// If a graph is too large.
pub(crate) fn role_graphs(program: &Program, only: Option<&str>) -> Result<Vec<Graph>, String> {
    let is_wanted = |role: &str| only.is_none_or(|only| only.trim_start_matches('%') == role);
    let parts = program.parts.iter().enumerate().filter(|(_, part)| is_wanted(program.role_name(part.role)));
    let graphs: Result<Vec<Graph>, String> = parts
        .map(|(index, part)| {
            roles::role_graph(program, PartId::new(index), None).map_err(|roles::TooLarge| {
                let name = program.role_name(part.role);
                format!("the graph of %{name} would have more than {} nodes and edges", roles::MAX_SIZE)
            })
        })
        .collect();
    let graphs = graphs?;
    match (graphs.is_empty(), only) {
        (true, Some(only)) => {
            let known: Vec<&str> = program.parts.iter().map(|part| program.role_name(part.role)).collect();
            Err(format!("the scene {} has no role {only:?}; there are: {}", program.scene, known.join(", ")))
        }
        _ => Ok(graphs),
    }
}

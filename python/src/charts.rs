//! Pictures in the languages that Python's users ask for.

use map_ir::{Program, RoleId};
use map_render::chart::shown::MAX_TEXT_ROWS;
use map_render::chart::{self, Chart, fold};
use map_render::graph::{Graph, dot, mermaid, svg, text};
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
    let named = |only: &str| {
        let is_meant = |role: &RoleId| program.role_name(*role) == only.trim_start_matches('%');
        program.parts.iter().map(|part| part.role).find(is_meant).ok_or_else(|| {
            let known: Vec<&str> = program.parts.iter().map(|part| program.role_name(part.role)).collect();
            format!("the scene {} has no role {only:?}; there are: {}", program.scene, known.join(", "))
        })
    };
    map_explain::role_graphs(program, only.map(named).transpose()?)
}

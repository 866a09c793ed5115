//! Exceptions: `MapError`, which is defined in `maplang._errors`, with the diagnostics as JSON.

use anstream::adapter::strip_str;
use map_diagnostics::{Diagnostic, SourceFile, escaped};
use map_json::DiagnosticOutput;
use map_verify::InternalError;
use pyo3::PyTypeInfo;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Diagnostics as the command line prints them, without colours.
pub(crate) fn shown(source: &SourceFile, all: &[Diagnostic]) -> String {
    all.iter().map(|it| strip_str(&map_diagnostics::render(source, it)).to_string()).collect()
}

/// Diagnostics as JSON.
pub(crate) fn as_json(source: &SourceFile, all: &[Diagnostic]) -> String {
    let all: Vec<DiagnosticOutput> = all.iter().map(|it| DiagnosticOutput::new(source, it)).collect();
    serde_json::to_string(&all).unwrap_or_default()
}

/// What is wrong with a text.
pub(crate) fn rejected(py: Python<'_>, source: &SourceFile, all: &[Diagnostic]) -> PyErr {
    map_error(py, "rejected", (shown(source, all), as_json(source, all)))
}

/// What is wrong with arguments; the words are those of the command line's flags.
pub(crate) fn misused(py: Python<'_>, what: &str) -> PyErr {
    map_error(py, "misused", (escaped(what).into_owned(),))
}

/// The engine contradicts itself.
pub(crate) fn internal(defect: &InternalError) -> PyErr {
    PyRuntimeError::new_err(format!(
        "internal error: {defect}; this is a defect of map: please report it, with the text"
    ))
}

/// An exception that a function of `maplang._errors` makes.
fn map_error<'py>(py: Python<'py>, maker: &str, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = py.import("maplang._errors").and_then(|errors| errors.call_method1(maker, arguments));
    match made {
        Ok(made) => PyErr::from_value(made),
        Err(error) => error,
    }
}

/// The same for an exception that something else led to.
pub(crate) fn caused(py: Python<'_>, error: PyErr, cause: PyErr) -> PyErr {
    error.set_cause(py, Some(cause));
    error
}

/// Whether an exception ends the program rather than a run: `KeyboardInterrupt` and the like are passed on as they are.
pub(crate) fn passes_through(py: Python<'_>, error: &PyErr) -> bool {
    !error.is_instance(py, &pyo3::exceptions::PyException::type_object(py))
}

/// A decision that was not made.
pub(crate) fn undecided(py: Python<'_>, why: &str, agent: &str, procedure: &str, step: u64) -> PyErr {
    let text = format!("step {step}: {procedure} of !{agent}: {why}");
    map_error(py, "undecided", (escaped(&text).into_owned(), agent, procedure, step))
}

//! The native part of the Python package `maplang`: scenes, questions and answers, guards and monitors, as classes of
//! Python over `map-session`, `map-conform` and `map-guard`.
//!
//! What is hot (decisions, messages) is converted here directly. Everything else crosses as the JSON of `map-json`, out
//! of which `maplang` makes dataclasses: so an answer means in Python what it means to any other program. What Python's
//! users see is in `maplang`; nothing here is meant to be called by them.

mod charts;
mod checked;
mod collected;
mod conform;
mod deciders;
mod dialogue;
mod expected;
mod failure;
mod flags;
mod guard;
mod library;
mod runs;
mod task;
mod values;
mod verified;
mod verify;

use pyo3::prelude::*;

/// The module `maplang._native`.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::conform::Monitor;
    #[pymodule_export]
    use crate::dialogue::Dialogue;
    #[pymodule_export]
    use crate::expected::{expectations, unexpected};
    #[pymodule_export]
    use crate::guard::Guard;
    #[pymodule_export]
    use crate::runs::Played;
    #[pymodule_export]
    use crate::verified::Found;

    /// The text of a dialogue of the library, or of another version of it.
    #[pyfunction]
    fn library(name: &str, version: Option<&str>) -> PyResult<&'static str> {
        crate::library::text(name, version)
    }

    /// The dialogues of the library, each with what it is about.
    #[pyfunction]
    fn library_names() -> Vec<(&'static str, &'static str)> {
        map_library::PROTOCOLS.iter().map(|it| (it.name, it.about)).collect()
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("VERSION", env!("CARGO_PKG_VERSION"))
    }
}

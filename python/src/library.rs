//! The dialogues that come with MAP.

use map_library::PROTOCOLS;
use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;

/// The text of a dialogue, or of another version of it.
///
/// # Errors
/// If there is none.
pub(crate) fn text(name: &str, version: Option<&str>) -> PyResult<&'static str> {
    let Some(found) = PROTOCOLS.iter().find(|it| it.name == name) else {
        let known: Vec<&str> = PROTOCOLS.iter().map(|it| it.name).collect();
        let known = known.join(", ");
        return Err(PyLookupError::new_err(format!("the library has no {name:?}; there are: {known}")));
    };
    let Some(version) = version else { return Ok(found.right.text) };
    let other = found.versions().find(|it| it.name == version);
    other.map(|it| it.text).ok_or_else(|| {
        let known: Vec<&str> = found.versions().map(|it| it.name).collect();
        PyLookupError::new_err(format!("{name} has no version {version:?}; there are: {}", known.join(", ")))
    })
}

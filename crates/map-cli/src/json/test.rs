//! The output of `map test`.

use serde::Serialize;

use super::Header;

/// `map test --format json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TestOutput {
    #[serde(flatten)]
    pub(crate) header: Header,
    /// The tests, in the order in which they were run.
    pub(crate) tests: Vec<TestResult>,
    /// Those that were interrupted, or had not begun by then.
    pub(crate) not_run: Vec<TestNotRun>,
    /// Why others could not be read.
    pub(crate) unreadable: Vec<String>,
}

/// A test that was not run to its end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TestNotRun {
    /// The file it stands in.
    pub(crate) file: String,
    /// In which line, from 1.
    pub(crate) line: usize,
    /// Its text.
    pub(crate) test: String,
}

/// A test.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TestResult {
    /// The file it stands in.
    pub(crate) file: String,
    /// In which line, from 1.
    pub(crate) line: usize,
    /// Its text.
    pub(crate) test: String,
    /// `as expected`, `differs`, `inconclusive` or `error`.
    pub(crate) result: String,
    /// What is to be said of it: the lines that would be right, or what is wrong with the dialogue.
    pub(crate) remarks: Vec<String>,
    /// The command line that shows what is found.
    pub(crate) command: String,
    pub(crate) seconds: f64,
}

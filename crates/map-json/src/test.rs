//! The output of `map test`.

use serde::Serialize;

use crate::word::closed_set;
use crate::{Header, Word};

/// `map test --format json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestOutput {
    /// What every output starts with.
    #[serde(flatten)]
    pub header: Header,
    /// The tests, in the order in which they were run.
    pub tests: Vec<TestResult>,
    /// Those that were interrupted, or had not begun by then.
    pub not_run: Vec<TestNotRun>,
    /// Why others could not be read.
    pub unreadable: Vec<String>,
}

/// A test that was not run to its end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestNotRun {
    /// The file it stands in.
    pub file: String,
    /// In which line, from 1.
    pub line: usize,
    /// Its text.
    pub test: String,
}

/// A test.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestResult {
    /// The file it stands in.
    pub file: String,
    /// In which line, from 1.
    pub line: usize,
    /// Its text.
    pub test: String,
    /// What came of it.
    pub result: Word<TestVerdict>,
    /// What is to be said of it: the lines that would be right, or what is wrong with the dialogue.
    pub remarks: Vec<String>,
    /// The command line that shows what is found.
    pub command: String,
    /// How long it took.
    pub seconds: f64,
}

closed_set! {
    /// What came of a test.
    TestVerdict {
        /// All is as expected.
        AsExpected = "as expected",
        /// Something is not.
        Differs = "differs",
        /// A limit came first.
        Inconclusive = "inconclusive",
        /// The dialogue has errors, or cannot be read.
        Error = "error",
    }
}

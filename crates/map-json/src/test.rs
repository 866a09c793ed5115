//! The output of `map test`.

use std::fmt::{self, Display, Formatter};

use serde::{Serialize, Serializer};

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
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub unreadable: Vec<UnreadableTest>,
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

/// A test, or a file with tests, that could not be read.
#[derive(Clone, Debug)]
pub struct UnreadableTest {
    /// The file, or the folder.
    pub file: String,
    /// The line, from 1, if it is one line.
    pub line: Option<usize>,
    /// Why it could not be read.
    pub why: String,
}

impl Display for UnreadableTest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.why),
            None => write!(f, "{}: {}", self.file, self.why),
        }
    }
}

impl Serialize for UnreadableTest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
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

//! What can be asked.

use serde::Deserialize;

use crate::limits::AskedLimits;

/// A request. `text` is the dialogue; `flags` are those of the command line, such as `--agents bidder=3`.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Request {
    /// The protocols of the library.
    Library {},
    /// Diagnostics, colours and casts.
    Check {
        text: String,
        #[serde(default)]
        flags: String,
    },
    /// What is known about the word at an offset.
    Hover { text: String, at: usize },
    /// What can be written at an offset.
    Complete { text: String, at: usize },
    /// Where the name at an offset comes from.
    Define { text: String, at: usize },
    /// Everywhere the name at an offset occurs.
    References { text: String, at: usize },
    /// The part of the name at an offset that a new name would replace.
    RenameRange { text: String, at: usize },
    /// The changes that give the thing at an offset another name.
    Rename { text: String, at: usize, name: String },
    /// The changes that bring the text into its canonical layout.
    Format { text: String },
    /// A page about a diagnostic.
    Explain { code: String },
    /// A run at random.
    Run {
        text: String,
        #[serde(default)]
        flags: String,
        seed: u64,
    },
    /// Where some steps lead, and what can happen there.
    Step {
        text: String,
        #[serde(default)]
        flags: String,
        /// The initial values of cells that may start with any of several; of each its place in the list.
        #[serde(default)]
        initial: Vec<u32>,
        /// The steps, as traces have them.
        #[serde(default)]
        steps: Vec<String>,
        /// Whether everything that can happen next is in the chart, however much it is.
        #[serde(default)]
        whole: bool,
    },
    /// The states of a scene as a picture: all if there are so few, else those nearest to where the steps lead.
    States {
        text: String,
        #[serde(default)]
        flags: String,
        #[serde(default)]
        initial: Vec<u32>,
        #[serde(default)]
        steps: Vec<String>,
        /// The most states that are drawn.
        states: usize,
    },
    /// What holds of all runs that begin with some steps.
    FromHere {
        text: String,
        #[serde(default)]
        flags: String,
        #[serde(default)]
        initial: Vec<u32>,
        #[serde(default)]
        steps: Vec<String>,
        question: Question,
        #[serde(default)]
        detail: Detail,
        #[serde(default)]
        limits: AskedLimits,
    },
    /// The verdict, with the flags of `map verify`.
    Verify {
        text: String,
        #[serde(default)]
        flags: String,
        #[serde(default)]
        detail: Detail,
        #[serde(default)]
        limits: AskedLimits,
    },
    /// The verdicts in every weather.
    Weather {
        text: String,
        #[serde(default)]
        flags: String,
        #[serde(default)]
        detail: Detail,
        #[serde(default)]
        limits: AskedLimits,
    },
    /// What each role does, as pictures.
    Roles {
        text: String,
        #[serde(default)]
        flags: String,
    },
}

/// How much is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Detail {
    /// What people need to know.
    #[default]
    Short,
    /// Everything.
    Full,
}

/// What is asked of all runs that begin with some steps.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Question {
    /// Whether every dialogue that goes on from here ends.
    Ends,
    /// Whether the property of the text with this name holds from here on.
    Property(String),
    /// Whether this formula holds from here on.
    Formula(String),
}

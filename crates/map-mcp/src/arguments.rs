//! The arguments of the tools, as agents write them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answer::{MAX_BYTES, USUAL_BYTES};

/// How much is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Detail {
    #[default]
    Short,
    Full,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Drawn {
    /// What each role does.
    #[default]
    Roles,
    /// Every state of a small scene.
    States,
    /// The run that shows what is wrong.
    Counterexample,
}

/// How it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Language {
    #[default]
    Mermaid,
    Text,
    Svg,
}

/// Of `library`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    List,
    Read,
}

/// All arguments that there are; each tool takes some of them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    pub(crate) text: Option<String>,
    pub(crate) path: Option<String>,
    #[serde(default)]
    pub(crate) flags: String,
    #[serde(default)]
    pub(crate) structured: bool,
    pub(crate) max_bytes: Option<usize>,
    #[serde(default)]
    pub(crate) detail: Detail,
    pub(crate) log: Option<String>,
    #[serde(default)]
    pub(crate) what: Drawn,
    #[serde(default, rename = "as")]
    pub(crate) language: Language,
    pub(crate) code: Option<String>,
    pub(crate) action: Option<Action>,
    pub(crate) name: Option<String>,
}

impl Arguments {
    /// # Errors
    /// If there are others than these, or some are not what the schema says; in words.
    pub(crate) fn read(given: Map<String, Value>, known: &[&str]) -> Result<Self, String> {
        let unknown = given.keys().find(|name| !known.contains(&name.as_str()));
        if let Some(unknown) = unknown {
            let known = known.join(", ");
            return Err(format!("there is no argument `{unknown}` here; there are: {known}"));
        }
        parsed(given).map_err(|error| format!("wrong arguments: {error}"))
    }

    /// The most bytes of text.
    pub(crate) fn max_bytes(&self) -> usize {
        self.max_bytes.unwrap_or(USUAL_BYTES).clamp(100, MAX_BYTES)
    }
}

fn parsed<T: DeserializeOwned>(given: Map<String, Value>) -> Result<T, serde_json::Error> {
    serde_json::from_value(Value::Object(given))
}

//! What a request says, before anything is done: hostile arguments end here.

use rmcp::ErrorData;
use rmcp::model::JsonObject;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A call of a tool.
#[derive(Debug)]
pub(super) enum Call {
    Check(Dialogue, String),
    Verify(Dialogue, String),
    Run(Dialogue, String),
    Format(Dialogue),
    /// One code, or the list of all.
    Explain(Option<String>),
    /// What there is, or the versions of one protocol.
    List(Option<String>),
    /// The text of a protocol.
    Read(String),
}

/// A dialogue, given or named.
#[derive(Debug)]
pub(super) enum Dialogue {
    Text(String),
    Path(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WithFlags {
    text: Option<String>,
    path: Option<String>,
    #[serde(default)]
    flags: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WithoutFlags {
    text: Option<String>,
    path: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Explained {
    code: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FromLibrary {
    action: Action,
    name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    List,
    Read,
}

impl Call {
    /// # Errors
    /// If there is no such tool, or the arguments are not what its schema says.
    pub(super) fn read(tool: &str, arguments: JsonObject) -> Result<Self, ErrorData> {
        match tool {
            "check" => flagged(arguments, Self::Check),
            "verify" => flagged(arguments, Self::Verify),
            "run" => flagged(arguments, Self::Run),
            "format" => {
                let WithoutFlags { text, path } = arguments_of(arguments)?;
                Ok(Self::Format(dialogue(text, path)?))
            }
            "explain" => {
                let Explained { code } = arguments_of(arguments)?;
                code.map(|it| word("code", it)).transpose().map(Self::Explain)
            }
            "library" => {
                let FromLibrary { action, name } = arguments_of(arguments)?;
                let name = name.map(|it| word("name", it)).transpose()?;
                match (action, name) {
                    (Action::List, name) => Ok(Self::List(name)),
                    (Action::Read, Some(name)) => Ok(Self::Read(name)),
                    (Action::Read, None) => Err(wrong("`read` needs a `name`; `list` says which there are")),
                }
            }
            _ => Err(wrong(&format!("there is no tool `{}`", map_diagnostics::escaped(tool)))),
        }
    }
}

fn flagged(arguments: JsonObject, call: impl FnOnce(Dialogue, String) -> Call) -> Result<Call, ErrorData> {
    let WithFlags { text, path, flags } = arguments_of(arguments)?;
    Ok(call(dialogue(text, path)?, flags))
}

fn dialogue(text: Option<String>, path: Option<String>) -> Result<Dialogue, ErrorData> {
    match (text, path) {
        (Some(text), None) => Ok(Dialogue::Text(text)),
        (None, Some(path)) => Ok(Dialogue::Path(path)),
        _ => Err(wrong("expected either `text` or `path`")),
    }
}

/// A word that is passed on as an argument, and is none that would be taken for a flag.
fn word(field: &str, text: String) -> Result<String, ErrorData> {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_/".contains(it);
    if text.len() <= 100 && !text.starts_with('-') && !text.is_empty() && text.chars().all(is_plain) {
        Ok(text)
    } else {
        Err(wrong(&format!("`{field}`: expected letters, digits and hyphens")))
    }
}

fn arguments_of<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, ErrorData> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| wrong(&error.to_string()))
}

fn wrong(what: &str) -> ErrorData {
    ErrorData::invalid_params(what.to_owned(), None)
}

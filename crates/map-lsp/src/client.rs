//! What was agreed with the client when the connection was initialised.

use std::time::Duration;

use ls_types::InitializeParams;
use map_flags::{parse_bytes, parse_duration};
use serde_json::Value;

use crate::positions::Encoding;

/// The capabilities of the client that make a difference.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
    /// Edits may name the version of the text that they are for.
    pub(crate) versioned_edits: bool,
    pub(crate) snippets: bool,
    pub(crate) nested_symbols: bool,
    pub(crate) definition_links: bool,
    pub(crate) create_progress: bool,
    pub(crate) refresh_lenses: bool,
}

impl Client {
    pub(crate) fn new(params: &InitializeParams) -> Self {
        let capabilities = &params.capabilities;
        let general = capabilities.general.as_ref();
        let workspace = capabilities.workspace.as_ref();
        let text = capabilities.text_document.as_ref();
        let item = text.and_then(|it| it.completion.as_ref()?.completion_item.as_ref());
        Self {
            encoding: Encoding::chosen(general.and_then(|it| it.position_encodings.as_deref())),
            versioned_edits: workspace
                .and_then(|it| it.workspace_edit.as_ref()?.document_changes)
                .unwrap_or_default(),
            snippets: item.and_then(|it| it.snippet_support).unwrap_or_default(),
            nested_symbols: text
                .and_then(|it| it.document_symbol.as_ref()?.hierarchical_document_symbol_support)
                .unwrap_or_default(),
            definition_links: text.and_then(|it| it.definition.as_ref()?.link_support).unwrap_or_default(),
            create_progress: capabilities
                .window
                .as_ref()
                .and_then(|it| it.work_done_progress)
                .unwrap_or_default(),
            refresh_lenses: workspace
                .and_then(|it| it.code_lens.as_ref()?.refresh_support)
                .unwrap_or_default(),
        }
    }
}

/// What a verification in the background may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Bytes for its tables.
    pub(crate) memory: u64,
    pub(crate) time: Duration,
    pub(crate) states: Option<u64>,
    /// The default is half of the cores: the editor needs some, too.
    pub(crate) threads: Option<usize>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { memory: 1 << 30, time: Duration::from_secs(60), states: None, threads: None }
    }
}

impl Budget {
    /// Reads the settings, if there are any, such as `{"verification": {"memory": "2GiB", "time": "5m"}}`.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn read(settings: &Value) -> Result<Option<Self>, String> {
        let mut budget = Self::default();
        let settings = settings.get("map").unwrap_or(settings);
        let Some(settings) = settings.get("verification") else { return Ok(None) };
        let Some(settings) = settings.as_object() else {
            return Err("the setting `verification` has to be an object".to_owned());
        };
        for (name, value) in settings {
            let wrong = |expected: &str| format!("the setting `verification.{name}`: {expected}");
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let number =
                || value.as_u64().filter(|&it| it > 0).ok_or_else(|| wrong("expected a number above 0"));
            match name.as_str() {
                _ if value.is_null() => {}
                "memory" => budget.memory = parse_bytes(&text).map_err(|it| wrong(&it))?,
                "time" => budget.time = parse_duration(&text).map_err(|it| wrong(&it))?,
                "states" => budget.states = Some(number()?),
                "threads" => budget.threads = Some(usize::try_from(number()?).unwrap_or(usize::MAX)),
                _ => return Err(wrong("there are `memory`, `time`, `states` and `threads`")),
            }
        }
        Ok(Some(budget))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::Budget;

    #[test]
    fn settings() {
        let read = |settings| Budget::read(&settings);
        assert_eq!(read(json!(null)), Ok(None));
        assert_eq!(read(json!({"other": 1})), Ok(None));
        assert_eq!(read(json!({"verification": {}})), Ok(Some(Budget::default())));
        let expected =
            Budget { memory: 2 << 30, time: Duration::from_secs(300), states: Some(1000), threads: Some(3) };
        let given = json!({"memory": "2GiB", "time": "5m", "states": 1000, "threads": 3});
        assert_eq!(read(json!({"verification": given})), Ok(Some(expected.clone())));
        assert_eq!(read(json!({"map": {"verification": given}})), Ok(Some(expected)));
        for wrong in [
            json!({"verification": 3}),
            json!({"verification": {"memory": "much"}}),
            json!({"verification": {"time": -1}}),
            json!({"verification": {"threads": 0}}),
            json!({"verification": {"speed": 1}}),
        ] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }
}

//! Answers: text that is short enough for a model, and JSON if it was asked for.

use map_diagnostics::escaped;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

/// The most bytes of text if nothing else is said.
pub(crate) const USUAL_BYTES: usize = 2_000;

/// The most bytes of text that can be asked for.
pub(crate) const MAX_BYTES: usize = 1 << 20;

/// What a tool says.
pub(crate) struct Answer {
    text: String,
    json: Option<Value>,
    /// Whether the text is of use as a whole only, and is never cut.
    is_whole: bool,
    is_error: bool,
}

impl Answer {
    /// A text for reading, which may be cut.
    pub(crate) fn told(text: &str) -> Self {
        Self { text: escaped(text).into_owned(), json: None, is_whole: false, is_error: false }
    }

    /// A text that is to be used as it is.
    pub(crate) fn whole(text: impl Into<String>) -> Self {
        Self { text: text.into(), json: None, is_whole: true, is_error: false }
    }

    /// What could not be done, and why.
    pub(crate) fn failed(why: &str) -> Self {
        Self { is_error: true, ..Self::told(why) }
    }

    /// The same with JSON.
    pub(crate) fn with(self, json: &impl Serialize) -> Self {
        Self { json: serde_json::to_value(json).ok(), ..self }
    }

    /// The result of the tool, with at most so many bytes of text.
    pub(crate) fn result(self, most: usize) -> CallToolResult {
        let text = if self.is_whole { self.text } else { cut(self.text, most) };
        let content = vec![ContentBlock::text(text)];
        let mut result = CallToolResult::success(content);
        result.structured_content = self.json;
        result.is_error = Some(self.is_error);
        result
    }
}

/// The lines that fit, and one that says how to get all of them.
fn cut(mut text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let all = text.len();
    let note = format!(".. cut: \"max_bytes\": {} shows all\n", all.min(MAX_BYTES));
    let room = text.floor_char_boundary(most.saturating_sub(note.len()));
    let end = text[..room].rfind('\n').map_or(room, |end| end + 1);
    text.truncate(end);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text + &note
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn texts_are_cut_between_lines() {
        assert_eq!(cut("a\nb\n".to_owned(), 4), "a\nb\n");
        let long = "one line\n".repeat(20);
        assert_eq!(cut(long.clone(), 60), "one line\none line\n.. cut: \"max_bytes\": 180 shows all\n");
        assert!(cut(long, 60).len() <= 60);
        assert!(cut("é".repeat(100), 61).ends_with("shows all\n"));
    }
}

//! What a guard answers, as the result of a tool.

use serde_json::Value as Json;

use crate::answer::Answer;

/// The most bytes of text: what a message says is not cut, for it is not said again.
pub(crate) const MAX_TEXT: usize = 1 << 20;

/// The answer in words and as JSON. A refusal is an error, so that a model sees that nothing was sent, and why.
pub(crate) fn told(text: &str, answer: &Json) -> Answer {
    let is_error = answer.get("refused").is_some() || answer.get("error").is_some();
    let told = if is_error { Answer::failed(text) } else { Answer::told(text) };
    told.with(answer)
}

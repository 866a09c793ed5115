//! What processes said, as the result of a tool.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use super::job::{Job, Shape};
use super::process::Said;
use crate::exit::Exit;

/// The most bytes of JSON that are passed on: an agent has to read all of it.
const MAX_JSON: usize = 1 << 20;

/// The result of a job: what a person would read, and the JSON. `second` said the JSON, if the first did not.
pub(super) fn result(job: &Job, first: &Said, second: Option<&Said>) -> CallToolResult {
    let json = match job.shape {
        Shape::Text => None,
        Shape::Twice => second.map(|said| said.out.as_str()),
        Shape::Search => Some(first.out.as_str()),
    };
    let mut text = first.err.clone();
    if job.shape != Shape::Search {
        text.push_str(&first.out);
    }
    let json = json.filter(|json| {
        let fits = json.len() <= MAX_JSON;
        if !fits {
            text.push_str(&format!("The JSON has {} bytes and is left out.\n", json.len()));
        }
        fits
    });
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = json.and_then(|it| serde_json::from_str::<Value>(it).ok());
    result.is_error = Some(is_error(job, first.code));
    result
}

/// A tool that could not do what it is for. A verdict is none, however bad.
fn is_error(job: &Job, code: Option<i32>) -> bool {
    let is = |exit: Exit| code == Some(i32::from(exit.code()));
    let is_result = [Exit::Fine, Exit::Violation, Exit::Inconclusive].into_iter().any(is);
    let is_wanted = job.looks_for_errors() && is(Exit::Source);
    !is_result && !is_wanted
}

/// A tool that could not do what it is for, and why.
pub(super) fn failed(why: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(why)])
}

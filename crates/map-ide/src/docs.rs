//! The comments of authors as documentation.

use crate::model::Model;

/// The comment directly above the line that an offset is on, without its delimiters.
pub(crate) fn above(model: &Model, at: usize) -> Option<String> {
    let text = model.text();
    let mut line = line_start(text, at);
    let mut next = model.words.comments.partition_point(|comment| comment.start < line);
    let mut lines = Vec::new();
    while let Some(comment) = next.checked_sub(1).map(|before| &model.words.comments[before]) {
        let start = line_start(text, comment.start);
        let alone = text[start..comment.start].trim().is_empty();
        let adjacent = text[comment.end..line].trim().is_empty() && !text[comment.end..line].contains("\n\n");
        let breaks = text[comment.end..line].matches('\n').count();
        if !alone || !adjacent || breaks != 1 {
            break;
        }
        let Some(shown) = shown(&text[comment.clone()]) else { break };
        lines.push(shown);
        (line, next) = (start, next - 1);
    }
    lines.reverse();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A comment without its delimiters; `None` if it is meant for a program.
fn shown(comment: &str) -> Option<String> {
    if let Some(block) = comment.strip_prefix("/*") {
        let inner = block.strip_suffix("*/").unwrap_or(block);
        let lines = inner.lines().map(|line| line.trim().trim_start_matches('*').trim());
        return Some(lines.collect::<Vec<_>>().join("\n").trim().to_owned());
    }
    let line = comment.strip_prefix("//").unwrap_or(comment);
    let for_programs = line.starts_with('@') || line.trim_start().starts_with("map:");
    (!for_programs).then(|| line.trim().to_owned())
}

pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

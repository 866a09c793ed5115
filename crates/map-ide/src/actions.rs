//! What can be changed where a problem is.

use std::ops::Range;

use map_diagnostics::{Code, Severity};
use map_syntax::{ItemKind, allowance};

use crate::answers::{Action, Edit, Problem};
use crate::docs::line_start;
use crate::model::Model;

/// The fixes of the problems that a range touches, and comments that allow their warnings.
pub(crate) fn actions(model: &Model, range: &Range<usize>) -> Vec<Action> {
    let problems = model.problems();
    let touched = problems
        .iter()
        .enumerate()
        .filter(|(_, problem)| problem.range.start <= range.end && range.start <= problem.range.end);
    let mut actions = Vec::new();
    for (number, problem) in touched {
        let only = problem.fixes.len() == 1;
        actions.extend(problem.fixes.iter().map(|fix| Action {
            title: fix.title.clone(),
            edits: fix.edits.clone(),
            problem: Some(number),
            preferred: only,
        }));
        actions.extend(allow(model, number, problem));
    }
    actions
}

/// A comment that allows a warning, above its line, or a further code in the comment that is already there.
fn allow(model: &Model, number: usize, problem: &Problem) -> Option<Action> {
    if problem.severity != Severity::Warning || problem.code == Code::UselessAllow {
        return None;
    }
    let text = model.text();
    let line = line_start(text, problem.range.start);
    if model.words.comment_at(text, line).is_some() {
        return None;
    }
    let code = problem.code.as_str();
    let edit = match list_above(model, line) {
        Some(end) => Edit { range: end..end, text: format!(", {code}") },
        None => {
            let indent: &str = &text[line..];
            let indent = &indent[..indent.len() - indent.trim_start_matches([' ', '\t']).len()];
            Edit { range: line..line, text: format!("{indent}// map: allow({code})\n") }
        }
    };
    let title = format!("Allow {code} {}", place(model, line));
    Some(Action { title, edits: vec![edit], problem: Some(number), preferred: false })
}

/// Where the codes end in a comment `// map: allow(..)` that is alone on the line above.
fn list_above(model: &Model, line: usize) -> Option<usize> {
    let text = model.text();
    let before = model.words.comments.partition_point(|comment| comment.start < line);
    let comment = &model.words.comments[before.checked_sub(1)?];
    let start = line_start(text, comment.start);
    let directly_above = text[start..comment.start].trim().is_empty()
        && text[comment.end..line].trim().is_empty()
        && text[comment.end..line].matches('\n').count() == 1;
    let one_line = text[comment.clone()].starts_with("//");
    let list = allowance(&text[comment.clone()]).filter(|_| one_line)?.trim_start().strip_prefix('(')?;
    let end = list.find(')').filter(|_| directly_above)?;
    (!list[..end].trim().is_empty()).then(|| comment.end - list.len() + list[..end].trim_end().len())
}

/// To what a comment above a line applies.
fn place(model: &Model, line: usize) -> &'static str {
    let next = model.words.ending_by(line);
    let items = &model.words.items;
    match model.words.item_of(next).map(|item| (item, &items[item])) {
        Some((0, item)) if item.tokens.start == next => "in this file",
        Some((_, item)) if item.tokens.start == next => "in this item",
        Some((_, item)) if item.kind == ItemKind::Scene && item.clauses.iter().any(|it| it.start == next) => {
            "in this clause"
        }
        _ => "on this line",
    }
}

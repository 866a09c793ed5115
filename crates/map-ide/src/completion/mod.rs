//! What can be written at the cursor.
//!
//! What is proposed follows from the tokens before the cursor, since a text that is being written seldom parses.

mod formulas;
mod items;
mod operations;
mod proposals;
mod terms;

use map_diagnostics::{Code, Severity};
use map_syntax::{ItemKind, TokenKind as Kind};

use self::proposals::Proposals;
use crate::answers::{Completion, CompletionKind};
use crate::model::Model;

/// What can be written at an offset.
pub(crate) fn completion(model: &Model, at: usize) -> Vec<Completion> {
    if let Some(comment) = model.words.comment_at(model.text(), at) {
        return codes(model, comment.start, at);
    }
    let cursor = Cursor::new(model, at);
    if cursor.word.is_some_and(|word| matches!(model.words.kind(word), Some(Kind::Text | Kind::Integer))) {
        return Vec::new();
    }
    let replace = cursor.word.map_or(at..at, |word| model.words.range(word));
    let mut proposals = Proposals::new(replace);
    propose(model, &cursor, &mut proposals);
    proposals.finish()
}

/// The word at the cursor and what stands before it.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    /// The token that the cursor is in or behind, if it is a word or a sigil.
    word: Option<usize>,
    /// The number of tokens before the word, or before the cursor.
    before: usize,
    /// Whether nothing else is on the line before the word.
    first_on_line: bool,
}

impl Cursor {
    fn new(model: &Model, at: usize) -> Self {
        let words = &model.words;
        let is_word = |&token: &usize| {
            let range = words.range(token);
            let text = &model.text()[range.clone()];
            let wordlike = text.starts_with(|c: char| c.is_alphanumeric() || "$%!@_\"-".contains(c));
            wordlike && range.start < at && at <= range.end && text != "!="
        };
        let word = words.at(at.saturating_sub(1)).filter(is_word).or_else(|| words.at(at).filter(is_word));
        let before = word.unwrap_or_else(|| words.ending_by(at));
        let start = word.map_or(at, |word| words.range(word).start);
        let line = crate::docs::line_start(model.text(), start);
        let first_on_line = model.text()[line..start].trim().is_empty();
        Self { word, before, first_on_line }
    }

    /// The kind of the token so many before the word, counted from 1.
    fn kind(self, model: &Model, back: usize) -> Option<Kind> {
        model.words.kind(self.before.checked_sub(back)?)
    }

    fn text(self, model: &Model, back: usize) -> &str {
        self.before.checked_sub(back).map_or("", |token| model.word(token))
    }
}

fn propose(model: &Model, cursor: &Cursor, proposals: &mut Proposals) {
    let last = cursor.before.checked_sub(1);
    let item = last.and_then(|last| model.words.item_of(last)).map(|item| &model.words.items[item]);
    let Some(item) = item else { return items::starts(model, proposals) };
    let kind = match item.kind {
        // Behind its closing bracket a scene is over.
        ItemKind::Scene if last.and_then(|last| model.words.kind(last)) == Some(Kind::CloseBracket) => {
            return items::starts(model, proposals);
        }
        kind => kind,
    };
    match kind {
        ItemKind::Scene => operations::in_scene(model, *cursor, item, proposals),
        ItemKind::Property | ItemKind::Cost | ItemKind::Measure => {
            formulas::formula(model, *cursor, item, proposals);
        }
        ItemKind::Procedure => items::procedure(model, *cursor, item, proposals),
        ItemKind::Truth => items::truth(model, *cursor, item, proposals),
        ItemKind::Memory => items::memory(model, *cursor, proposals),
        ItemKind::Cast => items::cast(model, *cursor, proposals),
        ItemKind::Other => {}
    }
    if cursor.first_on_line && kind != ItemKind::Scene {
        items::starts(model, proposals);
    }
}

/// The codes of warnings, in a comment `// map: allow(..)`: first those that occur.
fn codes(model: &Model, start: usize, at: usize) -> Vec<Completion> {
    let written = &model.text()[start..at];
    let inner = written.strip_prefix("//").and_then(|it| it.trim_start().strip_prefix("map:"));
    let Some(list) = inner.and_then(|it| it.trim_start().strip_prefix("allow")) else { return Vec::new() };
    if !list.trim_start().starts_with('(') || list.contains(')') {
        return Vec::new();
    }
    let word = written.len() - written.trim_end_matches(|c: char| c.is_ascii_alphanumeric()).len();
    let mut proposals = Proposals::new(at - word..at);
    // Warnings about exported models are not about the text.
    let allowable = |code: &&Code| code.severity() == Severity::Warning && code.as_str() < "MAP4";
    for code in Code::ALL.iter().filter(allowable) {
        let occurs = model.diagnostics.iter().any(|it| it.code == *code);
        proposals.word(if occurs { 0 } else { 1 }, CompletionKind::Code, code.as_str(), code.title());
    }
    proposals.finish()
}

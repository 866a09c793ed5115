//! Formatting as a list of small changes, so that cursors, marks and the history of an editor stay where they are.
//!
//! The formatter changes white space and parentheses, and moves comments; the other tokens stay the same, in the same
//! order. So the tokens of both texts are matched with each other, and what lies between matched ones is replaced where
//! it differs.

use std::ops::Range;

use map_diagnostics::Diagnostic;
use map_syntax::TokenKind as Kind;

use crate::answers::Edit;
use crate::model::Model;
use crate::words::Words;

/// The changes to the canonical layout; `None` if the text does not follow the grammar.
///
/// # Errors
/// Why there is no such layout.
pub(crate) fn format(model: &Model) -> Result<Option<Vec<Edit>>, String> {
    let Some(formatted) = formatted(model)? else { return Ok(None) };
    let changes = differences(model.text(), &model.words, &formatted).into_iter();
    Ok(Some(changes.map(|change| change.edit).collect()))
}

/// Those of the changes that lie within the clauses and items that a range touches, or directly before them.
///
/// # Errors
/// As for [`format`].
pub(crate) fn format_range(model: &Model, range: &Range<usize>) -> Result<Option<Vec<Edit>>, String> {
    let words = &model.words;
    let mut units: Vec<Range<usize>> = Vec::new();
    for item in &words.items {
        match item.clauses.is_empty() {
            true => units.push(item.tokens.clone()),
            false => units.extend(item.clauses.iter().cloned()),
        }
    }
    let touched = |unit: &&Range<usize>| {
        let extent = words.extent(unit);
        extent.start <= range.end && range.start <= extent.end
    };
    let touched: Vec<Range<usize>> = units.iter().filter(touched).cloned().collect();
    let Some(formatted) = formatted(model)? else { return Ok(None) };
    let changes = differences(model.text(), words, &formatted).into_iter();
    let inside = |change: &Change| touched.iter().any(|unit| unit.contains(&change.token));
    Ok(Some(changes.filter(inside).map(|change| change.edit).collect()))
}

/// The canonical layout; `None` if the text does not follow the grammar.
fn formatted(model: &Model) -> Result<Option<String>, String> {
    if !model.follows_grammar {
        return Ok(None);
    }
    let first = |refused: Vec<Diagnostic>| refused.into_iter().map(|it| it.text).next().unwrap_or_default();
    map_syntax::format_file(&model.source, &model.file).map(Some).map_err(first)
}

/// A change, and the token of the text that it belongs to.
struct Change {
    token: usize,
    edit: Edit,
}

/// A piece of a text between two tokens that are in both texts: closing parentheses with what is before them, white
/// space and comments, and opening parentheses with what is behind them. The first belong to the token before the
/// piece, the last to the token behind it.
struct Piece([Range<usize>; 3]);

impl Piece {
    /// The piece from `start` to `end`, in which these tokens are.
    fn new(words: &Words, start: usize, end: usize, tokens: Range<usize>) -> Self {
        let opening = |token: &usize| words.kind(*token) == Some(Kind::OpenParen);
        let first_opening = tokens.clone().rev().take_while(opening).last();
        let closing = tokens.start..first_opening.unwrap_or(tokens.end);
        let middle = if closing.is_empty() { start } else { words.range(closing.end - 1).end };
        let behind = first_opening.map_or(end, |first| words.range(first).start);
        Self([start..middle, middle..behind, behind..end])
    }
}

fn differences(text: &str, words: &Words, formatted: &str) -> Vec<Change> {
    let new = Words::new(formatted);
    let is_paren =
        |words: &Words, token| matches!(words.kind(token), Some(Kind::OpenParen | Kind::CloseParen));
    let mut changes = Vec::new();
    // The ends of the last tokens that are in both texts, and the tokens behind them.
    let (mut at, mut new_at) = (0, 0);
    let (mut first, mut new_first) = (0, 0);
    let mut replace = |old: Piece, new: Piece, behind: usize| {
        let owners = [behind.saturating_sub(1), behind, behind];
        for ((old, new), token) in old.0.into_iter().zip(new.0).zip(owners) {
            changes.extend(trimmed(text, old, formatted, new).map(|edit| Change { token, edit }));
        }
    };
    let (mut token, mut new_token) = (0, 0);
    while token < words.tokens.len() && new_token < new.tokens.len() {
        let (old_range, new_range) = (words.range(token), new.range(new_token));
        if text[old_range.clone()] == formatted[new_range.clone()] {
            let old_piece = Piece::new(words, at, old_range.start, first..token);
            let new_piece = Piece::new(&new, new_at, new_range.start, new_first..new_token);
            replace(old_piece, new_piece, token);
            (at, new_at) = (old_range.end, new_range.end);
            (token, new_token) = (token + 1, new_token + 1);
            (first, new_first) = (token, new_token);
        } else if is_paren(words, token) && !is_paren(&new, new_token) {
            token += 1;
        } else if is_paren(&new, new_token) {
            new_token += 1;
        } else {
            (token, new_token) = (token + 1, new_token + 1);
        }
    }
    let old_piece = Piece::new(words, at, text.len(), first..words.tokens.len());
    let new_piece = Piece::new(&new, new_at, formatted.len(), new_first..new.tokens.len());
    replace(old_piece, new_piece, words.tokens.len());
    changes
}

/// The replacement of one piece of text by another, without what they have in common at their ends. It never begins or
/// ends within `\r\n`: for editors there is no such place.
fn trimmed(text: &str, old: Range<usize>, formatted: &str, new: Range<usize>) -> Option<Edit> {
    let (before, after) = (&text[old.clone()], &formatted[new]);
    if before == after {
        return None;
    }
    let same = |one: char, other: char| one == other;
    let start: usize = before
        .chars()
        .zip(after.chars())
        .take_while(|&(one, other)| same(one, other))
        .map(|(it, _)| it.len_utf8())
        .sum();
    let (rest, new_rest) = (&before[start..], &after[start..]);
    let backwards = rest.chars().rev().zip(new_rest.chars().rev());
    let mut end: usize =
        backwards.take_while(|&(one, other)| same(one, other)).map(|(it, _)| it.len_utf8()).sum();
    let within = |text: &str| {
        let (ahead, behind) = text.split_at(text.len() - end);
        ahead.ends_with('\r') && behind.starts_with('\n')
    };
    if within(rest) || within(new_rest) {
        end -= 1;
    }
    let range = old.start + start..old.end - end;
    Some(Edit { range, text: new_rest[..new_rest.len() - end].to_owned() })
}

//! Formatting as a list of small changes, so that cursors, marks and the history of an editor stay where they are.
//!
//! The formatter changes white space and parentheses, and moves comments; the other tokens stay the same, in the same
//! order. So the tokens of both texts are matched with each other, and what lies between matched ones is replaced where
//! it differs.

use std::ops::Range;

use map_syntax::TokenKind as Kind;

use crate::answers::Edit;
use crate::model::Model;
use crate::words::Words;

/// The changes to the canonical layout; `None` if the text does not follow the grammar.
pub(crate) fn format(model: &Model) -> Option<Vec<Edit>> {
    let formatted = map_syntax::format(&model.source).ok()?;
    Some(differences(model.text(), &model.words, &formatted))
}

/// Those of the changes that lie within the clauses and items that a range touches, or directly before them.
pub(crate) fn format_range(model: &Model, range: &Range<usize>) -> Option<Vec<Edit>> {
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
    let touched: Vec<&Range<usize>> = units.iter().filter(touched).collect();
    let (Some(first), Some(last)) = (touched.first(), touched.last()) else { return Some(Vec::new()) };
    let start = first.start.checked_sub(1).map_or(0, |before| words.range(before).end);
    let end = words.extent(last).end;
    let mut edits = format(model)?;
    edits.retain(|edit| start <= edit.range.start && edit.range.end <= end);
    Some(edits)
}

fn differences(text: &str, words: &Words, formatted: &str) -> Vec<Edit> {
    let new = Words::new(formatted);
    let mut edits = Vec::new();
    let (mut at, mut new_at) = (0, 0);
    let mut replace = |old: Range<usize>, new: Range<usize>| {
        edits.extend(trimmed(text, old, formatted, new));
    };
    let (mut token, mut new_token) = (0, 0);
    while token < words.tokens.len() && new_token < new.tokens.len() {
        let (old_range, new_range) = (words.range(token), new.range(new_token));
        let is_paren =
            |words: &Words, token| matches!(words.kind(token), Some(Kind::OpenParen | Kind::CloseParen));
        if text[old_range.clone()] == formatted[new_range.clone()] {
            replace(at..old_range.start, new_at..new_range.start);
            (at, new_at) = (old_range.end, new_range.end);
            (token, new_token) = (token + 1, new_token + 1);
        } else if is_paren(words, token) && !is_paren(&new, new_token) {
            token += 1;
        } else if is_paren(&new, new_token) {
            new_token += 1;
        } else {
            (token, new_token) = (token + 1, new_token + 1);
        }
    }
    replace(at..text.len(), new_at..formatted.len());
    edits
}

/// The replacement of one piece of text by another, without what they have in common at their ends.
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
    let end: usize =
        backwards.take_while(|&(one, other)| same(one, other)).map(|(it, _)| it.len_utf8()).sum();
    let range = old.start + start..old.end - end;
    Some(Edit { range, text: new_rest[..new_rest.len() - end].to_owned() })
}

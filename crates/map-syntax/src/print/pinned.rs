//! Lines whose warnings a comment `// map: allow(..)` silences. Formatting must not change what it silences, so these
//! lines keep their words: none is moved to another line, and none of another line is moved here.

use super::separator::Separator;
use super::trivia::Comment;
use crate::ast::{File, Item};
use crate::sketch::token::Token;

/// The lines that keep their words.
#[derive(Default)]
pub(super) struct Pinned {
    /// The line of every token; empty if no line is pinned.
    lines: Vec<usize>,
    /// The pinned lines, in order.
    pinned: Vec<usize>,
}

/// A line that is not in the text.
pub(super) const NEW_LINE: usize = usize::MAX;

/// What stands between two words because of the lines that they are on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// Anything.
    Free,
    /// No line break.
    Together,
    /// A line break.
    Apart,
}

impl Pinned {
    pub(super) fn new(text: &str, tokens: &[Token], comments: &[Comment<'_>], file: &File) -> Self {
        if !comments.iter().any(Comment::allows_warnings) {
            return Self::default();
        }
        let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let line_of = |at: usize| breaks.partition_point(|&end| end < at);
        let lines: Vec<usize> = tokens.iter().map(|token| line_of(token.span.start as usize)).collect();
        let starts = starts(file);
        let mut pinned = Vec::new();
        for comment in comments.iter().filter(|comment| comment.allows_warnings()) {
            let line = line_of(comment.start);
            let next = tokens.partition_point(|token| (token.span.start as usize) < comment.start);
            if next.checked_sub(1).is_some_and(|before| lines[before] == line) {
                pinned.push(line);
            } else if let Some(token) = tokens.get(next)
                && starts.binary_search(&token.span.start).is_err()
            {
                pinned.push(lines[next]);
            }
        }
        pinned.sort_unstable();
        Self { lines, pinned }
    }

    /// The line of a token, if any line is pinned.
    pub(super) fn line(&self, token: usize) -> Option<usize> {
        self.lines.get(token).copied()
    }

    pub(super) fn holds(&self, line: Option<usize>) -> bool {
        line.is_some_and(|line| self.pinned.binary_search(&line).is_ok())
    }

    /// What stands between the words of two lines.
    pub(super) fn between(&self, before: Option<usize>, after: Option<usize>) -> Hold {
        if before.is_none() || !(self.holds(before) || self.holds(after)) {
            Hold::Free
        } else if before == after {
            Hold::Together
        } else {
            Hold::Apart
        }
    }
}

/// Where items and clauses begin: a comment before one applies to it, on whatever lines it is.
fn starts(file: &File) -> Vec<u32> {
    let mut starts = Vec::new();
    for item in &file.items {
        if let Item::Scene(scene) = item {
            starts.extend(scene.clauses.iter().map(|clause| clause.span.start));
        }
        starts.push(item.span().start);
    }
    starts.sort_unstable();
    starts
}

/// The separator without its possible line break.
pub(super) fn unbroken(separator: Separator) -> Separator {
    match separator {
        Separator::Nothing | Separator::Soft => Separator::Nothing,
        Separator::Space | Separator::Line | Separator::Joint | Separator::Hard => Separator::Space,
    }
}

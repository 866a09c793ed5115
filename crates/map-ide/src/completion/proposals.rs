//! A list of proposals while it is collected.

use std::collections::HashSet;
use std::ops::Range;

use crate::answers::{Completion, CompletionKind};

/// The proposals so far.
pub(super) struct Proposals {
    /// What each of them replaces.
    replace: Range<usize>,
    list: Vec<Completion>,
    labels: HashSet<(CompletionKind, String)>,
}

impl Proposals {
    pub(super) fn new(replace: Range<usize>) -> Self {
        Self { replace, list: Vec::new(), labels: HashSet::new() }
    }

    pub(super) fn finish(mut self) -> Vec<Completion> {
        self.list.sort_by(|one, other| (one.rank, &one.label).cmp(&(other.rank, &other.label)));
        self.list
    }

    /// Proposes a word as it is.
    pub(super) fn word(&mut self, rank: u32, kind: CompletionKind, label: impl Into<String>, detail: &str) {
        let label = label.into();
        self.add(rank, kind, label.clone(), detail, label, false);
    }

    /// Proposes a text with places to fill.
    pub(super) fn snippet(
        &mut self,
        rank: u32,
        kind: CompletionKind,
        label: impl Into<String>,
        detail: &str,
        insert: String,
    ) {
        self.add(rank, kind, label.into(), detail, insert, true);
    }

    /// Proposes a text that differs from its label, with documentation.
    pub(super) fn text(
        &mut self,
        rank: u32,
        label: &str,
        about: &str,
        documentation: String,
        insert: String,
    ) {
        let before = self.list.len();
        self.add(rank, CompletionKind::Snippet, label.to_owned(), about, insert, false);
        if let Some(added) = self.list.get_mut(before) {
            added.documentation = Some(documentation);
        }
    }

    fn add(
        &mut self,
        rank: u32,
        kind: CompletionKind,
        label: String,
        detail: &str,
        insert: String,
        snippet: bool,
    ) {
        if !self.labels.insert((kind, label.clone())) {
            return;
        }
        let detail = (!detail.is_empty()).then(|| detail.to_owned());
        let replace = self.replace.clone();
        self.list.push(Completion {
            label,
            kind,
            detail,
            documentation: None,
            replace,
            insert,
            snippet,
            rank,
        });
    }
}

/// Terms in parentheses as places to fill, numbered from `first`; variables as they are named.
pub(super) fn places(terms: &[String], first: usize) -> String {
    let places: Vec<String> = terms
        .iter()
        .enumerate()
        .map(|(number, term)| format!("${{{}:{}}}", number + first, escaped(term)))
        .collect();
    format!("({})", places.join(", "))
}

/// A text within a snippet.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '$' | '}' | '\\') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

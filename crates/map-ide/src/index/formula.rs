//! The names of properties, costs and measures.

use std::collections::HashMap;
use std::ops::Range;

use map_syntax::TokenKind as Kind;

use super::builder::Builder;
use super::items::is_body_word;
use super::{EntityKind, Part, Site, SiteKind};
use crate::answers::OccurrenceKind;
use crate::words::Words;

/// Names that are words in formulas.
pub(crate) fn is_formula_word(word: &str) -> bool {
    matches!(
        word,
        "always" | "eventually" | "never" | "next" | "possible" | "sequence" | "until" | "leadsto" | "not" | "and"
            | "implies" | "forall" | "exists" | "in" | "count" | "done" | "failed" | "waiting" | "ended" | "mailbox"
            | "sends" | "receives" | "asks" | "answers" | "times" | "out" | "to" | "from" | "yes" | "no"
            // Words where they mean something; no constant can stand there.
            | "unless" | "precedes" | "before" | "total" | "cost"
    )
}

/// Whether a name begins `measure(m)` or `sum(m)`.
pub(crate) fn is_mention_of_measure(words: &Words, text: &str, token: usize) -> bool {
    matches!(&text[words.range(token)], "measure" | "sum") && words.kind(token + 1) == Some(Kind::OpenParen)
}

/// Whether a name is a word of a measure: of formulas or of expressions, or one that has a meaning only there.
pub(crate) fn is_measure_word(words: &Words, text: &str, token: usize) -> bool {
    let word = &text[words.range(token)];
    match word {
        "of" => words.kind(token + 1) == Some(Kind::Variable),
        "first" | "last" => words.kind(token + 1) == Some(Kind::OpenParen),
        "fresh" | "with" | "self" => false,
        _ => is_formula_word(word) || is_body_word(word) || is_mention_of_measure(words, text, token),
    }
}

/// `property NAME : formula`, `cost NAME { event = price, .. }` or `measure NAME = expression`.
pub(super) fn property(builder: &mut Builder<'_>, kind: EntityKind, tokens: Range<usize>) {
    let name = tokens.start + 1;
    if name >= tokens.end || builder.kind(name) != Some(Kind::Name) {
        return;
    }
    builder.mention(name, kind, 0, OccurrenceKind::Declaration);
    let mut reader = Reader { builder, kind, tokens: tokens.clone(), roles: HashMap::new() };
    for token in name + 1..tokens.end {
        reader.token(token);
    }
}

struct Reader<'a, 'b> {
    builder: &'b mut Builder<'a>,
    kind: EntityKind,
    tokens: Range<usize>,
    /// The roles over which variables range.
    roles: HashMap<&'a str, &'a str>,
}

impl<'a> Reader<'a, '_> {
    fn before(&self, token: usize) -> &'a str {
        self.builder.word(token - 1)
    }

    fn next_is(&self, token: usize, kind: Kind) -> bool {
        token + 1 < self.tokens.end && self.builder.kind(token + 1) == Some(kind)
    }

    fn token(&mut self, token: usize) {
        let read = OccurrenceKind::Read;
        match self.builder.kind(token) {
            Some(Kind::Role)
                if self.before(token) == "in" && self.builder.kind(token - 2) == Some(Kind::Variable) =>
            {
                self.roles.insert(self.builder.name(token - 2), self.builder.name(token));
                self.builder.term(token, self.tokens.start);
            }
            Some(Kind::Name) => match self.before(token) {
                "sends" | "receives" => {
                    self.builder.mention(token, EntityKind::Performative, 0, read);
                    self.event(token);
                }
                "asks" | "answers" => self.builder.mention(token, EntityKind::Procedure, 0, read),
                "in" if self.next_is(token, Kind::OpenParen) => {
                    self.builder.mention(token, EntityKind::Procedure, 0, read);
                }
                "in" => self.clauses(token),
                "(" if self.builder.word(token - 2) == "cost" => {
                    self.builder.mention(token, EntityKind::Cost, 0, read);
                }
                "(" if matches!(self.builder.word(token - 2), "measure" | "sum") => {
                    self.builder.mention(token, EntityKind::Measure, 0, read);
                }
                _ if self.is_word(token) && !self.is_constant(token) => {}
                _ => self.builder.constant(token),
            },
            _ => self.builder.term(token, self.tokens.start),
        }
    }

    /// Whether a name is a word of the item.
    fn is_word(&self, token: usize) -> bool {
        let Builder { words, text, .. } = &*self.builder;
        match self.kind {
            EntityKind::Measure => is_measure_word(words, text, token),
            _ => is_formula_word(self.builder.word(token)) || is_mention_of_measure(words, text, token),
        }
    }

    /// Whether a word stands where a term must: alone between the parentheses and commas of a message or a set.
    fn is_constant(&self, token: usize) -> bool {
        let alone = matches!(self.builder.kind(token - 1), Some(Kind::OpenParen | Kind::Comma))
            && (self.next_is(token, Kind::CloseParen) || self.next_is(token, Kind::Comma));
        alone && self.in_event(token)
    }

    fn in_event(&self, token: usize) -> bool {
        let last = self.builder.index.sites.last();
        last.is_some_and(|site| {
            site.kind == SiteKind::Event && site.open < token && site.close.is_none_or(|close| token < close)
        })
    }

    fn event(&mut self, name: usize) {
        let open = name + 1;
        if !self.next_is(name, Kind::OpenParen) {
            return;
        }
        let (arguments, close) = self.builder.arguments(open, self.tokens.end);
        self.builder.index.sites.push(Site {
            kind: SiteKind::Event,
            name: Some(name),
            open,
            close,
            arguments,
            clause: None,
            address: None,
            tokens: name..close.map_or(self.tokens.end, |close| close + 1),
        });
    }

    /// The clauses that `a in NAME` may mean.
    fn clauses(&mut self, token: usize) {
        let subject = token - 2;
        let name = self.builder.name(subject);
        let may_be = |part: &Part| match self.builder.kind(subject) {
            Some(Kind::AgentName) => {
                let base = part.base();
                name.strip_prefix(&*base)
                    .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
            }
            Some(Kind::Variable) => self.roles.get(name).is_none_or(|role| part.role == **role),
            _ => true,
        };
        let index = &self.builder.index;
        let has_it = |part: &Part| {
            let mut names = part.clauses.iter().filter_map(|&clause| index.clauses[clause].name);
            names.any(|name| self.builder.word(name) == self.builder.word(token))
        };
        let parts: Vec<usize> = (0..index.parts.len())
            .filter(|&it| may_be(&index.parts[it]) && has_it(&index.parts[it]))
            .collect();
        for part in parts {
            self.builder.mention(token, EntityKind::Clause, part, OccurrenceKind::Read);
        }
    }
}

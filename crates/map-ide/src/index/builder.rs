//! The tables of an index while they are filled.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use map_syntax::TokenKind as Kind;

use super::bindings::Bindings;
use super::{Entity, EntityKind, Index, Mention};
use crate::answers::OccurrenceKind;
use crate::words::Words;

/// An index under construction, with the text it is made of.
pub(super) struct Builder<'a> {
    pub(super) text: &'a str,
    pub(super) words: &'a Words,
    pub(super) index: Index,
    by_name: HashMap<(EntityKind, usize, &'a str), usize>,
    /// Agents, whose names may end in a number: known only when all parts are.
    agents: Vec<(usize, OccurrenceKind)>,
    /// Names in front of parentheses that no arrow follows: procedures or messages.
    bare: Vec<usize>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a str, words: &'a Words) -> Self {
        Self {
            text,
            words,
            index: Index::default(),
            by_name: HashMap::new(),
            agents: Vec::new(),
            bare: Vec::new(),
        }
    }

    pub(super) fn kind(&self, token: usize) -> Option<Kind> {
        self.words.kind(token)
    }

    /// The word, with its sigil.
    pub(super) fn word(&self, token: usize) -> &'a str {
        &self.text[self.words.range(token)]
    }

    /// The word without its sigil.
    pub(super) fn name(&self, token: usize) -> &'a str {
        self.word(token).trim_start_matches(['$', '%', '!', '@'])
    }

    /// Notes that a word stands for something.
    pub(super) fn mention(&mut self, token: usize, kind: EntityKind, scope: usize, what: OccurrenceKind) {
        let entity = self.entity(kind, scope, self.name(token));
        self.index.mentions.push(Mention { token, entity, kind: what, digits: 0 });
    }

    pub(super) fn agent(&mut self, token: usize, what: OccurrenceKind) {
        self.agents.push((token, what));
    }

    pub(super) fn bare(&mut self, token: usize) {
        self.bare.push(token);
    }

    fn entity(&mut self, kind: EntityKind, scope: usize, name: &'a str) -> usize {
        let entities = &mut self.index.entities;
        *self.by_name.entry((kind, scope, name)).or_insert_with(|| {
            entities.push(Entity { kind, name: name.to_owned(), scope, mentions: Vec::new() });
            entities.len() - 1
        })
    }

    /// Notes a term that means the same wherever it stands; `scope` is that of its variables. A name is left to the
    /// caller.
    pub(super) fn term(&mut self, token: usize, scope: usize) {
        match self.kind(token) {
            Some(Kind::Variable) => self.mention(token, EntityKind::Variable, scope, OccurrenceKind::Read),
            Some(Kind::Role) => self.mention(token, EntityKind::Role, 0, OccurrenceKind::Read),
            Some(Kind::AgentName) => self.agent(token, OccurrenceKind::Read),
            Some(Kind::Cell) => self.mention(token, EntityKind::Cell, 0, OccurrenceKind::Read),
            _ => {}
        }
    }

    pub(super) fn constant(&mut self, token: usize) {
        self.mention(token, EntityKind::Constant, 0, OccurrenceKind::Read);
    }

    /// Splits the tokens behind an opening parenthesis, up to the one that closes it or up to `end`, at their commas.
    pub(super) fn arguments(&self, open: usize, end: usize) -> (Vec<Range<usize>>, Option<usize>) {
        let mut arguments = Vec::new();
        let mut depth = 0;
        let mut start = open + 1;
        for token in open + 1..end {
            match self.kind(token) {
                Some(Kind::OpenParen) => depth += 1,
                Some(Kind::CloseParen) if depth == 0 => {
                    if token > start || !arguments.is_empty() {
                        arguments.push(start..token);
                    }
                    return (arguments, Some(token));
                }
                Some(Kind::CloseParen) => depth -= 1,
                Some(Kind::Comma) if depth == 0 => {
                    arguments.push(start..token);
                    start = token + 1;
                }
                _ => {}
            }
        }
        if end > start || !arguments.is_empty() {
            arguments.push(start..end.max(start));
        }
        (arguments, None)
    }

    /// The index of the whole text. Where a variable is bound is known from the syntax tree, unless it occurs before in
    /// what could not be read: then it is bound where it first occurs.
    pub(super) fn finish(mut self, bindings: &Bindings) -> Index {
        self.resolve_agents();
        self.resolve_bare();
        let Self { words, mut index, .. } = self;
        index.mentions.sort_by_key(|mention| mention.token);
        let mut seen = vec![false; index.entities.len()];
        let (mut by_tree, mut in_holes) = (HashSet::new(), HashSet::new());
        for mention in &index.mentions {
            let at = words.range(mention.token).start;
            if bindings.is_in_hole(at) {
                in_holes.insert(mention.entity);
            } else if bindings.is_binding(at) && !in_holes.contains(&mention.entity) {
                by_tree.insert(mention.entity);
            }
        }
        for (number, mention) in index.mentions.iter_mut().enumerate() {
            let entity = &mut index.entities[mention.entity];
            entity.mentions.push(number);
            let binds = match by_tree.contains(&mention.entity) {
                true => bindings.is_binding(words.range(mention.token).start),
                false => !seen[mention.entity],
            };
            if entity.kind == EntityKind::Variable && binds {
                mention.kind = OccurrenceKind::Declaration;
            }
            seen[mention.entity] = true;
        }
        index
    }

    fn resolve_agents(&mut self) {
        let bases: HashSet<String> = self.index.parts.iter().map(super::Part::base).collect();
        for (token, what) in std::mem::take(&mut self.agents) {
            let name = self.name(token);
            let digits = match bases.contains(name) {
                true => 0,
                false => {
                    numbered(name).find(|&digits| bases.contains(&name[..name.len() - digits])).unwrap_or(0)
                }
            };
            let entity = self.entity(EntityKind::Agent, 0, &name[..name.len() - digits]);
            self.index.mentions.push(Mention { token, entity, kind: what, digits });
        }
    }

    /// What has no arrow is an ask, unless it is known as a message only: then the arrow is yet to be written.
    fn resolve_bare(&mut self) {
        for token in std::mem::take(&mut self.bare) {
            let known = |kind| self.by_name.contains_key(&(kind, 0, self.name(token)));
            let kind = match known(EntityKind::Performative) && !known(EntityKind::Procedure) {
                true => EntityKind::Performative,
                false => EntityKind::Procedure,
            };
            self.mention(token, kind, 0, OccurrenceKind::Read);
        }
    }
}

/// How many digits at the end of a name may be the number of an agent.
fn numbered(name: &str) -> impl Iterator<Item = usize> {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count().min(name.len().saturating_sub(1));
    (1..=digits.min(7)).filter(|&digits| name.as_bytes()[name.len() - digits] != b'0')
}

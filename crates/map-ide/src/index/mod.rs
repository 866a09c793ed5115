//! The names of a text: what there is, and where it occurs.
//!
//! Everything is read from tokens, within the items and clauses that tokens alone determine. So a correct text and one
//! that is being written are read in the same way, and what a mistake leaves intact stays known.

mod bindings;
mod builder;
mod clause;
mod formula;
mod items;
#[cfg(test)]
mod tests;

use std::ops::Range;

use map_syntax::{ItemKind, ast};

use crate::answers::OccurrenceKind;
use crate::words::Words;

pub(crate) use bindings::reaching;
pub(crate) use formula::{is_formula_word, is_measure_word, is_mention_of_measure};
pub(crate) use items::{is_body_word, is_count};

/// What kind of thing a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum EntityKind {
    Scene,
    Role,
    Agent,
    Clause,
    Performative,
    Procedure,
    Cell,
    Variable,
    Property,
    Cost,
    Measure,
    Constant,
}

/// Something that has a name.
#[derive(Debug)]
pub(crate) struct Entity {
    pub(crate) kind: EntityKind,
    /// Without sigil.
    pub(crate) name: String,
    /// The part of a clause, the first token of the clause or item of a variable; else 0.
    pub(crate) scope: usize,
    /// Its occurrences, as indices into [`Index::mentions`].
    pub(crate) mentions: Vec<usize>,
}

/// An occurrence of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mention {
    pub(crate) token: usize,
    pub(crate) entity: usize,
    pub(crate) kind: OccurrenceKind,
    /// The number of digits behind the name: `!Bidder2` is an agent `Bidder`.
    pub(crate) digits: usize,
}

/// A clause, perhaps with mistakes.
#[derive(Debug)]
pub(crate) struct Clause {
    pub(crate) part: usize,
    pub(crate) tokens: Range<usize>,
    /// `agent(..)`.
    pub(crate) head: Range<usize>,
    /// The terms of the head behind its role.
    pub(crate) parameters: Vec<Range<usize>>,
    /// The first parameter, if it is a name.
    pub(crate) name: Option<usize>,
}

/// All clauses of a role with the same name in front, or with a variable.
#[derive(Debug)]
pub(crate) struct Part {
    /// Index into [`Index::scenes`].
    pub(crate) scene: usize,
    /// The role, without `%`; empty if it is missing.
    pub(crate) role: String,
    /// The agent's name, without `!`; `None` for a variable.
    pub(crate) literal: Option<String>,
    /// Indices into [`Index::clauses`].
    pub(crate) clauses: Vec<usize>,
}

impl Part {
    /// The name of its agent, without the number it has if there are several.
    pub(crate) fn base(&self) -> String {
        self.literal.clone().unwrap_or_else(|| capitalised(&self.role))
    }

    /// As shown to users.
    pub(crate) fn title(&self) -> String {
        match &self.literal {
            Some(name) => format!("!{name}"),
            None => format!("%{}", self.role),
        }
    }
}

/// A scene, perhaps without a name.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) name: Option<usize>,
    pub(crate) tokens: Range<usize>,
    /// Indices into [`Index::clauses`].
    pub(crate) clauses: Range<usize>,
    /// Indices into [`Index::parts`].
    pub(crate) parts: Range<usize>,
}

/// A procedure's declaration.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) name: usize,
    pub(crate) may_refuse: bool,
    pub(crate) parameters: Vec<Range<usize>>,
    pub(crate) tokens: Range<usize>,
}

/// Where terms stand in parentheses.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) kind: SiteKind,
    /// The name in front; `None` for a call.
    pub(crate) name: Option<usize>,
    pub(crate) open: usize,
    /// The closing parenthesis, if there is one.
    pub(crate) close: Option<usize>,
    pub(crate) arguments: Vec<Range<usize>>,
    /// The clause it stands in, as an index into [`Index::clauses`].
    pub(crate) clause: Option<usize>,
    /// Behind the arrow of a message.
    pub(crate) address: Option<Address>,
    /// The whole operation.
    pub(crate) tokens: Range<usize>,
}

/// What a [`Site`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SiteKind {
    Send,
    Receive,
    /// `$x = p(..)`.
    Ask,
    /// `p(..)` without an arrow: an ask, or a message that is being written.
    Bare,
    Call,
    /// In a property.
    Event,
}

/// `agent(a, r)` behind an arrow.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(crate) agent: Range<usize>,
    pub(crate) role: Range<usize>,
    pub(crate) tokens: Range<usize>,
}

/// The names of a text.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) entities: Vec<Entity>,
    /// In source order. A word that stands for several things has a mention for each.
    pub(crate) mentions: Vec<Mention>,
    pub(crate) scenes: Vec<Scene>,
    pub(crate) parts: Vec<Part>,
    pub(crate) clauses: Vec<Clause>,
    /// In the order of their opening parentheses.
    pub(crate) sites: Vec<Site>,
    pub(crate) declarations: Vec<Declaration>,
}

impl Index {
    pub(crate) fn new(text: &str, words: &Words, file: &ast::File) -> Self {
        let mut builder = builder::Builder::new(text, words);
        let of_kind = |kind| words.items.iter().filter(move |item| item.kind == kind);
        for scene in of_kind(ItemKind::Scene) {
            clause::scene(&mut builder, scene);
        }
        for item in &words.items {
            match item.kind {
                ItemKind::Scene | ItemKind::Property | ItemKind::Cost | ItemKind::Measure => {}
                ItemKind::Memory => items::memory(&mut builder, item.tokens.clone()),
                ItemKind::Procedure => items::procedure(&mut builder, item.tokens.clone()),
                ItemKind::Truth => items::truth(&mut builder, item.tokens.clone()),
                ItemKind::Cast | ItemKind::Other => items::other(&mut builder, item.tokens.clone()),
            }
        }
        // What a property means by `in NAME` depends on the clauses.
        for property in of_kind(ItemKind::Property) {
            formula::property(&mut builder, EntityKind::Property, property.tokens.clone());
        }
        for cost in of_kind(ItemKind::Cost) {
            formula::property(&mut builder, EntityKind::Cost, cost.tokens.clone());
        }
        for measure in of_kind(ItemKind::Measure) {
            formula::property(&mut builder, EntityKind::Measure, measure.tokens.clone());
        }
        builder.finish(&bindings::Bindings::new(file))
    }

    /// The mentions of a word.
    pub(crate) fn mentions_of(&self, token: usize) -> &[Mention] {
        let first = self.mentions.partition_point(|mention| mention.token < token);
        let end = first + self.mentions[first..].partition_point(|mention| mention.token == token);
        &self.mentions[first..end]
    }

    pub(crate) fn entity(&self, kind: EntityKind, scope: usize, name: &str) -> Option<usize> {
        self.entities.iter().position(|it| it.kind == kind && it.scope == scope && it.name == name)
    }

    /// The entities of a kind.
    pub(crate) fn of_kind(&self, kind: EntityKind) -> impl Iterator<Item = &Entity> {
        self.entities.iter().filter(move |it| it.kind == kind)
    }

    /// The occurrences of an entity, in source order.
    pub(crate) fn occurrences(&self, entity: usize) -> impl Iterator<Item = &Mention> {
        self.entities[entity].mentions.iter().map(|&mention| &self.mentions[mention])
    }

    /// The clause that a token belongs to.
    pub(crate) fn clause_of(&self, token: usize) -> Option<usize> {
        let next = self.clauses.partition_point(|clause| clause.tokens.start <= token);
        let clause = next.checked_sub(1)?;
        (token < self.clauses[clause].tokens.end).then_some(clause)
    }

    /// The declaration of a procedure.
    pub(crate) fn declaration(&self, text: &str, words: &Words, name: &str) -> Option<&Declaration> {
        self.declarations.iter().find(|it| &text[words.range(it.name)] == name)
    }

    /// The innermost site whose parentheses are around an offset.
    pub(crate) fn site_around(&self, words: &Words, offset: usize) -> Option<usize> {
        let next = self.sites.partition_point(|site| words.range(site.open).end <= offset);
        // Sites nest only as a call or message around nothing else, so the last one that begins before is the one.
        let site = next.checked_sub(1)?;
        let end = match self.sites[site].close {
            Some(close) => words.range(close).start,
            None => words.extent(&self.sites[site].tokens).end,
        };
        let open = self.sites[site].close.is_none();
        (offset <= end || (open && words.ending_by(offset) <= self.sites[site].tokens.end)).then_some(site)
    }
}

/// The default name of an agent: its role with a capital first letter.
pub(crate) fn capitalised(role: &str) -> String {
    let mut name = role.to_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
}

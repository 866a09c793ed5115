//! Where names come from.

use std::ops::Range;

use map_syntax::TokenKind as Kind;

use crate::answers::{Occurrence, OccurrenceKind, Target};
use crate::exchanges::others;
use crate::index::{Entity, EntityKind, Mention, Site, SiteKind, reaching};
use crate::model::Model;

/// Where the name at an offset comes from.
pub(crate) fn definition(model: &Model, at: usize) -> Vec<Target> {
    let Some(token) = model.named_at(at) else { return Vec::new() };
    let mut targets = Vec::new();
    for mention in model.index.mentions_of(token) {
        targets.extend(of_mention(model, mention));
    }
    targets.sort_by_key(|target: &Target| target.name_range.start);
    targets.dedup();
    targets
}

/// All occurrences of the name at an offset.
pub(crate) fn references(model: &Model, at: usize, declarations: bool) -> Vec<Occurrence> {
    let Some(token) = model.named_at(at) else { return Vec::new() };
    let mut found: Vec<&Mention> = Vec::new();
    for mention in model.index.mentions_of(token) {
        found.extend(model.index.occurrences(mention.entity));
    }
    found.sort_by_key(|mention| (mention.token, mention.kind));
    found.dedup_by_key(|mention| mention.token);
    found
        .into_iter()
        .filter(|mention| declarations || mention.kind != OccurrenceKind::Declaration)
        .map(|mention| Occurrence { range: model.words.range(mention.token), kind: mention.kind })
        .collect()
}

fn of_mention(model: &Model, mention: &Mention) -> Vec<Target> {
    let entity = &model.index.entities[mention.entity];
    match entity.kind {
        EntityKind::Scene
        | EntityKind::Procedure
        | EntityKind::Cell
        | EntityKind::Property
        | EntityKind::Cost
        | EntityKind::Measure => {
            let declared = declarations(model, entity);
            let first = || entity.mentions.first().map(|&first| model.index.mentions[first].token);
            let tokens = if declared.is_empty() { first().into_iter().collect() } else { declared };
            tokens.into_iter().map(|token| in_item(model, token)).collect()
        }
        EntityKind::Role => parts(model, mention.token, |part| model.index.parts[part].role == entity.name),
        EntityKind::Agent => {
            parts(model, mention.token, |part| model.index.parts[part].base() == entity.name)
        }
        EntityKind::Variable => variable(model, mention, entity),
        EntityKind::Clause => clause(model, mention.token, entity),
        EntityKind::Performative => messages(model, mention.token),
        EntityKind::Constant => Vec::new(),
    }
}

fn declarations(model: &Model, entity: &Entity) -> Vec<usize> {
    let mentions = entity.mentions.iter().map(|&it| &model.index.mentions[it]);
    mentions.filter(|it| it.kind == OccurrenceKind::Declaration).map(|it| it.token).collect()
}

/// A name with the clause or item it stands in.
fn in_item(model: &Model, token: usize) -> Target {
    let item = model.words.item_of(token).map(|item| &model.words.items[item]);
    let full = item.map_or(token..token + 1, |item| item.tokens.clone());
    Target { name_range: model.words.range(token), full_range: model.words.extent(&full) }
}

/// A clause, with its head as its name.
pub(crate) fn clause_target(model: &Model, clause: usize) -> Target {
    let clause = &model.index.clauses[clause];
    Target { name_range: model.words.extent(&clause.head), full_range: model.words.extent(&clause.tokens) }
}

/// The first clause of each part that is meant: those of the scene that a token is in, or of all scenes.
fn parts(model: &Model, token: usize, is_meant: impl Fn(usize) -> bool) -> Vec<Target> {
    let scene = model.scene_of(token);
    let all = 0..model.index.parts.len();
    let here = scene.map_or(all.clone(), |scene| model.index.scenes[scene].parts.clone());
    let meant = |range: Range<usize>| -> Vec<usize> { range.filter(|&part| is_meant(part)).collect() };
    let mut found = meant(here);
    if found.is_empty() {
        found = meant(all);
    }
    let firsts = found.into_iter().filter_map(|part| model.index.parts[part].clauses.first());
    firsts.map(|&clause| clause_target(model, clause)).collect()
}

fn variable(model: &Model, mention: &Mention, entity: &Entity) -> Vec<Target> {
    let at = model.words.range(mention.token).start;
    let clause = model.index.clause_of(mention.token).map(|clause| &model.index.clauses[clause].tokens);
    let bound =
        clause.map(|clause| reaching(&model.file, &model.words.extent(clause), at)).unwrap_or_default();
    let mut ranges: Vec<Range<usize>> =
        bound.into_iter().filter_map(|at| model.words.at(at)).map(|token| model.words.range(token)).collect();
    if ranges.is_empty() {
        ranges = declarations(model, entity).into_iter().map(|token| model.words.range(token)).collect();
    }
    ranges.into_iter().map(|range| Target { name_range: range.clone(), full_range: range }).collect()
}

/// The clauses that a name means: in a call those that it may enter, elsewhere all of the name.
fn clause(model: &Model, token: usize, entity: &Entity) -> Vec<Target> {
    let index = &model.index;
    let call = index.sites.iter().find(|site| {
        site.kind == SiteKind::Call && site.arguments.first().is_some_and(|first| first.start == token)
    });
    let named =
        |&clause: &usize| index.clauses[clause].name.is_some_and(|name| model.word(name) == entity.name);
    let all = index.parts[entity.scope].clauses.iter().copied();
    let mut clauses: Vec<usize> = match call {
        Some(call) => candidates(model, call),
        None => all.clone().filter(named).collect(),
    };
    if clauses.is_empty() {
        clauses = all.filter(named).collect();
    }
    clauses.into_iter().map(|clause| clause_target(model, clause)).collect()
}

/// The clauses that a call may enter, as far as constants tell.
pub(crate) fn candidates(model: &Model, call: &Site) -> Vec<usize> {
    let Some(caller) = call.clause else { return Vec::new() };
    let index = &model.index;
    let constant = |term: &Range<usize>| {
        let constants = [Kind::Name, Kind::Integer, Kind::Text, Kind::Role, Kind::AgentName];
        let kind = model.words.kind(term.start)?;
        (term.len() == 1 && constants.contains(&kind)).then(|| model.word(term.start))
    };
    let fits = |&clause: &usize| {
        let parameters = &index.clauses[clause].parameters;
        !parameters.is_empty()
            && parameters.len() == call.arguments.len()
            && parameters.iter().zip(&call.arguments).all(|(parameter, argument)| {
                match (constant(parameter), constant(argument)) {
                    (Some(one), Some(other)) => one == other,
                    _ => true,
                }
            })
    };
    let part = index.clauses[caller].part;
    index.parts[part].clauses.iter().copied().filter(fits).collect()
}

/// The other ends of a message or, if it has none, all that send it.
fn messages(model: &Model, token: usize) -> Vec<Target> {
    let site = model.index.sites.iter().find(|site| site.name == Some(token));
    let mut found = site.map(|site| others(model, site)).unwrap_or_default();
    if found.is_empty() {
        let sends = model.index.sites.iter().filter(|site| site.kind == SiteKind::Send);
        let name = model.word(token);
        found = sends.filter(|site| site.name.is_some_and(|it| model.word(it) == name)).collect();
    }
    let target = |site: &Site| {
        let name_range = model.words.range(site.name?);
        Some(Target { name_range, full_range: model.words.extent(&site.tokens) })
    };
    found.into_iter().filter_map(target).collect()
}

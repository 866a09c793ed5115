//! Giving a thing another name.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use map_syntax::ItemKind;

use crate::answers::Edit;
use crate::index::{Entity, EntityKind, Mention, Part, capitalised, is_body_word, is_formula_word};
use crate::model::{Model, first_error};

/// The part of the name at an offset that a new name would replace.
pub(crate) fn range(model: &Model, at: usize) -> Result<Range<usize>, String> {
    let (mention, _) = renamable(model, at)?;
    Ok(name_range(model, mention))
}

/// The changes that give the thing at an offset a new name.
pub(crate) fn rename(model: &Model, at: usize, new: &str) -> Result<Vec<Edit>, String> {
    let (mention, entities) = renamable(model, at)?;
    let entity = &model.index.entities[mention.entity];
    let sigil = sigil(entity.kind);
    let new = new.strip_prefix(sigil).filter(|_| !sigil.is_empty()).unwrap_or(new);
    if entity.name == new {
        return Ok(Vec::new());
    }
    is_name(new)?;
    for &entity in &entities {
        is_free(model, &entities, &model.index.entities[entity], new)?;
    }
    let mut edits: BTreeMap<usize, Edit> = BTreeMap::new();
    for &number in &entities {
        let entity = &model.index.entities[number];
        // The agents of a role that have no names of their own are called after it.
        let written = match entity.kind {
            EntityKind::Agent if mentions_role(model, &entities) => capitalised(new),
            _ => new.to_owned(),
        };
        for mention in model.index.occurrences(number) {
            let range = name_range(model, mention);
            edits.insert(range.start, Edit { range, text: written.clone() });
        }
    }
    let name = &entity.name;
    for range in flags(model, entity.kind, name) {
        edits.insert(range.start, Edit { range, text: new.to_owned() });
    }
    let edits: Vec<Edit> = edits.into_values().collect();
    means_the_same(model, &edits)?;
    Ok(edits)
}

/// The name at an offset and the entities that have to be renamed together.
fn renamable(model: &Model, at: usize) -> Result<(&Mention, BTreeSet<usize>), String> {
    let nothing = || "There is no name here".to_owned();
    let token = model.named_at(at).ok_or_else(nothing)?;
    let mention = model.index.mentions_of(token).first().ok_or_else(nothing)?;
    let entities = together(model, token);
    let of_kind = |kind| entities.iter().map(|&it| &model.index.entities[it]).find(|it| it.kind == kind);
    if !mentions_role(model, &entities)
        && let Some(agent) = of_kind(EntityKind::Agent)
        && let Some(part) = called_after_role(model, agent)
    {
        return Err(format!("`!{}` is called after its role: rename `%{}`", agent.name, part.role));
    }
    Ok((mention, entities))
}

fn mentions_role(model: &Model, entities: &BTreeSet<usize>) -> bool {
    entities.iter().any(|&it| model.index.entities[it].kind == EntityKind::Role)
}

/// The part without names of its own whose agents have this one.
fn called_after_role<'m>(model: &'m Model, agent: &Entity) -> Option<&'m Part> {
    model.index.parts.iter().find(|part| part.literal.is_none() && part.base() == agent.name)
}

/// Everything that some word stands for together with what `token` stands for, or that is called after it.
fn together(model: &Model, token: usize) -> BTreeSet<usize> {
    let index = &model.index;
    let mut known = BTreeSet::new();
    let mut left: Vec<usize> = index.mentions_of(token).iter().map(|it| it.entity).collect();
    while let Some(next) = left.pop() {
        if !known.insert(next) {
            continue;
        }
        for mention in index.occurrences(next) {
            left.extend(index.mentions_of(mention.token).iter().map(|it| it.entity));
        }
        let entity = &index.entities[next];
        if entity.kind == EntityKind::Role
            && let Some(agent) = index.entity(EntityKind::Agent, 0, &capitalised(&entity.name))
            && called_after_role(model, &index.entities[agent]).is_some()
        {
            left.push(agent);
        }
    }
    known
}

/// The name alone: without sigil and number.
fn name_range(model: &Model, mention: &Mention) -> Range<usize> {
    let word = model.words.range(mention.token);
    let sigil = sigil(model.index.entities[mention.entity].kind);
    word.start + sigil.len()..word.end - mention.digits
}

fn sigil(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::Variable => "$",
        EntityKind::Role => "%",
        EntityKind::Agent => "!",
        EntityKind::Cell => "@",
        EntityKind::Scene
        | EntityKind::Clause
        | EntityKind::Performative
        | EntityKind::Procedure
        | EntityKind::Property
        | EntityKind::Cost
        | EntityKind::Measure
        | EntityKind::Constant => "",
    }
}

fn is_name(new: &str) -> Result<(), String> {
    let letters = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if !new.starts_with(|first: char| first.is_ascii_alphabetic()) || !new.chars().all(letters) {
        return Err(format!("`{new}` is not a name: write a letter, then letters, digits and `_`"));
    }
    let reserved = ["agent", "then", "or", "par", "waitfor", "timeout", "skip", "fail"];
    match reserved.contains(&new) {
        true => Err(format!("`{new}` is a reserved word")),
        false => Ok(()),
    }
}

/// Whether an entity can be called `new` without becoming one with another that is called so.
fn is_free(model: &Model, renamed: &BTreeSet<usize>, entity: &Entity, new: &str) -> Result<(), String> {
    let taken = |kind: EntityKind, scope: usize, name: &str| {
        let other = model.index.entity(kind, scope, name).filter(|other| !renamed.contains(other));
        other.map_or(Ok(()), |_| Err(format!("There is already {} `{}{name}`", words(kind), sigil(kind))))
    };
    match entity.kind {
        EntityKind::Constant => {
            let mut mentions = entity.mentions.iter().map(|&it| model.index.mentions[it].token);
            let in_property = mentions.any(|token| {
                let item = model.words.item_of(token).map(|item| model.words.items[item].kind);
                matches!(item, Some(ItemKind::Property | ItemKind::Cost | ItemKind::Measure))
            });
            if is_body_word(new) || (in_property && is_formula_word(new)) {
                return Err(format!("`{new}` is a word of procedures or properties"));
            }
            taken(EntityKind::Constant, 0, new)
        }
        EntityKind::Agent if mentions_role(model, renamed) => taken(EntityKind::Agent, 0, &capitalised(new)),
        EntityKind::Clause => {
            let of_name = |it: &&Entity| it.kind == EntityKind::Clause && it.name == new;
            let mut others = model.index.entities.iter().filter(of_name);
            let in_property = |other: &Entity| {
                let mut mentions = other.mentions.iter().map(|&it| &model.index.mentions[it]);
                mentions.any(|mention| model.scene_of(mention.token).is_none())
            };
            match others.any(in_property) {
                true => Err(format!("A property already speaks of a clause `{new}`")),
                false => taken(EntityKind::Clause, entity.scope, new),
            }
        }
        // `--collect NAME` means either.
        EntityKind::Cost => taken(EntityKind::Cost, 0, new).and(taken(EntityKind::Measure, 0, new)),
        EntityKind::Measure => taken(EntityKind::Measure, 0, new).and(taken(EntityKind::Cost, 0, new)),
        kind => taken(kind, entity.scope, new),
    }
}

fn words(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::Scene => "a scene",
        EntityKind::Role => "a role",
        EntityKind::Agent => "an agent",
        EntityKind::Clause => "a clause",
        EntityKind::Performative => "a message",
        EntityKind::Procedure => "a procedure",
        EntityKind::Cell => "a cell",
        EntityKind::Variable => "a variable",
        EntityKind::Property => "a property",
        EntityKind::Cost => "a cost",
        EntityKind::Measure => "a measure",
        EntityKind::Constant => "a constant",
    }
}

/// Where a name stands in the `//@` lines of a case: `--agents NAME=2`, `--rounds NAME=2`, `--scene NAME`, `property
/// NAME`.
fn flags(model: &Model, kind: EntityKind, name: &str) -> Vec<Range<usize>> {
    let words: &[&str] = match kind {
        EntityKind::Role | EntityKind::Agent => &["--agents"],
        EntityKind::Clause => &["--rounds"],
        EntityKind::Scene => &["--scene"],
        EntityKind::Property => &["property"],
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for comment in model.words.comments.iter().filter(|it| model.text()[(*it).clone()].starts_with("//@")) {
        let text = &model.text()[comment.clone()];
        let mut at = 0;
        let mut before = "";
        for word in text.split([' ', ',']) {
            let value = word.split('=').next().unwrap_or_default();
            if words.contains(&before) && value == name {
                found.push(comment.start + at..comment.start + at + value.len());
            }
            at += word.len();
            // Further values of one flag follow a comma.
            if !text[at..].starts_with(',') {
                before = word.trim_start_matches("//@");
            }
            at += 1;
        }
    }
    found
}

/// Refuses a change after which a correct text has errors: a name that is taken in a way that no table shows.
fn means_the_same(model: &Model, edits: &[Edit]) -> Result<(), String> {
    if !model.is_correct() {
        return Ok(());
    }
    let error = first_error(applied(model.text(), edits));
    error.map_or(Ok(()), |error| Err(format!("The text would have an error: {}", error.text)))
}

/// A text with changes, which are in source order.
fn applied(text: &str, edits: &[Edit]) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        changed.push_str(&text[at..edit.range.start]);
        changed.push_str(&edit.text);
        at = edit.range.end;
    }
    changed.push_str(&text[at..]);
    changed
}

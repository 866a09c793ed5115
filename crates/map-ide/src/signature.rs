//! The parameters of what is being written.

use std::ops::Range;

use crate::answers::Signature;
use crate::docs;
use crate::index::{Site, SiteKind};
use crate::model::Model;

/// The message, ask or call whose parentheses are around an offset.
pub(crate) fn signature(model: &Model, at: usize) -> Option<Signature> {
    let site = &model.index.sites[model.index.site_around(&model.words, at)?];
    let active = active(model, site, at);
    let (name, parameters, about) = match site.kind {
        SiteKind::Call => called(model, site, active)?,
        SiteKind::Send | SiteKind::Receive | SiteKind::Event => message(model, site, active)?,
        SiteKind::Ask | SiteKind::Bare => asked(model, site).or_else(|| message(model, site, active))?,
    };
    let mut label = format!("{name}(");
    let mut ranges = Vec::new();
    for (number, parameter) in parameters.iter().enumerate() {
        if number > 0 {
            label.push_str(", ");
        }
        ranges.push(label.len()..label.len() + parameter.len());
        label.push_str(parameter);
    }
    label.push(')');
    Some(Signature { label, parameters: ranges, active, documentation: about })
}

/// The number of the argument that an offset is in.
fn active(model: &Model, site: &Site, at: usize) -> usize {
    let ends = site.arguments.iter().filter(|argument| {
        // An argument is over behind its comma.
        let comma = model.words.range(argument.end);
        model.words.kind(argument.end) == Some(map_syntax::TokenKind::Comma) && comma.end <= at
    });
    ends.count()
}

type Shape = (String, Vec<String>, Option<String>);

fn texts(model: &Model, terms: &[Range<usize>]) -> Vec<String> {
    terms.iter().map(|term| model.text()[model.words.extent(term)].to_owned()).collect()
}

/// A declared procedure.
fn asked(model: &Model, site: &Site) -> Option<Shape> {
    let name = model.word(site.name?);
    let declared = model.index.declaration(model.text(), &model.words, name)?;
    let about = docs::above(model, model.words.range(declared.tokens.start).start);
    Some((name.to_owned(), texts(model, &declared.parameters), about))
}

/// A message, or a procedure that is not declared, as it is written elsewhere: with at least so many arguments, and by
/// preference with variables.
fn message(model: &Model, site: &Site, active: usize) -> Option<Shape> {
    let name = model.word(site.name?);
    let others = model.index.sites.iter().filter(|other| {
        other.open != site.open
            && other.arguments.len() > active
            && other.name.is_some_and(|it| model.word(it) == name)
    });
    let variables = |other: &&Site| {
        other.arguments.iter().filter(|it| model.text()[model.words.extent(it)].starts_with('$')).count()
    };
    let best = others.max_by_key(|other| (variables(other), usize::MAX - other.open));
    let arguments = best.map(|best| texts(model, &best.arguments))?;
    Some((name.to_owned(), arguments, None))
}

/// A clause of the part, the first that fits what is written.
fn called(model: &Model, site: &Site, active: usize) -> Option<Shape> {
    let index = &model.index;
    let part = &index.parts[model.part_of(site)?];
    let first = site.arguments.first().map(|first| &model.text()[model.words.extent(first)]);
    let clauses = || part.clauses.iter().map(|&clause| &index.clauses[clause]);
    let fits = clauses().filter(|clause| clause.parameters.len() > active);
    let named = |name: Option<usize>| name.map(|name| model.word(name)) == first;
    let mut fits: Vec<_> = fits.collect();
    // The one with the name that is written, and of these the shortest with room for all that is written.
    fits.sort_by_key(|clause| {
        (!named(clause.name), clause.parameters.len() < site.arguments.len(), clause.parameters.len())
    });
    let clause = fits.first()?;
    let about = docs::above(model, model.words.range(clause.tokens.start).start);
    Some(("agent".to_owned(), texts(model, &clause.parameters), about))
}

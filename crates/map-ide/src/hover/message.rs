//! What is shown about messages: who sends and who receives them.

use std::fmt::Write as _;

use super::{code_block, list};
use crate::cast::meant;
use crate::docs;
use crate::index::{Site, SiteKind};
use crate::model::Model;

/// A message: where it is sent and received, with the roles on both sides.
pub(super) fn about(model: &Model, token: usize) -> String {
    let name = model.word(token);
    let scene = model.scene_of(token);
    let here = |site: &&Site| {
        site.name.is_some_and(|it| model.word(it) == name)
            && (scene.is_none() || site.name.and_then(|it| model.scene_of(it)) == scene)
    };
    let lines = |kind: SiteKind| -> Vec<String> {
        let mut lines = Vec::new();
        for site in model.index.sites.iter().filter(|it| it.kind == kind).filter(here) {
            let line = line(model, site);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    };
    let site = model.index.sites.iter().find(|it| it.name == Some(token));
    let shown = site.map_or(name, |site| {
        let end = site.close.map_or(site.open, |close| close + 1);
        &model.text()[model.words.extent(&(token..end))]
    });
    let mut text = code_block(shown);
    let (sends, receives) = (lines(SiteKind::Send), lines(SiteKind::Receive));
    match sends.is_empty() {
        true => text.push_str("\nNobody sends it.\n"),
        false => _ = write!(text, "\nSent by\n\n{}", list(&sends)),
    }
    match receives.is_empty() {
        true => text.push_str("\nNobody receives it.\n"),
        false => _ = write!(text, "\nReceived by\n\n{}", list(&receives)),
    }
    if let Some(site) = site
        && let Some(comment) = docs::above(model, model.words.extent(&site.tokens).start)
    {
        let _ = write!(text, "\n---\n\n{comment}\n");
    }
    text
}

/// Who sends or receives, in which clause, to or from whom.
fn line(model: &Model, site: &Site) -> String {
    let clause = site.clause.map(|clause| &model.index.clauses[clause].head);
    let head = clause.map_or("", |head| &model.text()[model.words.extent(head)]);
    let role = model.part_of(site).map(|part| model.index.parts[part].title()).unwrap_or_default();
    let address = site.address.as_ref().map(|it| &model.text()[model.words.extent(&it.tokens)]);
    let preposition = if site.kind == SiteKind::Send { "to" } else { "from" };
    let whom = address.map(|address| format!(" {preposition} `{address}`")).unwrap_or_default();
    format!("`{role}`{whom}, in `{head}`")
}

/// The address behind an arrow that begins at a token: whom it means.
pub(super) fn address(model: &Model, token: usize) -> Option<String> {
    let begins_here = |site: &&Site| site.address.as_ref().is_some_and(|it| it.tokens.start == token);
    let site = model.index.sites.iter().find(begins_here)?;
    let address = site.address.as_ref()?;
    let own = model.part_of(site)?;
    let parts = meant(model.text(), &model.words, &model.index, own, address);
    let mut text = code_block(&model.text()[model.words.extent(&address.tokens)]);
    let agents: Vec<String> = parts
        .iter()
        .map(|&part| {
            let names = model.cast.names(&model.index, part);
            let more = if model.cast.count(part) > names.len() { ", .." } else { "" };
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("{}{more} of `%{}`", names.join(", "), model.index.parts[part].role)
        })
        .collect();
    let what = if site.kind == SiteKind::Send { "May mean" } else { "May come from" };
    match agents.is_empty() {
        true => text.push_str("\nThe scene has no such agent.\n"),
        false => _ = write!(text, "\n{what}, the agent itself excepted:\n\n{}", list(&agents)),
    }
    Some(text)
}

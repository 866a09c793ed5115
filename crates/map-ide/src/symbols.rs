//! The outline of a file, and what can be run in it.

use std::ops::Range;

use map_syntax::{ItemKind, TokenKind as Kind};

use crate::answers::{Lens, Symbol, SymbolKind};
use crate::model::Model;

/// The items of the file, scenes with their clauses, memories with their cells.
pub(crate) fn symbols(model: &Model) -> Vec<Symbol> {
    let items = model.words.items.iter();
    let mut scenes = model.index.scenes.iter();
    items
        .filter_map(|item| match item.kind {
            ItemKind::Scene => scenes.next().map(|scene| self::scene(model, scene)),
            ItemKind::Cast => cast(model, &item.tokens),
            ItemKind::Memory => memory(model, &item.tokens),
            ItemKind::Procedure => procedure(model, &item.tokens),
            ItemKind::Property | ItemKind::Cost | ItemKind::Measure => {
                named(model, &item.tokens, SymbolKind::Property, String::new())
            }
            ItemKind::Truth => named(model, &item.tokens, SymbolKind::Property, "truth".to_owned()),
            ItemKind::Other => None,
        })
        .collect()
}

/// The scenes and properties.
pub(crate) fn lenses(model: &Model) -> Vec<Lens> {
    let name = |token: usize| Some(model.word(token).to_owned());
    let scenes = model.index.scenes.iter().filter_map(|scene| scene.name);
    let scenes =
        scenes.map(|token| Lens { range: model.words.range(token), scene: name(token), property: None });
    let properties = model.words.items.iter().filter(|item| item.kind == ItemKind::Property);
    let properties =
        properties.filter_map(|item| named(model, &item.tokens, SymbolKind::Property, String::new()));
    let properties = properties.map(|it| Lens { range: it.name_range, scene: None, property: Some(it.name) });
    let mut lenses: Vec<Lens> = scenes.chain(properties).collect();
    lenses.sort_by_key(|lens| lens.range.start);
    lenses
}

fn scene(model: &Model, scene: &crate::index::Scene) -> Symbol {
    let range = model.words.extent(&scene.tokens);
    let children = scene.clauses.clone().filter_map(|clause| {
        let clause = &model.index.clauses[clause];
        if clause.head.is_empty() {
            return None;
        }
        let name_range = model.words.extent(&clause.head);
        Some(Symbol {
            name: on_one_line(&model.text()[name_range.clone()]),
            detail: String::new(),
            kind: SymbolKind::Clause,
            range: model.words.extent(&clause.tokens),
            name_range,
            children: Vec::new(),
        })
    });
    Symbol {
        name: scene.name.map_or_else(|| "[ .. ]".to_owned(), |name| model.word(name).to_owned()),
        detail: String::new(),
        kind: SymbolKind::Scene,
        name_range: model.words.range(scene.name.unwrap_or(scene.tokens.start)),
        children: children.collect(),
        range,
    }
}

/// An item whose second word is its name.
fn named(model: &Model, tokens: &Range<usize>, kind: SymbolKind, detail: String) -> Option<Symbol> {
    let name = Some(tokens.start + 1).filter(|name| tokens.contains(name))?;
    let is_name = matches!(model.words.kind(name)?, Kind::Name | Kind::Role | Kind::AgentName);
    is_name.then(|| Symbol {
        name: model.word(name).to_owned(),
        detail,
        kind,
        range: model.words.extent(tokens),
        name_range: model.words.range(name),
        children: Vec::new(),
    })
}

fn cast(model: &Model, tokens: &Range<usize>) -> Option<Symbol> {
    let last = tokens.end - 1;
    let count = (model.words.kind(last) == Some(Kind::Integer)).then(|| format!("= {}", model.word(last)));
    named(model, tokens, SymbolKind::Cast, count.unwrap_or_default())
}

fn procedure(model: &Model, tokens: &Range<usize>) -> Option<Symbol> {
    let kind = match model.word(tokens.start) {
        "decision" => SymbolKind::Decision,
        _ => SymbolKind::Procedure,
    };
    let declared = model.index.declarations.iter().find(|it| it.tokens.start == tokens.start);
    let parameters = declared.map(|it| {
        let shown: Vec<&str> =
            it.parameters.iter().map(|parameter| &model.text()[model.words.extent(parameter)]).collect();
        format!("({})", shown.join(", "))
    });
    named(model, tokens, kind, parameters.unwrap_or_default())
}

fn memory(model: &Model, tokens: &Range<usize>) -> Option<Symbol> {
    let mut symbol = named(model, tokens, SymbolKind::Memory, String::new())?;
    let declares = |&token: &usize| {
        model.words.kind(token) == Some(Kind::Cell)
            && matches!(model.words.kind(token - 1), Some(Kind::OpenBrace | Kind::Comma))
    };
    for cell in tokens.clone().skip(1).filter(declares) {
        let range = model.words.extent(&(cell..end_of_cell(model, cell, tokens.end)));
        symbol.children.push(Symbol {
            name: model.word(cell).to_owned(),
            detail: on_one_line(&model.text()[model.words.range(cell).end..range.end]),
            kind: SymbolKind::Cell,
            name_range: model.words.range(cell),
            range,
            children: Vec::new(),
        });
    }
    Some(symbol)
}

/// Where a cell of a memory ends: at a comma or a brace, unless they belong to its domain.
fn end_of_cell(model: &Model, cell: usize, end: usize) -> usize {
    let mut depth = 0_usize;
    for token in cell + 1..end {
        match model.words.kind(token) {
            Some(Kind::OpenBrace) => depth += 1,
            Some(Kind::CloseBrace) if depth > 0 => depth -= 1,
            Some(Kind::CloseBrace | Kind::Comma) if depth == 0 => return token,
            _ => {}
        }
    }
    end
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

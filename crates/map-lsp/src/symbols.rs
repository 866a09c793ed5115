//! The outline of a text, and the search for names in all open texts.

use ls_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, OneOf, SymbolInformation, WorkspaceSymbol,
    WorkspaceSymbolResponse,
};
use map_ide::Symbol;

use crate::kinds;
use crate::snapshot::Snapshot;

pub(crate) fn document_symbols(
    snapshot: &Snapshot,
    _: &DocumentSymbolParams,
) -> Result<Option<DocumentSymbolResponse>, String> {
    let symbols = snapshot.analysis().symbols();
    if snapshot.client.nested_symbols {
        let nested = symbols.iter().map(|it| nested(snapshot, it)).collect();
        return Ok(Some(DocumentSymbolResponse::Nested(nested)));
    }
    let mut all = Vec::new();
    flat(&symbols, None, &mut |symbol, container| all.push(information(snapshot, symbol, container)));
    Ok(Some(DocumentSymbolResponse::Flat(all)))
}

#[expect(deprecated, reason = "the type has a deprecated field, which has to be given")]
fn nested(snapshot: &Snapshot, symbol: &Symbol) -> DocumentSymbol {
    let children: Vec<_> = symbol.children.iter().map(|it| nested(snapshot, it)).collect();
    DocumentSymbol {
        name: symbol.name.clone(),
        detail: Some(symbol.detail.clone()).filter(|it| !it.is_empty()),
        kind: kinds::symbol(symbol.kind),
        tags: None,
        deprecated: None,
        range: snapshot.range(&symbol.range),
        selection_range: snapshot.range(&symbol.name_range),
        children: if children.is_empty() { None } else { Some(children) },
    }
}

/// For clients that know no trees.
#[expect(deprecated, reason = "the type has a deprecated field, which has to be given")]
fn information(snapshot: &Snapshot, symbol: &Symbol, container: Option<&str>) -> SymbolInformation {
    SymbolInformation {
        name: symbol.name.clone(),
        kind: kinds::symbol(symbol.kind),
        tags: None,
        deprecated: None,
        location: snapshot.location(&symbol.range),
        container_name: container.map(str::to_owned),
    }
}

/// Calls `each` with every symbol and the name of what contains it.
fn flat<'s>(
    symbols: &'s [Symbol],
    container: Option<&'s str>,
    each: &mut dyn FnMut(&'s Symbol, Option<&'s str>),
) {
    for symbol in symbols {
        each(symbol, container);
        flat(&symbol.children, Some(&symbol.name), each);
    }
}

/// The symbols of all texts whose names contain the letters of a query in order.
pub(crate) fn workspace_symbols(snapshots: &[Snapshot], query: &str) -> WorkspaceSymbolResponse {
    let mut found = Vec::new();
    for snapshot in snapshots {
        let symbols = snapshot.analysis().symbols();
        flat(&symbols, None, &mut |symbol, container| {
            if matches(&symbol.name, query) {
                found.push(WorkspaceSymbol {
                    name: symbol.name.clone(),
                    kind: kinds::symbol(symbol.kind),
                    tags: None,
                    container_name: container.map(str::to_owned),
                    location: OneOf::Left(snapshot.location(&symbol.name_range)),
                    data: None,
                });
            }
        });
    }
    WorkspaceSymbolResponse::Nested(found)
}

fn matches(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    let mut wanted = query.chars().filter(|it| !it.is_whitespace()).flat_map(char::to_lowercase);
    wanted.all(|letter| letters.any(|it| it == letter))
}

//! Kinds of things in the protocol's terms.

use ls_types::{CompletionItemKind, DocumentHighlightKind, FoldingRangeKind, SymbolKind};
use map_ide::{CompletionKind, FoldKind, OccurrenceKind};

pub(crate) const fn highlight(kind: OccurrenceKind) -> DocumentHighlightKind {
    match kind {
        OccurrenceKind::Declaration => DocumentHighlightKind::TEXT,
        OccurrenceKind::Read => DocumentHighlightKind::READ,
        OccurrenceKind::Write => DocumentHighlightKind::WRITE,
    }
}

pub(crate) const fn completion(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Send | CompletionKind::Receive => CompletionItemKind::EVENT,
        CompletionKind::Procedure => CompletionItemKind::FUNCTION,
        CompletionKind::Clause => CompletionItemKind::METHOD,
        CompletionKind::Address => CompletionItemKind::REFERENCE,
        CompletionKind::Agent => CompletionItemKind::MODULE,
        CompletionKind::Role => CompletionItemKind::CLASS,
        CompletionKind::Variable => CompletionItemKind::VARIABLE,
        CompletionKind::Cell => CompletionItemKind::FIELD,
        CompletionKind::Constant => CompletionItemKind::CONSTANT,
        CompletionKind::Code => CompletionItemKind::VALUE,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
    }
}

pub(crate) const fn fold(kind: FoldKind) -> Option<FoldingRangeKind> {
    match kind {
        FoldKind::Code => None,
        FoldKind::Comment => Some(FoldingRangeKind::Comment),
    }
}

pub(crate) const fn symbol(kind: map_ide::SymbolKind) -> SymbolKind {
    match kind {
        map_ide::SymbolKind::Scene => SymbolKind::NAMESPACE,
        map_ide::SymbolKind::Clause => SymbolKind::METHOD,
        map_ide::SymbolKind::Procedure | map_ide::SymbolKind::Decision => SymbolKind::FUNCTION,
        map_ide::SymbolKind::Memory => SymbolKind::STRUCT,
        map_ide::SymbolKind::Cell => SymbolKind::FIELD,
        map_ide::SymbolKind::Cast => SymbolKind::CLASS,
        map_ide::SymbolKind::Property => SymbolKind::PROPERTY,
    }
}

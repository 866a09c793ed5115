//! Finds where items and clauses begin, from tokens alone, so that it works even in a text full of mistakes.
//!
//! In a correct text these functions find exactly the items and clauses of the grammar.

mod bodies;

use super::token::{Kind, Token};

pub(crate) use bodies::item_limit;

/// The keyword of an item other than a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemWord {
    Cast,
    Memory,
    Procedure,
    Decision,
    Property,
    Cost,
    Measure,
    Truth,
}

/// The extent of a scene's content.
pub(crate) struct Extent {
    /// Index of the closing bracket or, if it is missing, of the first token after the scene.
    pub(crate) end: usize,
    /// Whether there is a closing bracket.
    pub(crate) closed: bool,
}

/// Whether an item begins at a token outside all scenes.
pub(crate) fn starts_item(source: &str, tokens: &[Token], at: usize) -> bool {
    starts_scene(tokens, at) || item_word(source, tokens, at).is_some()
}

/// Whether a scene, `NAME [`, begins at a token.
pub(crate) fn starts_scene(tokens: &[Token], at: usize) -> bool {
    let kind = |index: usize| tokens.get(index).map(|token| token.kind);
    let nameable = |kind: Kind| {
        kind.is_reserved()
            || matches!(kind, Kind::Name | Kind::Variable | Kind::AgentName | Kind::Role | Kind::Text)
    };
    if kind(at + 1) != Some(Kind::OpenBracket) || !kind(at).is_some_and(nameable) {
        return false;
    }
    let before = at.checked_sub(1).and_then(kind);
    let may_begin = match before {
        None | Some(Kind::CloseBracket | Kind::CloseBrace | Kind::Integer) => true,
        Some(_) => tokens[at].first_on_line && !tokens[at].kind.is_reserved(),
    };
    may_begin || kind(at + 2) == Some(Kind::Agent)
}

/// The keyword of the item other than a scene that begins at a token outside all scenes, if one does.
pub(crate) fn item_word(source: &str, tokens: &[Token], at: usize) -> Option<ItemWord> {
    let word = keyword(source, tokens.get(at)?)?;
    let before = at.checked_sub(1).and_then(|index| tokens.get(index)).map(|token| token.kind);
    let after = tokens.get(at + 1).map(|token| token.kind);
    let alone = after != Some(Kind::OpenBracket)
        && (tokens[at].first_on_line || matches!(before, None | Some(Kind::CloseBracket | Kind::CloseBrace)));
    (alone || surely(source, word, tokens, at)).then_some(word)
}

/// Whether an item other than a scene certainly begins at a token, even inside a scene: no clause contains such a
/// sequence of tokens.
pub(crate) fn surely_starts_item(source: &str, tokens: &[Token], at: usize) -> bool {
    let word = tokens.get(at).and_then(|token| keyword(source, token));
    word.is_some_and(|word| surely(source, word, tokens, at))
}

fn surely(source: &str, word: ItemWord, tokens: &[Token], at: usize) -> bool {
    let kind = |ahead: usize| tokens.get(at + ahead).map(|token| token.kind);
    match word {
        ItemWord::Cast => matches!(kind(1), Some(Kind::Role | Kind::AgentName)),
        ItemWord::Memory => kind(1) == Some(Kind::Role),
        ItemWord::Procedure | ItemWord::Decision | ItemWord::Truth => {
            kind(1) == Some(Kind::Name) && kind(2) == Some(Kind::OpenParen)
        }
        ItemWord::Property => kind(1) == Some(Kind::Name) && kind(2) == Some(Kind::Symbol),
        ItemWord::Cost => kind(1) == Some(Kind::Name) && kind(2) == Some(Kind::OpenBrace),
        ItemWord::Measure => {
            let of = || tokens[at + 2].text(source) == "of" && kind(3) == Some(Kind::Variable);
            kind(1) == Some(Kind::Name)
                && (kind(2) == Some(Kind::Equals) || kind(2) == Some(Kind::Name) && of())
        }
    }
}

fn keyword(source: &str, token: &Token) -> Option<ItemWord> {
    if token.kind != Kind::Name {
        return None;
    }
    match token.text(source) {
        "cast" => Some(ItemWord::Cast),
        "memory" => Some(ItemWord::Memory),
        "procedure" => Some(ItemWord::Procedure),
        "decision" => Some(ItemWord::Decision),
        "property" => Some(ItemWord::Property),
        "cost" => Some(ItemWord::Cost),
        "measure" => Some(ItemWord::Measure),
        "truth" => Some(ItemWord::Truth),
        _ => None,
    }
}

/// The token behind which clauses follow a name at `at` that no `[` follows, if the author seems to have meant a scene.
pub(crate) fn clauses_without_bracket(tokens: &[Token], at: usize) -> Option<usize> {
    let kind = |ahead: usize| tokens.get(at + ahead).map(|token| token.kind);
    match (kind(0)?, kind(1)?, kind(2)) {
        (Kind::Name, Kind::Agent, _) => Some(at),
        // Clauses after a `(` would cause a second error about the `)` at their end.
        (Kind::Name, Kind::OpenBrace, Some(Kind::Agent)) => Some(at + 1),
        _ => None,
    }
}

/// The extent of the scene whose opening bracket is at `open`: up to its closing bracket or, if there is none, to
/// the next item or the end.
///
/// Only a scene with a name and a `[` may contain other items (by mistake). Its search for the end stops before the
/// next such scene, so no text is searched twice.
pub(crate) fn scene_extent(source: &str, tokens: &[Token], open: usize) -> Extent {
    let mut lists = 0_usize;
    let mut first_item = None;
    let proper = open.checked_sub(1).is_some_and(|name| starts_scene(tokens, name));
    let braces = tokens.get(open).is_some_and(|token| token.kind == Kind::OpenBrace);
    let mut end = open + 1;
    while let Some(token) = tokens.get(end) {
        match token.kind {
            Kind::CloseBracket if lists == 0 => return Extent { end, closed: true },
            Kind::CloseBracket => lists -= 1,
            Kind::CloseBrace if braces && lists == 0 => return Extent { end, closed: true },
            _ if starts_scene(tokens, end) => break,
            _ if !proper && surely_starts_item(source, tokens, end) => break,
            // A list as in other languages, which is reported with its clause.
            Kind::OpenBracket => lists += 1,
            _ if first_item.is_none() && surely_starts_item(source, tokens, end) => first_item = Some(end),
            _ => {}
        }
        end += 1;
    }
    Extent { end: first_item.unwrap_or(end), closed: false }
}

/// Whether a clause begins at a token inside a scene.
///
/// Calls and addresses begin like clauses, so a clause head must be followed by `=`, or stand at the start of a
/// line where an operation has just ended.
pub(crate) fn starts_clause(source: &str, tokens: &[Token], at: usize) -> bool {
    if tokens[at].kind != Kind::Agent {
        return false;
    }
    let mut end = at + 1;
    if tokens.get(end).is_none_or(|token| token.kind != Kind::OpenParen) {
        return false;
    }
    end += 1;
    while tokens.get(end).is_some_and(|token| token.kind.is_term() || token.kind == Kind::Comma) {
        end += 1;
    }
    let kind = |index: usize| tokens.get(index).map(|token| token.kind);
    let equals = match kind(end) {
        Some(Kind::CloseParen) => kind(end + 1),
        other => other,
    };
    let before = at.checked_sub(1).and_then(kind);
    let looks_like_head = matches!(kind(at + 2), Some(Kind::AgentName | Kind::Variable | Kind::Name))
        && kind(at + 3) == Some(Kind::Comma)
        && matches!(kind(at + 4), Some(Kind::Role | Kind::Name));
    let is_definition = equals == Some(Kind::Equals)
        || (kind(end) == Some(Kind::CloseParen) && is_other_definition(source, tokens, end + 1));
    match before {
        None | Some(Kind::OpenBracket | Kind::OpenBrace | Kind::CloseBracket) => true,
        Some(before) if tokens[at].first_on_line => {
            is_definition || (looks_like_head && before.ends_operation() && ends_unit(tokens, at))
        }
        Some(Kind::SendArrow | Kind::ReceiveArrow) => false,
        Some(_) => is_definition,
    }
}

/// Whether an operation is complete before `at`, as opposed to a message that lacks its arrow.
fn ends_unit(tokens: &[Token], at: usize) -> bool {
    if tokens[at - 1].kind != Kind::CloseParen {
        return true;
    }
    let mut open = at - 1;
    while open > 0 && (tokens[open - 1].kind.is_term() || tokens[open - 1].kind == Kind::Comma) {
        open -= 1;
    }
    let Some(open) = open.checked_sub(1).filter(|&open| tokens[open].kind == Kind::OpenParen) else {
        return true;
    };
    let Some(performative) = open.checked_sub(1) else { return true };
    let asks = performative.checked_sub(1).is_some_and(|index| tokens[index].kind == Kind::Equals);
    tokens[performative].kind != Kind::Name || asks
}

/// Whether a token that other languages use for definitions stands in place of `=`.
fn is_other_definition(source: &str, tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| matches!(token.text(source), ":=" | "::=" | ":" | "==" | "{"))
}

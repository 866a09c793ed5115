//! Finds where items end. The end of a cast, memory or cost is known from its tokens; a declaration may have a body.

use super::super::token::{Kind, Token};
use super::{ItemWord, starts_item, starts_scene, surely_starts_item};

/// The index after the last token of the item that begins at `at`, or (without `word`) of text that is no item. It
/// ends before the next item, and before a new line that follows a complete item.
pub(crate) fn item_limit(source: &str, tokens: &[Token], word: Option<ItemWord>, at: usize) -> usize {
    let has_expressions = matches!(
        word,
        Some(
            ItemWord::Memory
                | ItemWord::Procedure
                | ItemWord::Decision
                | ItemWord::Property
                | ItemWord::Measure
                | ItemWord::Truth
        )
    );
    let mut limit = at + 1;
    while limit < tokens.len() {
        // `memory` on a line of its own may be a constant.
        let surely = !has_expressions
            || starts_scene(tokens, limit) && !is_list(source, tokens, limit)
            || surely_starts_item(source, tokens, limit)
            || !wants_operand(source, tokens, limit);
        if surely
            && !(has_expressions && is_list(source, tokens, limit))
            && starts_item(source, tokens, limit)
        {
            break;
        }
        limit += 1;
    }
    let item = &tokens[at..limit];
    let complete = match word {
        Some(ItemWord::Cast) => 3,
        Some(ItemWord::Memory | ItemWord::Cost) => first(item, Kind::CloseBrace).unwrap_or(limit),
        Some(ItemWord::Procedure | ItemWord::Decision) if !has_body(source, item) => {
            first(item, Kind::CloseParen).unwrap_or(limit)
        }
        _ => limit,
    };
    match item.get(complete + 1) {
        Some(next) if next.first_on_line => at + complete + 1,
        _ => limit,
    }
}

/// Whether a `procedure` or `decision` seems to have a body, perhaps one with a mistake.
fn has_body(source: &str, item: &[Token]) -> bool {
    let Some(close) = first(item, Kind::CloseParen) else { return false };
    let Some(body) = item.get(close + 1) else { return false };
    match body.kind {
        Kind::Name => matches!(
            body.text(source),
            "in" | "fresh"
                | "if"
                | "not"
                | "min"
                | "max"
                | "self"
                | "with"
                | "when"
                | "return"
                | "else"
                | "case"
        ),
        Kind::CloseParen | Kind::CloseBrace | Kind::CloseBracket | Kind::OpenBracket | Kind::Bad => false,
        kind => !kind.is_reserved(),
    }
}

/// Whether `in [` begins a list in place of a domain, rather than a scene called `in`.
fn is_list(source: &str, tokens: &[Token], at: usize) -> bool {
    tokens[at].text(source) == "in" && tokens.get(at + 2).is_some_and(|token| token.kind != Kind::Agent)
}

/// Whether the token before `at` must be followed by an operand, so that no item begins here.
fn wants_operand(source: &str, tokens: &[Token], at: usize) -> bool {
    let Some(&before) = at.checked_sub(1).and_then(|index| tokens.get(index)) else { return false };
    match before.kind {
        Kind::Name => matches!(
            before.text(source),
            "in" | "with"
                | "and"
                | "not"
                | "mod"
                | "min"
                | "max"
                | "if"
                | "else"
                | "asks"
                | "answers"
                | "sends"
                | "receives"
                | "implies"
        ),
        Kind::Then
        | Kind::Or
        | Kind::OpenParen
        | Kind::OpenBrace
        | Kind::Comma
        | Kind::Equals
        | Kind::SendArrow
        | Kind::ReceiveArrow
        | Kind::Symbol => true,
        _ => false,
    }
}

/// Index of the first token of a kind.
fn first(item: &[Token], kind: Kind) -> Option<usize> {
    item.iter().position(|token| token.kind == kind)
}

//! The limit on nesting, checked on tokens before any recursive code sees them.

pub(crate) mod bodies;
pub(crate) mod formulas;

use map_diagnostics::{Code, Diagnostic, Span};

use crate::MAX_NESTING;
use crate::split::{self, ItemWord};
use crate::token::{Kind, Token};
use crate::unit::Unit;

/// A construct that is open at a token.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    /// `(` around an operation.
    Group,
    /// `(` around terms, or in the expressions among them, whose levels are counted on their own.
    Terms,
    /// `waitfor`, up to its `timeout`.
    Wait,
    /// `timeout`, up to the end of its unit.
    Timeout,
}

/// Whether any clause or item nests too deeply.
pub(crate) fn any_too_deep(source: &str, tokens: &[Token]) -> bool {
    let mut start = 0;
    for end in 1..=tokens.len() {
        let boundary = end == tokens.len()
            || split::starts_clause(source, tokens, end)
            || split::surely_starts_item(source, tokens, end);
        if boundary {
            let unit = &tokens[start..end];
            let found = match split::surely_starts_item(source, tokens, start) {
                true if split::item_word(source, tokens, start) == Some(ItemWord::Property) => {
                    formulas::too_deep(source, unit).is_some()
                }
                true => bodies::too_deep(source, unit).is_some(),
                false => too_deep(source, unit).is_some(),
            };
            if found {
                return true;
            }
            start = end;
        }
    }
    false
}

/// The diagnostic about an item that nests too deeply.
pub(crate) fn item_too_deep(source: &str, unit: Unit, tokens: &[Token]) -> Option<Diagnostic> {
    match unit {
        Unit::Property | Unit::Formula => formulas::too_deep(source, tokens).map(formulas::diagnostic),
        _ => bodies::too_deep(source, tokens).map(bodies::diagnostic),
    }
}

/// The diagnostic about a clause that nests too deeply, at the first token that opens a level beyond the limit.
pub(crate) fn too_deep(source: &str, tokens: &[Token]) -> Option<Diagnostic> {
    let mut open = Vec::new();
    let mut levels = 0;
    let mut previous = None;
    for (index, token) in tokens.iter().enumerate() {
        let level = match token.kind {
            Kind::OpenParen if matches!(previous, Some(Kind::Agent | Kind::Name)) => {
                if !open.contains(&Open::Terms) {
                    let arguments = &tokens[index + 1..closing(tokens, index)];
                    if let Some(span) = bodies::deeper(source, arguments, levels) {
                        return Some(bodies::diagnostic(span));
                    }
                }
                Some(Open::Terms)
            }
            Kind::OpenParen if open.last() == Some(&Open::Terms) => Some(Open::Terms),
            Kind::OpenParen => Some(Open::Group),
            Kind::Waitfor => Some(Open::Wait),
            Kind::Timeout => {
                close_timeouts(&mut open, &mut levels);
                if open.last() == Some(&Open::Wait) {
                    open.pop();
                    levels -= 1;
                    Some(Open::Timeout)
                } else {
                    None
                }
            }
            Kind::Then | Kind::Or | Kind::Par => {
                close_timeouts(&mut open, &mut levels);
                None
            }
            Kind::CloseParen => {
                while let Some(closed) = open.pop() {
                    levels -= usize::from(closed != Open::Terms);
                    if matches!(closed, Open::Group | Open::Terms) {
                        break;
                    }
                }
                None
            }
            _ => None,
        };
        if let Some(level) = level {
            levels += usize::from(level != Open::Terms);
            if levels > MAX_NESTING {
                return Some(diagnostic(token.span));
            }
            open.push(level);
        }
        previous = Some(token.kind);
    }
    None
}

/// The index of the token that closes the parenthesis at `open`; the end if there is none.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::OpenParen => depth += 1,
            Kind::CloseParen if depth == 1 => return index,
            Kind::CloseParen => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The diagnostic about a token that opens a level beyond the limit.
fn diagnostic(span: Span) -> Diagnostic {
    let text = format!("operations are nested more than {MAX_NESTING} levels deep");
    Diagnostic::new(Code::NestingTooDeep, span, text, "this opens a level too many")
        .with_help("move an inner operation into a clause of its own and call that with `agent(..)`")
}

/// Closes every innermost `timeout`: its unit ends where the enclosing chain continues.
fn close_timeouts(open: &mut Vec<Open>, levels: &mut usize) {
    while open.last() == Some(&Open::Timeout) {
        open.pop();
        *levels -= 1;
    }
}

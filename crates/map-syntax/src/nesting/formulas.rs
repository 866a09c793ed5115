//! The limit on nesting in formulas: parentheses, `count`, `total`, `not`, `before`, and the prefix operators that
//! extend as far as possible.

use map_diagnostics::{Code, Diagnostic, Span};

use crate::MAX_NESTING;
use crate::token::{Kind, Token};

/// A construct that is open at a token.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    /// `(` around a formula.
    Group,
    /// `(` around terms, which does not count as a level: terms do not nest.
    Terms,
    /// A prefix operator that extends as far as possible.
    Reach,
    /// `sequence`, up to the end of its last event.
    Sequence,
    /// `not` or `before`, up to the end of its operand.
    Not,
}

/// The first token of a property or formula that opens a level beyond the limit.
pub(crate) fn too_deep(source: &str, tokens: &[Token]) -> Option<Span> {
    let mut open: Vec<Open> = Vec::new();
    let mut levels = 0;
    let (mut before, mut before_that) = ("", "");
    for token in tokens {
        let word = token.text(source);
        let named = matches!(before, "sends" | "receives" | "asks" | "answers");
        let opened = match (token.kind, word) {
            (Kind::OpenParen, _) => {
                let terms = matches!(before, "done" | "failed" | "waiting" | "mailbox")
                    || matches!(before_that, "sends" | "receives");
                Some(if terms { Open::Terms } else { Open::Group })
            }
            (Kind::Name, _) if open.last() == Some(&Open::Terms) => None,
            (Kind::Name, "not" | "before") if !named => Some(Open::Not),
            (Kind::Name, "sequence") if before == "possible" => Some(Open::Sequence),
            (Kind::Name, "always" | "eventually" | "never" | "next" | "possible" | "forall" | "exists")
                if !named =>
            {
                Some(Open::Reach)
            }
            (Kind::CloseParen, _) => {
                while let Some(closed) = open.pop() {
                    levels -= usize::from(closed != Open::Terms);
                    if matches!(closed, Open::Group | Open::Terms) {
                        break;
                    }
                }
                None
            }
            (Kind::Or, _) | (Kind::Name, "and" | "implies" | "until" | "unless" | "precedes" | "leadsto") => {
                while open.last() == Some(&Open::Not) {
                    open.pop();
                    levels -= 1;
                }
                None
            }
            (Kind::Symbol, ";") => {
                while open.last().is_some_and(|last| matches!(last, Open::Not | Open::Reach)) {
                    open.pop();
                    levels -= 1;
                }
                None
            }
            _ => None,
        };
        if let Some(opened) = opened {
            levels += usize::from(opened != Open::Terms);
            if levels > MAX_NESTING {
                return Some(token.span);
            }
            open.push(opened);
        }
        (before_that, before) = (before, word);
    }
    None
}

/// The diagnostic about a token that opens a level beyond the limit.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    let text = format!("formulas are nested more than {MAX_NESTING} levels deep");
    Diagnostic::new(Code::NestingTooDeep, span, text, "this opens a level too many")
        .with_note(
            "parentheses, `count`, `total`, `not`, `before` and operators such as `always` each open a level",
        )
        .with_help("write several properties in place of one")
}

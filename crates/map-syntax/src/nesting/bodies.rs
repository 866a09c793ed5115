//! The limit on nesting in the bodies of procedures: parentheses (also of `min` and `max`), `if` and `not`.

use map_diagnostics::{Code, Diagnostic, Span};

use crate::MAX_NESTING;
use crate::token::{Kind, Token};

/// A construct that is open at a token.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    /// `(`.
    Group,
    /// `if`, up to its `then`.
    Condition,
    /// `then`, up to its `else`.
    Then,
    /// `else`, as far as possible.
    Else,
    /// `not`, up to the end of its operand.
    Not,
}

/// The first token of an item that opens a level beyond the limit.
pub(crate) fn too_deep(source: &str, tokens: &[Token]) -> Option<Span> {
    deeper(source, tokens, 0)
}

/// The same, for expressions in a place that is `levels` levels deep.
pub(super) fn deeper(source: &str, tokens: &[Token], levels: usize) -> Option<Span> {
    let mut open: Vec<Open> = Vec::new();
    for token in tokens {
        let opened = match (token.kind, token.text(source)) {
            (Kind::OpenParen, _) => Some(Open::Group),
            (Kind::Name, "if") => Some(Open::Condition),
            (Kind::Name, "not") => Some(Open::Not),
            (Kind::Then, _) => close_to(&mut open, Open::Condition).then_some(Open::Then),
            (Kind::Name, "else") => close_to(&mut open, Open::Then).then_some(Open::Else),
            (Kind::CloseParen, _) => {
                close_to(&mut open, Open::Group);
                None
            }
            (Kind::Or, _) | (Kind::Name, "and") => {
                while open.last() == Some(&Open::Not) {
                    open.pop();
                }
                None
            }
            (Kind::Comma, _) => {
                while open.last().is_some_and(|&last| last != Open::Group) {
                    open.pop();
                }
                None
            }
            // No expression continues after these.
            (Kind::Equals, _) | (Kind::Symbol, "|" | ":=") | (Kind::Name, "with") => {
                open.clear();
                None
            }
            _ => None,
        };
        if let Some(opened) = opened {
            if levels + open.len() >= MAX_NESTING {
                return Some(token.span);
            }
            open.push(opened);
        }
    }
    None
}

/// The diagnostic about a token that opens a level beyond the limit.
pub(crate) fn diagnostic(span: Span) -> Diagnostic {
    let text = format!("expressions are nested more than {MAX_NESTING} levels deep");
    Diagnostic::new(Code::NestingTooDeep, span, text, "this opens a level too many")
        .with_note(
            "parentheses, `min`, `max`, `not` and `if` each open a level; a chain of operators opens none",
        )
        .with_help("write several alternatives, or several procedures, in place of one expression")
}

/// Closes the innermost `wanted` and everything inside it. Returns whether there is one within the current
/// parentheses; if not, nothing is closed.
fn close_to(open: &mut Vec<Open>, wanted: Open) -> bool {
    // An operand cannot extend beyond its parentheses.
    let Some(index) = open.iter().rposition(|&it| it == wanted || it == Open::Group) else { return false };
    if open[index] != wanted {
        return false;
    }
    open.truncate(index);
    true
}

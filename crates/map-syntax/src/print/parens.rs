//! Decides where operations are parenthesised, and finds parentheses in the text.

use map_diagnostics::Span;

use crate::MAX_NESTING;
use crate::ast::{Op, OpKind};
use crate::sketch::token::{Kind, Token};

/// The position of an operation in its context.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The body of a clause, or the whole content of a pair of parentheses.
    Alone,
    /// In a chain.
    Link,
    /// After `waitfor`.
    Awaited,
    /// After `timeout`.
    Timeout,
}

/// Whether a reader could misread the operation without parentheses here. This includes all places where the
/// grammar needs them.
pub(super) fn wanted(op: &Op, place: Place) -> bool {
    match place {
        Place::Alone => false,
        Place::Timeout => true,
        Place::Link | Place::Awaited => is_compound(op),
    }
}

/// Whether an operation contains others.
pub(super) fn is_compound(op: &Op) -> bool {
    matches!(op.kind, OpKind::Then(_) | OpKind::Or(_) | OpKind::Par(_) | OpKind::Wait { .. })
}

/// The operations of a chain; `None` for other operations.
pub(super) fn chain(op: &Op) -> Option<&[Op]> {
    match &op.kind {
        OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => Some(ops),
        _ => None,
    }
}

/// Whether all wanted parentheses may be added to a clause: they count as levels of nesting, and formatting must
/// not push a correct text beyond the limit.
pub(super) fn may_be_added(body: &Op) -> bool {
    levels(body, Place::Alone) <= MAX_NESTING
}

fn levels(op: &Op, place: Place) -> usize {
    let inside = match &op.kind {
        OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => {
            ops.iter().map(|op| levels(op, Place::Link)).max().unwrap_or(0)
        }
        OpKind::Wait { body, timeout } => {
            let timeout = timeout.as_ref().map_or(0, |op| levels(op, Place::Timeout));
            1 + levels(body, Place::Awaited).max(timeout)
        }
        _ => 0,
    };
    inside + usize::from(wanted(op, place))
}

/// The tokens of an operation, expression or formula.
pub(super) struct Extent {
    /// Index of its first token.
    pub(super) start: usize,
    /// Index of the token after its last.
    pub(super) end: usize,
    /// The number of pairs of parentheses directly around it.
    pub(super) pairs: usize,
}

/// Finds the tokens of an operation, expression or formula by its span. Parentheses directly on both sides of it
/// always form pairs.
pub(super) fn extent(tokens: &[Token], span: Span) -> Extent {
    let start = tokens.partition_point(|token| token.span.start < span.start);
    let end = tokens.partition_point(|token| token.span.start < span.end);
    let before = tokens[..start].iter().rev().take_while(|token| token.kind == Kind::OpenParen);
    let after = tokens[end..].iter().take_while(|token| token.kind == Kind::CloseParen);
    Extent { start, end, pairs: before.zip(after).count() }
}

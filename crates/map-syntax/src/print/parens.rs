//! Where parentheses are written around operations, and which of those in the text they are.

use map_diagnostics::Span;

use crate::MAX_NESTING;
use crate::ast::{Op, OpKind};
use crate::token::{Kind, Token};

/// Where an operation stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Alone: the body of a clause, or all that is in a pair of parentheses.
    Alone,
    /// In a chain.
    Link,
    /// Behind `waitfor`.
    Awaited,
    /// Behind `timeout`.
    Timeout,
}

/// Whether a reader could err without parentheses here. Wherever the grammar needs them, a reader could.
pub(super) fn wanted(op: &Op, place: Place) -> bool {
    match place {
        Place::Alone => false,
        Place::Timeout => true,
        Place::Link | Place::Awaited => is_compound(op),
    }
}

/// Whether operations are inside it.
pub(super) fn is_compound(op: &Op) -> bool {
    matches!(op.kind, OpKind::Then(_) | OpKind::Or(_) | OpKind::Par(_) | OpKind::Wait { .. })
}

/// The operations of a chain, and the word between them.
pub(super) fn chain(op: &Op) -> Option<&[Op]> {
    match &op.kind {
        OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => Some(ops),
        _ => None,
    }
}

/// Whether all parentheses that are wanted may be added to a clause: they are levels of nesting, and a text that is
/// correct must not become too deep.
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

/// The words of an operation or expression.
pub(super) struct Extent {
    /// Index of its first word.
    pub(super) start: usize,
    /// Index of the word behind its last.
    pub(super) end: usize,
    /// Pairs of parentheses right around it.
    pub(super) pairs: usize,
}

/// Finds the words of an operation or expression by its span. Neighbouring parentheses with it between them are always
/// a pair.
pub(super) fn extent(tokens: &[Token], span: Span) -> Extent {
    let start = tokens.partition_point(|token| token.span.start < span.start);
    let end = tokens.partition_point(|token| token.span.start < span.end);
    let before = tokens[..start].iter().rev().take_while(|token| token.kind == Kind::OpenParen);
    let after = tokens[end..].iter().take_while(|token| token.kind == Kind::CloseParen);
    Extent { start, end, pairs: before.zip(after).count() }
}

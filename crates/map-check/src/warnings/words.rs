//! How the warnings call things, and the smallest places that stand for them.

use map_diagnostics::Span;
use map_syntax::ast::{Message, Op, OpKind};

use crate::{Checked, show};

/// The agents of a part: "`!Ann`" or "an agent of `%buyer`".
pub(super) fn agents(checked: &Checked<'_>, part: usize) -> String {
    match &checked.parts[part].literal {
        Some(name) => format!("`!{name}`"),
        None => format!("an agent of `%{}`", role(checked, part)),
    }
}

/// The part as the author would call it: the agent or the role, with sigil.
pub(super) fn title(checked: &Checked<'_>, part: usize) -> String {
    match &checked.parts[part].literal {
        Some(name) => format!("!{name}"),
        None => format!("%{}", role(checked, part)),
    }
}

/// The name of a part's role.
pub(super) fn role<'a>(checked: &'a Checked<'_>, part: usize) -> &'a str {
    checked.roles.get_index(checked.parts[part].role).map_or("", String::as_str)
}

/// A message as it is told from others.
pub(super) fn signature(message: &Message) -> String {
    format!("{}/{}", message.performative.text, message.arguments.len())
}

/// The word `waitfor` of a `waitfor`.
pub(super) fn waitfor(wait: &Op) -> Span {
    Span::new(wait.span.start, wait.span.start + "waitfor".len() as u32)
}

/// The place at which an operation begins: its first action, or its `waitfor`.
pub(super) fn lead(op: &Op) -> Span {
    match &op.kind {
        OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => ops.first().map_or(op.span, lead),
        OpKind::Wait { .. } => waitfor(op),
        OpKind::Send { message, .. } | OpKind::Receive { message, .. } => message.span,
        OpKind::Call { .. } | OpKind::Skip | OpKind::Fail | OpKind::Ask { .. } => op.span,
    }
}

/// Why an action may fail, as a clause that can follow "if".
pub(super) fn failure(op: &Op) -> String {
    match &op.kind {
        OpKind::Ask { procedure, .. } => format!("`{}` says \"no\"", procedure.text),
        OpKind::Receive { message, .. } => format!("no `{}` is there", signature(message)),
        OpKind::Send { message, .. } => format!("nobody is there to get `{}`", signature(message)),
        OpKind::Call { arguments } => format!("`{}` fails", show::call(arguments)),
        _ => "it fails".to_owned(),
    }
}

//! The wording that warnings share, and the smallest spans that represent operations.

use map_diagnostics::Span;
use map_syntax::ast::{Message, Op, OpKind};

use crate::{CheckedScene, show};

/// The agents of a part: "`!Ann`" or "an agent of `%buyer`".
pub(super) fn agents(checked: &CheckedScene<'_>, part: usize) -> String {
    match &checked.parts[part].literal {
        Some(name) => format!("`!{name}`"),
        None => format!("an agent of `%{}`", role(checked, part)),
    }
}

/// The part as shown to users: the agent or the role, with sigil.
pub(super) fn title(checked: &CheckedScene<'_>, part: usize) -> String {
    match &checked.parts[part].literal {
        Some(name) => format!("!{name}"),
        None => format!("%{}", role(checked, part)),
    }
}

/// The name of a part's role.
pub(super) fn role<'a>(checked: &'a CheckedScene<'_>, part: usize) -> &'a str {
    checked.roles.get_index(checked.parts[part].role).map_or("", String::as_str)
}

/// The signature of a message, `performative/arity`.
pub(super) fn signature(message: &Message) -> String {
    format!("{}/{}", message.performative.text, message.arguments.len())
}

/// The span of the keyword of a `waitfor`.
pub(super) fn waitfor(wait: &Op) -> Span {
    Span::new(wait.span.start, wait.span.start + "waitfor".len() as u32)
}

/// The span with which an operation begins: its first action or `waitfor`.
pub(super) fn lead(op: &Op) -> Span {
    match &op.kind {
        OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => ops.first().map_or(op.span, lead),
        OpKind::Wait { .. } => waitfor(op),
        OpKind::Send { message, .. } | OpKind::Receive { message, .. } => message.span,
        OpKind::Call { .. } | OpKind::Skip | OpKind::Fail | OpKind::Hole | OpKind::Ask { .. } => op.span,
    }
}

/// Why an action may fail, worded to follow "if".
pub(super) fn failure(op: &Op) -> String {
    match &op.kind {
        OpKind::Ask { procedure, .. } => format!("`{}` says \"no\"", procedure.text),
        OpKind::Receive { message, .. } => format!("no `{}` is there", signature(message)),
        OpKind::Send { message, .. } => format!("nobody is there to get `{}`", signature(message)),
        OpKind::Call { arguments } => format!("`{}` fails", show::call(arguments)),
        _ => "it fails".to_owned(),
    }
}

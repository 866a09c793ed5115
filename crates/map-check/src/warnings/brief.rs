//! Operations on one line, for advice: as they are written if they are short, in outline if they are long.

use map_syntax::ast::{Address, Message, Name, Op, OpKind};

use crate::show;

/// The length in the source up to which an operation is repeated as it is.
const SHORT: u32 = 48;

/// Operations that are joined by a connective.
pub(super) fn chain(ops: &[Op], connective: &str) -> String {
    let part = |op| match connective {
        "then" => step(op, operation(op)),
        _ => alternative(op, operation(op)),
    };
    ops.iter().map(part).collect::<Vec<_>>().join(&format!(" {connective} "))
}

/// The same as one unit, in parentheses if it needs some.
pub(super) fn group(ops: &[Op], connective: &str) -> String {
    let joined = chain(ops, connective);
    match ops {
        [only] if !matches!(only.kind, OpKind::Then(_) | OpKind::Or(_) | OpKind::Par(_)) => joined,
        _ => format!("({joined})"),
    }
}

fn operation(op: &Op) -> String {
    if op.span.end - op.span.start <= SHORT { exact(op) } else { outline(op) }
}

/// A step of a chain of `then`, which binds tightest; a `waitfor` would take in what follows.
fn step(op: &Op, shown: String) -> String {
    match op.kind {
        OpKind::Or(_) | OpKind::Par(_) | OpKind::Wait { .. } => format!("({shown})"),
        _ => shown,
    }
}

fn alternative(op: &Op, shown: String) -> String {
    match op.kind {
        OpKind::Par(_) | OpKind::Wait { .. } => format!("({shown})"),
        _ => shown,
    }
}

fn exact(op: &Op) -> String {
    let all = |ops: &[Op], connective: &str, wrap: fn(&Op, String) -> String| {
        ops.iter().map(|op| wrap(op, exact(op))).collect::<Vec<_>>().join(&format!(" {connective} "))
    };
    match &op.kind {
        OpKind::Then(ops) => all(ops, "then", step),
        OpKind::Or(ops) => all(ops, "or", alternative),
        OpKind::Par(ops) => all(ops, "par", alternative),
        OpKind::Wait { body, timeout } => {
            let body = match &body.kind {
                OpKind::Then(_) | OpKind::Or(_) | OpKind::Par(_) => format!("({})", exact(body)),
                _ => exact(body),
            };
            match timeout {
                Some(timeout) => format!("waitfor {body} timeout ({})", exact(timeout)),
                None => format!("waitfor {body}"),
            }
        }
        OpKind::Call { arguments } => show::call(arguments),
        OpKind::Skip => "skip".to_owned(),
        OpKind::Fail => "fail".to_owned(),
        OpKind::Hole => "hole".to_owned(),
        OpKind::Ask { variable, procedure, arguments } => {
            format!("{}{}({})", taken(variable.as_ref()), procedure.text, terms(arguments))
        }
        OpKind::Send { message, to } => exchange(message, "=>", to),
        OpKind::Receive { message, from } => exchange(message, "<=", from),
    }
}

/// What takes an answer, if anything does.
fn taken(variable: Option<&Name>) -> String {
    variable.map_or_else(String::new, |name| format!("${} = ", name.text))
}

fn exchange(message: &Message, arrow: &str, address: &Address) -> String {
    let (agent, role) = (show::term(&address.agent), show::term(&address.role));
    format!("{}({}) {arrow} agent({agent}, {role})", message.performative.text, terms(&message.arguments))
}

fn terms(terms: &[map_syntax::ast::Term]) -> String {
    terms.iter().map(show::term).collect::<Vec<_>>().join(", ")
}

/// How an operation begins.
fn outline(op: &Op) -> String {
    let first = |ops: &[Op], connective: &str| match ops.first() {
        Some(first) => format!("{} {connective} ..", outline(first)),
        None => "..".to_owned(),
    };
    let message = |message: &Message, arrow: &str| {
        let content = if message.arguments.is_empty() { "" } else { ".." };
        format!("{}({content}) {arrow} ..", message.performative.text)
    };
    match &op.kind {
        OpKind::Then(ops) => first(ops, "then"),
        OpKind::Or(_) | OpKind::Par(_) => "..".to_owned(),
        OpKind::Wait { .. } => "waitfor ..".to_owned(),
        OpKind::Send { message: sent, .. } => message(sent, "=>"),
        OpKind::Receive { message: received, .. } => message(received, "<="),
        OpKind::Ask { variable, procedure, .. } => {
            format!("{}{}(..)", taken(variable.as_ref()), procedure.text)
        }
        OpKind::Call { .. } => "agent(..)".to_owned(),
        OpKind::Skip | OpKind::Fail | OpKind::Hole => exact(op),
    }
}

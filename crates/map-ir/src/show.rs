//! Values and messages in source syntax.

use crate::{ClauseId, ExpressionId, ExpressionKind, PerformativeId, Program, Value};

/// A value in source syntax. `other` formats those that do not occur in the source: abstract and fresh values, and
/// constants and strings from outside.
pub fn show_value(program: &Program, value: Value, other: &dyn Fn(Value) -> String) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Name(id) => program.names.get(id.index()).cloned().unwrap_or_else(|| other(value)),
        Value::Text(id) => program.texts.get(id.index()).map_or_else(|| other(value), |text| quoted(text)),
        Value::Agent(id) => format!("!{}", program.agent_name(id)),
        Value::Role(id) => format!("%{}", program.role_name(id)),
        Value::Abstract(_) | Value::Fresh(_) => other(value),
    }
}

/// Values separated by commas.
pub fn show_arguments(program: &Program, values: &[Value], other: &dyn Fn(Value) -> String) -> String {
    values.iter().map(|&value| show_value(program, value, other)).collect::<Vec<_>>().join(", ")
}

/// `performative(arguments)`.
pub fn show_message(
    program: &Program,
    performative: PerformativeId,
    arguments: &[Value],
    other: &dyn Fn(Value) -> String,
) -> String {
    format!("{}({})", program.performative(performative).name, show_arguments(program, arguments, other))
}

/// An expression of a clause in source syntax, with parentheses around every operand that is not a single word.
#[must_use]
pub fn show_expression(program: &Program, clause: ClauseId, id: ExpressionId) -> String {
    let whole = |id: ExpressionId| show_expression(program, clause, id);
    let part = |id: ExpressionId| match &program.expression(id).kind {
        ExpressionKind::Constant(_)
        | ExpressionKind::Argument(_)
        | ExpressionKind::Variable(_)
        | ExpressionKind::Cell(_)
        | ExpressionKind::Own
        | ExpressionKind::Min(..)
        | ExpressionKind::Max(..) => whole(id),
        _ => format!("({})", whole(id)),
    };
    let chain = |parts: &[ExpressionId], word: &str| {
        parts.iter().map(|&it| part(it)).collect::<Vec<_>>().join(&format!(" {word} "))
    };
    match &program.expression(id).kind {
        ExpressionKind::Constant(value) => show_value(program, *value, &|_| "_".to_owned()),
        ExpressionKind::Argument(index) => format!("${}", index + 1),
        ExpressionKind::Variable(slot) => format!("${}", program.clause(clause).variables[slot.index()]),
        ExpressionKind::Cell(cell) => format!("@{}", program.cell_name(*cell)),
        ExpressionKind::Own => "self".to_owned(),
        ExpressionKind::Arithmetic(first, rest) => {
            let rest = rest.iter().map(|&(operator, it)| format!(" {} {}", operator.sign(), part(it)));
            part(*first) + &rest.collect::<String>()
        }
        ExpressionKind::Comparison(left, operator, right) => {
            format!("{} {} {}", part(*left), operator.sign(), part(*right))
        }
        ExpressionKind::And(parts) => chain(parts, "and"),
        ExpressionKind::Or(parts) => chain(parts, "or"),
        ExpressionKind::Not(it) => format!("not {}", part(*it)),
        ExpressionKind::Min(left, right) => format!("min({}, {})", whole(*left), whole(*right)),
        ExpressionKind::Max(left, right) => format!("max({}, {})", whole(*left), whole(*right)),
        ExpressionKind::If(condition, then, otherwise) => {
            format!("if {} then {} else {}", part(*condition), part(*then), part(*otherwise))
        }
    }
}

/// A string constant with quotes and escapes; characters that nobody sees are escaped.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_unseen(c) => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Whether a character controls a terminal, changes the direction of the text, or leaves no mark at all. Joiners and
/// variation selectors shape the letters beside them, and are left out.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

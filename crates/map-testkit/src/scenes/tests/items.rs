//! The static rules on memories and procedures, checked on the syntax tree.

use std::collections::{BTreeMap, BTreeSet};

use map_syntax::ast::{
    Alternative, Answer, Body, Domain, DomainKind, Expression, ExpressionKind, File, Op, OpKind, Procedure,
    TermKind,
};

/// The violations of the static rules on memories and procedures.
pub(super) fn mistakes(file: &File) -> Vec<String> {
    let mut cells: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for memory in file.memories() {
        cells
            .entry(&memory.role.text)
            .or_default()
            .extend(memory.cells.iter().map(|it| it.cell.text.as_str()));
    }
    let mut asked: Vec<(&str, &str, usize)> = Vec::new();
    for clause in file.scenes().flat_map(|scene| &scene.clauses) {
        asks(&clause.body, &mut |procedure, arity| asked.push((&clause.role.text, procedure, arity)));
    }
    let mut check = Check { mistakes: Vec::new() };
    let mut names = BTreeSet::new();
    for procedure in file.procedures() {
        let name = procedure.name.text.as_str();
        if !names.insert(name) {
            check.mistakes.push(format!("{name} twice"));
        }
        check.procedure(procedure);
        for (role, _, arity) in asked.iter().filter(|it| it.1 == name) {
            if *arity != procedure.parameters.len() {
                check.mistakes.push(format!("{name} asked with {arity} arguments"));
            }
            let known = cells.get(role).cloned().unwrap_or_default();
            for cell in cells_of(procedure).difference(&known) {
                check.mistakes.push(format!("{name} uses @{cell}, asked by %{role}"));
            }
        }
    }
    check.mistakes
}

fn asks<'a>(op: &'a Op, found: &mut impl FnMut(&'a str, usize)) {
    match &op.kind {
        OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => ops.iter().for_each(|op| asks(op, found)),
        OpKind::Wait { body, timeout } => {
            asks(body, found);
            timeout.iter().for_each(|op| asks(op, found));
        }
        OpKind::Ask { procedure, arguments, .. } => found(&procedure.text, arguments.len()),
        _ => {}
    }
}

fn alternatives(procedure: &Procedure) -> &[Alternative] {
    if let Some(Body::Alternatives(alternatives)) = &procedure.body { alternatives } else { &[] }
}

/// Every expression of an alternative, with whether it is a condition.
fn expressions(alternative: &Alternative) -> Vec<(&Expression, bool)> {
    let mut all: Vec<_> = alternative.guard.iter().map(|it| (it, true)).collect();
    if let Answer::Value(value) = &alternative.answer {
        all.push((value, false));
    }
    all.extend(alternative.updates.iter().map(|it| (&it.value, false)));
    all
}

fn parts(expression: &Expression) -> Vec<&Expression> {
    match &expression.kind {
        ExpressionKind::Arithmetic { first, rest } => {
            [&**first].into_iter().chain(rest.iter().map(|(_, operand)| operand)).collect()
        }
        ExpressionKind::Comparison { left, right, .. } => vec![left, right],
        ExpressionKind::And(operands) | ExpressionKind::Or(operands) => operands.iter().collect(),
        ExpressionKind::Not(operand) => vec![operand],
        ExpressionKind::Min(left, right) | ExpressionKind::Max(left, right) => vec![left, right],
        ExpressionKind::If { condition, then, otherwise } => vec![condition, then, otherwise],
        _ => Vec::new(),
    }
}

fn each<'a>(expression: &'a Expression, visit: &mut impl FnMut(&'a Expression)) {
    visit(expression);
    parts(expression).into_iter().for_each(|it| each(it, visit));
}

fn cells_of(procedure: &Procedure) -> BTreeSet<&str> {
    let mut cells = BTreeSet::new();
    for alternative in alternatives(procedure) {
        cells.extend(alternative.updates.iter().map(|it| it.cell.text.as_str()));
        for (expression, _) in expressions(alternative) {
            each(expression, &mut |it| {
                if let ExpressionKind::Cell(name) = &it.kind {
                    cells.insert(name);
                }
            });
        }
    }
    cells
}

struct Check {
    mistakes: Vec<String>,
}

impl Check {
    fn procedure(&mut self, procedure: &Procedure) {
        let name = &procedure.name.text;
        let parameters: BTreeSet<&str> = procedure.parameters.iter().map(|it| it.text.as_str()).collect();
        if let Some(Body::Domain(domain)) = &procedure.body {
            self.domain(name, domain);
        }
        let all = alternatives(procedure);
        for (number, alternative) in all.iter().enumerate() {
            let last = number + 1 == all.len();
            if alternative.guard.is_none() && !last
                || alternative.guard.is_some() && last && !procedure.may_refuse
            {
                self.mistakes.push(format!("{name}: guard"));
            }
            if let Answer::Domain(domain) = &alternative.answer {
                self.domain(name, domain);
            }
            let updated: BTreeSet<&str> =
                alternative.updates.iter().map(|it| it.cell.text.as_str()).collect();
            if updated.len() < alternative.updates.len() {
                self.mistakes.push(format!("{name}: cell updated twice"));
            }
            for (expression, condition) in expressions(alternative) {
                if is_condition(expression) != condition {
                    self.mistakes.push(format!("{name}: condition or value"));
                }
                each(expression, &mut |it| {
                    if matches!(&it.kind, ExpressionKind::Parameter(used) if !parameters.contains(used.as_str()))
                    {
                        self.mistakes.push(format!("{name}: parameter"));
                    }
                    self.kinds(name, it);
                });
            }
        }
    }

    fn domain(&mut self, name: &str, domain: &Domain) {
        let empty = match &domain.kind {
            DomainKind::Values(values) => values.is_empty(),
            DomainKind::Range(first, last) => first > last,
            DomainKind::Role(_) => false,
        };
        if empty {
            self.mistakes.push(format!("{name}: empty domain"));
        }
    }

    /// "A literal non-integer in arithmetic, a condition as value."
    fn kinds(&mut self, name: &str, expression: &Expression) {
        let wrong = |it: &&Expression| match &it.kind {
            ExpressionKind::Constant(term) => !matches!(term, TermKind::Integer(_)),
            ExpressionKind::Own => true,
            _ => is_condition(it),
        };
        let found = match &expression.kind {
            ExpressionKind::Arithmetic { .. } | ExpressionKind::Min(..) | ExpressionKind::Max(..) => {
                parts(expression).iter().any(wrong)
            }
            ExpressionKind::Comparison { operator, .. } => {
                use map_syntax::ast::ComparisonOperator::{Equal, NotEqual};
                let parts = parts(expression);
                if let Equal | NotEqual = operator {
                    parts.into_iter().any(is_condition)
                } else {
                    parts.iter().any(wrong)
                }
            }
            ExpressionKind::And(_) | ExpressionKind::Or(_) | ExpressionKind::Not(_) => {
                !parts(expression).into_iter().all(is_condition)
            }
            ExpressionKind::If { condition, then, otherwise } => {
                !is_condition(condition) || is_condition(then) != is_condition(otherwise)
            }
            _ => false,
        };
        if found {
            self.mistakes.push(format!("{name}: wrong kind"));
        }
    }
}

fn is_condition(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Comparison { .. }
        | ExpressionKind::And(_)
        | ExpressionKind::Or(_)
        | ExpressionKind::Not(_) => true,
        ExpressionKind::If { then, .. } => is_condition(then),
        _ => false,
    }
}

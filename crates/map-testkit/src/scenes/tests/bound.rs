//! The static rules on variables, checked on the syntax tree, because this crate does not depend on `map-check`.

use std::collections::BTreeSet;

use map_syntax::ast::{Clause, Expression, ExpressionKind, File, Op, OpKind, Term, TermKind, Who};

/// The variables bound on every path and on some path; `None` where no path arrives.
type Bound<'a> = Option<(BTreeSet<&'a str>, BTreeSet<&'a str>)>;

/// The violations of the static rules on variables.
pub(super) fn mistakes(file: &File) -> Vec<String> {
    let mut check = Check { mistakes: Vec::new() };
    for clause in file.scenes().flat_map(|scene| &scene.clauses) {
        let before = parameters(clause);
        check.op(&clause.body, Some((before.clone(), before)));
    }
    check.mistakes
}

fn parameters(clause: &Clause) -> BTreeSet<&str> {
    let mut bound: BTreeSet<&str> = clause.parameters.iter().filter_map(variable).collect();
    if let Who::Variable(name) = &clause.who {
        bound.insert(&name.text);
    }
    bound
}

fn variable(term: &Term) -> Option<&str> {
    if let TermKind::Variable(name) = &term.kind { Some(name) } else { None }
}

struct Check {
    mistakes: Vec<String>,
}

impl Check {
    fn op<'a>(&mut self, op: &'a Op, before: Bound<'a>) -> Bound<'a> {
        let (every, some) = before.clone()?;
        match &op.kind {
            OpKind::Skip => before,
            OpKind::Fail | OpKind::Hole => None,
            OpKind::Then(ops) => ops.iter().fold(before, |before, op| self.op(op, before)),
            OpKind::Or(ops) => {
                let mut after = None;
                for op in ops {
                    after = meet(after, self.op(op, before.clone()));
                }
                after
            }
            OpKind::Par(ops) => {
                let mut after = (every.clone(), some.clone());
                let mut all_end = true;
                for op in ops {
                    match self.op(op, before.clone()) {
                        Some((side_every, side_some)) => {
                            for name in side_some.difference(&some) {
                                if !after.1.insert(name) {
                                    self.mistakes.push(format!("${name} bound on both sides of a par"));
                                }
                            }
                            after.0.extend(side_every);
                        }
                        None => all_end = false,
                    }
                }
                all_end.then_some(after)
            }
            OpKind::Wait { body, timeout } => {
                let after = self.op(body, before.clone());
                let other = timeout.as_ref().and_then(|timeout| self.op(timeout, before));
                meet(after, other)
            }
            OpKind::Call { arguments } => {
                self.values(arguments, &every);
                before
            }
            OpKind::Ask { variable, arguments, .. } => {
                self.values(arguments, &every);
                let Some(variable) = variable else { return Some((every, some)) };
                self.pattern(&variable.text, &every, &some);
                Some((with(every, [variable.text.as_str()]), with(some, [variable.text.as_str()])))
            }
            OpKind::Send { message, to } => {
                self.values(&message.arguments, &every);
                for term in [&to.agent, &to.role] {
                    if term.kind != TermKind::Wildcard {
                        self.values(std::slice::from_ref(term), &every);
                    }
                }
                before
            }
            OpKind::Receive { message, from } => {
                let terms = message.arguments.iter().chain([&from.agent, &from.role]);
                let names: Vec<&str> = terms.filter_map(variable).collect();
                names.iter().for_each(|name| self.pattern(name, &every, &some));
                Some((with(every, names.clone()), with(some, names)))
            }
        }
    }

    fn values(&mut self, terms: &[Term], every: &BTreeSet<&str>) {
        for term in terms {
            match &term.kind {
                TermKind::Wildcard => self.mistakes.push("wildcard as a value".to_owned()),
                TermKind::Variable(name) => self.value(name, every),
                TermKind::Expression(expression) => self.expression(expression, every),
                _ => {}
            }
        }
    }

    fn value(&mut self, name: &str, every: &BTreeSet<&str>) {
        if !every.contains(name) {
            self.mistakes.push(format!("${name} not bound on every path"));
        }
    }

    fn expression(&mut self, expression: &Expression, every: &BTreeSet<&str>) {
        let mut parts: Vec<&Expression> = Vec::new();
        match &expression.kind {
            ExpressionKind::Parameter(name) => self.value(name, every),
            ExpressionKind::Constant(_)
            | ExpressionKind::Cell(_)
            | ExpressionKind::Own
            | ExpressionKind::Reading(_)
            | ExpressionKind::Holds(_) => {}
            ExpressionKind::Arithmetic { first, rest } => {
                parts.push(first);
                parts.extend(rest.iter().map(|(_, operand)| operand));
            }
            ExpressionKind::And(all) | ExpressionKind::Or(all) => parts.extend(all),
            ExpressionKind::Not(part) => parts.push(part),
            ExpressionKind::Comparison { left, right, .. }
            | ExpressionKind::Min(left, right)
            | ExpressionKind::Max(left, right) => parts.extend([&**left, &**right]),
            ExpressionKind::If { condition, then, otherwise } => {
                parts.extend([&**condition, &**then, &**otherwise]);
            }
        }
        parts.into_iter().for_each(|part| self.expression(part, every));
    }

    fn pattern(&mut self, name: &str, every: &BTreeSet<&str>, some: &BTreeSet<&str>) {
        if some.contains(name) && !every.contains(name) {
            self.mistakes.push(format!("${name} bound on some paths only"));
        }
    }
}

fn with<'a>(mut set: BTreeSet<&'a str>, names: impl IntoIterator<Item = &'a str>) -> BTreeSet<&'a str> {
    set.extend(names);
    set
}

fn meet<'a>(a: Bound<'a>, b: Bound<'a>) -> Bound<'a> {
    let (Some((a_every, a_some)), Some((b_every, b_some))) = (&a, &b) else { return a.or(b) };
    Some((a_every & b_every, a_some | b_some))
}

//! What is known statically before an operation: the variables bound on every path to it, and which of them hold an
//! agent of which role.

use std::collections::{BTreeMap, BTreeSet};

use map_syntax::ast::{Address, Message, Op, OpKind, Term, TermKind};

/// For every bound variable, the roles such that it is known to hold an agent of that role. At most one, except where
/// nothing has been ruled out yet.
pub(super) type Known<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// What is known where paths meet; `None` where no path arrives ("`fail` ends a path").
pub(super) fn meet<'a>(a: Option<Known<'a>>, b: Option<Known<'a>>) -> Option<Known<'a>> {
    let (Some(a), Some(b)) = (&a, &b) else { return a.or(b) };
    let both = a.keys().filter(|name| b.contains_key(*name));
    Some(both.map(|&name| (name, a[name].intersection(&b[name]).copied().collect())).collect())
}

/// What is known after both sides of a `par` have ended.
pub(super) fn join<'a>(a: Option<Known<'a>>, b: Option<Known<'a>>) -> Option<Known<'a>> {
    let (mut a, b) = (a?, b?);
    for (name, roles) in b {
        a.entry(name).or_default().extend(roles);
    }
    Some(a)
}

/// What is known after an ask: its variable is bound, to an answer.
pub(super) fn after_ask<'a>(known: &Known<'a>, variable: Option<&'a str>) -> Known<'a> {
    let mut after = known.clone();
    if let Some(variable) = variable {
        after.entry(variable).or_default();
    }
    after
}

/// What is known after a receive: a variable "bound as the sender of a receive from that role" holds such an agent.
pub(super) fn after_receive<'a>(known: &Known<'a>, message: &'a Message, from: &'a Address) -> Known<'a> {
    let mut after = known.clone();
    for name in message.arguments.iter().filter_map(variable_of) {
        after.entry(name).or_default();
    }
    if let Some(name) = variable_of(&from.agent)
        && !after.contains_key(name)
    {
        let role = match &from.role.kind {
            TermKind::Role(role) => BTreeSet::from([role.as_str()]),
            _ => BTreeSet::new(),
        };
        after.insert(name, role);
    }
    if let Some(name) = variable_of(&from.role) {
        after.entry(name).or_default();
    }
    after
}

pub(super) fn variable_of(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Variable(name) => Some(name),
        _ => None,
    }
}

/// The variables an operation may bind if they are not bound before it.
pub(super) fn pattern_variables<'a>(op: &'a Op, into: &mut BTreeSet<&'a str>) {
    match &op.kind {
        OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => {
            ops.iter().for_each(|op| pattern_variables(op, into));
        }
        OpKind::Wait { body, timeout } => {
            pattern_variables(body, into);
            if let Some(timeout) = timeout {
                pattern_variables(timeout, into);
            }
        }
        OpKind::Ask { variable, .. } => {
            into.extend(variable.as_ref().map(|it| it.text.as_str()));
        }
        OpKind::Receive { message, from } => {
            into.extend(message.arguments.iter().filter_map(variable_of));
            into.extend([&from.agent, &from.role].into_iter().filter_map(variable_of));
        }
        OpKind::Call { .. } | OpKind::Skip | OpKind::Fail | OpKind::Hole | OpKind::Send { .. } => {}
    }
}

//! Which variables are known to hold the name of an agent of a role: those bound as the sender of a receive from that
//! role, and head variables to which every call passes such a one (language reference, "Bounds"). A greatest fixed
//! point: a recursion that only passes the variable on does not spoil it.

use indexmap::IndexMap;
use map_check::Checked;
use map_syntax::ast::{self, OpKind, TermKind};

use crate::can_fail::candidates;

/// What is known of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known<'a> {
    /// Nothing binds it (a head variable of a clause that is never called).
    Unreached,
    /// It holds the name of another agent of this role.
    AgentOf(&'a str),
    /// It may hold anything.
    Anything,
}

impl<'a> Known<'a> {
    fn meet(self, other: Known<'a>) -> Known<'a> {
        match (self, other) {
            (Self::Unreached, it) | (it, Self::Unreached) => it,
            (a, b) if a == b => a,
            _ => Self::Anything,
        }
    }
}

/// What is known of every variable of every clause.
pub(crate) struct KnownAgents<'a> {
    clauses: Vec<IndexMap<&'a str, Known<'a>>>,
}

impl<'a> KnownAgents<'a> {
    pub(crate) fn new(checked: &'a Checked<'_>) -> Self {
        let mut known = Self {
            clauses: checked.scene.clauses.iter().map(|clause| bound_in_body(checked, clause)).collect(),
        };
        let mut calls = Vec::new();
        for (index, clause) in checked.scene.clauses.iter().enumerate() {
            collect_calls(&clause.body, &mut |arguments| calls.push((index, arguments)));
        }
        while known.pass_on(checked, &calls) {}
        known
    }

    /// Whether the variable of the clause holds an agent of the role whenever it is bound.
    pub(crate) fn holds_agent_of(&self, clause: usize, variable: &str, role: &str) -> bool {
        match self.clauses[clause].get(variable) {
            Some(Known::AgentOf(known)) => *known == role,
            Some(Known::Unreached) => true,
            Some(Known::Anything) | None => false,
        }
    }

    /// One round of passing arguments to head variables; whether anything changed.
    fn pass_on(&mut self, checked: &'a Checked<'_>, calls: &[(usize, &'a [ast::Term])]) -> bool {
        let mut changed = false;
        for &(caller, arguments) in calls {
            for (callee, _) in candidates(checked, checked.clauses[caller].part, arguments) {
                for (parameter, argument) in checked.scene.clauses[callee].parameters.iter().zip(arguments) {
                    let TermKind::Variable(name) = &parameter.kind else { continue };
                    let passed = match &argument.kind {
                        TermKind::Variable(passed) => {
                            self.clauses[caller].get(passed.as_str()).copied().unwrap_or(Known::Unreached)
                        }
                        _ => Known::Anything,
                    };
                    if checked.binds(parameter.span) {
                        let before =
                            self.clauses[callee].get(name.as_str()).copied().unwrap_or(Known::Unreached);
                        let after = before.meet(passed);
                        changed |= before != after;
                        self.clauses[callee].insert(name.as_str(), after);
                    }
                }
            }
        }
        changed
    }
}

fn bound_in_body<'a>(checked: &Checked<'_>, clause: &'a ast::Clause) -> IndexMap<&'a str, Known<'a>> {
    let mut known = IndexMap::new();
    if let ast::Who::Variable(name) = &clause.who {
        known.insert(name.text.as_str(), Known::Anything);
    }
    collect_bindings(checked, &clause.body, &mut |name, found| {
        let entry = known.entry(name).or_insert(Known::Unreached);
        *entry = entry.meet(found);
    });
    known
}

fn collect_bindings<'a>(checked: &Checked<'_>, op: &'a ast::Op, found: &mut impl FnMut(&'a str, Known<'a>)) {
    match &op.kind {
        OpKind::Then(parts) | OpKind::Or(parts) | OpKind::Par(parts) => {
            parts.iter().for_each(|part| collect_bindings(checked, part, found));
        }
        OpKind::Wait { body, timeout } => {
            collect_bindings(checked, body, found);
            if let Some(timeout) = timeout {
                collect_bindings(checked, timeout, found);
            }
        }
        OpKind::Ask { variable, .. } => {
            if checked.binds(variable.span) {
                found(&variable.text, Known::Anything);
            }
        }
        OpKind::Receive { message, from } => {
            for term in message.arguments.iter().chain([&from.role]) {
                if let TermKind::Variable(name) = &term.kind
                    && checked.binds(term.span)
                {
                    found(name, Known::Anything);
                }
            }
            if let TermKind::Variable(name) = &from.agent.kind
                && checked.binds(from.agent.span)
            {
                let role = if let TermKind::Role(role) = &from.role.kind {
                    Known::AgentOf(role)
                } else {
                    Known::Anything
                };
                found(name, role);
            }
        }
        OpKind::Skip | OpKind::Fail | OpKind::Call { .. } | OpKind::Send { .. } => {}
    }
}

fn collect_calls<'a>(op: &'a ast::Op, found: &mut impl FnMut(&'a [ast::Term])) {
    match &op.kind {
        OpKind::Then(parts) | OpKind::Or(parts) | OpKind::Par(parts) => {
            parts.iter().for_each(|part| collect_calls(part, found));
        }
        OpKind::Wait { body, timeout } => {
            collect_calls(body, found);
            if let Some(timeout) = timeout {
                collect_calls(timeout, found);
            }
        }
        OpKind::Call { arguments } => found(arguments),
        _ => {}
    }
}

//! Which variables are known to hold the name of an agent of a role: those bound as the sender of a receive from that
//! role, and head variables to which every call passes such a one (language reference, "Bounds"). A greatest fixed
//! point: a recursion that only passes the variable on does not spoil it.

use indexmap::IndexMap;
use map_syntax::ast::{self, OpKind, TermKind};

use super::calls::{Call, Calls};
use super::settle;
use crate::{Checked, walk};

/// What is known of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug)]
pub(crate) struct KnownAgents<'a> {
    clauses: Vec<IndexMap<&'a str, Known<'a>>>,
}

impl<'a> KnownAgents<'a> {
    pub(crate) fn new(checked: &'a Checked<'a>, calls: &Calls<'a>) -> Self {
        let mut known = Self {
            clauses: checked.scene.clauses.iter().map(|clause| bound_in_body(checked, clause)).collect(),
        };
        let mut made_by: Vec<Vec<&Call<'a>>> = vec![Vec::new(); checked.clauses.len()];
        let mut callees: Vec<Vec<usize>> = vec![Vec::new(); checked.clauses.len()];
        for call in calls.list() {
            made_by[call.caller].push(call);
            callees[call.caller].extend(call.candidates.iter().map(|candidate| candidate.clause));
        }
        // What a clause passes on depends on what it is passed.
        settle(&callees, |caller| {
            let mut changed = false;
            for call in &made_by[caller] {
                changed |= known.pass_on(checked, call);
            }
            changed
        });
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

    /// Passes the arguments of a call to the head variables of its candidates; whether anything changed.
    fn pass_on(&mut self, checked: &Checked<'a>, call: &Call<'a>) -> bool {
        let mut changed = false;
        for candidate in &call.candidates {
            let callee = candidate.clause;
            for (parameter, argument) in checked.scene.clauses[callee].parameters.iter().zip(call.arguments) {
                let TermKind::Variable(name) = &parameter.kind else { continue };
                let passed = match &argument.kind {
                    TermKind::Variable(passed) => {
                        self.clauses[call.caller].get(passed.as_str()).copied().unwrap_or(Known::Unreached)
                    }
                    _ => Known::Anything,
                };
                if checked.binds(parameter.span) {
                    let before = self.clauses[callee].get(name.as_str()).copied().unwrap_or(Known::Unreached);
                    let after = before.meet(passed);
                    changed |= before != after;
                    self.clauses[callee].insert(name.as_str(), after);
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
    walk::operations(&clause.body, &mut |op| {
        collect_bindings(checked, op, &mut |name, found| {
            let entry = known.entry(name).or_insert(Known::Unreached);
            *entry = entry.meet(found);
        });
    });
    known
}

/// What this operation itself binds.
fn collect_bindings<'a>(checked: &Checked<'_>, op: &'a ast::Op, found: &mut impl FnMut(&'a str, Known<'a>)) {
    match &op.kind {
        OpKind::Ask { variable, .. } if checked.binds(variable.span) => {
            found(&variable.text, Known::Anything);
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
                let role = match &from.role.kind {
                    TermKind::Role(role) => Known::AgentOf(role),
                    _ => Known::Anything,
                };
                found(name, role);
            }
        }
        _ => {}
    }
}

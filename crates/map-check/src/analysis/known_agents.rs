//! Which variables are known to hold the name of an agent of a role: those bound as the sender of a receive from
//! that role, and head variables to which every call passes such a variable (language reference, "Bounds"). This is
//! a greatest fixed point: a recursive call that merely passes the variable on keeps the property.

use indexmap::IndexMap;
use map_syntax::ast::{self, OpKind, TermKind};

use super::calls::{Call, Calls};
use super::run_to_fixed_point;
use crate::{CheckedScene, walk};

/// What is known about a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knowledge<'a> {
    /// Nothing binds it (a head variable of a clause that is never called).
    Unreached,
    /// It holds the name of another agent of this role.
    AgentOf(&'a str),
    /// It may hold anything.
    Anything,
}

impl<'a> Knowledge<'a> {
    fn meet(self, other: Knowledge<'a>) -> Knowledge<'a> {
        match (self, other) {
            (Self::Unreached, it) | (it, Self::Unreached) => it,
            (a, b) if a == b => a,
            _ => Self::Anything,
        }
    }
}

/// What is known about every variable, indexed by clause.
#[derive(Clone, Debug)]
pub(crate) struct KnownAgents<'a> {
    clauses: Vec<IndexMap<&'a str, Knowledge<'a>>>,
}

impl<'a> KnownAgents<'a> {
    pub(crate) fn new(checked: &'a CheckedScene<'a>, calls: &Calls<'a>) -> Self {
        let mut known = Self {
            clauses: checked.scene.clauses.iter().map(|clause| bound_in_body(checked, clause)).collect(),
        };
        let mut made_by: Vec<Vec<&Call<'a>>> = vec![Vec::new(); checked.clauses.len()];
        let mut callees: Vec<Vec<usize>> = vec![Vec::new(); checked.clauses.len()];
        for call in calls.list() {
            made_by[call.caller].push(call);
            callees[call.caller].extend(call.candidates.iter().map(|candidate| candidate.clause));
        }
        // What a caller passes on depends on what it was passed itself, so callees depend on their callers.
        run_to_fixed_point(&callees, |caller| {
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
            Some(Knowledge::AgentOf(known)) => *known == role,
            Some(Knowledge::Unreached) => true,
            Some(Knowledge::Anything) | None => false,
        }
    }

    /// Propagates the arguments of a call to the head variables of its candidates. Returns whether anything
    /// changed.
    fn pass_on(&mut self, checked: &CheckedScene<'a>, call: &Call<'a>) -> bool {
        let mut changed = false;
        for candidate in &call.candidates {
            let callee = candidate.clause;
            for (parameter, argument) in checked.scene.clauses[callee].parameters.iter().zip(call.arguments) {
                let TermKind::Variable(name) = &parameter.kind else { continue };
                let passed = match &argument.kind {
                    TermKind::Variable(passed) => self.clauses[call.caller]
                        .get(passed.as_str())
                        .copied()
                        .unwrap_or(Knowledge::Unreached),
                    _ => Knowledge::Anything,
                };
                if checked.binds(parameter.span) {
                    let before =
                        self.clauses[callee].get(name.as_str()).copied().unwrap_or(Knowledge::Unreached);
                    let after = before.meet(passed);
                    changed |= before != after;
                    self.clauses[callee].insert(name.as_str(), after);
                }
            }
        }
        changed
    }
}

fn bound_in_body<'a>(
    checked: &CheckedScene<'_>,
    clause: &'a ast::Clause,
) -> IndexMap<&'a str, Knowledge<'a>> {
    let mut known = IndexMap::new();
    if let ast::Who::Variable(name) = &clause.who {
        known.insert(name.text.as_str(), Knowledge::Anything);
    }
    walk::operations(&clause.body, &mut |op| {
        collect_bindings(checked, op, &mut |name, found| {
            let entry = known.entry(name).or_insert(Knowledge::Unreached);
            *entry = entry.meet(found);
        });
    });
    known
}

/// Reports the variables that this operation binds, not counting nested operations.
fn collect_bindings<'a>(
    checked: &CheckedScene<'_>,
    op: &'a ast::Op,
    found: &mut impl FnMut(&'a str, Knowledge<'a>),
) {
    match &op.kind {
        OpKind::Ask { variable: Some(variable), .. } if checked.binds(variable.span) => {
            found(&variable.text, Knowledge::Anything);
        }
        OpKind::Receive { message, from } => {
            for term in message.arguments.iter().chain([&from.role]) {
                if let TermKind::Variable(name) = &term.kind
                    && checked.binds(term.span)
                {
                    found(name, Knowledge::Anything);
                }
            }
            if let TermKind::Variable(name) = &from.agent.kind
                && checked.binds(from.agent.span)
            {
                let role = match &from.role.kind {
                    TermKind::Role(role) => Knowledge::AgentOf(role),
                    _ => Knowledge::Anything,
                };
                found(name, role);
            }
        }
        _ => {}
    }
}

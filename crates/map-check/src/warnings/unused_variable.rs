//! MAP311: a variable that is bound and never used.

use std::collections::HashSet;

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Clause, Op, OpKind, Term, TermKind};

use super::LintContext;
use crate::{CheckedScene, Occurrence, walk};

pub(super) fn find(cx: &LintContext<'_>, found: &mut Vec<Diagnostic>) {
    for (_, clause) in cx.clauses() {
        let mut unused =
            Unused { checked: cx.checked, used: HashSet::new(), trail: Vec::new(), found: Vec::new() };
        unused.clause(clause);
        found.extend(unused.found.into_iter().map(|(name, span, in_head)| warning(name, span, in_head)));
    }
}

fn warning(name: &str, span: Span, in_head: bool) -> Diagnostic {
    let text = format!("`${name}` is bound here but never used");
    let place = if in_head { "in the head" } else { "in the receive" };
    Diagnostic::new(Code::UnusedVariable, span, text, "no use follows")
        .with_help(format!("Write `_` {place}: it takes anything, too"))
        .replaced_by("_")
}

/// A backward analysis of one clause, so that the uses of a variable are seen before its binding. A use in one
/// alternative does not count for a binding in another: uses are recorded on a trail and undone between
/// alternatives.
struct Unused<'a> {
    checked: &'a CheckedScene<'a>,
    used: HashSet<&'a str>,
    trail: Vec<&'a str>,
    found: Vec<(&'a str, Span, bool)>,
}

impl<'a> Unused<'a> {
    fn clause(&mut self, clause: &'a Clause) {
        self.op(&clause.body);
        self.pattern(clause.parameters.iter(), true);
    }

    fn op(&mut self, op: &'a Op) {
        match &op.kind {
            OpKind::Then(ops) => ops.iter().rev().for_each(|op| self.op(op)),
            // No side uses what another binds, but code after the `par` may.
            OpKind::Or(ops) | OpKind::Par(ops) => self.branches(ops),
            OpKind::Wait { body, timeout: None } => self.op(body),
            OpKind::Wait { body, timeout: Some(timeout) } => self.branches([&**body, &**timeout]),
            OpKind::Skip | OpKind::Fail | OpKind::Hole => {}
            OpKind::Call { arguments } => self.values(arguments),
            // Binding an answer is never reported: in MAP as published it has to have a name, and often only the
            // "no" matters.
            OpKind::Ask { variable, arguments, .. } => {
                if let Some(variable) = variable.as_ref().filter(|it| !self.checked.binds(it.span)) {
                    self.use_of(&variable.text);
                }
                self.values(arguments);
            }
            OpKind::Send { message, to } => {
                self.values(&message.arguments);
                self.values([&to.agent, &to.role]);
            }
            OpKind::Receive { message, from } => {
                self.pattern(message.arguments.iter().chain([&from.agent, &from.role]), false);
            }
        }
    }

    fn branches(&mut self, branches: impl IntoIterator<Item = &'a Op>) {
        let start = self.trail.len();
        let mut all = Vec::new();
        for branch in branches {
            self.op(branch);
            for name in self.trail.drain(start..) {
                self.used.remove(name);
                all.push(name);
            }
        }
        all.into_iter().for_each(|name| self.use_of(name));
    }

    fn values(&mut self, terms: impl IntoIterator<Item = &'a Term>) {
        for term in terms {
            walk::variables(term, &mut |name, _| self.use_of(name));
        }
    }

    /// Handles all comparisons before all bindings, as a pattern may compare a variable that it binds itself.
    fn pattern(&mut self, terms: impl Iterator<Item = &'a Term> + Clone, in_head: bool) {
        for term in terms.clone() {
            if let TermKind::Variable(name) = &term.kind
                && self.checked.occurrences.get(&term.span.start) == Some(&Occurrence::Compares)
            {
                self.use_of(name);
            }
        }
        for term in terms {
            if let TermKind::Variable(name) = &term.kind
                && self.checked.binds(term.span)
                && !self.used.contains(name.as_str())
            {
                self.found.push((name, term.span, in_head));
            }
        }
    }

    fn use_of(&mut self, name: &'a str) {
        if self.used.insert(name) {
            self.trail.push(name);
        }
    }
}

//! Where the variables of clauses are bound, as far as the clauses could be parsed.
//!
//! What the reference forbids (a variable bound on some paths only) is not looked for here: what is bound on some path
//! counts as bound.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use map_diagnostics::Span;
use map_syntax::ast::{self, Expression, ExpressionKind, Op, OpKind, Term, TermKind};

/// What is known of the variables of a file.
#[derive(Default)]
pub(super) struct Bindings {
    /// The offsets of the variables that are bound where they stand.
    binding: HashSet<usize>,
    /// What could not be read, in source order. Any variable in it may be bound there.
    holes: Vec<Span>,
}

impl Bindings {
    pub(super) fn new(file: &ast::File) -> Self {
        let mut found = Self::default();
        for clause in file.scenes().flat_map(|scene| &scene.clauses) {
            walk(clause, &mut |at, bound| {
                if bound.is_empty() {
                    found.binding.insert(at);
                }
            });
            holes(&clause.body, &mut found.holes);
        }
        found
    }

    pub(super) fn is_binding(&self, at: usize) -> bool {
        self.binding.contains(&at)
    }

    pub(super) fn is_in_hole(&self, at: usize) -> bool {
        let next = self.holes.partition_point(|hole| hole.start as usize <= at);
        next.checked_sub(1).is_some_and(|hole| at < self.holes[hole].end as usize)
    }
}

fn holes(op: &Op, found: &mut Vec<Span>) {
    if op.kind == OpKind::Hole {
        found.push(op.span);
    }
    op.parts().into_iter().for_each(|part| holes(part, found));
}

/// The offsets at which the variable at `at` may have been bound; itself, if it is bound there.
pub(crate) fn reaching(file: &ast::File, clause: &Range<usize>, at: usize) -> Vec<usize> {
    let clauses = file.scenes().flat_map(|scene| &scene.clauses);
    let Some(clause) = clauses.into_iter().find(|it| it.span.start as usize == clause.start) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    walk(clause, &mut |place, bound| {
        if place == at {
            found = if bound.is_empty() { vec![at] } else { bound.to_vec() };
        }
    });
    found
}

/// For each variable, where it may have been bound.
type Bound<'a> = BTreeMap<&'a str, Vec<usize>>;

/// Calls `visit` with the offset of each occurrence of a variable, and where it may have been bound before: nowhere, if
/// it is bound here.
fn walk(clause: &ast::Clause, visit: &mut dyn FnMut(usize, &[usize])) {
    let mut walker = Walker { visit };
    let mut bound = Bound::new();
    if let ast::Who::Variable(name) = &clause.who {
        walker.pattern(&name.text, name.span.start as usize, &mut bound);
    }
    for term in &clause.parameters {
        walker.pattern_term(term, &mut bound);
    }
    walker.operation(&clause.body, &mut bound);
}

struct Walker<'v> {
    visit: &'v mut dyn FnMut(usize, &[usize]),
}

impl Walker<'_> {
    fn operation<'a>(&mut self, op: &'a Op, bound: &mut Bound<'a>) {
        match &op.kind {
            OpKind::Then(ops) => ops.iter().for_each(|op| self.operation(op, bound)),
            OpKind::Or(ops) | OpKind::Par(ops) => self.branches(ops.iter(), bound),
            OpKind::Wait { body, timeout } => {
                self.branches(std::iter::once(&**body).chain(timeout.as_deref()), bound);
            }
            OpKind::Call { arguments } => arguments.iter().for_each(|it| self.value_term(it, bound)),
            OpKind::Skip | OpKind::Fail | OpKind::Hole => {}
            OpKind::Ask { variable, arguments, .. } => {
                arguments.iter().for_each(|it| self.value_term(it, bound));
                if let Some(variable) = variable {
                    self.pattern(&variable.text, variable.span.start as usize, bound);
                }
            }
            OpKind::Send { message, to } => {
                let terms = message.arguments.iter().chain([&to.agent, &to.role]);
                terms.for_each(|it| self.value_term(it, bound));
            }
            OpKind::Receive { message, from } => {
                let terms = message.arguments.iter().chain([&from.agent, &from.role]);
                terms.for_each(|it| self.pattern_term(it, bound));
            }
        }
    }

    /// Ways of which one is taken, or all: each starts with what is bound before.
    fn branches<'a>(&mut self, ops: impl Iterator<Item = &'a Op>, bound: &mut Bound<'a>) {
        let before = bound.clone();
        for op in ops {
            let mut inside = before.clone();
            self.operation(op, &mut inside);
            for (name, places) in inside {
                let known = bound.entry(name).or_default();
                for place in places {
                    if !known.contains(&place) {
                        known.push(place);
                    }
                }
            }
        }
    }

    fn pattern_term<'a>(&mut self, term: &'a Term, bound: &mut Bound<'a>) {
        match &term.kind {
            TermKind::Variable(name) => self.pattern(name, term.span.start as usize, bound),
            _ => self.value_term(term, bound),
        }
    }

    fn pattern<'a>(&mut self, name: &'a str, at: usize, bound: &mut Bound<'a>) {
        let places = bound.entry(name).or_default();
        (self.visit)(at, places);
        if places.is_empty() {
            places.push(at);
        }
    }

    fn value_term(&mut self, term: &Term, bound: &Bound<'_>) {
        match &term.kind {
            TermKind::Variable(name) => self.value(name, term.span.start as usize, bound),
            TermKind::Expression(expression) => self.expression(expression, bound),
            _ => {}
        }
    }

    fn value(&mut self, name: &str, at: usize, bound: &Bound<'_>) {
        if let Some(places) = bound.get(name).filter(|places| !places.is_empty()) {
            (self.visit)(at, places);
        }
    }

    fn expression(&mut self, expression: &Expression, bound: &Bound<'_>) {
        if let ExpressionKind::Parameter(name) = &expression.kind {
            self.value(name, expression.span.start as usize, bound);
        }
        expression.parts().into_iter().for_each(|part| self.expression(part, bound));
    }
}

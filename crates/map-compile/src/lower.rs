//! Lowering of clauses to control points.

use std::ops::Range;

use indexmap::IndexSet;
use map_check::{Analysis, CheckedScene};
use map_diagnostics::Span;
use map_ir::{
    Candidate, Clause, ClauseId, Edge, ExpressionId, ExpressionKind, Goto, Operand, PartId, Pattern, Place,
    Point, PointId, PointKind, ProcedureId, Recipient, Region, RegionKind, Slot, SlotSetId, SourceSpan,
    Target, Test,
};
use map_syntax::ast::{self, OpKind, TermKind};

use crate::expressions::Expressions;
use crate::names::Names;

/// The tables that lowering fills.
pub(crate) struct Lowered {
    pub(crate) clauses: Vec<Clause>,
    pub(crate) points: Vec<Point>,
    pub(crate) slot_sets: IndexSet<Vec<Slot>>,
    pub(crate) regions: Vec<Region>,
    pub(crate) expressions: Expressions,
}

pub(crate) fn lower_clauses(analysis: &Analysis<'_>, names: &mut Names<'_>) -> Lowered {
    let mut lowered = Lowered {
        clauses: Vec::new(),
        points: Vec::new(),
        slot_sets: IndexSet::from([Vec::new()]),
        regions: Vec::new(),
        expressions: Expressions::default(),
    };
    let checked = analysis.checked();
    for (index, clause) in checked.scene.clauses.iter().enumerate() {
        let part = checked.clauses[index].part;
        let mut lowering = Lowering {
            checked,
            analysis,
            names,
            tables: &mut lowered,
            part,
            clause: ClauseId::new(index),
            variables: IndexSet::new(),
        };
        let clause = lowering.clause(clause);
        lowered.clauses.push(clause);
    }
    lowered
}

/// Lowers one clause.
struct Lowering<'a, 'n> {
    checked: &'a CheckedScene<'a>,
    analysis: &'a Analysis<'a>,
    names: &'a mut Names<'n>,
    tables: &'a mut Lowered,
    part: usize,
    clause: ClauseId,
    variables: IndexSet<String>,
}

impl Lowering<'_, '_> {
    fn clause(&mut self, clause: &ast::Clause) -> Clause {
        let own_name = match &clause.who {
            ast::Who::Variable(name) => Some(self.slot(&name.text)),
            ast::Who::Agent(_) => None,
        };
        let head = self.head(clause, own_name);
        let first_point = self.tables.points.len();
        let fail = Edge { unbind: SlotSetId::EMPTY, to: Goto::Return(false) };
        let body = self.op(&clause.body, Goto::Return(true), fail);
        Clause {
            part: PartId::new(self.part),
            own_name,
            head,
            arity: clause.parameters.len(),
            variables: std::mem::take(&mut self.variables).into_iter().collect(),
            body,
            points: first_point..self.tables.points.len(),
            can_fail: true,
            head_span: source_span(clause.head_span),
            span: source_span(clause.span),
        }
    }

    /// Lowers an operation with its successors and returns its entry point. The points of an operation are contiguous.
    fn op(&mut self, op: &ast::Op, ok: Goto, err: Edge) -> PointId {
        let kind = match &op.kind {
            OpKind::Then(steps) => return self.sequence(steps, ok, err),
            OpKind::Or(alternatives) => return self.alternatives(alternatives, ok, err),
            OpKind::Wait { body, timeout } => return self.wait(op.span, body, timeout.as_deref(), ok, err),
            OpKind::Par(sides) => return self.par(op.span, sides, ok, err),
            OpKind::Skip => PointKind::Skip { ok },
            OpKind::Fail | OpKind::Hole => PointKind::Fail { err },
            OpKind::Call { arguments } => PointKind::Call {
                candidates: self
                    .analysis
                    .candidates(op)
                    .iter()
                    .map(|it| Candidate { clause: ClauseId::new(it.clause), certain: it.certain })
                    .collect(),
                arguments: self.operands(arguments),
                ok,
                err,
            },
            OpKind::Ask { variable, procedure, arguments } => PointKind::Ask {
                procedure: ProcedureId::new(
                    self.checked
                        .procedures
                        .get_index_of(&procedure.text)
                        .expect("checked: every procedure is listed"),
                ),
                arguments: self.operands(arguments),
                target: self.target(variable.as_ref()),
                ok,
                err,
            },
            OpKind::Send { message, to } => PointKind::Send {
                performative: self.names.performative(message),
                arguments: self.operands(&message.arguments),
                agent: self.recipient(&to.agent),
                role: self.recipient(&to.role),
                ok,
                err,
            },
            OpKind::Receive { message, from } => {
                let terms = message.arguments.iter().chain([&from.agent, &from.role]);
                PointKind::Receive {
                    performative: self.names.performative(message),
                    pattern: self.pattern(terms),
                    ok,
                    err,
                }
            }
        };
        self.push(kind, op.span)
    }

    fn target(&mut self, variable: Option<&ast::Name>) -> Target {
        match variable {
            None => Target::Anything,
            Some(variable) if self.binds(variable.span) => Target::Binds(self.slot(&variable.text)),
            Some(variable) => Target::Compares(self.slot(&variable.text)),
        }
    }

    fn sequence(&mut self, steps: &[ast::Op], ok: Goto, err: Edge) -> PointId {
        let mut next = ok;
        let mut entry = None;
        for step in steps.iter().rev() {
            let point = self.op(step, next, err);
            next = Goto::Point(point);
            entry = Some(point);
        }
        entry.expect("a sequence has two or more steps")
    }

    fn alternatives(&mut self, alternatives: &[ast::Op], ok: Goto, err: Edge) -> PointId {
        let mut failure = err;
        let mut entry = None;
        for alternative in alternatives.iter().rev() {
            let inside = match entry {
                None => err,
                Some(_) => Edge { unbind: self.bound_in(alternative), ..failure },
            };
            let first = self.tables.points.len();
            let point = self.op(alternative, ok, inside);
            self.region(RegionKind::Alternative, first, alternative.span);
            failure = Edge { unbind: SlotSetId::EMPTY, to: Goto::Point(point) };
            entry = Some(point);
        }
        entry.expect("an `or` has two or more alternatives")
    }

    fn wait(
        &mut self,
        span: Span,
        body: &ast::Op,
        timeout: Option<&ast::Op>,
        ok: Goto,
        err: Edge,
    ) -> PointId {
        let wait = self.push(PointKind::Fail { err }, span);
        let again = Edge { unbind: self.bound_in(body), to: Goto::Point(wait) };
        let body = self.op(body, ok, again);
        let timeout = timeout.map(|timeout| {
            let first = self.tables.points.len();
            let point = self.op(timeout, ok, err);
            self.region(RegionKind::Timeout, first, timeout.span);
            point
        });
        self.tables.points[wait.index()].kind = PointKind::Wait { body, timeout };
        wait
    }

    fn par(&mut self, span: Span, sides: &[ast::Op], ok: Goto, err: Edge) -> PointId {
        let par = self.push(PointKind::Fail { err }, span);
        let end = Edge { unbind: SlotSetId::EMPTY, to: Goto::SideEnd(false) };
        let sides = sides.iter().map(|side| self.op(side, Goto::SideEnd(true), end)).collect();
        self.tables.points[par.index()].kind = PointKind::Par { sides, ok, err };
        par
    }

    fn head(&mut self, clause: &ast::Clause, own_name: Option<Slot>) -> Pattern {
        let mut head = self.pattern(clause.parameters.iter());
        for test in &mut head.tests {
            // The variable of the own name is bound with the activation, after the head has matched.
            if let Test::Operand(_, operand @ Operand::Variable(_)) = test
                && let Operand::Variable(slot) = *operand
                && Some(slot) == own_name
            {
                *operand = Operand::Own;
            }
        }
        head
    }

    fn pattern<'t>(&mut self, terms: impl Iterator<Item = &'t ast::Term>) -> Pattern {
        let mut pattern = Pattern::default();
        for (place, term) in terms.enumerate() {
            let place = place as Place;
            match &term.kind {
                TermKind::Wildcard => {}
                TermKind::Variable(name) => {
                    let slot = self.slot(name);
                    let bound_here = pattern.bindings.iter().find(|&&(_, it)| it == slot);
                    match bound_here {
                        Some(&(first, _)) => pattern.tests.push(Test::Same(first, place)),
                        None if self.binds(term.span) => pattern.bindings.push((place, slot)),
                        None => pattern.tests.push(Test::Operand(place, Operand::Variable(slot))),
                    }
                }
                constant => {
                    let operand =
                        self.names.constant(constant, self.part).expect("neither variable nor wildcard");
                    pattern.tests.push(Test::Operand(place, operand));
                }
            }
        }
        pattern
    }

    fn operands(&mut self, terms: &[ast::Term]) -> Vec<Operand> {
        terms
            .iter()
            .map(|term| self.operand(term).expect("checked: no wildcard where a value is needed"))
            .collect()
    }

    fn recipient(&mut self, term: &ast::Term) -> Recipient {
        self.operand(term).map_or(Recipient::Any, Recipient::Is)
    }

    /// `None` for the wildcard.
    fn operand(&mut self, term: &ast::Term) -> Option<Operand> {
        match &term.kind {
            TermKind::Wildcard => None,
            TermKind::Variable(name) => Some(Operand::Variable(self.slot(name))),
            TermKind::Expression(expression) => Some(Operand::Expression(self.expression(expression))),
            constant => self.names.constant(constant, self.part),
        }
    }

    fn expression(&mut self, expression: &ast::Expression) -> ExpressionId {
        let Self { names, tables, part, variables, .. } = self;
        tables.expressions.lower(expression, &mut |leaf| match leaf {
            ast::ExpressionKind::Parameter(name) => {
                ExpressionKind::Variable(Slot::new(variables.insert_full(name.clone()).0))
            }
            ast::ExpressionKind::Constant(term) => match names.constant(term, *part) {
                Some(Operand::Own) => ExpressionKind::Own,
                Some(Operand::Constant(value)) => ExpressionKind::Constant(value),
                _ => unreachable!("a constant is neither a variable nor a wildcard"),
            },
            _ => unreachable!("other expressions are no leaves, or the same everywhere"),
        })
    }

    fn slot(&mut self, name: &str) -> Slot {
        match self.variables.get_index_of(name) {
            Some(index) => Slot::new(index),
            None => Slot::new(self.variables.insert_full(name.to_owned()).0),
        }
    }

    fn binds(&self, span: Span) -> bool {
        self.checked.binds(span)
    }

    /// The set of variables that `op` may bind.
    fn bound_in(&mut self, op: &ast::Op) -> SlotSetId {
        let mut bound = Vec::new();
        self.collect_bound(op, &mut bound);
        bound.sort_unstable();
        bound.dedup();
        SlotSetId::new(self.tables.slot_sets.insert_full(bound).0)
    }

    fn collect_bound(&mut self, op: &ast::Op, bound: &mut Vec<Slot>) {
        match &op.kind {
            OpKind::Ask { variable, .. } => {
                if let Some(variable) = variable.as_ref().filter(|it| self.binds(it.span)) {
                    bound.push(self.slot(&variable.text));
                }
            }
            OpKind::Receive { message, from } => {
                for term in message.arguments.iter().chain([&from.agent, &from.role]) {
                    if let TermKind::Variable(name) = &term.kind
                        && self.binds(term.span)
                    {
                        bound.push(self.slot(name));
                    }
                }
            }
            _ => op.parts().into_iter().for_each(|part| self.collect_bound(part, bound)),
        }
    }

    fn push(&mut self, kind: PointKind, span: Span) -> PointId {
        let id = PointId::new(self.tables.points.len());
        self.tables.points.push(Point { clause: self.clause, kind, span: source_span(span) });
        id
    }

    fn region(&mut self, kind: RegionKind, first: usize, span: Span) {
        let points: Range<usize> = first..self.tables.points.len();
        self.tables.regions.push(Region { kind, clause: self.clause, points, span: source_span(span) });
    }
}

const fn source_span(span: Span) -> SourceSpan {
    SourceSpan { start: span.start, end: span.end }
}

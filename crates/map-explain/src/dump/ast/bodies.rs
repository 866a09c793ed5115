//! The nodes of memories, procedure bodies and expressions.

use map_syntax::ast::{
    Alternative, Answer, Body, CellValue, Domain, DomainKind, Expression, ExpressionKind, InitialCell,
    InitialValue, Memory, Term, Weights,
};

use super::Printer;

impl Printer<'_> {
    pub(super) fn memory(&mut self, memory: &Memory) {
        self.branch("memory", memory.span, |it| {
            it.name("role", "%", &memory.role);
            it.initial_cells(&memory.cells);
        });
    }

    pub(super) fn body(&mut self, body: &Body) {
        match body {
            Body::Domain(domain) => self.domain(domain),
            Body::Fresh(span) => self.leaf("fresh", *span),
            Body::Alternatives(alternatives) => {
                for alternative in alternatives {
                    self.alternative(alternative);
                }
            }
        }
    }

    fn alternative(&mut self, alternative: &Alternative) {
        self.branch("alternative", alternative.span, |it| {
            if let Some(guard) = &alternative.guard {
                it.branch("guard", guard.span, |it| it.expression(guard));
            }
            it.answer(&alternative.answer);
            it.cells(&alternative.updates);
        });
    }

    fn initial_cells(&mut self, cells: &[InitialCell]) {
        for cell in cells {
            self.branch("cell", cell.span, |it| {
                it.name("name", "@", &cell.cell);
                match &cell.value {
                    InitialValue::Value(value) => it.expression(value),
                    InitialValue::Domain(domain) => it.domain(domain),
                    InitialValue::Count(role) => it.name("number of agents of", "%", role),
                }
            });
        }
    }

    fn answer(&mut self, answer: &Answer) {
        match answer {
            Answer::Value(value) => self.expression(value),
            Answer::Domain(domain) => self.domain(domain),
        }
    }

    fn cells(&mut self, cells: &[CellValue]) {
        for cell in cells {
            self.branch("cell", cell.span, |it| {
                it.name("name", "@", &cell.cell);
                it.expression(&cell.value);
            });
        }
    }

    pub(super) fn domain(&mut self, domain: &Domain) {
        self.branch("in", domain.span, |it| {
            match &domain.kind {
                DomainKind::Values(values) => it.terms(values),
                DomainKind::Range(first, last) => it.leaf(&format!("range {first}..{last}"), domain.span),
                DomainKind::Role(role) => it.name("agents of", "%", role),
            }
            match &domain.weights {
                None => {}
                Some(Weights::Each(weights)) => {
                    for weight in weights {
                        let span = weight.map_or(domain.span, |it| it.span);
                        it.leaf(&format!("weight {}", weight.map_or(1, |it| it.value)), span);
                    }
                }
                Some(Weights::By(weight)) => it.branch("by", weight.span, |it| it.expression(weight)),
                Some(Weights::Distribution(distribution, number)) => {
                    it.leaf(&format!("by {} {}", distribution.word(), number.text), number.span);
                }
            }
        });
    }

    pub(super) fn expression(&mut self, expression: &Expression) {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Constant(kind) => self.term(&Term { kind: kind.clone(), span }),
            ExpressionKind::Parameter(name) => self.leaf(&format!("parameter ${name}"), span),
            ExpressionKind::Cell(name) => self.leaf(&format!("cell @{name}"), span),
            ExpressionKind::Own => self.leaf("self", span),
            ExpressionKind::Reading(quantity) => self.quantity(quantity),
            ExpressionKind::Holds(atom) => self.formula(atom),
            ExpressionKind::Arithmetic { first, rest } => self.branch("arithmetic", span, |it| {
                it.expression(first);
                for (operator, operand) in rest {
                    it.branch(operator.sign(), operand.span, |it| it.expression(operand));
                }
            }),
            ExpressionKind::Comparison { left, operator, right } => {
                self.operands(operator.sign(), expression, [&**left, &**right]);
            }
            ExpressionKind::And(parts) => self.operands("and", expression, parts),
            ExpressionKind::Or(parts) => self.operands("or", expression, parts),
            ExpressionKind::Not(part) => self.operands("not", expression, [&**part]),
            ExpressionKind::Min(left, right) => self.operands("min", expression, [&**left, &**right]),
            ExpressionKind::Max(left, right) => self.operands("max", expression, [&**left, &**right]),
            ExpressionKind::If { condition, then, otherwise } => {
                self.operands("if", expression, [&**condition, &**then, &**otherwise]);
            }
        }
    }

    fn operands<'e>(
        &mut self,
        word: &str,
        of: &Expression,
        operands: impl IntoIterator<Item = &'e Expression>,
    ) {
        self.branch(word, of.span, |it| {
            for operand in operands {
                it.expression(operand);
            }
        });
    }
}

//! Lowering of expressions, those of clauses and those of procedure bodies.

use indexmap::IndexSet;
use map_diagnostics::Span;
use map_ir::{CellId, Expression, ExpressionId, ExpressionKind, SourceSpan};
use map_syntax::ast;

use crate::operators::{arithmetic, comparison};

/// The tables that expressions fill.
#[derive(Default)]
pub(crate) struct Expressions {
    pub(crate) cells: IndexSet<String>,
    pub(crate) list: Vec<Expression>,
}

impl Expressions {
    pub(crate) fn cell(&mut self, name: &str) -> CellId {
        CellId::new(self.cells.insert_full(name.to_owned()).0)
    }

    /// Lowers an expression. `leaf` lowers constants and variables, whose meaning depends on where it stands.
    pub(crate) fn lower(
        &mut self,
        expression: &ast::Expression,
        leaf: &mut dyn FnMut(&ast::ExpressionKind) -> ExpressionKind,
    ) -> ExpressionId {
        let kind = match &expression.kind {
            ast::ExpressionKind::Constant(_) | ast::ExpressionKind::Parameter(_) => leaf(&expression.kind),
            ast::ExpressionKind::Cell(name) => ExpressionKind::Cell(self.cell(name)),
            ast::ExpressionKind::Own => ExpressionKind::Own,
            ast::ExpressionKind::Reading(_) | ast::ExpressionKind::Holds(_) => {
                unreachable!("in measures only")
            }
            ast::ExpressionKind::Arithmetic { first, rest } => {
                let first = self.lower(first, leaf);
                let rest =
                    rest.iter().map(|(operator, operand)| (arithmetic(*operator), self.lower(operand, leaf)));
                ExpressionKind::Arithmetic(first, rest.collect())
            }
            ast::ExpressionKind::Comparison { left, operator, right } => {
                let left = self.lower(left, leaf);
                ExpressionKind::Comparison(left, comparison(*operator), self.lower(right, leaf))
            }
            ast::ExpressionKind::And(parts) => ExpressionKind::And(self.lower_all(parts, leaf)),
            ast::ExpressionKind::Or(parts) => ExpressionKind::Or(self.lower_all(parts, leaf)),
            ast::ExpressionKind::Not(part) => ExpressionKind::Not(self.lower(part, leaf)),
            ast::ExpressionKind::Min(left, right) => {
                let left = self.lower(left, leaf);
                ExpressionKind::Min(left, self.lower(right, leaf))
            }
            ast::ExpressionKind::Max(left, right) => {
                let left = self.lower(left, leaf);
                ExpressionKind::Max(left, self.lower(right, leaf))
            }
            ast::ExpressionKind::If { condition, then, otherwise } => {
                let condition = self.lower(condition, leaf);
                let then = self.lower(then, leaf);
                ExpressionKind::If(condition, then, self.lower(otherwise, leaf))
            }
        };
        let id = ExpressionId::new(self.list.len());
        self.list.push(Expression { kind, span: source_span(expression.span) });
        id
    }

    fn lower_all(
        &mut self,
        parts: &[ast::Expression],
        leaf: &mut dyn FnMut(&ast::ExpressionKind) -> ExpressionKind,
    ) -> Vec<ExpressionId> {
        parts.iter().map(|part| self.lower(part, leaf)).collect()
    }
}

const fn source_span(span: Span) -> SourceSpan {
    SourceSpan { start: span.start, end: span.end }
}

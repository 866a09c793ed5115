//! Lowering of memories and procedure bodies.

use indexmap::IndexSet;
use map_check::Checked;
use map_diagnostics::Span;
use map_ir::{
    AgentId, Alternative, Answer, Body, CellId, Expression, ExpressionId, ExpressionKind, Initial, Memory,
    Procedure, SourceSpan, Value,
};
use map_syntax::ast;

use crate::names::Names;
use crate::operators::{arithmetic, comparison};

/// The tables that definitions fill.
#[derive(Default)]
pub(crate) struct Definitions {
    pub(crate) procedures: Vec<Procedure>,
    pub(crate) cells: IndexSet<String>,
    pub(crate) memories: Vec<Memory>,
    pub(crate) expressions: Vec<Expression>,
}

pub(crate) fn define(checked: &Checked<'_>, names: &mut Names<'_>) -> Definitions {
    let mut tables = Definitions::default();
    for (name, info) in &checked.procedures {
        let declared = checked.file.procedures().find(|declared| declared.name.text == *name);
        let body = match declared.and_then(|declared| declared.body.as_ref().map(|body| (declared, body))) {
            Some((declared, body)) => Defining { checked, names, tables: &mut tables, declared }.body(body),
            None => Body::Abstract,
        };
        tables.procedures.push(Procedure {
            name: name.clone(),
            arity: info.arity,
            may_refuse: info.may_refuse,
            body,
        });
    }
    let memories: Vec<Memory> =
        names.roles.clone().iter().map(|role| memory(checked, names, &mut tables.cells, role)).collect();
    tables.memories = memories;
    tables
}

fn memory(checked: &Checked<'_>, names: &mut Names<'_>, known: &mut IndexSet<String>, role: &str) -> Memory {
    let declared =
        checked.file.memories().filter(|memory| memory.role.text == role).flat_map(|memory| &memory.cells);
    let cells = declared.map(|cell| {
        let id = CellId::new(known.insert_full(cell.cell.text.clone()).0);
        let initial = match &cell.value {
            ast::Answer::Value(ast::Expression { kind: ast::ExpressionKind::Constant(term), .. }) => {
                Initial::Constant(
                    names.value(term).expect("checked: an initial value is a constant or `self`"),
                )
            }
            ast::Answer::Value(_) => Initial::Own,
            ast::Answer::Domain(domain) => match *values_of(checked, names, domain) {
                [only] => Initial::Constant(only),
                ref values => Initial::In(values.to_vec()),
            },
        };
        (id, initial)
    });
    Memory { cells: cells.collect() }
}

/// The values of a domain, without duplicates.
fn values_of(checked: &Checked<'_>, names: &mut Names<'_>, domain: &ast::Domain) -> Vec<Value> {
    let values: IndexSet<Value> = match &domain.kind {
        ast::DomainKind::Values(terms) => terms.iter().filter_map(|term| names.value(&term.kind)).collect(),
        ast::DomainKind::Range(first, last) => (*first..=*last).map(Value::Integer).collect(),
        ast::DomainKind::Role(role) => {
            let role = checked.roles.get_index_of(&role.text);
            let agents = checked.agents.iter().enumerate();
            let agents = agents.filter(|(_, agent)| Some(checked.parts[agent.part].role) == role);
            agents.map(|(index, _)| Value::Agent(AgentId::new(index))).collect()
        }
    };
    values.into_iter().collect()
}

/// Lowers one body.
struct Defining<'a, 'n> {
    checked: &'a Checked<'a>,
    names: &'a mut Names<'n>,
    tables: &'a mut Definitions,
    declared: &'a ast::Procedure,
}

impl Defining<'_, '_> {
    fn body(&mut self, body: &ast::Body) -> Body {
        match body {
            ast::Body::Domain(domain) => Body::In(self.domain(domain)),
            ast::Body::Fresh(_) => Body::Fresh,
            ast::Body::Alternatives(alternatives) => {
                Body::Alternatives(alternatives.iter().map(|it| self.alternative(it)).collect())
            }
        }
    }

    fn alternative(&mut self, alternative: &ast::Alternative) -> Alternative {
        Alternative {
            guard: alternative.guard.as_ref().map(|guard| self.expression(guard)),
            answer: match &alternative.answer {
                ast::Answer::Value(value) => Answer::Value(self.expression(value)),
                ast::Answer::Domain(domain) => Answer::In(self.domain(domain)),
            },
            updates: alternative
                .updates
                .iter()
                .map(|update| (self.cell(&update.cell.text), self.expression(&update.value)))
                .collect(),
            span: source_span(alternative.span),
        }
    }

    fn domain(&mut self, domain: &ast::Domain) -> Vec<Value> {
        values_of(self.checked, self.names, domain)
    }

    fn cell(&mut self, name: &str) -> CellId {
        CellId::new(self.tables.cells.insert_full(name.to_owned()).0)
    }

    fn expression(&mut self, expression: &ast::Expression) -> ExpressionId {
        let kind = match &expression.kind {
            ast::ExpressionKind::Constant(term) => {
                ExpressionKind::Constant(self.names.value(term).expect("a constant is no variable"))
            }
            ast::ExpressionKind::Parameter(name) => {
                let index = self.declared.parameters.iter().position(|parameter| parameter.text == *name);
                ExpressionKind::Argument(index.expect("checked: every parameter is declared"))
            }
            ast::ExpressionKind::Cell(name) => ExpressionKind::Cell(self.cell(name)),
            ast::ExpressionKind::Own => ExpressionKind::Own,
            ast::ExpressionKind::Arithmetic { first, rest } => {
                let first = self.expression(first);
                let rest =
                    rest.iter().map(|(operator, operand)| (arithmetic(*operator), self.expression(operand)));
                ExpressionKind::Arithmetic(first, rest.collect())
            }
            ast::ExpressionKind::Comparison { left, operator, right } => ExpressionKind::Comparison(
                self.expression(left),
                comparison(*operator),
                self.expression(right),
            ),
            ast::ExpressionKind::And(parts) => ExpressionKind::And(self.expressions(parts)),
            ast::ExpressionKind::Or(parts) => ExpressionKind::Or(self.expressions(parts)),
            ast::ExpressionKind::Not(part) => ExpressionKind::Not(self.expression(part)),
            ast::ExpressionKind::Min(left, right) => {
                ExpressionKind::Min(self.expression(left), self.expression(right))
            }
            ast::ExpressionKind::Max(left, right) => {
                ExpressionKind::Max(self.expression(left), self.expression(right))
            }
            ast::ExpressionKind::If { condition, then, otherwise } => ExpressionKind::If(
                self.expression(condition),
                self.expression(then),
                self.expression(otherwise),
            ),
        };
        let id = ExpressionId::new(self.tables.expressions.len());
        self.tables.expressions.push(Expression { kind, span: source_span(expression.span) });
        id
    }

    fn expressions(&mut self, parts: &[ast::Expression]) -> Vec<ExpressionId> {
        parts.iter().map(|part| self.expression(part)).collect()
    }
}

const fn source_span(span: Span) -> SourceSpan {
    SourceSpan { start: span.start, end: span.end }
}

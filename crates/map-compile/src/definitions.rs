//! Lowering of memories and procedure bodies.

use indexmap::IndexSet;
use map_check::CheckedScene;
use map_diagnostics::Span;
use map_ir::{
    AgentId, Alternative, Answer, Body, CellId, Domain, ExpressionId, ExpressionKind, Initial, Memory,
    Probability, Procedure, ProcedureId, SourceSpan, Truth, Value,
};
use map_syntax::ast;

use crate::expressions::Expressions;
use crate::names::Names;

/// The tables that definitions fill.
pub(crate) struct Definitions {
    pub(crate) procedures: Vec<Procedure>,
    pub(crate) truths: Vec<Truth>,
    pub(crate) memories: Vec<Memory>,
    pub(crate) expressions: Expressions,
}

/// Adds to the expressions of clauses those of bodies.
pub(crate) fn define(
    checked: &CheckedScene<'_>,
    names: &mut Names<'_>,
    expressions: Expressions,
) -> Definitions {
    let mut tables =
        Definitions { procedures: Vec::new(), truths: Vec::new(), memories: Vec::new(), expressions };
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
            probability: declared.and_then(|it| it.probability.as_ref()).map(|number| Probability {
                billionths: number.billionths().expect("checked: at most 1, and not too many places"),
            }),
            body,
        });
    }
    let memories: Vec<Memory> = names
        .roles
        .clone()
        .iter()
        .map(|role| memory(checked, names, &mut tables.expressions, role))
        .collect();
    tables.memories = memories;
    truths(checked, names, &mut tables);
    tables
}

/// Lowers the truths last, with expressions of their own, so that they change nothing else.
fn truths(checked: &CheckedScene<'_>, names: &mut Names<'_>, tables: &mut Definitions) {
    for (index, name) in checked.procedures.keys().enumerate() {
        let Some(truth) = checked.file.truths().find(|it| it.procedure().text == *name) else { continue };
        let others = std::mem::take(&mut tables.expressions.list);
        let body = truth.decision.body.as_ref();
        let body = body.map(|body| Defining { checked, names, tables, declared: &truth.decision }.body(body));
        let expressions = std::mem::replace(&mut tables.expressions.list, others);
        if let Some(Body::Alternatives(alternatives)) = body {
            let procedure = ProcedureId::new(index);
            tables.truths.push(Truth { procedure, alternatives, expressions });
        }
    }
}

fn memory(checked: &CheckedScene<'_>, names: &mut Names<'_>, known: &mut Expressions, role: &str) -> Memory {
    let declared =
        checked.file.memories().filter(|memory| memory.role.text == role).flat_map(|memory| &memory.cells);
    let cells = declared.map(|cell| {
        let id = known.cell(&cell.cell.text);
        let given = checked.first_values.iter().find(|it| it.role == role && it.cell == cell.cell.text);
        if let Some(given) = given {
            let value = names.value(&given.value).expect("checked: a first value is a constant");
            return (id, Initial::Constant(value));
        }
        let initial = match &cell.value {
            ast::InitialValue::Value(ast::Expression {
                kind: ast::ExpressionKind::Constant(term), ..
            }) => Initial::Constant(
                names.value(term).expect("checked: an initial value is a constant or `self`"),
            ),
            ast::InitialValue::Value(_) => Initial::Own,
            ast::InitialValue::Count(role) => {
                let number = agents_of(checked, &role.text).count();
                Initial::Constant(Value::Integer(
                    i64::try_from(number).expect("checked: a scene has at most a million agents"),
                ))
            }
            ast::InitialValue::Domain(domain) => {
                let domain = self::domain(checked, names, domain);
                match *domain {
                    [only] => Initial::Constant(only),
                    _ => Initial::In(domain),
                }
            }
        };
        (id, initial)
    });
    Memory { cells: cells.collect() }
}

/// The values of a domain with their weights; those of weight 0 are none of it.
fn domain(checked: &CheckedScene<'_>, names: &mut Names<'_>, domain: &ast::Domain) -> Domain {
    let values = values_of(checked, names, domain);
    let Some(weights) = map_check::weights(domain).expect("checked: the weights are as they should be")
    else {
        return Domain::uniform(values);
    };
    let weighed: Vec<(Value, u64)> =
        values.into_iter().zip(weights).filter_map(|(value, weight)| Some((value, weight?))).collect();
    let is_even = weighed.iter().all(|(_, weight)| *weight == weighed[0].1);
    if is_even {
        return Domain::uniform(weighed.into_iter().map(|(value, _)| value).collect());
    }
    Domain::weighed(weighed)
}

/// The values of a domain as they are written, without duplicates.
fn values_of(checked: &CheckedScene<'_>, names: &mut Names<'_>, domain: &ast::Domain) -> Vec<Value> {
    let values: IndexSet<Value> = match &domain.kind {
        ast::DomainKind::Values(terms) => terms.iter().filter_map(|term| names.value(&term.kind)).collect(),
        ast::DomainKind::Range(first, last) => (*first..=*last).map(Value::Integer).collect(),
        ast::DomainKind::Role(role) => agents_of(checked, &role.text).map(Value::Agent).collect(),
    };
    values.into_iter().collect()
}

/// The agents that the cast has of a role.
fn agents_of<'c>(checked: &'c CheckedScene<'_>, role: &str) -> impl Iterator<Item = AgentId> + use<'c> {
    let role = checked.roles.get_index_of(role);
    let agents = checked.agents.iter().enumerate();
    agents
        .filter(move |(_, agent)| Some(checked.parts[agent.part].role) == role)
        .map(|(index, _)| AgentId::new(index))
}

/// Lowers one body.
struct Defining<'a, 'n> {
    checked: &'a CheckedScene<'a>,
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

    fn domain(&mut self, domain: &ast::Domain) -> Domain {
        self::domain(self.checked, self.names, domain)
    }

    fn cell(&mut self, name: &str) -> CellId {
        self.tables.expressions.cell(name)
    }

    fn expression(&mut self, expression: &ast::Expression) -> ExpressionId {
        let (names, parameters) = (&mut *self.names, &self.declared.parameters);
        self.tables.expressions.lower(expression, &mut |leaf| match leaf {
            ast::ExpressionKind::Parameter(name) => {
                let index = parameters.iter().position(|parameter| parameter.text == *name);
                ExpressionKind::Argument(index.expect("checked: every parameter is declared"))
            }
            ast::ExpressionKind::Constant(term) => {
                ExpressionKind::Constant(names.value(term).expect("a constant is no variable"))
            }
            _ => unreachable!("other expressions are no leaves, or the same everywhere"),
        })
    }
}

const fn source_span(span: Span) -> SourceSpan {
    SourceSpan { start: span.start, end: span.end }
}

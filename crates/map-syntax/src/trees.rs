//! Syntax trees without spans, to compare the meaning of texts with different layout.

mod formulas;

use crate::ast::{
    Address, Alternative, Answer, Body, Cast, CastSubject, CellValue, Clause, Domain, DomainKind, Expression,
    ExpressionKind, File, InitialCell, InitialValue, Item, Memory, Message, Name, Op, OpKind, Procedure,
    Scene, Term, TermKind, Who,
};
use map_diagnostics::Span;

/// The tree with every span set to the default.
#[must_use]
pub fn without_spans(file: &File) -> File {
    File { items: file.items.iter().map(item).collect() }
}

fn nowhere() -> Span {
    Span::default()
}

fn item(item: &Item) -> Item {
    match item {
        Item::Scene(it) => Item::Scene(Scene {
            name: name(&it.name),
            clauses: it.clauses.iter().map(clause).collect(),
            span: nowhere(),
        }),
        Item::Cast(it) => Item::Cast(Cast {
            subject: match &it.subject {
                CastSubject::Role(it) => CastSubject::Role(name(it)),
                CastSubject::Agent(it) => CastSubject::Agent(name(it)),
            },
            count: it.count,
            any: it.any,
            count_span: nowhere(),
            span: nowhere(),
        }),
        Item::Procedure(it) => Item::Procedure(Procedure {
            name: name(&it.name),
            parameters: it.parameters.iter().map(name).collect(),
            may_refuse: it.may_refuse,
            body: it.body.as_ref().map(body),
            span: nowhere(),
        }),
        Item::Memory(it) => Item::Memory(Memory {
            role: name(&it.role),
            cells: it.cells.iter().map(initial_cell).collect(),
            span: nowhere(),
        }),
        Item::Property(it) => Item::Property(formulas::property(it)),
    }
}

fn name(name: &Name) -> Name {
    Name { text: name.text.clone(), span: nowhere() }
}

fn clause(clause: &Clause) -> Clause {
    Clause {
        who: match &clause.who {
            Who::Agent(it) => Who::Agent(name(it)),
            Who::Variable(it) => Who::Variable(name(it)),
        },
        role: name(&clause.role),
        parameters: terms(&clause.parameters),
        body: op(&clause.body),
        head_span: nowhere(),
        span: nowhere(),
    }
}

fn terms(terms: &[Term]) -> Vec<Term> {
    terms.iter().map(term).collect()
}

fn term(term: &Term) -> Term {
    let kind = match &term.kind {
        TermKind::Expression(it) => TermKind::Expression(Box::new(expression(it))),
        kind => kind.clone(),
    };
    Term { kind, span: nowhere() }
}

fn op(it: &Op) -> Op {
    let ops = |ops: &[Op]| ops.iter().map(op).collect();
    let kind = match &it.kind {
        OpKind::Then(chain) => OpKind::Then(ops(chain)),
        OpKind::Or(chain) => OpKind::Or(ops(chain)),
        OpKind::Par(chain) => OpKind::Par(ops(chain)),
        OpKind::Wait { body, timeout } => OpKind::Wait {
            body: Box::new(op(body)),
            timeout: timeout.as_deref().map(|timeout| Box::new(op(timeout))),
        },
        OpKind::Call { arguments } => OpKind::Call { arguments: terms(arguments) },
        OpKind::Skip => OpKind::Skip,
        OpKind::Hole => OpKind::Hole,
        OpKind::Fail => OpKind::Fail,
        OpKind::Ask { variable, procedure, arguments } => {
            let variable = variable.as_ref().map(name);
            OpKind::Ask { variable, procedure: name(procedure), arguments: terms(arguments) }
        }
        OpKind::Send { message: it, to } => OpKind::Send { message: message(it), to: address(to) },
        OpKind::Receive { message: it, from } => {
            OpKind::Receive { message: message(it), from: address(from) }
        }
    };
    Op { kind, span: nowhere() }
}

fn message(message: &Message) -> Message {
    Message {
        performative: name(&message.performative),
        arguments: terms(&message.arguments),
        span: nowhere(),
    }
}

fn address(address: &Address) -> Address {
    Address { agent: term(&address.agent), role: term(&address.role), span: nowhere() }
}

fn initial_cell(it: &InitialCell) -> InitialCell {
    InitialCell { cell: name(&it.cell), value: initial_value(&it.value), span: nowhere() }
}

fn initial_value(it: &InitialValue) -> InitialValue {
    match it {
        InitialValue::Value(value) => InitialValue::Value(expression(value)),
        InitialValue::Domain(it) => InitialValue::Domain(domain(it)),
        InitialValue::Count(role) => InitialValue::Count(name(role)),
    }
}

fn answer(it: &Answer) -> Answer {
    match it {
        Answer::Value(value) => Answer::Value(expression(value)),
        Answer::Domain(it) => Answer::Domain(domain(it)),
    }
}

fn cell_value(it: &CellValue) -> CellValue {
    CellValue { cell: name(&it.cell), value: expression(&it.value), span: nowhere() }
}

fn body(body: &Body) -> Body {
    match body {
        Body::Domain(it) => Body::Domain(domain(it)),
        Body::Fresh(_) => Body::Fresh(nowhere()),
        Body::Alternatives(all) => Body::Alternatives(all.iter().map(alternative).collect()),
    }
}

fn domain(it: &Domain) -> Domain {
    let kind = match &it.kind {
        DomainKind::Values(values) => DomainKind::Values(terms(values)),
        DomainKind::Range(first, last) => DomainKind::Range(*first, *last),
        DomainKind::Role(role) => DomainKind::Role(name(role)),
    };
    Domain { kind, span: nowhere() }
}

fn alternative(it: &Alternative) -> Alternative {
    Alternative {
        guard: it.guard.as_ref().map(expression),
        answer: answer(&it.answer),
        updates: it.updates.iter().map(cell_value).collect(),
        span: nowhere(),
    }
}

fn expression(it: &Expression) -> Expression {
    let boxed = |part: &Expression| Box::new(expression(part));
    let all = |parts: &[Expression]| parts.iter().map(expression).collect();
    let kind = match &it.kind {
        ExpressionKind::Constant(_)
        | ExpressionKind::Parameter(_)
        | ExpressionKind::Cell(_)
        | ExpressionKind::Own => it.kind.clone(),
        ExpressionKind::Arithmetic { first, rest } => ExpressionKind::Arithmetic {
            first: boxed(first),
            rest: rest.iter().map(|(operator, operand)| (*operator, expression(operand))).collect(),
        },
        ExpressionKind::Comparison { left, operator, right } => {
            ExpressionKind::Comparison { left: boxed(left), operator: *operator, right: boxed(right) }
        }
        ExpressionKind::And(parts) => ExpressionKind::And(all(parts)),
        ExpressionKind::Or(parts) => ExpressionKind::Or(all(parts)),
        ExpressionKind::Not(part) => ExpressionKind::Not(boxed(part)),
        ExpressionKind::Min(left, right) => ExpressionKind::Min(boxed(left), boxed(right)),
        ExpressionKind::Max(left, right) => ExpressionKind::Max(boxed(left), boxed(right)),
        ExpressionKind::If { condition, then, otherwise } => {
            ExpressionKind::If { condition: boxed(condition), then: boxed(then), otherwise: boxed(otherwise) }
        }
    };
    Expression { kind, span: nowhere() }
}

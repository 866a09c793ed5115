//! Syntax trees without places, to compare what texts of different layout mean.

use map_diagnostics::Span;
use map_syntax::ast::{
    Address, Cast, CastSubject, Clause, File, Item, Message, Name, Op, OpKind, Procedure, Scene, Term, Who,
};

/// The tree with every span emptied.
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
            count_span: nowhere(),
            span: nowhere(),
        }),
        Item::Procedure(it) => Item::Procedure(Procedure {
            name: name(&it.name),
            parameters: it.parameters.iter().map(name).collect(),
            may_refuse: it.may_refuse,
            span: nowhere(),
        }),
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
    Term { kind: term.kind.clone(), span: nowhere() }
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
        OpKind::Fail => OpKind::Fail,
        OpKind::Ask { variable, procedure, arguments } => {
            OpKind::Ask { variable: name(variable), procedure: name(procedure), arguments: terms(arguments) }
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

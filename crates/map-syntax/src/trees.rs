//! Syntax trees without spans, to compare the meaning of texts with different layout.

use map_diagnostics::Span;

use crate::ast::{
    Address, Alternative, Answer, ArithmeticOperator, Atom, Body, Cast, CastSubject, CellValue, Charge,
    Clause, Cost, Decimal, Distribution, Domain, DomainKind, Event, Expression, ExpressionKind, File,
    Formula, FormulaKind, InitialCell, InitialValue, Item, Measure, Memory, Message, Name, Op, OpKind, Over,
    Procedure, Property, Quantity, QuantityKind, RangeOver, Scene, Term, TermKind, Truth, Weight, Weights,
    Who,
};

/// The tree with every span set to the default.
#[must_use]
pub fn without_spans(file: &File) -> File {
    let mut file = file.clone();
    file.items.forget();
    file
}

/// A part of a tree that can forget where it stands.
trait Forget {
    fn forget(&mut self);
}

impl Forget for Span {
    fn forget(&mut self) {
        *self = Self::default();
    }
}

impl<T: Forget> Forget for Vec<T> {
    fn forget(&mut self) {
        self.iter_mut().for_each(T::forget);
    }
}

impl<T: Forget> Forget for Option<T> {
    fn forget(&mut self) {
        self.iter_mut().for_each(T::forget);
    }
}

impl<T: Forget> Forget for Box<T> {
    fn forget(&mut self) {
        (**self).forget();
    }
}

impl Forget for (ArithmeticOperator, Expression) {
    fn forget(&mut self) {
        self.1.forget();
    }
}

/// What the fields of these types forget.
macro_rules! fields {
    ($($kind:ty { $($field:ident),* })*) => {
        $(impl Forget for $kind {
            fn forget(&mut self) {
                $(self.$field.forget();)*
            }
        })*
    };
}

fields! {
    Address { agent, role, span }
    Alternative { guard, answer, updates, span }
    Cast { subject, count_span, span }
    CellValue { cell, value, span }
    Charge { event, price, span }
    Clause { who, role, parameters, body, head_span, span }
    Cost { name, charges, span }
    Decimal { span }
    Domain { kind, weights, span }
    Expression { kind, span }
    Formula { kind, span }
    InitialCell { cell, value, span }
    Measure { name, of, value, span }
    Memory { role, cells, span }
    Message { performative, arguments, span }
    Name { span }
    Op { kind, span }
    Procedure { name, parameters, probability, body, span }
    Property { name, formula, span }
    Quantity { kind, span }
    RangeOver { variable, over }
    Scene { name, clauses, span }
    Term { kind, span }
    Truth { decision }
    Weight { span }
}

/// What the variants of these types forget: the parts that are bound to names.
macro_rules! variants {
    ($($kind:ty { $($pattern:pat => $($part:ident),*;)* })*) => {
        $(impl Forget for $kind {
            fn forget(&mut self) {
                match self {
                    $($pattern => { $($part.forget();)* })*
                }
            }
        })*
    };
}

variants! {
    Item {
        Self::Scene(it) => it;
        Self::Cast(it) => it;
        Self::Procedure(it) => it;
        Self::Memory(it) => it;
        Self::Property(it) => it;
        Self::Cost(it) => it;
        Self::Measure(it) => it;
        Self::Truth(it) => it;
    }
    CastSubject { Self::Role(name) | Self::Agent(name) => name; }
    Who { Self::Agent(name) | Self::Variable(name) => name; }
    OpKind {
        Self::Then(ops) | Self::Or(ops) | Self::Par(ops) => ops;
        Self::Wait { body, timeout } => body, timeout;
        Self::Call { arguments } => arguments;
        Self::Skip | Self::Fail | Self::Hole => ;
        Self::Ask { variable, procedure, arguments } => variable, procedure, arguments;
        Self::Send { message, to: other } | Self::Receive { message, from: other } => message, other;
    }
    TermKind {
        Self::Expression(it) => it;
        Self::Variable(_) | Self::Agent(_) | Self::Role(_) | Self::Name(_) | Self::Integer(_) => ;
        Self::Text(_) | Self::Wildcard => ;
    }
    InitialValue {
        Self::Value(value) => value;
        Self::Domain(domain) => domain;
        Self::Count(role) => role;
    }
    Answer {
        Self::Value(value) => value;
        Self::Domain(domain) => domain;
    }
    Body {
        Self::Domain(domain) => domain;
        Self::Fresh(span) => span;
        Self::Alternatives(all) => all;
    }
    DomainKind {
        Self::Values(values) => values;
        Self::Range(..) => ;
        Self::Role(role) => role;
    }
    Weights {
        Self::Each(all) => all;
        Self::By(weight) => weight;
        Self::Distribution(Distribution::Geometric | Distribution::Binomial, number) => number;
    }
    ExpressionKind {
        Self::Constant(_) | Self::Parameter(_) | Self::Cell(_) | Self::Own => ;
        Self::Reading(quantity) => quantity;
        Self::Holds(atom) => atom;
        Self::Arithmetic { first, rest } => first, rest;
        Self::Comparison { left, right, .. } | Self::Min(left, right) | Self::Max(left, right) => left, right;
        Self::And(parts) | Self::Or(parts) => parts;
        Self::Not(part) => part;
        Self::If { condition, then, otherwise } => condition, then, otherwise;
    }
    FormulaKind {
        Self::Temporal(_, part) | Self::Possible(part) | Self::Before(part) | Self::Not(part) => part;
        Self::Until(left, right) | Self::Unless(left, right) => left, right;
        Self::Precedes(left, right) | Self::LeadsTo(left, right) => left, right;
        Self::Sequence(parts) | Self::Implies(parts) | Self::And(parts) | Self::Or(parts) => parts;
        Self::Quantified(_, range, body) => range, body;
        Self::Atom(atom) => atom;
    }
    Over {
        Self::Domain(domain) => domain;
        Self::Answers(procedure) => procedure;
    }
    Atom {
        Self::Ended => ;
        Self::Status(_, agent) => agent;
        Self::In(agent, place) => agent, place;
        Self::Comparison(left, _, right) => left, right;
        Self::Event(agent, event) => agent, event;
    }
    Event {
        Self::Sends(message, other) | Self::Receives(message, other) => message, other;
        Self::Asks(procedure) | Self::Answers(procedure, _) => procedure;
        Self::TimesOut => ;
    }
    QuantityKind {
        Self::Term(_) => ;
        Self::Mailbox(agent) => agent;
        Self::Cell(agent, cell) => agent, cell;
        Self::Count(range, body) => range, body;
        Self::Times(body) => body;
        Self::Total(variable, body) | Self::Moment(_, variable, body) => variable, body;
        Self::Cost(name, whose) | Self::Measure(name, whose) => name, whose;
        Self::Sum(name) => name;
    }
}

//! Properties without spans.

use crate::ast::{
    Atom, Event, Formula, FormulaKind, Message, Over, Property, Quantity, QuantityKind, RangeOver, Term,
};

use super::{domain, name, nowhere, term, terms};

pub(super) fn property(it: &Property) -> Property {
    Property { name: name(&it.name), formula: formula(&it.formula), span: nowhere() }
}

fn formula(it: &Formula) -> Formula {
    let all = |parts: &[Formula]| parts.iter().map(formula).collect();
    let kind = match &it.kind {
        FormulaKind::Temporal(operator, operand) => FormulaKind::Temporal(*operator, boxed(operand)),
        FormulaKind::Possible(operand) => FormulaKind::Possible(boxed(operand)),
        FormulaKind::Sequence(events) => FormulaKind::Sequence(all(events)),
        FormulaKind::Until(left, right) => FormulaKind::Until(boxed(left), boxed(right)),
        FormulaKind::Unless(left, right) => FormulaKind::Unless(boxed(left), boxed(right)),
        FormulaKind::Precedes(left, right) => FormulaKind::Precedes(boxed(left), boxed(right)),
        FormulaKind::Before(operand) => FormulaKind::Before(boxed(operand)),
        FormulaKind::LeadsTo(left, right) => FormulaKind::LeadsTo(boxed(left), boxed(right)),
        FormulaKind::Implies(parts) => FormulaKind::Implies(all(parts)),
        FormulaKind::And(parts) => FormulaKind::And(all(parts)),
        FormulaKind::Or(parts) => FormulaKind::Or(all(parts)),
        FormulaKind::Not(denied) => FormulaKind::Not(boxed(denied)),
        FormulaKind::Quantified(quantifier, range, body) => {
            FormulaKind::Quantified(*quantifier, range_over(range), boxed(body))
        }
        FormulaKind::Atom(it) => FormulaKind::Atom(atom(it)),
    };
    Formula { kind, span: nowhere() }
}

fn boxed(it: &Formula) -> Box<Formula> {
    Box::new(formula(it))
}

fn range_over(it: &RangeOver) -> RangeOver {
    let over = match &it.over {
        Over::Domain(it) => Over::Domain(domain(it)),
        Over::Answers(procedure) => Over::Answers(name(procedure)),
    };
    RangeOver { variable: name(&it.variable), over }
}

fn atom(it: &Atom) -> Atom {
    match it {
        Atom::Ended => Atom::Ended,
        Atom::Status(word, agent) => Atom::Status(*word, term(agent)),
        Atom::In(agent, place) => Atom::In(term(agent), name(place)),
        Atom::Comparison(left, operator, right) => {
            Atom::Comparison(quantity(left), *operator, quantity(right))
        }
        Atom::Event(agent, it) => Atom::Event(term(agent), event(it)),
    }
}

fn event(it: &Event) -> Event {
    let message = |it: &Message| Message {
        performative: name(&it.performative),
        arguments: terms(&it.arguments),
        span: nowhere(),
    };
    let other = |it: &Term| term(it);
    match it {
        Event::Sends(sent, to) => Event::Sends(message(sent), other(to)),
        Event::Receives(received, from) => Event::Receives(message(received), other(from)),
        Event::Asks(procedure) => Event::Asks(name(procedure)),
        Event::Answers(procedure, yes) => Event::Answers(name(procedure), *yes),
        Event::TimesOut => Event::TimesOut,
    }
}

fn quantity(it: &Quantity) -> Quantity {
    let kind = match &it.kind {
        QuantityKind::Term(kind) => QuantityKind::Term(kind.clone()),
        QuantityKind::Cell(agent, cell) => QuantityKind::Cell(term(agent), name(cell)),
        QuantityKind::Mailbox(agent) => QuantityKind::Mailbox(term(agent)),
        QuantityKind::Count(range, body) => QuantityKind::Count(range_over(range), boxed(body)),
        QuantityKind::Times(body) => QuantityKind::Times(boxed(body)),
        QuantityKind::Total(variable, body) => QuantityKind::Total(name(variable), boxed(body)),
    };
    Quantity { kind, span: nowhere() }
}

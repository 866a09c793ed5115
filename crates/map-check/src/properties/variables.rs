//! MAP123, MAP127 and MAP128: what binds the variables of a formula, and where they can be used.
//!
//! A quantifier binds its variable in the formula behind the colon. An event binds the variables in its message that
//! nothing has bound: to the right of it, at the same moment.

mod wrong;

use map_diagnostics::{Diagnostic, Span};
use map_syntax::ast::{
    Atom, Event, Formula, FormulaKind, FormulaPart, Name, Quantity, QuantityKind, RangeOver, Term, TermKind,
};

use self::wrong::Why;
use super::remembered::{self, Back};
use crate::suggest;

/// Checks the variables of a formula whose operators stand where they may.
pub(super) fn check(formula: &Formula, errors: &mut Vec<Diagnostic>) {
    let mut variables = Variables { whole: formula, known: Vec::new(), lost: Vec::new(), moments: 0, errors };
    let first = variables.new_moment();
    variables.formula(formula, first);
}

/// A moment that a part of a formula is about.
#[derive(Clone, Copy)]
struct Moment {
    number: usize,
    /// If it is an earlier one: the operator that looks back, and the moment from which it does.
    back: Option<(Back, usize)>,
}

/// A variable that is bound here.
struct Known<'f> {
    name: &'f str,
    span: Span,
    by: Binder<'f>,
}

#[derive(Clone, Copy)]
enum Binder<'f> {
    Quantifier(&'f RangeOver),
    /// An event, at the moment of this number.
    Event(usize),
}

/// A variable that an event bound further left, and that is not visible here.
struct Lost<'f> {
    name: &'f str,
    span: Span,
    why: Why,
}

struct Variables<'f, 'e> {
    whole: &'f Formula,
    /// The variables bound here, the innermost last.
    known: Vec<Known<'f>>,
    lost: Vec<Lost<'f>>,
    /// The number of moments so far.
    moments: usize,
    errors: &'e mut Vec<Diagnostic>,
}

impl<'f> Variables<'f, '_> {
    fn formula(&mut self, formula: &'f Formula, at: Moment) {
        match &formula.kind {
            FormulaKind::Temporal(_, operand) | FormulaKind::Possible(operand) => {
                self.scope(Why::Moment, |it| it.elsewhere(operand));
            }
            FormulaKind::Sequence(events) => {
                self.scope(Why::Moment, |it| events.iter().for_each(|event| it.elsewhere(event)));
            }
            FormulaKind::Until(left, right)
            | FormulaKind::Unless(left, right)
            | FormulaKind::LeadsTo(left, right) => self.scope(Why::Moment, |it| {
                it.elsewhere(left);
                it.elsewhere(right);
            }),
            FormulaKind::Precedes(left, right) => self.scope(Why::Moment, |it| it.precedes(left, right)),
            FormulaKind::Before(operand) => {
                self.scope(Why::Earlier, |it| it.looking_back(operand, Back::Before, at));
            }
            FormulaKind::And(parts) => parts.iter().for_each(|part| self.formula(part, at)),
            FormulaKind::Implies(parts) => {
                self.scope(Why::Implication, |it| parts.iter().for_each(|part| it.formula(part, at)));
            }
            FormulaKind::Or(parts) => {
                for part in parts {
                    self.scope(Why::Alternative, |it| it.formula(part, at));
                }
            }
            FormulaKind::Not(operand) => self.scope(Why::Denied, |it| it.formula(operand, at)),
            FormulaKind::Quantified(_, range, body) => self.scope(Why::Quantifier, |it| {
                it.bind(range);
                it.formula(body, at);
            }),
            FormulaKind::Atom(atom) => self.atom(atom, at),
        }
    }

    /// Runs `inside`; what it binds is not visible afterwards.
    fn scope(&mut self, why: Why, inside: impl FnOnce(&mut Self)) {
        let outside = self.known.len();
        inside(self);
        for Known { name, span, by } in self.known.drain(outside..) {
            if let Binder::Event(_) = by {
                self.lost.push(Lost { name, span, why });
            }
        }
    }

    fn new_moment(&mut self) -> Moment {
        self.moments += 1;
        Moment { number: self.moments, back: None }
    }

    fn elsewhere(&mut self, formula: &'f Formula) {
        let moment = self.new_moment();
        self.formula(formula, moment);
    }

    fn looking_back(&mut self, formula: &'f Formula, back: Back, from: Moment) {
        let moment = Moment { back: Some((back, from.number)), ..self.new_moment() };
        self.formula(formula, moment);
    }

    /// If the left side uses a variable that the right one binds, it may have held before, with the same value.
    fn precedes(&mut self, left: &'f Formula, right: &'f Formula) {
        let outside = self.known.len();
        let later = self.new_moment();
        self.formula(right, later);
        let shared = self.known[outside..].iter().any(|known| occurrences(left, known.name) > 0);
        if shared {
            remembered::check(left, Back::Precedes, self.errors);
            self.looking_back(left, Back::Precedes, later);
        } else {
            self.elsewhere(left);
        }
    }

    fn bind(&mut self, range: &'f RangeOver) {
        self.require_new(&range.variable);
        let Name { text, span } = &range.variable;
        self.known.push(Known { name: text, span: *span, by: Binder::Quantifier(range) });
    }

    /// Reports an error if something binds the variable already; returns whether nothing does.
    fn require_new(&mut self, variable: &Name) -> bool {
        let outer = self.known.iter().find(|known| known.name == variable.text);
        self.errors.extend(outer.map(|outer| wrong::bound_again(variable, outer.span)));
        outer.is_none()
    }

    fn atom(&mut self, atom: &'f Atom, at: Moment) {
        match atom {
            Atom::Ended => {}
            Atom::Status(_, agent) | Atom::In(agent, _) => self.agent(agent),
            Atom::Comparison(left, _, right) => {
                self.quantity(left, at);
                self.quantity(right, at);
            }
            Atom::Event(agent, event) => {
                self.agent(agent);
                if let Event::Sends(message, other) | Event::Receives(message, other) = event {
                    for argument in &message.arguments {
                        self.argument(argument, at);
                    }
                    self.agent(other);
                }
            }
        }
    }

    fn quantity(&mut self, quantity: &'f Quantity, at: Moment) {
        match &quantity.kind {
            QuantityKind::Term(TermKind::Variable(name)) => self.operand(name, quantity.span, at),
            QuantityKind::Term(_) => {}
            QuantityKind::Cell(agent, _) | QuantityKind::Mailbox(agent) => self.agent(agent),
            QuantityKind::Count(range, body) => self.scope(Why::Quantifier, |it| {
                it.bind(range);
                it.formula(body, at);
            }),
            QuantityKind::Times(body) => {
                self.scope(Why::Earlier, |it| it.looking_back(body, Back::Count, at));
            }
            QuantityKind::Cost(_, agent) | QuantityKind::Measure(_, agent) => {
                agent.iter().for_each(|agent| self.agent(agent));
            }
            QuantityKind::Sum(_) => {}
            QuantityKind::Total(variable, body) => self.taken(Back::Total, variable, body, at),
            QuantityKind::Moment(word, variable, body) => self.taken(Back::Moment(*word), variable, body, at),
        }
    }

    /// What takes the values of a variable that an event binds.
    fn taken(&mut self, back: Back, variable: &'f Name, body: &'f Formula, at: Moment) {
        if self.require_new(variable) {
            self.scope(Why::Earlier, |it| it.values_taken(back, variable, body, at));
        }
    }

    fn values_taken(&mut self, back: Back, variable: &'f Name, body: &'f Formula, at: Moment) {
        let lost = self.lost.len();
        self.looking_back(body, back, at);
        if self.known.iter().any(|it| it.name == variable.text) {
            return;
        }
        let hidden = self.lost[lost..].iter().find(|it| it.name == variable.text);
        self.errors.push(wrong::nothing_to_take(variable, back, hidden.map(|it| (it.span, it.why))));
    }

    /// An argument of a message: binds the variable if nothing has.
    fn argument(&mut self, argument: &'f Term, at: Moment) {
        let TermKind::Variable(name) = &argument.kind else { return };
        match self.binder(name) {
            None => {
                if !matches!(at.back, Some((Back::Total | Back::Moment(_), _))) {
                    self.probably_misspelt(name, argument.span);
                }
                let by = Binder::Event(at.number);
                self.known.push(Known { name, span: argument.span, by });
            }
            Some((Binder::Quantifier(_), _)) => {}
            Some((Binder::Event(moment), bound)) => match at.back {
                _ if moment == at.number => {}
                Some((Back::Before | Back::Precedes, from)) if from == moment => {}
                Some((back, from)) if from == moment => {
                    self.errors.push(wrong::of_this_moment_only(name, argument.span, bound, back));
                }
                _ => self.errors.push(wrong::out_of_reach(name, argument.span, bound, Why::Moment)),
            },
        }
    }

    /// Reports a variable that occurs nowhere else and is called almost like one that a quantifier binds.
    fn probably_misspelt(&mut self, name: &str, span: Span) {
        let quantified = self.known.iter().filter(|known| matches!(known.by, Binder::Quantifier(_)));
        let near = suggest::nearest(name, quantified.map(|known| known.name));
        if let Some(near) = near.filter(|_| occurrences(self.whole, name) == 1) {
            self.errors.push(wrong::misspelt(name, span, near));
        }
    }

    /// A side of a comparison.
    fn operand(&mut self, name: &'f str, span: Span, at: Moment) {
        let error = match self.binder(name) {
            Some((Binder::Quantifier(_), _)) => return,
            Some((Binder::Event(moment), _)) if moment == at.number => return,
            Some((Binder::Event(moment), bound)) => match at.back {
                Some((back, from)) if from == moment => wrong::of_this_moment_only(name, span, bound, back),
                _ => wrong::out_of_reach(name, span, bound, Why::Moment),
            },
            None => match self.lost.iter().rev().find(|lost| lost.name == name) {
                Some(lost) => wrong::out_of_reach(name, span, lost.span, lost.why),
                None => {
                    let known = self.known.iter().map(|known| known.name);
                    wrong::unbound_value(name, span, bound_later(self.whole, name, span), known)
                }
            },
        };
        self.errors.push(error);
    }

    /// Who does something, or whose state it is.
    fn agent(&mut self, agent: &'f Term) {
        let TermKind::Variable(name) = &agent.kind else { return };
        let error = match self.binder(name) {
            Some((Binder::Quantifier(range), _)) if range.role().is_some() => return,
            Some((Binder::Quantifier(_), bound)) => wrong::value_over_range(name, agent.span, bound),
            Some((Binder::Event(_), bound)) => wrong::value_of_event(name, agent.span, bound),
            None => match self.lost.iter().rev().find(|lost| lost.name == name) {
                Some(lost) => wrong::value_of_event(name, agent.span, lost.span),
                None => wrong::unbound_agent(name, agent.span, self.known.iter().map(|known| known.name)),
            },
        };
        self.errors.push(error);
    }

    fn binder(&self, name: &str) -> Option<(Binder<'f>, Span)> {
        self.known.iter().rev().find(|known| known.name == name).map(|known| (known.by, known.span))
    }
}

/// How often a variable occurs in a formula, other than bound by a quantifier in it.
fn occurrences(formula: &Formula, name: &str) -> usize {
    let mut found = 0;
    formula.visit(&mut |part, around| {
        if around.iter().any(|range| range.variable.text == name) {
            return;
        }
        let is_it = |kind: &TermKind| matches!(kind, TermKind::Variable(it) if it == name);
        found += match part {
            FormulaPart::Range(_) | FormulaPart::Atom(Atom::Ended) => 0,
            FormulaPart::Atom(Atom::Status(_, agent) | Atom::In(agent, _)) => usize::from(is_it(&agent.kind)),
            FormulaPart::Atom(Atom::Comparison(left, _, right)) => {
                let occurs = |side: &&Quantity| match &side.kind {
                    QuantityKind::Term(kind) => is_it(kind),
                    QuantityKind::Cell(agent, _) | QuantityKind::Mailbox(agent) => is_it(&agent.kind),
                    QuantityKind::Cost(_, agent) | QuantityKind::Measure(_, agent) => {
                        agent.as_ref().is_some_and(|agent| is_it(&agent.kind))
                    }
                    QuantityKind::Count(..)
                    | QuantityKind::Times(_)
                    | QuantityKind::Total(..)
                    | QuantityKind::Moment(..)
                    | QuantityKind::Sum(_) => false,
                };
                [left, right].into_iter().filter(occurs).count()
            }
            FormulaPart::Atom(Atom::Event(agent, event)) => {
                let (arguments, other) = match event {
                    Event::Sends(message, other) | Event::Receives(message, other) => {
                        (&*message.arguments, Some(other))
                    }
                    Event::Asks(_) | Event::Answers(..) | Event::TimesOut => (&[][..], None),
                };
                [agent].into_iter().chain(arguments).chain(other).filter(|term| is_it(&term.kind)).count()
            }
        };
    });
    found
}

/// Where an event to the right binds the variable.
fn bound_later(formula: &Formula, name: &str, used: Span) -> Option<Span> {
    let mut found = None;
    formula.visit(&mut |part, _| {
        let FormulaPart::Atom(Atom::Event(_, Event::Sends(message, _) | Event::Receives(message, _))) = part
        else {
            return;
        };
        let is_it = |term: &&Term| {
            term.span.start > used.start && matches!(&term.kind, TermKind::Variable(it) if it == name)
        };
        found = found.or(message.arguments.iter().find(is_it).map(|term| term.span));
    });
    found
}

//! The past, for formulas that look back: every earlier moment that matters to them, and how often it was.

use std::collections::BTreeMap;

use map_syntax::ast::{
    Atom, DomainKind, Event, Formula, FormulaKind, FormulaPart, Over, QuantityKind, RangeOver, TermKind,
};

use super::super::act::Happening;
use super::super::state::Value;
use super::graph::Edge;

/// A step as events see it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PastMoment<'a> {
    pub(super) agent: Option<usize>,
    pub(super) timeout: bool,
    pub(super) happened: Vec<Happening<'a>>,
}

impl<'a> PastMoment<'a> {
    pub(super) fn of(edge: &Edge<'a>) -> Self {
        Self { agent: edge.agent, timeout: edge.timeout, happened: edge.happened.clone() }
    }

    /// As a moment whose state does not matter.
    pub(super) fn as_moment(&self, now: &Edge<'a>) -> Edge<'a> {
        let Self { agent, timeout, happened } = self.clone();
        Edge { agent, timeout, happened, past: Past::new(), ..now.clone() }
    }
}

/// How often each moment was.
pub(super) type Past<'a> = BTreeMap<PastMoment<'a>, u32>;

/// What a formula needs of the past.
pub(super) struct Memory {
    /// The events that it looks back for.
    events: Vec<Event>,
    /// Whether it sums.
    pub(super) sums: bool,
    /// Just above all numbers that it mentions: more of the same moment make no difference.
    enough: u32,
}

impl Memory {
    /// `None` if the formula does not look back.
    pub(super) fn of(formula: &Formula) -> Option<Self> {
        let mut memory = Self { events: Vec::new(), sums: false, enough: 1 };
        let mut numbers = Vec::new();
        memory.collect(formula, false);
        formula.visit(&mut |part, _| match part {
            FormulaPart::Atom(Atom::Comparison(left, _, right)) => {
                numbers.extend([left, right].into_iter().filter_map(|side| integer(&side.kind)));
            }
            FormulaPart::Range(range) => numbers.extend(integers(range)),
            FormulaPart::Atom(_) => {}
        });
        memory.enough = numbers.into_iter().filter_map(|it| u32::try_from(it).ok()).max().unwrap_or(0) + 1;
        (!memory.events.is_empty()).then_some(memory)
    }

    fn collect(&mut self, formula: &Formula, inside: bool) {
        match &formula.kind {
            FormulaKind::Before(inner) => self.collect(inner, true),
            FormulaKind::Temporal(_, inner) | FormulaKind::Possible(inner) | FormulaKind::Not(inner) => {
                self.collect(inner, inside);
            }
            FormulaKind::Quantified(_, _, inner) => self.collect(inner, inside),
            FormulaKind::Sequence(parts)
            | FormulaKind::Implies(parts)
            | FormulaKind::And(parts)
            | FormulaKind::Or(parts) => parts.iter().for_each(|part| self.collect(part, inside)),
            FormulaKind::Until(left, right)
            | FormulaKind::Unless(left, right)
            | FormulaKind::Precedes(left, right)
            | FormulaKind::LeadsTo(left, right) => {
                self.collect(left, inside);
                self.collect(right, inside);
            }
            FormulaKind::Atom(Atom::Event(_, event)) if inside => self.events.push(event.clone()),
            FormulaKind::Atom(Atom::Comparison(left, _, right)) => {
                for side in [left, right] {
                    match &side.kind {
                        QuantityKind::Times(inner) => self.collect(inner, true),
                        QuantityKind::Total(_, inner) => {
                            self.sums = true;
                            self.collect(inner, true);
                        }
                        QuantityKind::Count(_, inner) => self.collect(inner, inside),
                        _ => {}
                    }
                }
            }
            FormulaKind::Atom(_) => {}
        }
    }

    /// The past after a step.
    pub(super) fn after<'a>(&self, past: &Past<'a>, step: PastMoment<'a>) -> Past<'a> {
        let mut past = past.clone();
        if self.events.iter().any(|event| may_be(event, &step)) {
            let times = past.entry(step).or_default();
            *times = (*times + 1).min(self.enough);
        }
        past
    }
}

fn integer(kind: &QuantityKind) -> Option<i64> {
    match kind {
        QuantityKind::Term(TermKind::Integer(number)) => Some(*number),
        _ => None,
    }
}

/// The integers that a variable may stand for, or the last of them.
fn integers(range: &RangeOver) -> Vec<i64> {
    let Over::Domain(domain) = &range.over else { return Vec::new() };
    match &domain.kind {
        DomainKind::Range(_, last) => vec![*last],
        DomainKind::Values(values) => values
            .iter()
            .filter_map(|it| match it.kind {
                TermKind::Integer(number) => Some(number),
                _ => None,
            })
            .collect(),
        DomainKind::Role(_) => Vec::new(),
    }
}

/// Whether a number of the past is compared with what is neither a constant nor written in a range: then no number is
/// known to be enough.
pub(super) fn compares_openly(formula: &Formula) -> bool {
    let mut found = false;
    formula.visit(&mut |part, around| {
        let FormulaPart::Atom(Atom::Comparison(left, _, right)) = part else { return };
        let is_known = |kind: &QuantityKind| match kind {
            QuantityKind::Term(TermKind::Variable(name)) => {
                let range = around.iter().rev().find(|range| range.variable.text == *name);
                range.is_some_and(|range| matches!(range.over, Over::Domain(_)))
            }
            kind => matches!(kind, QuantityKind::Term(_)),
        };
        let is_past = |kind: &QuantityKind| matches!(kind, QuantityKind::Times(_) | QuantityKind::Total(..));
        found |= (is_past(&left.kind) && !is_known(&right.kind))
            || (is_past(&right.kind) && !is_known(&left.kind));
    });
    found
}

/// Whether the event may be in the step, whoever takes it and whatever the values are.
fn may_be(event: &Event, step: &PastMoment<'_>) -> bool {
    step.happened.iter().any(|happening| match (event, happening) {
        (Event::Sends(pattern, _), Happening::Sent { performative, .. }) => {
            pattern.performative.text == *performative
        }
        (Event::Receives(pattern, _), Happening::Received(message)) => {
            pattern.performative.text == message.performative
        }
        (
            Event::Asks(name) | Event::Answers(name, _),
            Happening::Answered(asked) | Happening::Refused(asked),
        ) => name.text == *asked,
        _ => false,
    }) || (*event == Event::TimesOut && step.timeout)
}

/// Whether a message of the step has a negative integer.
pub(super) fn has_negative(edge: &Edge<'_>) -> bool {
    let negative = |values: &[Value<'_>]| values.iter().any(|it| matches!(it, Value::Integer(..0)));
    edge.happened.iter().any(|happening| match happening {
        Happening::Sent { arguments, .. } => negative(arguments),
        Happening::Received(message) => negative(&message.arguments),
        Happening::Answered(_) | Happening::Refused(_) | Happening::Called => false,
    })
}

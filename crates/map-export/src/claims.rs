//! Translates the properties of a scene to claims of the model.
//!
//! Every claim is about all runs. A conjunction becomes several claims. The property that something is possible
//! becomes the claim that it never happens, which SPIN is expected to refute.

use std::collections::BTreeSet;

use map_ir::{EventKind, Possibility, Properties, Proposition, PropositionId, Quantity, Temporal, Value};

use crate::layout::INTEGERS;

/// The maximum number of distinct events in claims: each is a bit of an `int`.
const MAX_EVENTS: usize = 31;

/// A claim of a model.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name in the model.
    pub name: String,
    /// The property it is about, by index.
    pub property: usize,
    /// The formula that it claims of every run.
    pub formula: Temporal,
    /// Whether the property holds if the claim is refuted: a run that violates the claim is one that the property
    /// says is possible.
    pub to_refute: bool,
}

/// Why a property is left out of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OmissionReason {
    /// It uses `next`, which SPIN does not support by default.
    Next,
    /// It is a disjunction of statements about some run and about all runs.
    Alternatives,
    /// The claims would mention too many distinct events.
    Events,
    /// It mentions an integer that is too large for the model.
    Integer,
    /// It looks back, or at values that events bind.
    Values,
}

/// The claims of a model, and what they refer to.
pub(crate) struct Claims<'p> {
    pub(crate) properties: &'p Properties,
    pub(crate) list: Vec<Claim>,
    /// The properties that are left out, by index.
    pub(crate) unstated: Vec<(usize, OmissionReason)>,
    /// The events that claims mention, by index; the position of an event here is its bit.
    pub(crate) events: Vec<usize>,
    pub(crate) propositions: BTreeSet<PropositionId>,
    /// The sequences of `possible sequence`.
    pub(crate) sequences: Vec<Vec<PropositionId>>,
}

impl<'p> Claims<'p> {
    pub(crate) fn new(properties: &'p Properties) -> Self {
        let mut claims = Self {
            properties,
            list: Vec::new(),
            unstated: Vec::new(),
            events: Vec::new(),
            propositions: BTreeSet::new(),
            sequences: Vec::new(),
        };
        for (index, property) in properties.list.iter().enumerate() {
            match claims.needs(&property.formula) {
                Err(reason) => claims.unstated.push((index, reason)),
                Ok(needs) => claims.add(index, needs),
            }
        }
        claims
    }

    /// The parts of a property, and what they refer to.
    fn needs(&self, formula: &Temporal) -> Result<Needs, OmissionReason> {
        let mut parts = Vec::new();
        split_conjunction(formula, true, &mut parts)?;
        let mut needs = Needs { parts, ..Needs::default() };
        for part in needs.parts.clone() {
            needs.formula(&part.formula)?;
            needs.propositions.extend(part.sequences.iter().flatten());
        }
        for &proposition in &needs.propositions {
            self.examine(&self.properties.propositions[proposition], &mut needs.events)?;
        }
        let known: BTreeSet<usize> = self.events.iter().copied().collect();
        if known.union(&needs.events).count() > MAX_EVENTS {
            return Err(OmissionReason::Events);
        }
        Ok(needs)
    }

    /// Whether a proposition is written out in formulas, instead of being recorded in a variable.
    pub(crate) fn is_short(&self, id: PropositionId) -> bool {
        fn short(proposition: &Proposition) -> bool {
            match proposition {
                Proposition::Constant(_) | Proposition::Event(_) => true,
                Proposition::Not(inner) => short(inner),
                _ => false,
            }
        }
        short(&self.properties.propositions[id])
    }

    fn add(&mut self, property: usize, needs: Needs) {
        for Part { formula, to_refute, sequences } in needs.parts {
            for sequence in sequences {
                if !self.sequences.contains(&sequence) {
                    self.sequences.push(sequence);
                }
            }
            self.list.push(Claim { name: String::new(), property, formula, to_refute });
        }
        self.propositions.extend(needs.propositions);
        for event in needs.events {
            if !self.events.contains(&event) {
                self.events.push(event);
            }
        }
    }

    /// Collects the events in a proposition, and checks that none of its integers is too large.
    fn examine(&self, proposition: &Proposition, events: &mut BTreeSet<usize>) -> Result<(), OmissionReason> {
        match proposition {
            Proposition::Constant(_) | Proposition::State(_) => Ok(()),
            Proposition::Event(index) => {
                events.insert(*index);
                match &self.properties.events[*index].kind {
                    EventKind::Sends(pattern, _) | EventKind::Receives(pattern, _) => {
                        pattern.arguments.iter().flatten().try_for_each(small)
                    }
                    EventKind::Asks(_) | EventKind::Answers(..) | EventKind::TimesOut => Ok(()),
                }
            }
            Proposition::Not(inner) => self.examine(inner, events),
            Proposition::And(parts) | Proposition::Or(parts) => {
                parts.iter().try_for_each(|part| self.examine(part, events))
            }
            Proposition::Before(..) => Err(OmissionReason::Values),
            Proposition::Compare(left, _, right) => {
                [left, right].into_iter().try_for_each(|side| match side {
                    Quantity::Argument(_) | Quantity::Monitor(_) => Err(OmissionReason::Values),
                    Quantity::Nothing | Quantity::State(_) => Ok(()),
                    Quantity::Value(value) => small(value),
                    Quantity::Count(all) => all.iter().try_for_each(|it| self.examine(it, events)),
                })
            }
        }
    }
}

fn small(value: &Value) -> Result<(), OmissionReason> {
    match value {
        Value::Integer(number) if number.unsigned_abs() >= INTEGERS.unsigned_abs() => {
            Err(OmissionReason::Integer)
        }
        _ => Ok(()),
    }
}

/// The parts of a property, with the propositions and events they refer to.
#[derive(Default)]
struct Needs {
    parts: Vec<Part>,
    propositions: BTreeSet<PropositionId>,
    events: BTreeSet<usize>,
}

/// A part of a property that becomes one claim.
#[derive(Clone)]
struct Part {
    formula: Temporal,
    to_refute: bool,
    sequences: Vec<Vec<PropositionId>>,
}

impl Needs {
    fn formula(&mut self, formula: &Temporal) -> Result<(), OmissionReason> {
        match formula {
            Temporal::Holds(proposition) => {
                self.propositions.insert(*proposition);
                Ok(())
            }
            // Only sequences are left, whose propositions are collected separately.
            Temporal::Possible(_) => Ok(()),
            Temporal::Next(_) => Err(OmissionReason::Next),
            Temporal::Not(inner) | Temporal::Always(inner) | Temporal::Eventually(inner) => {
                self.formula(inner)
            }
            Temporal::And(parts) | Temporal::Or(parts) => parts.iter().try_for_each(|it| self.formula(it)),
            Temporal::Until(left, right) | Temporal::LeadsTo(left, right) => {
                self.formula(left)?;
                self.formula(right)
            }
        }
    }
}

/// Splits conjunctions outside all temporal operators into parts.
fn split_conjunction(
    formula: &Temporal,
    positive: bool,
    parts: &mut Vec<Part>,
) -> Result<(), OmissionReason> {
    match formula {
        Temporal::Not(inner) => return split_conjunction(inner, !positive, parts),
        Temporal::And(all) if positive => {
            return all.iter().try_for_each(|it| split_conjunction(it, true, parts));
        }
        Temporal::Or(all) if !positive => {
            return all.iter().try_for_each(|it| split_conjunction(it, false, parts));
        }
        _ => {}
    }
    let mut part = Part { formula: formula.clone(), to_refute: false, sequences: Vec::new() };
    if !has_possibility(formula) {
        if !positive {
            part.formula = denied(formula);
        }
    } else {
        // Some run has one of these, or (if negated) no run has any of them.
        let mut possible = Vec::new();
        collect_possibilities(formula, positive, &mut possible)?;
        part.sequences = possible.iter().filter_map(|it| sequence_of(it)).collect();
        part.formula = Temporal::And(possible.into_iter().map(never).collect());
        part.to_refute = positive;
    }
    parts.push(part);
    Ok(())
}

fn has_possibility(formula: &Temporal) -> bool {
    match formula {
        Temporal::Possible(_) => true,
        Temporal::Not(inner) => has_possibility(inner),
        Temporal::And(parts) | Temporal::Or(parts) => parts.iter().any(has_possibility),
        _ => false,
    }
}

/// Collects the possibilities of a disjunction that consists of nothing else.
fn collect_possibilities<'f>(
    formula: &'f Temporal,
    positive: bool,
    found: &mut Vec<&'f Possibility>,
) -> Result<(), OmissionReason> {
    match formula {
        Temporal::Possible(possibility) => {
            found.push(possibility);
            Ok(())
        }
        Temporal::Or(parts) if positive => {
            parts.iter().try_for_each(|it| collect_possibilities(it, true, found))
        }
        _ => Err(OmissionReason::Alternatives),
    }
}

fn sequence_of(possibility: &Possibility) -> Option<Vec<PropositionId>> {
    match possibility {
        Possibility::Sequence(all) => Some(all.clone()),
        Possibility::Reach(_) | Possibility::Satisfy(_) => None,
    }
}

fn denied(formula: &Temporal) -> Temporal {
    Temporal::Not(Box::new(formula.clone()))
}

/// The formula that the run does not have the possibility. A sequence stays as it is: in the model, a counter
/// tracks its progress.
fn never(possibility: &Possibility) -> Temporal {
    match possibility {
        Possibility::Reach(proposition) => Temporal::Always(Box::new(denied(&Temporal::Holds(*proposition)))),
        Possibility::Sequence(_) => denied(&Temporal::Possible(possibility.clone())),
        Possibility::Satisfy(formula) => denied(formula),
    }
}

/// The formula with every sequence written out as a linear-time formula.
pub(crate) fn expand_sequences(formula: &Temporal) -> Temporal {
    let of = |inner: &Temporal| Box::new(expand_sequences(inner));
    match formula {
        Temporal::Possible(Possibility::Sequence(all)) => {
            let mut later: Option<Temporal> = None;
            for &proposition in all.iter().rev() {
                let now = Temporal::Holds(proposition);
                let whole = match later {
                    None => now,
                    Some(later) => Temporal::And(vec![now, Temporal::Next(Box::new(later))]),
                };
                later = Some(Temporal::Eventually(Box::new(whole)));
            }
            later.unwrap_or(Temporal::And(Vec::new()))
        }
        Temporal::Holds(_) | Temporal::Possible(_) => formula.clone(),
        Temporal::Not(inner) => Temporal::Not(of(inner)),
        Temporal::Next(inner) => Temporal::Next(of(inner)),
        Temporal::Always(inner) => Temporal::Always(of(inner)),
        Temporal::Eventually(inner) => Temporal::Eventually(of(inner)),
        Temporal::And(parts) => Temporal::And(parts.iter().map(expand_sequences).collect()),
        Temporal::Or(parts) => Temporal::Or(parts.iter().map(expand_sequences).collect()),
        Temporal::Until(left, right) => Temporal::Until(of(left), of(right)),
        Temporal::LeadsTo(left, right) => Temporal::LeadsTo(of(left), of(right)),
    }
}

//! Which claims a model makes for the properties of a scene, and which properties it cannot state.
//!
//! Every claim is about all runs. A property that is a conjunction becomes several. That something is possible becomes the
//! claim that it never is, which SPIN is to refute.

use std::collections::BTreeSet;

use map_ir::{EventKind, Possibility, Properties, Proposition, PropositionId, Quantity, Temporal, Value};

use crate::layout::INTEGERS;

/// The most kinds of event that a model tells apart: each is a bit of an `int`.
const MAX_EVENTS: usize = 31;

/// A claim of a model.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What it is called in the model.
    pub name: String,
    /// The property it is about, by index.
    pub property: usize,
    /// What it claims of every run.
    pub formula: Temporal,
    /// Whether the property needs it to be wrong: a run that violates it is one that is said to be possible.
    pub to_refute: bool,
}

/// Why a model does not state a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unstated {
    /// SPIN, as it is distributed, has no `next`.
    Next,
    /// What is possible and what always holds are joined in one alternative.
    Alternatives,
    /// There are more kinds of event than a model tells apart.
    Events,
    /// It compares with an integer that is too large for Promela.
    Integer,
}

/// The claims of a model, and what they need.
pub(crate) struct Claims<'p> {
    pub(crate) properties: &'p Properties,
    pub(crate) list: Vec<Claim>,
    /// The properties that are not stated.
    pub(crate) unstated: Vec<(usize, Unstated)>,
    /// The events that are spoken of, by index; each has the bit of its place here.
    pub(crate) events: Vec<usize>,
    pub(crate) propositions: BTreeSet<PropositionId>,
    /// What is said to be possible in this order.
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

    /// The parts of a property, and what they are about.
    fn needs(&self, formula: &Temporal) -> Result<Needs, Unstated> {
        let mut parts = Vec::new();
        take_apart(formula, true, &mut parts)?;
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
            return Err(Unstated::Events);
        }
        Ok(needs)
    }

    /// Whether a proposition needs no name of its own in a formula.
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

    /// The events in a proposition, if none of its integers is too large.
    fn examine(&self, proposition: &Proposition, events: &mut BTreeSet<usize>) -> Result<(), Unstated> {
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
            Proposition::Compare(left, _, right) => {
                [left, right].into_iter().try_for_each(|side| match side {
                    Quantity::Nothing | Quantity::State(_) => Ok(()),
                    Quantity::Value(value) => small(value),
                    Quantity::Count(all) => all.iter().try_for_each(|it| self.examine(it, events)),
                })
            }
        }
    }
}

fn small(value: &Value) -> Result<(), Unstated> {
    match value {
        Value::Integer(number) if number.unsigned_abs() >= INTEGERS.unsigned_abs() => Err(Unstated::Integer),
        _ => Ok(()),
    }
}

/// What one property needs.
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
    fn formula(&mut self, formula: &Temporal) -> Result<(), Unstated> {
        match formula {
            Temporal::Holds(proposition) => {
                self.propositions.insert(*proposition);
                Ok(())
            }
            // What is left of these is that of a part: its propositions are noted apart.
            Temporal::Possible(_) => Ok(()),
            Temporal::Next(_) => Err(Unstated::Next),
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

/// Conjunctions outside of all temporal operators are taken apart.
fn take_apart(formula: &Temporal, positive: bool, parts: &mut Vec<Part>) -> Result<(), Unstated> {
    match formula {
        Temporal::Not(inner) => return take_apart(inner, !positive, parts),
        Temporal::And(all) if positive => return all.iter().try_for_each(|it| take_apart(it, true, parts)),
        Temporal::Or(all) if !positive => return all.iter().try_for_each(|it| take_apart(it, false, parts)),
        _ => {}
    }
    let mut part = Part { formula: formula.clone(), to_refute: false, sequences: Vec::new() };
    if !speaks_of_some_run(formula) {
        if !positive {
            part.formula = denied(formula);
        }
    } else {
        // Some run does one of these, or no run does any of them.
        let mut possible = Vec::new();
        some_run(formula, positive, &mut possible)?;
        part.sequences = possible.iter().filter_map(|it| sequence_of(it)).collect();
        part.formula = Temporal::And(possible.into_iter().map(never).collect());
        part.to_refute = positive;
    }
    parts.push(part);
    Ok(())
}

fn speaks_of_some_run(formula: &Temporal) -> bool {
    match formula {
        Temporal::Possible(_) => true,
        Temporal::Not(inner) => speaks_of_some_run(inner),
        Temporal::And(parts) | Temporal::Or(parts) => parts.iter().any(speaks_of_some_run),
        _ => false,
    }
}

/// What is said to be possible in an alternative of nothing else.
fn some_run<'f>(
    formula: &'f Temporal,
    positive: bool,
    found: &mut Vec<&'f Possibility>,
) -> Result<(), Unstated> {
    match formula {
        Temporal::Possible(possibility) => {
            found.push(possibility);
            Ok(())
        }
        Temporal::Or(parts) if positive => parts.iter().try_for_each(|it| some_run(it, true, found)),
        _ => Err(Unstated::Alternatives),
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

/// That no run does it. A sequence stays what it is: in the model a counter says how far it has come.
fn never(possibility: &Possibility) -> Temporal {
    match possibility {
        Possibility::Reach(proposition) => Temporal::Always(Box::new(denied(&Temporal::Holds(*proposition)))),
        Possibility::Sequence(_) => denied(&Temporal::Possible(possibility.clone())),
        Possibility::Satisfy(formula) => denied(formula),
    }
}

/// The formula with every sequence as a formula about one run.
pub(crate) fn about_a_run(formula: &Temporal) -> Temporal {
    let of = |inner: &Temporal| Box::new(about_a_run(inner));
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
        Temporal::And(parts) => Temporal::And(parts.iter().map(about_a_run).collect()),
        Temporal::Or(parts) => Temporal::Or(parts.iter().map(about_a_run).collect()),
        Temporal::Until(left, right) => Temporal::Until(of(left), of(right)),
        Temporal::LeadsTo(left, right) => Temporal::LeadsTo(of(left), of(right)),
    }
}

//! What a formula still asks for, moment by moment: its obligations are followed through words of moments at which it
//! may not be known whether a claim holds.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::claim::StatePredicate;
use crate::safety::Safety;

#[cfg(test)]
mod tests;

/// Of each claim whether it holds at a moment, if that is known.
pub(crate) type Letter = Box<[Option<bool>]>;

/// A part of the formula; the numbers are those of parts.
enum Part {
    Now { claim: usize, holds: bool },
    And(Vec<usize>),
    Or(Vec<usize>),
    Next(usize),
    Unless(usize, usize),
}

/// Parts that have to hold, all of them.
type Duties = BTreeSet<usize>;

/// What may have to hold: all duties of one of these, of which none is more than another. Nothing has to if one has no
/// duties, and nothing helps if there is none.
type Alternatives = Vec<Duties>;

/// The most alternatives that are followed. To give up one is to ask for more.
const MOST_ALTERNATIVES: usize = 32;

/// The most different states.
const MOST_STATES: usize = 1 << 12;

/// A formula, and all that was left of it so far.
pub(crate) struct Obligations {
    parts: Vec<Part>,
    /// What has to hold from the next moment on; the first is the whole formula.
    states: Vec<Alternatives>,
    numbers: FxHashMap<Alternatives, usize>,
    after: FxHashMap<(usize, usize), Rest>,
}

/// What is left after a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// The formula may be refuted.
    Broken,
    /// It cannot be refuted any more.
    Kept,
    /// This state.
    Open(usize),
}

impl Obligations {
    /// Before the first moment, in state 0. `claims` are those that letters tell of.
    pub(crate) fn new(formula: &Safety, claims: &[StatePredicate]) -> Self {
        let mut obligations = Self {
            parts: Vec::new(),
            states: Vec::new(),
            numbers: FxHashMap::default(),
            after: FxHashMap::default(),
        };
        let whole = obligations.part(formula, claims);
        obligations.states.push(vec![Duties::from([whole])]);
        obligations
    }

    fn part(&mut self, formula: &Safety, claims: &[StatePredicate]) -> usize {
        let part = match formula {
            Safety::Now(claim, holds) => {
                let claim = claims.iter().position(|it| it == claim).expect("letters tell of every claim");
                Part::Now { claim, holds: *holds }
            }
            Safety::And(parts) => Part::And(parts.iter().map(|it| self.part(it, claims)).collect()),
            Safety::Or(parts) => Part::Or(parts.iter().map(|it| self.part(it, claims)).collect()),
            Safety::Next(inner) => Part::Next(self.part(inner, claims)),
            Safety::Unless(left, right) => Part::Unless(self.part(left, claims), self.part(right, claims)),
            Safety::Past { .. } | Safety::Every(_) | Safety::Liveness(_) => {
                unreachable!("claims are about what comes in each run")
            }
        };
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// What is left of a state after a moment with the letter of this number.
    pub(crate) fn after(&mut self, state: usize, number: usize, letter: &Letter) -> Rest {
        if let Some(&known) = self.after.get(&(state, number)) {
            return known;
        }
        let left = self.states[state].iter().flat_map(|duties| self.of_all(duties.iter(), letter)).collect();
        let left = minimal(left);
        let rest = match left.first() {
            None => Rest::Broken,
            Some(duties) if duties.is_empty() => Rest::Kept,
            Some(_) => self.numbered(left),
        };
        self.after.insert((state, number), rest);
        rest
    }

    fn numbered(&mut self, left: Alternatives) -> Rest {
        if let Some(&known) = self.numbers.get(&left) {
            return Rest::Open(known);
        }
        if self.states.len() == MOST_STATES {
            return Rest::Broken;
        }
        self.states.push(left.clone());
        self.numbers.insert(left, self.states.len() - 1);
        Rest::Open(self.states.len() - 1)
    }

    /// What is left of parts that all have to hold.
    fn of_all<'d>(&self, duties: impl Iterator<Item = &'d usize>, letter: &Letter) -> Alternatives {
        duties.fold(vec![Duties::new()], |before, &part| both(&before, &self.of(part, letter)))
    }

    fn of(&self, part: usize, letter: &Letter) -> Alternatives {
        match &self.parts[part] {
            // What is not known counts as refuted, whatever is claimed.
            Part::Now { claim, holds } if letter[*claim] == Some(*holds) => vec![Duties::new()],
            Part::Now { .. } => Vec::new(),
            Part::And(parts) => self.of_all(parts.iter(), letter),
            Part::Or(parts) => minimal(parts.iter().flat_map(|&it| self.of(it, letter)).collect()),
            Part::Next(inner) => vec![Duties::from([*inner])],
            Part::Unless(left, right) => {
                let goes_on = both(&self.of(*left, letter), &vec![Duties::from([part])]);
                minimal([self.of(*right, letter), goes_on].concat())
            }
        }
    }
}

fn both(left: &Alternatives, right: &Alternatives) -> Alternatives {
    let unions = left.iter().flat_map(|one| right.iter().map(move |other| one | other));
    minimal(unions.collect())
}

/// The alternatives that ask for no more than another one, with few duties first.
fn minimal(mut alternatives: Alternatives) -> Alternatives {
    alternatives.sort_unstable_by(|one, other| one.len().cmp(&other.len()).then_with(|| one.cmp(other)));
    let mut kept = Alternatives::new();
    for duties in alternatives {
        if kept.len() < MOST_ALTERNATIVES && !kept.iter().any(|it| it.is_subset(&duties)) {
            kept.push(duties);
        }
    }
    kept
}

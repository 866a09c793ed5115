//! Formulas that a finite part of a run refutes, whatever their form: negations are only at claims about single
//! moments.

use map_ir::AgentId;

use crate::claim::StatePredicate;

/// Why a property is not judged for any number of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoJudgement {
    /// It is about more members at once than views show, or about all of them together.
    Several,
    /// It adds up, or looks back in a way that is not judged.
    LooksBack,
    /// It adds up what several members pay, who may be any number.
    AddsUp,
    /// It is about what happens in the end, or about what some run may do.
    NotSafety,
    /// A view shows it violated, or does not show it, which may never happen.
    Open,
    /// There are not all views, or not all that happens in them is known.
    NoViews,
}

/// A formula about a run, from some moment on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Safety {
    /// The claim holds at this moment; or, if `false`, it does not.
    Now(StatePredicate, bool),
    /// All hold.
    And(Vec<Self>),
    /// Some holds.
    Or(Vec<Self>),
    /// It holds from the next moment on.
    Next(Box<Self>),
    /// The first holds until the second does, perhaps for ever.
    Unless(Box<Self>, Box<Self>),
    /// Something has happened often enough; or, if `holds` is not set, it has not.
    Past { happened: Happened, holds: bool },
    /// Not only this run satisfies it, but every run.
    Every(Box<Self>),
    /// A formula that no finite part of a run refutes; it names these agents.
    Liveness(Vec<AgentId>),
}

/// What is looked back for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Happened {
    /// What is so at a moment that counts, without temporal operators.
    pub(crate) what: Box<Safety>,
    /// At how many moments at least, one or more.
    pub(crate) times: usize,
    /// Whether this moment counts, too.
    pub(crate) now_counts: bool,
}

/// Formulas are not taken apart into more than so many.
const MOST_PARTS: usize = 1 << 12;
/// Nor into formulas that are larger than this together, in operators and claims.
const MOST_SIZE: usize = 1 << 16;

/// The size of all of them.
fn size_of(formulas: &[Safety]) -> usize {
    formulas.iter().map(Safety::size).sum()
}

impl Safety {
    pub(crate) const TRUE: Self = Self::And(Vec::new());
    pub(crate) const FALSE: Self = Self::Or(Vec::new());

    pub(crate) fn always(self) -> Self {
        Self::Unless(Box::new(self), Box::new(Self::FALSE))
    }

    pub(crate) fn next(self) -> Self {
        Self::Next(Box::new(self))
    }

    pub(crate) fn unless(self, released: Self) -> Self {
        Self::Unless(Box::new(self), Box::new(released))
    }

    /// That a formula without temporal operators does not hold.
    pub(crate) fn denied(&self) -> Self {
        let all = |parts: &[Self]| parts.iter().map(Self::denied).collect();
        match self {
            Self::Now(claim, holds) => Self::Now(claim.clone(), !holds),
            Self::And(parts) => Self::Or(all(parts)),
            Self::Or(parts) => Self::And(all(parts)),
            Self::Past { happened, holds } => Self::Past { happened: happened.clone(), holds: !holds },
            Self::Next(_) | Self::Unless(..) | Self::Every(_) | Self::Liveness(_) => {
                unreachable!("what is looked back for is about one moment")
            }
        }
    }

    /// How many operators and claims it has.
    fn size(&self) -> usize {
        1 + match self {
            Self::And(parts) | Self::Or(parts) => size_of(parts),
            Self::Next(inner) | Self::Every(inner) => inner.size(),
            Self::Unless(left, right) => left.size() + right.size(),
            Self::Past { happened, .. } => happened.what.size(),
            Self::Now(..) | Self::Liveness(_) => 0,
        }
    }

    /// The formulas that together say the same, as small as possible. `or` of conjunctions is distributed over them,
    /// unless that makes too many, or too large ones.
    pub(crate) fn conjuncts(self) -> Vec<Self> {
        match self {
            Self::And(parts) => {
                let (mut all, mut size) = (Vec::new(), 0);
                for part in parts {
                    match all.len() > MOST_PARTS || size > MOST_SIZE {
                        true => all.push(part),
                        false => {
                            let conjuncts = part.conjuncts();
                            size += size_of(&conjuncts);
                            all.extend(conjuncts);
                        }
                    }
                }
                all
            }
            Self::Or(parts) => Self::distributed(&parts).unwrap_or_else(|| vec![Self::Or(parts)]),
            Self::Next(inner) => inner.conjuncts().into_iter().map(Self::next).collect(),
            Self::Every(inner) => inner.conjuncts().into_iter().map(|it| Self::Every(Box::new(it))).collect(),
            Self::Unless(left, right) => {
                let conjuncts = left.clone().conjuncts();
                let size = right.size().saturating_mul(conjuncts.len()).saturating_add(size_of(&conjuncts));
                match size > MOST_SIZE {
                    true => vec![Self::Unless(left, right)],
                    false => conjuncts.into_iter().map(|it| it.unless((*right).clone())).collect(),
                }
            }
            Self::Now(..) | Self::Past { .. } | Self::Liveness(_) => vec![self],
        }
    }

    /// That one of these holds, as conjuncts: each chooses a conjunct of each. Nothing if that is too much.
    fn distributed(parts: &[Self]) -> Option<Vec<Self>> {
        let parts: Vec<Vec<Self>> = parts.iter().cloned().map(Self::conjuncts).collect();
        let count = parts.iter().try_fold(1, |count: usize, part| count.checked_mul(part.len()))?;
        // Each conjunct of a part is chosen as often as there are choices of all others.
        let size = parts.iter().try_fold(0, |size: usize, part| {
            let times = count.checked_div(part.len()).unwrap_or(0);
            size.checked_add(size_of(part).checked_mul(times)?)
        })?;
        if count > MOST_PARTS || size > MOST_SIZE {
            return None;
        }
        let mut chosen: Vec<Vec<Self>> = vec![Vec::new()];
        for part in parts {
            let longer = |before: Vec<Self>| {
                part.iter().map(move |it| [before.as_slice(), std::slice::from_ref(it)].concat())
            };
            chosen = chosen.into_iter().flat_map(longer).collect();
        }
        Some(chosen.into_iter().map(Self::Or).collect())
    }

    /// Calls `see` with every agent that it names, in order.
    pub(crate) fn agents(&mut self, see: &mut impl FnMut(&mut AgentId)) {
        match self {
            Self::Now(claim, _) => claim.agents(see),
            Self::And(parts) | Self::Or(parts) => parts.iter_mut().for_each(|part| part.agents(see)),
            Self::Next(inner) | Self::Every(inner) => inner.agents(see),
            Self::Unless(left, right) => {
                left.agents(see);
                right.agents(see);
            }
            Self::Past { happened, .. } => happened.what.agents(see),
            Self::Liveness(agents) => agents.iter_mut().for_each(see),
        }
    }

    /// Adds its claims about single moments.
    pub(crate) fn claims<'s>(&'s self, found: &mut Vec<&'s StatePredicate>) {
        match self {
            Self::Now(claim, _) => found.push(claim),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.claims(found)),
            Self::Next(inner) | Self::Every(inner) => inner.claims(found),
            Self::Unless(left, right) => {
                left.claims(found);
                right.claims(found);
            }
            Self::Past { happened, .. } => happened.what.claims(found),
            Self::Liveness(_) => {}
        }
    }

    /// The same without parts whose truth is known.
    ///
    /// # Errors
    /// If what is left is no formula about each single run that a finite part refutes.
    pub(crate) fn folded(self) -> Result<Self, NoJudgement> {
        Ok(match self.settled()? {
            Self::Every(inner) => *inner,
            formula => formula,
        })
    }

    fn settled(self) -> Result<Self, NoJudgement> {
        Ok(match self {
            Self::Now(claim, holds) => match claim.constant() {
                Some(truth) => Self::constant(truth == holds),
                None => Self::Now(claim, holds),
            },
            Self::And(parts) => Self::joined(parts, true)?,
            Self::Or(parts) => {
                let joined = Self::joined(parts, false)?;
                // That every run satisfies one of two formulas does not follow from each run satisfying one of them.
                match &joined {
                    Self::Or(parts) if parts.iter().any(Self::speaks_of_every_run) => {
                        return Err(NoJudgement::NotSafety);
                    }
                    _ => joined,
                }
            }
            Self::Next(inner) => match inner.settled()? {
                inner if inner.truth().is_some() => inner,
                inner => inner.next(),
            },
            Self::Every(inner) => match inner.settled()? {
                inner if inner.truth().is_some() => inner,
                inner => Self::Every(Box::new(inner)),
            },
            Self::Unless(left, right) => {
                let (left, right) = (left.settled(), right.settled());
                let is_true = |it: &Result<Self, _>| it.as_ref().is_ok_and(|it| it.truth() == Some(true));
                if is_true(&left) || is_true(&right) {
                    return Ok(Self::TRUE);
                }
                let (left, right) = (left?, right?);
                if left.truth() == Some(false) { right } else { left.unless(right) }
            }
            Self::Past { happened, holds } => match happened.what.settled()? {
                what if what.truth() == Some(false) => Self::constant(!holds),
                what => Self::Past { happened: Happened { what: Box::new(what), ..happened }, holds },
            },
            Self::Liveness(_) => return Err(NoJudgement::NotSafety),
        })
    }

    /// That all hold, or that some does. What is not judged does not matter if another part decides.
    fn joined(parts: Vec<Self>, conjunction: bool) -> Result<Self, NoJudgement> {
        let settled: Vec<Result<Self, NoJudgement>> = parts.into_iter().map(Self::settled).collect();
        if settled.iter().flatten().any(|part| part.truth() == Some(!conjunction)) {
            return Ok(Self::constant(!conjunction));
        }
        let mut open: Vec<Self> = Vec::new();
        for part in settled {
            let inner = match part? {
                Self::And(inner) if conjunction => inner,
                Self::Or(inner) if !conjunction => inner,
                part if part.truth().is_some() => Vec::new(),
                part => vec![part],
            };
            for part in inner {
                if !open.contains(&part) {
                    open.push(part);
                }
            }
        }
        Ok(match open.len() {
            1 => open.remove(0),
            _ if conjunction => Self::And(open),
            _ => Self::Or(open),
        })
    }

    fn constant(truth: bool) -> Self {
        if truth { Self::TRUE } else { Self::FALSE }
    }

    /// Its truth, if it is always the same and the formula is folded.
    fn truth(&self) -> Option<bool> {
        match self {
            Self::And(parts) if parts.is_empty() => Some(true),
            Self::Or(parts) if parts.is_empty() => Some(false),
            _ => None,
        }
    }

    fn speaks_of_every_run(&self) -> bool {
        match self {
            Self::Every(_) => true,
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::speaks_of_every_run),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use map_ir::AgentId;

    use super::{MOST_SIZE, Safety, size_of};

    /// Each level has two conjuncts more than the one below it, and is one of two alternatives: distributed without a
    /// bound, two levels multiply the size by sixty-four.
    #[test]
    fn nested_alternatives_do_not_grow_without_bound() {
        let atom = |number: u32| Safety::Liveness(vec![AgentId::new(number as usize)]);
        let mut formula = atom(0);
        for level in 0..12 {
            let many = Safety::And((0..64).map(atom).collect());
            formula = Safety::Or(vec![Safety::And(vec![formula, atom(level)]), many]);
            let size = formula.size();
            let parts = formula.clone().conjuncts();
            assert!(size_of(&parts) <= MOST_SIZE.max(size), "level {level}: {}", size_of(&parts));
            assert!(level > 0 || parts.len() == 128, "{}", parts.len());
        }
    }
}

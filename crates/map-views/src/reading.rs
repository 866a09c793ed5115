//! Reads properties as formulas that a finite part of a run refutes.

use map_ir::{
    AgentId, Comparison, Monitor, Possibility, Properties, Proposition, PropositionId, Quantity, Temporal,
    Value,
};

use crate::claim::{Side, StatePredicate};
use crate::frame::MOST_SEEN;
use crate::safety::{Happened, NoJudgement, Safety};

/// Of one scene.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'p> {
    pub(crate) properties: &'p Properties,
}

impl Reading<'_> {
    /// A formula or, if not `positive`, its negation.
    ///
    /// # Errors
    /// Why it is not judged.
    pub(crate) fn formula(self, formula: &Temporal, positive: bool) -> Result<Safety, NoJudgement> {
        Ok(match (formula, positive) {
            (Temporal::Holds(proposition), _) => self.numbered(*proposition, positive)?,
            (Temporal::Not(denied), _) => self.formula(denied, !positive)?,
            (Temporal::And(parts), true) | (Temporal::Or(parts), false) => {
                let parts = parts.iter().map(|part| self.formula(part, positive));
                Safety::And(parts.collect::<Result<_, _>>()?)
            }
            (Temporal::Or(parts), true) | (Temporal::And(parts), false) => {
                Safety::Or(self.alternatives(parts, positive)?)
            }
            (Temporal::Next(inner), _) => self.formula(inner, positive)?.next(),
            (Temporal::Always(inner), true) | (Temporal::Eventually(inner), false) => {
                self.formula(inner, positive)?.always()
            }
            // `not (f until g)` is `not g unless not f and not g`.
            (Temporal::Until(left, right), false) => {
                let (no_left, no_right) = (self.formula(left, false)?, self.formula(right, false)?);
                no_right.clone().unless(Safety::And(vec![no_left, no_right]))
            }
            (Temporal::Possible(possibility), false) => Safety::Every(Box::new(match possibility {
                Possibility::Reach(reached) => self.numbered(*reached, false)?.always(),
                Possibility::Satisfy(inner) => self.formula(inner, false)?,
                Possibility::Sequence(all) => {
                    all.iter().rev().try_fold(Safety::FALSE, |later, &proposition| {
                        let now = self.numbered(proposition, false)?;
                        Ok(Safety::Or(vec![now, later.next()]).always())
                    })?
                }
            })),
            (Temporal::Always(_) | Temporal::LeadsTo(..), false)
            | (Temporal::Eventually(_) | Temporal::Until(..) | Temporal::LeadsTo(..), true)
            | (Temporal::Possible(_), true) => {
                let mut agents = Vec::new();
                self.agents(formula, &mut agents)?;
                Safety::Liveness(agents)
            }
        })
    }

    /// The alternatives of a disjunction. Where `always f` and `f until g` are among them, `f unless g` stands for
    /// both.
    fn alternatives(self, parts: &[Temporal], positive: bool) -> Result<Vec<Safety>, NoJudgement> {
        let (mut alternatives, mut untils) = (Vec::new(), Vec::new());
        for part in parts {
            match without_negations(part, positive) {
                (until @ Temporal::Until(left, right), true) => untils.push((until, left, right)),
                _ => alternatives.push(self.formula(part, positive)?),
            }
        }
        for (until, left, right) in untils {
            let left = self.formula(left, true)?;
            let always = left.clone().always();
            match alternatives.iter().position(|it| *it == always) {
                Some(place) => alternatives[place] = left.unless(self.formula(right, true)?),
                None => alternatives.push(self.formula(until, true)?),
            }
        }
        Ok(alternatives)
    }

    fn numbered(self, proposition: PropositionId, positive: bool) -> Result<Safety, NoJudgement> {
        self.moment(&self.properties.propositions[proposition], positive)
    }

    /// What a proposition says of one moment or, if not `positive`, its negation.
    fn moment(self, proposition: &Proposition, positive: bool) -> Result<Safety, NoJudgement> {
        let is = |claim| Safety::Now(claim, positive);
        Ok(match proposition {
            Proposition::Constant(truth) => is(StatePredicate::Constant(*truth)),
            Proposition::Event(index) => is(StatePredicate::Event(self.properties.events[*index].clone())),
            Proposition::State(index) => is(StatePredicate::State(self.properties.states[*index].clone())),
            Proposition::Not(denied) => self.moment(denied, !positive)?,
            Proposition::And(parts) | Proposition::Or(parts) => {
                let all = parts.iter().map(|part| self.moment(part, positive)).collect::<Result<_, _>>()?;
                let conjunction = matches!(proposition, Proposition::And(_)) == positive;
                if conjunction { Safety::And(all) } else { Safety::Or(all) }
            }
            Proposition::Compare(left, comparison, Quantity::Value(Value::Integer(number))) => {
                self.number(left, *comparison, *number, positive)?
            }
            Proposition::Compare(Quantity::Value(Value::Integer(number)), comparison, right) => {
                self.number(right, comparison.swapped(), *number, positive)?
            }
            Proposition::Compare(left, comparison, right) => {
                is(StatePredicate::Compare(self.side(left)?, *comparison, self.side(right)?))
            }
            Proposition::Before(monitor, values) if values.is_empty() => {
                let Monitor::Seen(what, _) = &self.properties.monitors[*monitor] else {
                    return Err(NoJudgement::LooksBack);
                };
                let what = Box::new(self.moment(what, true)?);
                Safety::Past { happened: Happened { what, times: 1, now_counts: false }, holds: positive }
            }
            Proposition::Before(..) => return Err(NoJudgement::LooksBack),
        })
    }

    /// How a quantity compares with an integer, or the negation.
    fn number(
        self,
        quantity: &Quantity,
        comparison: Comparison,
        number: i64,
        positive: bool,
    ) -> Result<Safety, NoJudgement> {
        let at_least = |number: i64, positive: bool| match quantity {
            Quantity::Count(counted) => self.many(counted, number, positive),
            Quantity::Monitor(monitor) => self.often(&self.properties.monitors[*monitor], number, positive),
            _ => unreachable!("only these are counted"),
        };
        if !matches!(quantity, Quantity::Count(_) | Quantity::Monitor(_)) {
            let number = Side::Value(Value::Integer(number));
            return Ok(Safety::Now(
                StatePredicate::Compare(self.side(quantity)?, comparison, number),
                positive,
            ));
        }
        let more = number.saturating_add(1);
        match comparison {
            Comparison::GreaterOrEqual => at_least(number, positive),
            Comparison::Less => at_least(number, !positive),
            Comparison::Greater => at_least(more, positive),
            Comparison::LessOrEqual => at_least(more, !positive),
            Comparison::Equal | Comparison::NotEqual => {
                let equal = (comparison == Comparison::Equal) == positive;
                let bounds = vec![at_least(number, equal)?, at_least(more, !equal)?];
                Ok(if equal { Safety::And(bounds) } else { Safety::Or(bounds) })
            }
        }
    }

    /// That at least so many of these hold, or the negation.
    fn many(self, counted: &[Proposition], number: i64, positive: bool) -> Result<Safety, NoJudgement> {
        let Ok(least) = usize::try_from(number) else {
            return Ok(Safety::Now(StatePredicate::Constant(true), positive));
        };
        if least > MOST_SEEN {
            return Err(NoJudgement::Several);
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..least {
            let longer = |group: Vec<usize>| {
                let next = group.last().map_or(0, |last| last + 1);
                (next..counted.len()).map(move |it| group.iter().copied().chain([it]).collect())
            };
            groups = groups.into_iter().flat_map(longer).collect();
        }
        let group = |group: Vec<usize>| {
            let group = group.into_iter().map(|it| self.moment(&counted[it], positive));
            let group = group.collect::<Result<_, _>>()?;
            Ok(if positive { Safety::And(group) } else { Safety::Or(group) })
        };
        let groups = groups.into_iter().map(group).collect::<Result<_, _>>()?;
        Ok(if positive { Safety::Or(groups) } else { Safety::And(groups) })
    }

    /// That something has happened at least so often by now, or the negation.
    fn often(self, monitor: &Monitor, number: i64, positive: bool) -> Result<Safety, NoJudgement> {
        let Monitor::Times(what) = monitor else { return Err(NoJudgement::LooksBack) };
        let what = Box::new(self.moment(what, true)?);
        Ok(match usize::try_from(number) {
            Ok(times @ 1..) => {
                Safety::Past { happened: Happened { what, times, now_counts: true }, holds: positive }
            }
            _ => Safety::Now(StatePredicate::Constant(true), positive),
        })
    }

    fn side(self, quantity: &Quantity) -> Result<Side, NoJudgement> {
        Ok(match quantity {
            Quantity::Nothing => Side::Nothing,
            Quantity::Value(value) => Side::Value(*value),
            Quantity::State(index) => Side::State(self.properties.quantities[*index].clone()),
            Quantity::Argument(index) => {
                let argument = &self.properties.arguments[*index];
                Side::Argument(self.properties.events[argument.event].clone(), argument.place)
            }
            Quantity::Count(_) => return Err(NoJudgement::Several),
            Quantity::Monitor(_) => return Err(NoJudgement::LooksBack),
        })
    }

    /// Adds the agents that a formula names.
    fn agents(self, formula: &Temporal, found: &mut Vec<AgentId>) -> Result<(), NoJudgement> {
        match formula {
            Temporal::Holds(proposition) | Temporal::Possible(Possibility::Reach(proposition)) => {
                self.numbered(*proposition, true)?.agents(&mut |agent| found.push(*agent));
                Ok(())
            }
            Temporal::Possible(Possibility::Sequence(all)) => {
                all.iter().try_for_each(|it| self.agents(&Temporal::Holds(*it), found))
            }
            Temporal::And(parts) | Temporal::Or(parts) => {
                parts.iter().try_for_each(|it| self.agents(it, found))
            }
            Temporal::Not(inner)
            | Temporal::Next(inner)
            | Temporal::Always(inner)
            | Temporal::Eventually(inner)
            | Temporal::Possible(Possibility::Satisfy(inner)) => self.agents(inner, found),
            Temporal::Until(left, right) | Temporal::LeadsTo(left, right) => {
                [left, right].into_iter().try_for_each(|it| self.agents(it, found))
            }
        }
    }
}

/// A formula without the negations that it begins with, and whether it is meant as it is.
fn without_negations(formula: &Temporal, positive: bool) -> (&Temporal, bool) {
    match formula {
        Temporal::Not(denied) => without_negations(denied, !positive),
        _ => (formula, positive),
    }
}

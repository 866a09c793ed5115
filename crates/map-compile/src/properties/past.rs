//! What looks back, and what is said of the order of events: `before`, `count`, `total`, `unless`, `precedes`.

use std::collections::BTreeSet;

use map_ir::{Monitor, Proposition, Quantity, Temporal};
use map_syntax::ast::{
    Atom, Event, Formula, FormulaKind, FormulaPart, Name, Quantifier, QuantityKind, TermKind,
};

use super::Refused;
use super::expansion::{Compiled, Expansion, negated};
use super::variables::Use;

/// What is looked back for.
struct Past {
    when: Proposition,
    /// The value of a variable that it binds.
    of: Quantity,
    /// The values looked for, each with its value now.
    captured: Vec<(Quantity, Quantity)>,
}

impl Expansion<'_, '_> {
    /// Compiles a part without which the whole may hold. Values of other moments cannot be looked for in it.
    pub(super) fn optional<T>(
        &mut self,
        compile: impl FnOnce(&mut Self) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        let before = self.variables.past.as_mut().map(|past| std::mem::replace(&mut past.is_optional, true));
        let compiled = compile(self)?;
        if let (Some(past), Some(before)) = (&mut self.variables.past, before) {
            past.is_optional = before;
        }
        Ok(compiled)
    }

    /// `before f`.
    pub(super) fn before(&mut self, formula: &Formula) -> Result<Proposition, Refused> {
        match &formula.kind {
            // Each alternative may look for other values.
            FormulaKind::Or(parts) => {
                let parts = parts.iter().map(|part| self.before(part)).collect::<Result<_, _>>()?;
                Ok(Proposition::Or(parts))
            }
            FormulaKind::Quantified(Quantifier::Exists, range, body) => {
                Ok(Proposition::Or(self.instances(range, |it, _| it.before(body))?))
            }
            _ => {
                let Past { when, captured, .. } = self.past(formula, None)?;
                let (values, now) = captured.into_iter().unzip();
                let monitor = self.compiler.monitors.insert_full(Monitor::Seen(when, values)).0;
                Ok(Proposition::Before(monitor, now))
            }
        }
    }

    /// `count(f)` of moments so far, `total($c : f)` or `cost(u)`.
    pub(super) fn number(&mut self, quantity: &QuantityKind) -> Result<Quantity, Refused> {
        let monitor = match quantity {
            QuantityKind::Times(formula) => Monitor::Times(self.past(formula, None)?.when),
            QuantityKind::Total(variable, formula) => {
                let (when, of) = self.value_when(variable, formula)?;
                Monitor::Total(when, of)
            }
            QuantityKind::Cost(cost, payer) => match self.cost_of(cost, payer.as_ref()) {
                Some(cost) => Monitor::Cost(cost),
                None => return Ok(Quantity::Nothing),
            },
            _ => unreachable!("other quantities do not look back"),
        };
        Ok(Quantity::Monitor(self.compiler.monitors.insert_full(monitor).0))
    }

    /// When a formula about events holds, and the value that a variable has then that it binds.
    pub(super) fn value_when(
        &mut self,
        variable: &Name,
        formula: &Formula,
    ) -> Result<(Proposition, Quantity), Refused> {
        let Past { when, of, .. } = self.past(formula, Some(&variable.text))?;
        Ok((when, of))
    }

    /// Compiles what is looked back for, with the value of a variable that it binds.
    fn past(&mut self, formula: &Formula, variable: Option<&str>) -> Result<Past, Refused> {
        let outside = self.variables.len();
        self.variables.look_back();
        let when = self.moment(formula);
        let of = match variable.map(|it| self.variables.find(it)) {
            Some(Use::Event(quantity)) => quantity,
            Some(Use::Value(value)) => Quantity::Value(value),
            Some(Use::Unbound | Use::Captured(_)) | None => Quantity::Nothing,
        };
        self.variables.truncate(outside);
        let captured = self.variables.past.take().map_or(Vec::new(), |past| past.captured);
        let when = when?;
        match when.may_hold_without_events() {
            true => Err(Refused::Idle(formula.span)),
            false => Ok(Past { when, of, captured }),
        }
    }

    /// `f unless g`: there is no moment at which neither holds, without `g` before.
    pub(super) fn unless(&mut self, left: Compiled, right: Compiled) -> Compiled {
        let (no_left, no_right) = (negated(left), negated(right));
        let neither = self.every(vec![no_left, no_right.clone()]);
        let (no_right, neither) = (self.temporal(no_right), self.temporal(neither));
        Compiled::Run(Temporal::Not(Box::new(Temporal::Until(Box::new(no_right), Box::new(neither)))))
    }

    /// `f precedes g`.
    pub(super) fn precedes(&mut self, first: &Formula, second: &Formula) -> Result<Compiled, Refused> {
        let outside = self.variables.len();
        let compiled = self.in_order(first, second);
        self.variables.truncate(outside);
        compiled
    }

    fn in_order(&mut self, first: &Formula, second: &Formula) -> Result<Compiled, Refused> {
        let outside = self.variables.len();
        let then = Compiled::Moment(self.moment(second)?);
        self.premise(&then, second.span);
        let bound = self.variables.names_from(outside);
        if variables_in(first).is_disjoint(&bound) {
            self.variables.truncate(outside);
            let first = Compiled::Moment(self.moment(first)?);
            return Ok(self.unless(negated(then), first));
        }
        let before = self.before(first)?;
        let now = self.moment(first)?;
        let is_in_order = Proposition::Or(vec![now, before]);
        let always = self.any(vec![negated(then), Compiled::Moment(is_in_order)]);
        Ok(Compiled::Run(Temporal::Always(Box::new(self.temporal(always)))))
    }
}

/// The variables in the messages of a formula.
fn variables_in(formula: &Formula) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    formula.visit(&mut |part, around| {
        let FormulaPart::Atom(Atom::Event(_, Event::Sends(message, _) | Event::Receives(message, _))) = part
        else {
            return;
        };
        for argument in &message.arguments {
            if let TermKind::Variable(name) = &argument.kind
                && around.iter().all(|range| range.variable.text != *name)
            {
                found.insert(name.as_str());
            }
        }
    });
    found
}

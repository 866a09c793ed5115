//! Formulas: quantifiers are expanded, and what is about one moment becomes a proposition.

use map_diagnostics::Span;
use map_ir::{Possibility, Premise, Property, Proposition, SourceSpan, Temporal, show_value};
use map_syntax::ast::{Atom, Formula, FormulaKind, Quantifier, TemporalOperator};

use super::expansion::{Compiled, Expansion, negated};
use super::{MAX_SIZE, Refused, atoms, constant};

impl Expansion<'_, '_> {
    /// Compiles a whole property.
    pub(super) fn property(mut self, name: &str, formula: &Formula) -> Result<Property, Refused> {
        let mut instances = Vec::new();
        self.whole(formula, "", &mut instances)?;
        let is_run = |(_, it): &(String, Compiled)| matches!(it, Compiled::Run(_));
        let are_parts = instances.len() > 1 && instances.iter().all(is_run);
        let (values, parts): (Vec<String>, Vec<Compiled>) = instances.into_iter().unzip();
        let compiled = self.every(parts);
        let compiled = self.temporal(compiled);
        let span = SourceSpan { start: formula.span.start, end: formula.span.end };
        Ok(Property {
            name: name.to_owned(),
            span,
            constant: constant::truth(&self.compiler.propositions, &self.compiler.quantities, &compiled),
            formula: compiled,
            premises: self.premises,
            instances: if are_parts { values } else { Vec::new() },
        })
    }

    /// Compiles the instances of the `forall`s that a property begins with, each with the values of its variables.
    fn whole(
        &mut self,
        formula: &Formula,
        values: &str,
        found: &mut Vec<(String, Compiled)>,
    ) -> Result<(), Refused> {
        let FormulaKind::Quantified(Quantifier::Forall, range, body) = &formula.kind else {
            let compiled = self.scoped(formula)?;
            found.push((values.to_owned(), compiled));
            return Ok(());
        };
        self.instances(range, |it, value| {
            let value = show_value(it.compiler.program, value, &|_| "?".to_owned());
            let comma = if values.is_empty() { "" } else { ", " };
            let values = format!("{values}{comma}${} = {value}", range.variable.text);
            it.whole(body, &values, found)
        })?;
        Ok(())
    }

    /// Compiles a formula whose variables are not known outside of it.
    fn scoped(&mut self, formula: &Formula) -> Result<Compiled, Refused> {
        let outside = self.variables.len();
        let compiled = self.formula(formula);
        self.variables.truncate(outside);
        compiled
    }

    /// Compiles a formula. The variables that its events bind are known behind it.
    fn formula(&mut self, formula: &Formula) -> Result<Compiled, Refused> {
        self.size += 1;
        if self.size > MAX_SIZE {
            return Err(Refused::TooLarge);
        }
        Ok(match &formula.kind {
            FormulaKind::Atom(atom) => Compiled::Moment(self.atom(atom)?),
            FormulaKind::Not(denied) => {
                let denied = self.optional(|it| it.scoped(denied))?;
                negated(denied)
            }
            FormulaKind::And(parts) => self.all(parts)?,
            FormulaKind::Or(parts) => {
                let parts =
                    self.optional(|it| parts.iter().map(|part| it.scoped(part)).collect::<Result<_, _>>())?;
                self.any(parts)
            }
            FormulaKind::Implies(parts) => {
                let outside = self.variables.len();
                let compiled = self.optional(|it| it.implication(parts));
                self.variables.truncate(outside);
                compiled?
            }
            FormulaKind::Quantified(quantifier, range, body) => {
                let instances = self.instances(range, |it, _| it.scoped(body))?;
                match quantifier {
                    Quantifier::Forall => self.every(instances),
                    Quantifier::Exists => self.any(instances),
                }
            }
            FormulaKind::Temporal(operator, operand) => {
                let operand = self.scoped(operand)?;
                Compiled::Run(match operator {
                    TemporalOperator::Always => Temporal::Always(Box::new(self.temporal(operand))),
                    TemporalOperator::Eventually => Temporal::Eventually(Box::new(self.temporal(operand))),
                    TemporalOperator::Never => Temporal::Always(Box::new(self.temporal(negated(operand)))),
                    TemporalOperator::Next => Temporal::Next(Box::new(self.temporal(operand))),
                })
            }
            FormulaKind::Until(left, right) => {
                let (left, right) = (self.scoped(left)?, self.scoped(right)?);
                Compiled::Run(Temporal::Until(Box::new(self.temporal(left)), Box::new(self.temporal(right))))
            }
            FormulaKind::Unless(left, right) => {
                let (left, right) = (self.scoped(left)?, self.scoped(right)?);
                self.unless(left, right)
            }
            FormulaKind::Precedes(first, second) => self.precedes(first, second)?,
            FormulaKind::Before(past) => Compiled::Moment(self.before(past)?),
            FormulaKind::LeadsTo(left, right) => {
                let (premise, right) = (self.scoped(left)?, self.scoped(right)?);
                self.premise(&premise, left.span);
                let (left, right) = (self.temporal(premise), self.temporal(right));
                Compiled::Run(Temporal::LeadsTo(Box::new(left), Box::new(right)))
            }
            FormulaKind::Possible(operand) => {
                Compiled::Run(Temporal::Possible(match self.scoped(operand)? {
                    Compiled::Moment(proposition) => {
                        Possibility::Reach(self.compiler.proposition(proposition))
                    }
                    Compiled::Run(temporal) => Possibility::Satisfy(Box::new(temporal)),
                }))
            }
            FormulaKind::Sequence(events) => {
                let mut all = Vec::new();
                for event in events {
                    if let Compiled::Moment(proposition) = self.scoped(event)? {
                        all.push(self.compiler.proposition(proposition));
                    }
                }
                Compiled::Run(Temporal::Possible(Possibility::Sequence(all)))
            }
        })
    }

    fn all(&mut self, parts: &[Formula]) -> Result<Compiled, Refused> {
        let parts = parts.iter().map(|part| self.formula(part)).collect::<Result<_, _>>()?;
        Ok(self.every(parts))
    }

    /// `f implies g implies h` is `not f or not g or h`.
    fn implication(&mut self, parts: &[Formula]) -> Result<Compiled, Refused> {
        let mut alternatives = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let compiled = self.formula(part)?;
            if index + 1 == parts.len() {
                alternatives.push(compiled);
            } else {
                self.premise(&compiled, part.span);
                alternatives.push(negated(compiled));
            }
        }
        Ok(self.any(alternatives))
    }

    pub(super) fn premise(&mut self, premise: &Compiled, span: Span) {
        let Compiled::Moment(proposition) = premise else { return };
        let proposition = self.compiler.proposition(proposition.clone());
        let span = SourceSpan { start: span.start, end: span.end };
        match self.premises.iter_mut().find(|premise| premise.span == span) {
            Some(known) => known.propositions.push(proposition),
            None => self.premises.push(Premise { propositions: vec![proposition], span }),
        }
    }

    pub(super) fn every(&mut self, parts: Vec<Compiled>) -> Compiled {
        self.join(parts, Proposition::And, Temporal::And)
    }

    pub(super) fn any(&mut self, parts: Vec<Compiled>) -> Compiled {
        self.join(parts, Proposition::Or, Temporal::Or)
    }

    /// Joins parts; those about a single moment are first joined into one proposition.
    fn join(
        &mut self,
        parts: Vec<Compiled>,
        of_moment: fn(Vec<Proposition>) -> Proposition,
        of_run: fn(Vec<Temporal>) -> Temporal,
    ) -> Compiled {
        let (mut moments, mut runs) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Compiled::Moment(proposition) => moments.push(proposition),
                Compiled::Run(temporal) => runs.push(temporal),
            }
        }
        let moment = match moments.len() {
            1 => moments.pop(),
            0 if !runs.is_empty() => None,
            _ => Some(of_moment(moments)),
        };
        match moment {
            Some(moment) if runs.is_empty() => Compiled::Moment(moment),
            Some(moment) => {
                let moment = self.temporal(Compiled::Moment(moment));
                runs.insert(0, moment);
                Compiled::Run(of_run(runs))
            }
            None => match runs.len() {
                1 => Compiled::Run(runs.remove(0)),
                _ => Compiled::Run(of_run(runs)),
            },
        }
    }

    pub(super) fn temporal(&mut self, compiled: Compiled) -> Temporal {
        match compiled {
            Compiled::Moment(proposition) => Temporal::Holds(self.compiler.proposition(proposition)),
            Compiled::Run(temporal) => temporal,
        }
    }

    /// A formula about one moment, as `map-check` requires of counted formulas and of what is looked back for. The
    /// variables that its events bind are known behind it.
    pub(super) fn moment(&mut self, formula: &Formula) -> Result<Proposition, Refused> {
        match self.formula(formula)? {
            Compiled::Moment(proposition) => Ok(proposition),
            Compiled::Run(_) => unreachable!("checked: only single moments are counted"),
        }
    }

    fn atom(&mut self, atom: &Atom) -> Result<Proposition, Refused> {
        atoms::compile(self, atom)
    }
}

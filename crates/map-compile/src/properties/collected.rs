//! What is collected of runs.

use map_check::{compared, variables_collected};
use map_diagnostics::Diagnostic;
use map_ir::{Measure, Proposition, Quantity, Reading};
use map_syntax::ast::{Collectable, Formula};

use super::expansion::Expansion;
use super::variables::Use;
use super::{PropertyCompiler, Refused};

impl PropertyCompiler<'_> {
    /// Compiles what is to be collected of runs, which has passed `map-check`: a quantity, or each variable of an
    /// event. The propositions in it are about the tables of [`PropertyCompiler::finish`]. Values that nobody knows are
    /// allowed: they are what a run collects then.
    ///
    /// # Errors
    /// If it looks back in a way that is not judged, or becomes too large.
    pub fn collect(&mut self, text: &str, collected: &Collectable) -> Result<Vec<Measure>, Vec<Diagnostic>> {
        let (compiled, span) = match collected {
            Collectable::Quantity(quantity) => {
                let formula = compared(quantity);
                let reading = Expansion::new(self).reading(&formula);
                let named = |reading| vec![Measure { name: text.trim().to_owned(), reading }];
                (reading.map(named), formula.span)
            }
            Collectable::Event(event) => {
                let values = Expansion::new(self).values_of_event(event);
                let named = |(variable, reading)| Measure { name: format!("${variable}"), reading };
                (values.map(|all| all.into_iter().map(named).collect()), event.span)
            }
        };
        compiled.map_err(|refused: Refused| vec![refused.diagnostic(span)])
    }
}

impl Expansion<'_, '_> {
    /// The left side of a comparison.
    fn reading(mut self, comparison: &Formula) -> Result<Reading, Refused> {
        match self.moment(comparison)? {
            Proposition::Compare(quantity, ..) => Ok(Reading::AtEnd(quantity)),
            _ => Ok(Reading::AtEnd(Quantity::Nothing)),
        }
    }

    /// The values of the variables of an event.
    fn values_of_event(mut self, event: &Formula) -> Result<Vec<(String, Reading)>, Refused> {
        let when = self.moment(event)?;
        let value = |name: &str| match self.variables.find(name) {
            Use::Event(quantity) => quantity,
            Use::Value(value) => Quantity::Value(value),
            Use::Unbound | Use::Captured(_) => Quantity::Nothing,
        };
        let variables = variables_collected(event).into_iter();
        Ok(variables.map(|name| (name.to_owned(), Reading::Last(when.clone(), value(name)))).collect())
    }
}

//! What is collected of runs without a name in the text.

use map_check::variables_collected;
use map_diagnostics::Diagnostic;
use map_ir::{Measure, MomentValue, Quantity, Reading};
use map_syntax::ast::{Collectable, Formula};

use super::expansion::Expansion;
use super::variables::Use;
use super::{PropertyCompiler, Refused};

impl PropertyCompiler<'_> {
    /// Compiles what is to be collected of runs, which has passed `map-check`: an expression as of a measure, or each
    /// variable of an event. Values that nobody knows are allowed: they are what a run collects then.
    ///
    /// # Errors
    /// If it looks back in a way that is not judged, or becomes too large.
    pub fn collect(&mut self, text: &str, collected: &Collectable) -> Result<Vec<Measure>, Vec<Diagnostic>> {
        let (compiled, span) = match collected {
            Collectable::Value(value) => {
                let reading = Expansion::new(self).reading(value);
                let named = |reading| vec![Measure { name: text.trim().to_owned(), reading }];
                (reading.map(named), value.span)
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
    /// The last values of the variables of an event.
    fn values_of_event(mut self, event: &Formula) -> Result<Vec<(String, Reading)>, Refused> {
        let when = self.moment(event)?;
        let mut found = Vec::new();
        for name in variables_collected(event) {
            let value = match self.variables.find(name) {
                Use::Event(quantity) => quantity,
                Use::Value(value) => Quantity::Value(value),
                Use::Unbound | Use::Captured(_) => Quantity::Nothing,
            };
            let last = MomentValue { when: when.clone(), value, first: false };
            found.push((name.to_owned(), Reading::Moment(self.compiler.moments.insert_full(last).0)));
        }
        Ok(found)
    }
}

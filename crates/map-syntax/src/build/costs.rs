//! Builds costs.

use pest::iterators::Pair;

use super::Builder;
use crate::ast::{Atom, Charge, Cost, Event, Formula, FormulaKind};
use crate::pest_grammar::Rule;

impl Builder<'_> {
    pub(super) fn cost(&mut self, pair: Pair<'_, Rule>) -> Option<Cost> {
        let span = self.span(&pair);
        let (mut name, mut charges) = (None, Vec::new());
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::name => name = Some(self.name(&pair)),
                Rule::charge => charges.push(self.charge(pair)?),
                _ => {}
            }
        }
        Some(Cost { name: name?, charges, span })
    }

    fn charge(&mut self, pair: Pair<'_, Rule>) -> Option<Charge> {
        let span = self.span(&pair);
        let (mut event, mut price) = (None, None);
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::charged_event => event = Some(self.charged_event(pair)?),
                Rule::price => price = Some(self.term(pair)?),
                _ => {}
            }
        }
        Some(Charge { event: event?, price: price?, span })
    }

    fn charged_event(&mut self, pair: Pair<'_, Rule>) -> Option<Formula> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let bearer = self.term(inner.next()?)?;
        let happening = inner.next()?;
        let rule = happening.as_rule();
        let mut inner = happening.into_inner().skip(1);
        let event = match rule {
            Rule::asks => Event::Asks(self.name(&inner.next()?)),
            _ => {
                let message = self.message(inner.next()?)?;
                let other = self.term(inner.nth(1)?)?;
                match rule {
                    Rule::charged_sends => Event::Sends(message, other),
                    _ => Event::Receives(message, other),
                }
            }
        };
        Some(Formula { kind: FormulaKind::Atom(Atom::Event(bearer, event)), span })
    }
}

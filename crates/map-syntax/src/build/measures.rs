//! Builds measures.

use pest::iterators::Pair;

use super::Builder;
use crate::ast::{Domain, DomainKind, Formula, FormulaKind, Measure, Over, RangeOver};
use crate::pest_grammar::Rule;

impl Builder<'_> {
    pub(super) fn measure(&mut self, pair: Pair<'_, Rule>) -> Option<Measure> {
        let start = self.span(&pair);
        let (mut name, mut of, mut value) = (None, None, None);
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::name => name = Some(self.name(&pair)),
                Rule::measured_of => of = Some(self.measured_of(pair)?),
                Rule::measured => value = Some(self.expression(pair)?),
                _ => {}
            }
        }
        let value = value?;
        // The pair's own span may end in white space, as pest looks for an operator behind the expression.
        let span = map_diagnostics::Span::new(start.start, value.outer.end);
        Some(Measure { name: name?, of, value: value.expression, span })
    }

    fn measured_of(&mut self, pair: Pair<'_, Rule>) -> Option<RangeOver> {
        let (mut variable, mut role) = (None, None);
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::variable => variable = Some(self.name(&pair)),
                Rule::role => role = Some(self.name(&pair)),
                _ => {}
            }
        }
        let role = role?;
        let span = role.span;
        let over = Over::Domain(Domain { kind: DomainKind::Role(role), weights: None, span });
        Some(RangeOver { variable: variable?, over })
    }

    /// Builds an atom from the pair of `status`.
    pub(super) fn status(&mut self, pair: Pair<'_, Rule>) -> Option<Formula> {
        let span = self.span(&pair);
        Some(Formula { kind: FormulaKind::Atom(self.atom(pair)?), span })
    }
}

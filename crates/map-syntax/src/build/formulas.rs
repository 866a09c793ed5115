//! Properties and formulas.

use map_diagnostics::Span;
use pest::iterators::Pair;

use super::bodies::comparison_operator;
use super::{Builder, without_wrappers};
use crate::ast::{
    Atom, Event, Formula, FormulaKind, MomentWord, Over, Property, Quantifier, Quantity, QuantityKind,
    RangeOver, StatusWord, TemporalOperator, Term,
};
use crate::pest_grammar::Rule;

/// A formula with its span including the parentheses around it.
struct Placed {
    formula: Box<Formula>,
    outer: Span,
}

impl From<Formula> for Placed {
    fn from(formula: Formula) -> Self {
        Self { outer: formula.span, formula: Box::new(formula) }
    }
}

impl Builder<'_> {
    pub(super) fn property(&mut self, pair: Pair<'_, Rule>) -> Option<Property> {
        let start = self.span(&pair).start;
        let (mut name, mut formula) = (None, None);
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::name => name = Some(self.name(&pair)),
                Rule::formula => formula = Some(self.formula(pair)?),
                _ => {}
            }
        }
        let formula = formula?;
        let span = Span::new(start, formula.outer.end);
        Some(Property { name: name?, formula: *formula.formula, span })
    }

    pub(super) fn whole_formula(&mut self, pair: Pair<'_, Rule>) -> Option<Formula> {
        self.formula(pair).map(|placed| *placed.formula)
    }

    fn formula(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let pair = without_wrappers(pair, |rule| {
            use Rule::{disjunction, formula, implication, junction, literal};
            matches!(rule, formula | implication | disjunction | junction | literal)
        });
        match pair.as_rule() {
            Rule::formula => self.sides(pair),
            Rule::implication => self.chain_of(pair, Rule::implies_word, FormulaKind::Implies),
            Rule::disjunction => self.chain_of(pair, Rule::or_word, FormulaKind::Or),
            Rule::junction => self.chain_of(pair, Rule::and_word, FormulaKind::And),
            Rule::literal => {
                let mut inner = pair.into_inner();
                let first = inner.next()?;
                let kind = match first.as_rule() {
                    Rule::not_word => FormulaKind::Not,
                    _ => FormulaKind::Before,
                };
                let operand = self.formula(inner.next()?)?;
                let span = self.span(&first).to(operand.outer);
                Some(Formula { kind: kind(operand.formula), span }.into())
            }
            Rule::formula_group => {
                let outer = self.span(&pair);
                let inner = pair.into_inner().find(|pair| pair.as_rule() == Rule::formula)?;
                Some(Placed { formula: self.formula(inner)?.formula, outer })
            }
            Rule::temporal => self.temporal(pair),
            Rule::possible => self.possible(pair),
            Rule::quantified => self.quantified(pair),
            Rule::atom => {
                let pair = pair.into_inner().next()?;
                let span = self.span(&pair);
                Some(Formula { kind: FormulaKind::Atom(self.atom(pair)?), span }.into())
            }
            _ => None,
        }
    }

    fn sides(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let mut inner = pair.into_inner();
        let left = self.formula(inner.next()?)?;
        let operator = inner.next()?;
        let right = self.formula(inner.next()?)?;
        let span = left.outer.to(right.outer);
        let (left, right) = (left.formula, right.formula);
        let kind = match operator.as_rule() {
            Rule::until_word => FormulaKind::Until(left, right),
            Rule::unless_word => FormulaKind::Unless(left, right),
            Rule::precedes_word => FormulaKind::Precedes(left, right),
            _ => FormulaKind::LeadsTo(left, right),
        };
        Some(Formula { kind, span }.into())
    }

    fn chain_of(
        &mut self,
        pair: Pair<'_, Rule>,
        word: Rule,
        kind: fn(Vec<Formula>) -> FormulaKind,
    ) -> Option<Placed> {
        let (mut all, mut span) = (Vec::new(), None);
        for pair in pair.into_inner().filter(|pair| pair.as_rule() != word) {
            let next = self.formula(pair)?;
            span = Some(span.map_or(next.outer, |span: Span| span.to(next.outer)));
            all.push(*next.formula);
        }
        Some(Formula { kind: kind(all), span: span? }.into())
    }

    fn temporal(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let mut inner = pair.into_inner();
        let word = inner.next()?;
        let operator = match word.as_rule() {
            Rule::always_word => TemporalOperator::Always,
            Rule::eventually_word => TemporalOperator::Eventually,
            Rule::never_word => TemporalOperator::Never,
            _ => TemporalOperator::Next,
        };
        let operand = self.formula(inner.next()?)?;
        let span = self.span(&word).to(operand.outer);
        Some(Formula { kind: FormulaKind::Temporal(operator, operand.formula), span }.into())
    }

    fn possible(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let mut inner = pair.into_inner();
        let word = self.span(&inner.next()?);
        let operand = inner.next()?;
        if operand.as_rule() == Rule::formula {
            let operand = self.formula(operand)?;
            let span = word.to(operand.outer);
            return Some(Formula { kind: FormulaKind::Possible(operand.formula), span }.into());
        }
        let (mut events, mut end) = (Vec::new(), word);
        for pair in operand.into_inner().filter(|pair| pair.as_rule() == Rule::formula) {
            let event = self.formula(pair)?;
            end = event.outer;
            events.push(*event.formula);
        }
        Some(Formula { kind: FormulaKind::Sequence(events), span: word.to(end) }.into())
    }

    fn quantified(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let mut inner = pair.into_inner();
        let word = inner.next()?;
        let quantifier = match word.as_rule() {
            Rule::forall_word => Quantifier::Forall,
            _ => Quantifier::Exists,
        };
        let range = self.range_over(inner.next()?)?;
        let body = self.formula(inner.next()?)?;
        let span = self.span(&word).to(body.outer);
        let kind = FormulaKind::Quantified(quantifier, range, body.formula);
        Some(Formula { kind, span }.into())
    }

    fn range_over(&mut self, pair: Pair<'_, Rule>) -> Option<RangeOver> {
        let (mut variable, mut over) = (None, None);
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::variable => variable = Some(self.name(&pair)),
                Rule::domain => over = Some(Over::Domain(self.domain(pair)?)),
                Rule::answers_of => over = Some(Over::Answers(self.name(&pair.into_inner().next()?))),
                _ => {}
            }
        }
        Some(RangeOver { variable: variable?, over: over? })
    }

    pub(super) fn atom(&mut self, pair: Pair<'_, Rule>) -> Option<Atom> {
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        match rule {
            Rule::ended => Some(Atom::Ended),
            Rule::status => {
                let word = match inner.next()?.as_rule() {
                    Rule::done_word => StatusWord::Done,
                    Rule::failed_word => StatusWord::Failed,
                    _ => StatusWord::Waiting,
                };
                let subject = inner.find(|pair| pair.as_rule() == Rule::subject)?;
                Some(Atom::Status(word, self.term(subject)?))
            }
            Rule::occurrence => {
                let agent = self.term(inner.next()?)?;
                self.occurrence(agent, inner.next()?)
            }
            Rule::relation => {
                let left = self.quantity(inner.next()?)?;
                let operator = comparison_operator(inner.next()?.as_rule())?;
                Some(Atom::Comparison(left, operator, self.quantity(inner.next()?)?))
            }
            _ => None,
        }
    }

    fn occurrence(&mut self, agent: Term, pair: Pair<'_, Rule>) -> Option<Atom> {
        let rule = pair.as_rule();
        let mut inner = pair.into_inner().skip(1);
        let event = match rule {
            Rule::sends | Rule::receives => {
                let message = self.message(inner.next()?)?;
                let other = self.term(inner.nth(1)?)?;
                if rule == Rule::sends {
                    Event::Sends(message, other)
                } else {
                    Event::Receives(message, other)
                }
            }
            Rule::asks => Event::Asks(self.name(&inner.next()?)),
            Rule::answers => {
                let procedure = self.name(&inner.next()?);
                Event::Answers(procedure, inner.next()?.as_rule() == Rule::yes_word)
            }
            Rule::times_out => Event::TimesOut,
            _ => return Some(Atom::In(agent, self.name(&inner.next()?))),
        };
        Some(Atom::Event(agent, event))
    }

    pub(super) fn quantity(&mut self, pair: Pair<'_, Rule>) -> Option<Quantity> {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::count => {
                let (mut range, mut formula) = (None, None);
                for pair in pair.into_inner() {
                    match pair.as_rule() {
                        Rule::range_over => range = Some(self.range_over(pair)?),
                        Rule::formula => formula = Some(self.formula(pair)?.formula),
                        _ => {}
                    }
                }
                let formula = formula?;
                match range {
                    Some(range) => QuantityKind::Count(range, formula),
                    None => QuantityKind::Times(formula),
                }
            }
            Rule::total | Rule::moment => {
                let (mut variable, mut formula, mut word) = (None, None, None);
                for pair in pair.into_inner() {
                    match pair.as_rule() {
                        Rule::first_word => word = Some(MomentWord::First),
                        Rule::last_word => word = Some(MomentWord::Last),
                        Rule::variable => variable = Some(self.name(&pair)),
                        Rule::formula => formula = Some(self.formula(pair)?.formula),
                        _ => {}
                    }
                }
                match word {
                    Some(word) => QuantityKind::Moment(word, variable?, formula?),
                    None => QuantityKind::Total(variable?, formula?),
                }
            }
            Rule::measure_of => {
                let (mut measure, mut agent) = (None, None);
                for pair in pair.into_inner() {
                    match pair.as_rule() {
                        Rule::name => measure = Some(self.name(&pair)),
                        Rule::subject => agent = Some(self.term(pair)?),
                        _ => {}
                    }
                }
                QuantityKind::Measure(measure?, agent)
            }
            Rule::sum_of => {
                let measure = pair.into_inner().find(|pair| pair.as_rule() == Rule::name)?;
                QuantityKind::Sum(self.name(&measure))
            }
            Rule::cost_of => {
                let (mut cost, mut payer) = (None, None);
                for pair in pair.into_inner() {
                    match pair.as_rule() {
                        Rule::name => cost = Some(self.name(&pair)),
                        Rule::payer => payer = Some(self.term(pair)?),
                        _ => {}
                    }
                }
                QuantityKind::Cost(cost?, payer)
            }
            Rule::mailbox => {
                let subject = pair.into_inner().find(|pair| pair.as_rule() == Rule::subject)?;
                QuantityKind::Mailbox(self.term(subject)?)
            }
            Rule::cell_of => {
                let mut inner = pair.into_inner();
                let agent = self.bare_term(&inner.next()?)?;
                let cell = inner.next()?;
                QuantityKind::Cell(agent, self.name(&cell))
            }
            _ => QuantityKind::Term(self.bare_term(&pair)?.kind),
        };
        Some(Quantity { kind, span })
    }
}

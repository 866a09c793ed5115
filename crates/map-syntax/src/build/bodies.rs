//! Memories, the declarations of procedures, and expressions.

use map_diagnostics::Span;
use pest::iterators::Pair;

use super::{Builder, bare, without_wrappers};
use crate::ast::{
    Alternative, Answer, ArithmeticOperator, Body, CellValue, ComparisonOperator, Decimal, Distribution,
    Domain, DomainKind, Expression, ExpressionKind, InitialCell, InitialValue, Memory, Procedure, Term,
    TermKind, Truth, Weight, Weights,
};
use crate::pest_grammar::Rule;

/// An expression with its span including the parentheses around it.
pub(super) struct Placed {
    pub(super) expression: Expression,
    pub(super) outer: Span,
}

impl From<Expression> for Placed {
    fn from(expression: Expression) -> Self {
        Self { outer: expression.span, expression }
    }
}

// The span of a pair whose last part is optional may end in white space, so spans are computed from those of the
// parts.
impl Builder<'_> {
    pub(super) fn memory(&mut self, pair: Pair<'_, Rule>) -> Option<Memory> {
        let span = self.span(&pair);
        let (mut role, mut cells) = (None, Vec::new());
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::role => role = Some(self.name(&pair)),
                Rule::initial => cells.push(self.initial(pair)?),
                _ => {}
            }
        }
        Some(Memory { role: role?, cells, span })
    }

    fn initial(&mut self, pair: Pair<'_, Rule>) -> Option<InitialCell> {
        let mut span = self.span(&pair);
        let mut inner =
            pair.into_inner().filter(|pair| !matches!(pair.as_rule(), Rule::equals | Rule::in_word));
        let cell = self.name(&inner.next()?);
        let value = inner.next()?;
        let value = match value.as_rule() {
            Rule::domain => {
                let domain = self.domain(value)?;
                span.end = domain.span.end;
                InitialValue::Domain(domain)
            }
            Rule::agents_of => {
                let role = value.into_inner().find(|pair| pair.as_rule() == Rule::role)?;
                InitialValue::Count(self.name(&role))
            }
            _ => InitialValue::Value(self.operand(value)?.expression),
        };
        Some(InitialCell { cell, value, span })
    }

    pub(super) fn procedure(&mut self, pair: Pair<'_, Rule>) -> Option<Procedure> {
        let start = self.span(&pair).start;
        let mut span = Span::new(start, start);
        let (mut name, mut parameters, mut may_refuse) = (None, Vec::new(), false);
        let (mut probability, mut body) = (None, None);
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::decision_word => may_refuse = true,
                Rule::name => name = Some(self.name(&pair)),
                Rule::variable => parameters.push(self.name(&pair)),
                Rule::close_paren => span = span.to(self.span(&pair)),
                Rule::decimal => {
                    let read = self.decimal(&pair);
                    span = span.to(read.span);
                    probability = Some(read);
                }
                Rule::body => {
                    let (read, end) = self.body(pair)?;
                    span = span.to(end);
                    body = Some(read);
                }
                _ => {}
            }
        }
        Some(Procedure { name: name?, parameters, may_refuse, probability, body, span })
    }

    pub(super) fn truth(&mut self, pair: Pair<'_, Rule>) -> Option<Truth> {
        let mut span = self.span(&pair);
        let (mut name, mut parameters, mut alternatives) = (None, Vec::new(), Vec::new());
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::name => name = Some(self.name(&pair)),
                Rule::variable => parameters.push(self.name(&pair)),
                Rule::honest => alternatives.push(self.alternative(pair)?),
                _ => {}
            }
        }
        span.end = alternatives.last()?.span.end;
        let body = Some(Body::Alternatives(alternatives));
        let decision = Procedure { name: name?, parameters, may_refuse: true, probability: None, body, span };
        Some(Truth { decision })
    }

    /// Builds a body. Also returns the span of its last part.
    fn body(&mut self, pair: Pair<'_, Rule>) -> Option<(Body, Span)> {
        let mut alternatives = Vec::new();
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::domain => {
                    let domain = self.domain(pair)?;
                    let span = domain.span;
                    return Some((Body::Domain(domain), span));
                }
                Rule::fresh => {
                    let span = self.span(&pair.into_inner().next()?);
                    return Some((Body::Fresh(span), span));
                }
                Rule::alternative => alternatives.push(self.alternative(pair)?),
                _ => {}
            }
        }
        let span = alternatives.last()?.span;
        Some((Body::Alternatives(alternatives), span))
    }

    pub(super) fn domain(&mut self, pair: Pair<'_, Rule>) -> Option<Domain> {
        let mut parts = pair.into_inner();
        let values = parts.next()?;
        let span = self.span(&values);
        let (kind, weights) = match values.as_rule() {
            Rule::role => (DomainKind::Role(self.name(&values)), None),
            Rule::range => {
                let mut bounds = values.into_inner().filter(|pair| pair.as_rule() == Rule::integer);
                let kind = DomainKind::Range(self.integer(&bounds.next()?), self.integer(&bounds.next()?));
                if let Some(by) = parts.next() {
                    let (weights, end) = self.by(by)?;
                    return Some(Domain { kind, weights: Some(weights), span: span.to(end) });
                }
                (kind, None)
            }
            Rule::value_set => {
                let (terms, weights) = self.value_set(values)?;
                (DomainKind::Values(terms), weights)
            }
            _ => return None,
        };
        Some(Domain { kind, weights, span })
    }

    fn value_set(&mut self, pair: Pair<'_, Rule>) -> Option<(Vec<Term>, Option<Weights>)> {
        let (mut terms, mut weights) = (Vec::new(), Vec::new());
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::open_brace | Rule::comma | Rule::close_brace => {}
                Rule::weight => {
                    let integer = pair.into_inner().find(|pair| pair.as_rule() == Rule::integer)?;
                    let weight = Weight { value: self.integer(&integer), span: self.span(&integer) };
                    *weights.last_mut()? = Some(weight);
                }
                _ => {
                    terms.push(self.bare_term(&pair)?);
                    weights.push(None);
                }
            }
        }
        let weights = weights.iter().any(Option::is_some).then_some(Weights::Each(weights));
        Some((terms, weights))
    }

    /// Builds the weights of a range. Also returns the span of their last part.
    fn by(&mut self, pair: Pair<'_, Rule>) -> Option<(Weights, Span)> {
        let pair = pair.into_inner().find(|pair| pair.as_rule() != Rule::by_word)?;
        if pair.as_rule() == Rule::expression {
            let placed = self.expression(pair)?;
            return Some((Weights::By(placed.expression), placed.outer));
        }
        let span = self.span(&pair);
        let mut parts = pair.into_inner();
        let distribution = match parts.next()?.as_rule() {
            Rule::geometric_word => Distribution::Geometric,
            _ => Distribution::Binomial,
        };
        let decimal = self.decimal(&parts.find(|pair| pair.as_rule() == Rule::decimal)?);
        Some((Weights::Distribution(distribution, decimal), span))
    }

    fn decimal(&self, pair: &Pair<'_, Rule>) -> Decimal {
        Decimal { text: pair.as_str().to_owned(), span: self.span(pair) }
    }

    fn alternative(&mut self, pair: Pair<'_, Rule>) -> Option<Alternative> {
        let start = self.span(&pair).start;
        let (mut guard, mut answer, mut updates) = (None, None, Vec::new());
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::expression => guard = Some(self.expression(pair)?.expression),
                Rule::answer => answer = Some(self.answer(pair)?),
                Rule::updates => {
                    for pair in pair.into_inner().filter(|pair| pair.as_rule() == Rule::update) {
                        updates.push(self.update(pair)?);
                    }
                }
                _ => {}
            }
        }
        let (answer, answer_span) = answer?;
        let end = updates.last().map_or(answer_span, |update| update.span).end;
        Some(Alternative { guard, answer, updates, span: Span::new(start, end) })
    }

    fn answer(&mut self, pair: Pair<'_, Rule>) -> Option<(Answer, Span)> {
        let pair = pair.into_inner().find(|pair| pair.as_rule() != Rule::in_word)?;
        if pair.as_rule() == Rule::domain {
            let domain = self.domain(pair)?;
            let span = domain.span;
            return Some((Answer::Domain(domain), span));
        }
        let placed = self.expression(pair)?;
        Some((Answer::Value(placed.expression), placed.outer))
    }

    fn update(&mut self, pair: Pair<'_, Rule>) -> Option<CellValue> {
        let mut inner = pair.into_inner().filter(|pair| pair.as_rule() != Rule::becomes);
        let cell = self.name(&inner.next()?);
        let value = self.expression(inner.next()?)?;
        let span = cell.span.to(value.outer);
        Some(CellValue { cell, value: value.expression, span })
    }

    /// Builds an expression in the place of a term; a term in parentheses is that term.
    pub(super) fn computed_term(&mut self, pair: Pair<'_, Rule>) -> Option<Term> {
        let expression = self.expression(pair)?.expression;
        let span = expression.span;
        let kind = match expression.kind {
            ExpressionKind::Constant(constant) => constant,
            ExpressionKind::Parameter(name) => TermKind::Variable(name),
            _ => TermKind::Expression(Box::new(expression)),
        };
        Some(Term { kind, span })
    }

    /// Builds an expression without what is known of the parentheses around it.
    pub(super) fn whole_expression(&mut self, pair: Pair<'_, Rule>) -> Option<Expression> {
        self.expression(pair).map(|placed| placed.expression)
    }

    /// Builds an expression of a body or of a measure.
    pub(super) fn expression(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let pair = without_wrappers(pair, |rule| {
            use Rule::{comparison, conjunction, expression, negation, product, sum};
            use Rule::{
                measured, measured_comparison, measured_conjunction, measured_negation, measured_product,
                measured_sum,
            };
            matches!(rule, expression | conjunction | negation | comparison | sum | product)
                || matches!(rule, measured | measured_conjunction | measured_negation | measured_comparison)
                || matches!(rule, measured_sum | measured_product)
        });
        match pair.as_rule() {
            Rule::expression | Rule::measured => self.conditions(pair, ExpressionKind::Or),
            Rule::conjunction | Rule::measured_conjunction => self.conditions(pair, ExpressionKind::And),
            Rule::negation | Rule::measured_negation => {
                let mut inner = pair.into_inner();
                let word = self.span(&inner.next()?);
                let condition = self.expression(inner.next()?)?;
                let span = word.to(condition.outer);
                let kind = ExpressionKind::Not(Box::new(condition.expression));
                Some(Expression { kind, span }.into())
            }
            Rule::comparison | Rule::measured_comparison => self.comparison(pair),
            Rule::sum | Rule::product | Rule::measured_sum | Rule::measured_product => self.arithmetic(pair),
            _ => self.operand(pair),
        }
    }

    fn conditions(
        &mut self,
        pair: Pair<'_, Rule>,
        kind: fn(Vec<Expression>) -> ExpressionKind,
    ) -> Option<Placed> {
        let (mut all, mut span) = (Vec::new(), None);
        for pair in pair.into_inner() {
            if !matches!(pair.as_rule(), Rule::or_word | Rule::and_word) {
                let next = self.expression(pair)?;
                span = Some(span.map_or(next.outer, |span: Span| span.to(next.outer)));
                all.push(next.expression);
            }
        }
        Some(Expression { kind: kind(all), span: span? }.into())
    }

    fn comparison(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let mut inner = pair.into_inner();
        let left = self.expression(inner.next()?)?;
        let operator = comparison_operator(inner.next()?.as_rule())?;
        let right = self.expression(inner.next()?)?;
        let span = left.outer.to(right.outer);
        let (left, right) = (Box::new(left.expression), Box::new(right.expression));
        Some(Expression { kind: ExpressionKind::Comparison { left, operator, right }, span }.into())
    }

    fn arithmetic(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let mut inner = pair.into_inner();
        let first = self.expression(inner.next()?)?;
        let mut span = first.outer;
        let mut rest = Vec::new();
        while let Some(operator) = inner.next() {
            let operator = match operator.as_rule() {
                Rule::plus => ArithmeticOperator::Add,
                Rule::minus => ArithmeticOperator::Subtract,
                Rule::times => ArithmeticOperator::Multiply,
                Rule::divide => ArithmeticOperator::Divide,
                Rule::mod_word => ArithmeticOperator::Remainder,
                _ => return None,
            };
            let operand = self.expression(inner.next()?)?;
            span = span.to(operand.outer);
            rest.push((operator, operand.expression));
        }
        let first = Box::new(first.expression);
        Some(Expression { kind: ExpressionKind::Arithmetic { first, rest }, span }.into())
    }

    fn operand(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::parentheses | Rule::measured_parentheses => {
                let inner = pair.into_inner().find(|pair| is_whole(pair.as_rule()))?;
                return Some(Placed { expression: self.expression(inner)?.expression, outer: span });
            }
            Rule::conditional | Rule::measured_conditional => return self.conditional(pair),
            Rule::smaller | Rule::larger | Rule::measured_smaller | Rule::measured_larger => {
                let smaller = matches!(pair.as_rule(), Rule::smaller | Rule::measured_smaller);
                let mut operands = pair.into_inner().filter(|pair| is_whole(pair.as_rule()));
                let left = Box::new(self.expression(operands.next()?)?.expression);
                let right = Box::new(self.expression(operands.next()?)?.expression);
                if smaller { ExpressionKind::Min(left, right) } else { ExpressionKind::Max(left, right) }
            }
            Rule::own => ExpressionKind::Own,
            Rule::reading => ExpressionKind::Reading(Box::new(self.quantity(pair.into_inner().next()?)?)),
            Rule::status => ExpressionKind::Holds(Box::new(self.status(pair)?)),
            Rule::cell => ExpressionKind::Cell(bare(&pair)),
            Rule::variable => ExpressionKind::Parameter(bare(&pair)),
            _ => ExpressionKind::Constant(self.bare_term(&pair)?.kind),
        };
        Some(Expression { kind, span }.into())
    }

    fn conditional(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let start = self.span(&pair);
        let mut parts = pair.into_inner().filter(|pair| is_whole(pair.as_rule()));
        let condition = self.expression(parts.next()?)?;
        let then = self.expression(parts.next()?)?;
        let otherwise = self.expression(parts.next()?)?;
        let span = Span::new(start.start, otherwise.outer.end);
        let kind = ExpressionKind::If {
            condition: Box::new(condition.expression),
            then: Box::new(then.expression),
            otherwise: Box::new(otherwise.expression),
        };
        Some(Expression { kind, span }.into())
    }
}

/// Whether a pair is an expression with all that belongs to it.
fn is_whole(rule: Rule) -> bool {
    matches!(rule, Rule::expression | Rule::measured)
}

pub(super) fn comparison_operator(rule: Rule) -> Option<ComparisonOperator> {
    match rule {
        Rule::equal => Some(ComparisonOperator::Equal),
        Rule::not_equal => Some(ComparisonOperator::NotEqual),
        Rule::less => Some(ComparisonOperator::Less),
        Rule::less_or_equal => Some(ComparisonOperator::LessOrEqual),
        Rule::greater => Some(ComparisonOperator::Greater),
        Rule::greater_or_equal => Some(ComparisonOperator::GreaterOrEqual),
        _ => None,
    }
}

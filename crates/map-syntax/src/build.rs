//! Builds the syntax tree from pest's pairs.
//!
//! Every function expects the pairs of its rule and returns `None` if they are missing. So a change of the grammar
//! can at worst lose a unit, which the caller reports, but never cause a panic.

mod bodies;
mod costs;
mod formulas;
mod measures;

use map_diagnostics::{Diagnostic, Span};
use pest::iterators::{Pair, Pairs};

use crate::ast::{
    Address, Cast, CastSubject, Clause, Expression, File, Formula, Item, Message, Name, Op, OpKind, Scene,
    Term, TermKind, Who,
};
use crate::joined::Joined;
use crate::literal;
use crate::pest_grammar::Rule;

/// Builds trees from a piece of the source.
pub(crate) struct Builder<'a> {
    origin: Origin<'a>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

/// Where the text that was parsed comes from.
#[derive(Clone, Copy)]
enum Origin<'a> {
    /// It is a piece of the source that begins at this offset.
    Piece(usize),
    Joined(&'a Joined<'a>),
}

impl Origin<'_> {
    fn is_hole(self, pair: &Pair<'_, Rule>) -> bool {
        matches!(self, Self::Joined(joined) if joined.is_hole(pair.as_span().start()))
    }
}

/// An operation with its span including the parentheses around it. In a box, because it is handed up through as many
/// functions as there are levels of nesting, each of which has a place for it on the stack.
struct Placed {
    op: Box<Op>,
    outer: Span,
}

impl From<Op> for Placed {
    fn from(op: Op) -> Self {
        Self { outer: op.span, op: Box::new(op) }
    }
}

impl<'a> Builder<'a> {
    /// A builder for a text at offset `base`. Errors about integers out of range and bad escapes go to
    /// `diagnostics`.
    pub(crate) fn new(base: usize, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Self { origin: Origin::Piece(base), diagnostics }
    }

    /// A builder for a text that was put together from tokens.
    pub(crate) fn of_tokens(joined: &'a Joined<'a>, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Self { origin: Origin::Joined(joined), diagnostics }
    }

    /// Builds a file from the pairs of `file`.
    pub(crate) fn file(&mut self, mut pairs: Pairs<'_, Rule>) -> Option<File> {
        let mut items = Vec::new();
        for pair in pairs.next()?.into_inner() {
            if pair.as_rule() != Rule::EOI {
                items.push(self.item(pair)?);
            }
        }
        Some(File { items })
    }

    /// Builds a clause from the pairs of `clause_unit`.
    pub(crate) fn clause_unit(&mut self, mut pairs: Pairs<'_, Rule>) -> Option<Clause> {
        self.clause(pairs.next()?.into_inner().next()?)
    }

    /// Builds a clause from the pairs of `clause_head`, with a body that was built already.
    pub(crate) fn clause_with(&mut self, mut head: Pairs<'_, Rule>, body: Op, end: u32) -> Option<Clause> {
        self.whole_clause(head.next()?, body, end)
    }

    /// Builds an operation from the pairs of `operation_unit`.
    pub(crate) fn operation_unit(&mut self, mut pairs: Pairs<'_, Rule>) -> Option<Op> {
        self.operation(pairs.next()?.into_inner().next()?).map(|placed| *placed.op)
    }

    /// Builds a formula from the pairs of `formula_unit`.
    pub(crate) fn formula_unit(&mut self, mut pairs: Pairs<'_, Rule>) -> Option<Formula> {
        self.whole_formula(pairs.next()?.into_inner().next()?)
    }

    /// Builds an expression from the pairs of `measured_unit`.
    pub(crate) fn measured_unit(&mut self, mut pairs: Pairs<'_, Rule>) -> Option<Expression> {
        self.whole_expression(pairs.next()?.into_inner().next()?)
    }

    /// Builds an item from the pairs of `cast_unit`, `memory_unit`, `procedure_unit`, `property_unit`, `cost_unit`,
    /// `measure_unit` or `truth_unit`.
    pub(crate) fn item_unit(&mut self, mut pairs: Pairs<'_, Rule>) -> Option<Item> {
        self.item(pairs.next()?.into_inner().next()?)
    }

    fn item(&mut self, pair: Pair<'_, Rule>) -> Option<Item> {
        match pair.as_rule() {
            Rule::scene => self.scene(pair).map(Item::Scene),
            Rule::cast => self.cast(pair).map(Item::Cast),
            Rule::memory => self.memory(pair).map(Item::Memory),
            Rule::procedure => self.procedure(pair).map(Item::Procedure),
            Rule::property => self.property(pair).map(Item::Property),
            Rule::cost => self.cost(pair).map(Item::Cost),
            Rule::measure => self.measure(pair).map(Item::Measure),
            Rule::truth => self.truth(pair).map(Item::Truth),
            _ => None,
        }
    }

    fn scene(&mut self, pair: Pair<'_, Rule>) -> Option<Scene> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let name = self.name(&inner.next()?);
        let mut clauses = Vec::new();
        for pair in inner {
            if pair.as_rule() == Rule::clause {
                clauses.push(self.clause(pair)?);
            }
        }
        Some(Scene { name, clauses, span })
    }

    fn cast(&mut self, pair: Pair<'_, Rule>) -> Option<Cast> {
        let span = self.span(&pair);
        let (mut subject, mut count) = (None, None);
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::cast_subject => {
                    let pair = pair.into_inner().next()?;
                    let name = self.name(&pair);
                    subject = Some(match pair.as_rule() {
                        Rule::role => CastSubject::Role(name),
                        _ => CastSubject::Agent(name),
                    });
                }
                Rule::cast_count => {
                    // What follows the number may be sought behind white space.
                    let mut span = None;
                    let (mut least, mut any) = (1, false);
                    for pair in pair.into_inner() {
                        let here = self.span(&pair);
                        span = Some(span.map_or(here, |it: Span| it.to(here)));
                        match pair.as_rule() {
                            Rule::integer => least = self.integer(&pair),
                            Rule::any_word => any = true,
                            _ => {}
                        }
                    }
                    count = Some((least, any, span?));
                }
                _ => {}
            }
        }
        let (count, any, count_span) = count?;
        // Nor does the cast go on behind it.
        let span = Span { end: count_span.end, ..span };
        Some(Cast { subject: subject?, count, any, count_span, span })
    }

    fn clause(&mut self, pair: Pair<'_, Rule>) -> Option<Clause> {
        let (mut head, mut body) = (None, None);
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::clause_head => head = Some(pair),
                Rule::operation => body = self.operation(pair),
                _ => {}
            }
        }
        let body = body?;
        self.whole_clause(head?, *body.op, body.outer.end)
    }

    fn whole_clause(&mut self, head: Pair<'_, Rule>, body: Op, end: u32) -> Option<Clause> {
        let head_span = self.span(&head);
        let (mut who, mut role, mut parameters) = (None, None, Vec::new());
        for pair in head.into_inner() {
            match pair.as_rule() {
                Rule::who => who = Some(self.who(&pair.into_inner().next()?)),
                Rule::role => role = Some(self.name(&pair)),
                Rule::term => parameters.push(self.term(pair)?),
                _ => {}
            }
        }
        let span = Span { end, ..head_span };
        Some(Clause { who: who?, role: role?, parameters, body, head_span, span })
    }

    fn who(&self, pair: &Pair<'_, Rule>) -> Who {
        match pair.as_rule() {
            Rule::variable => Who::Variable(self.name(pair)),
            _ => Who::Agent(self.name(pair)),
        }
    }

    fn operation(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let pair = without_wrappers(pair, |rule| {
            matches!(rule, Rule::operation | Rule::alternatives | Rule::sequence | Rule::unit)
        });
        match pair.as_rule() {
            Rule::operation => self.chain(pair, OpKind::Par),
            Rule::alternatives => self.chain(pair, OpKind::Or),
            Rule::sequence => self.chain(pair, OpKind::Then),
            Rule::group => {
                let outer = self.span(&pair);
                let inner = pair.into_inner().find(|pair| pair.as_rule() == Rule::operation)?;
                Some(Placed { op: self.operation(inner)?.op, outer })
            }
            Rule::wait => self.wait(pair),
            _ => self.act(pair),
        }
    }

    /// Builds an operation without others in it. Not part of [`Self::operation`], so that what it takes of the stack is
    /// not taken again on every level of nesting.
    #[inline(never)]
    fn act(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::call => {
                let arguments = pair.into_inner().find(|pair| pair.as_rule() == Rule::arguments)?;
                Some(Op { kind: OpKind::Call { arguments: self.arguments(arguments)? }, span }.into())
            }
            Rule::skip => {
                let kind = if self.origin.is_hole(&pair) { OpKind::Hole } else { OpKind::Skip };
                Some(Op { kind, span }.into())
            }
            Rule::fail => Some(Op { kind: OpKind::Fail, span }.into()),
            Rule::ask => self.ask(pair),
            Rule::exchange => self.exchange(pair),
            _ => None,
        }
    }

    #[inline(never)]
    fn chain(&mut self, pair: Pair<'_, Rule>, kind: fn(Vec<Op>) -> OpKind) -> Option<Placed> {
        let (mut ops, mut span) = (Vec::new(), None);
        for pair in pair.into_inner() {
            if !matches!(pair.as_rule(), Rule::par_word | Rule::or_word | Rule::then_word) {
                let next = self.operation(pair)?;
                span = Some(span.map_or(next.outer, |span: Span| span.to(next.outer)));
                ops.push(*next.op);
            }
        }
        Some(Op { kind: kind(ops), span: span? }.into())
    }

    fn wait(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let mut inner = pair.into_inner();
        let mut span = self.span(&inner.next()?);
        let body = self.operation(inner.next()?)?;
        // The pair's own span may end in white space, as pest looks for a `timeout` after the body.
        span = span.to(body.outer);
        let timeout = match inner.find(|pair| pair.as_rule() == Rule::unit) {
            Some(pair) => {
                let timeout = self.operation(pair)?;
                span = span.to(timeout.outer);
                Some(timeout.op)
            }
            None => None,
        };
        Some(Op { kind: OpKind::Wait { body: body.op, timeout }, span }.into())
    }

    fn ask(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let span = self.span(&pair);
        let (mut variable, mut procedure, mut arguments) = (None, None, None);
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::variable => variable = Some(self.name(&pair)),
                Rule::name => procedure = Some(self.name(&pair)),
                Rule::arguments => arguments = self.arguments(pair),
                _ => {}
            }
        }
        let kind = OpKind::Ask { variable: Some(variable?), procedure: procedure?, arguments: arguments? };
        Some(Op { kind, span }.into())
    }

    fn exchange(&mut self, pair: Pair<'_, Rule>) -> Option<Placed> {
        let (mut message, mut address, mut sends) = (None, None, false);
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::message => message = self.message(pair),
                Rule::send_arrow => sends = true,
                Rule::address => address = self.address(pair),
                _ => {}
            }
        }
        let message: Message = message?;
        // The pair's own span may end in white space, as pest looks for an arrow behind the message.
        let mut span = message.span;
        let Some(address): Option<Address> = address else {
            let Message { performative: procedure, arguments, .. } = message;
            return Some(Op { kind: OpKind::Ask { variable: None, procedure, arguments }, span }.into());
        };
        span = span.to(address.span);
        let kind = if sends {
            OpKind::Send { message, to: address }
        } else {
            OpKind::Receive { message, from: address }
        };
        Some(Op { kind, span }.into())
    }

    fn message(&mut self, pair: Pair<'_, Rule>) -> Option<Message> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let performative = self.name(&inner.next()?);
        Some(Message { performative, arguments: self.arguments(inner.next()?)?, span })
    }

    fn address(&mut self, pair: Pair<'_, Rule>) -> Option<Address> {
        let span = self.span(&pair);
        let mut terms = self.arguments(pair)?.into_iter();
        Some(Address { agent: terms.next()?, role: terms.next()?, span })
    }

    /// Builds the terms and expressions inside a pair.
    fn arguments(&mut self, pair: Pair<'_, Rule>) -> Option<Vec<Term>> {
        let mut arguments = Vec::new();
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::term => arguments.push(self.term(pair)?),
                Rule::expression => arguments.push(self.computed_term(pair)?),
                _ => {}
            }
        }
        Some(arguments)
    }

    pub(crate) fn term(&mut self, pair: Pair<'_, Rule>) -> Option<Term> {
        self.bare_term(&pair.into_inner().next()?)
    }

    fn bare_term(&mut self, pair: &Pair<'_, Rule>) -> Option<Term> {
        let span = self.span(pair);
        let kind = match pair.as_rule() {
            Rule::variable => TermKind::Variable(bare(pair)),
            Rule::agent_name => TermKind::Agent(bare(pair)),
            Rule::role => TermKind::Role(bare(pair)),
            Rule::name | Rule::constant_name | Rule::formula_name => TermKind::Name(bare(pair)),
            Rule::integer => TermKind::Integer(self.integer(pair)),
            Rule::text => TermKind::Text(literal::text(pair.as_str(), span, self.diagnostics)),
            Rule::wildcard => TermKind::Wildcard,
            _ => return None,
        };
        Some(Term { kind, span })
    }

    /// The value, or 0 with a diagnostic.
    fn integer(&mut self, pair: &Pair<'_, Rule>) -> i64 {
        literal::integer(pair.as_str(), self.span(pair)).unwrap_or_else(|diagnostic| {
            self.diagnostics.push(diagnostic);
            0
        })
    }

    fn name(&self, pair: &Pair<'_, Rule>) -> Name {
        Name { text: bare(pair), span: self.span(pair) }
    }

    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        match self.origin {
            Origin::Piece(base) => Span::new((base + span.start()) as u32, (base + span.end()) as u32),
            Origin::Joined(joined) => joined.span(span.start()..span.end()),
        }
    }
}

/// What a pair consists of in the end, if pairs of the given rules that have a single part stand around it: a chain of
/// one link, which is just that link. They are passed in a loop, because recursion through all of them, level by level,
/// would take much stack.
fn without_wrappers<'i>(mut pair: Pair<'i, Rule>, wraps: impl Fn(Rule) -> bool) -> Pair<'i, Rule> {
    while wraps(pair.as_rule()) {
        let mut parts = pair.clone().into_inner();
        match (parts.next(), parts.next()) {
            (Some(only), None) => pair = only,
            _ => break,
        }
    }
    pair
}

/// A name without its sigil.
fn bare(pair: &Pair<'_, Rule>) -> String {
    pair.as_str().trim_start_matches(['$', '%', '!', '@']).to_owned()
}

//! Recovery inside a clause: the operation with a mistake is replaced by a hole, and the rest of the body is read on,
//! so that a mistake costs one operation, and one clause can tell of several.
//!
//! What follows from an earlier mistake must not be reported. So where the extent of a broken operation is in doubt,
//! no more is reported about the rest of the clause.

use std::ops::Range;

use map_diagnostics::{Diagnostic, Span};

use crate::ast::{Clause, Op, OpKind};
use crate::build::Builder;
use crate::joined::Joined;
use crate::pest_grammar::{self, Failure, Rule};
use crate::site::Site;
use crate::sketch::nesting;
use crate::sketch::open::{Level, Open};
use crate::sketch::token::{Kind, Token};
use crate::unit::Unit;
use crate::{errors, mistakes};

/// The maximum number of syntax errors reported about one clause. Each costs a pass over the clause.
const MAX_IN_CLAUSE: usize = 8;

/// The maximum number of passes over a clause: those in which errors are reported, and as many in which none are.
const MAX_PASSES: usize = 2 * MAX_IN_CLAUSE;

/// What can be read of a clause with a mistake at the site, with holes; and the errors behind that one.
pub(crate) fn around_mistakes(site: &Site<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Clause> {
    let mut body = Body::new(site.source, site.tokens)?;
    let reported = if site.at < body.start || body.repair(site) {
        MAX_IN_CLAUSE - 1
    } else {
        body.guess(site);
        0
    };
    body.clause(reported, diagnostics)
}

/// What can be read of a clause with `Bad` tokens, which have been reported; and the errors apart from them.
pub(crate) fn around_bad_tokens(
    source: &str,
    tokens: &[Token],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Clause> {
    let mut body = Body::new(source, tokens)?;
    for _ in 0..MAX_IN_CLAUSE {
        match body.tokens.iter().position(|token| token.kind == Kind::Bad) {
            None => return body.clause(MAX_IN_CLAUSE, diagnostics),
            Some(at) if at < body.start => return None,
            Some(at) => body.cut_out(at),
        }
    }
    body.all_a_hole()
}

/// The body of a clause, more and more of which can be parsed.
struct Body<'a> {
    source: &'a str,
    /// The tokens of the clause, with a hole in place of each operation with a mistake.
    tokens: Vec<Token>,
    /// Index of the first token of the body.
    start: usize,
    /// Index of the first token behind all repairs.
    repaired: usize,
    /// Whether all parentheses have partners, and those in what was replaced had them there.
    balanced: bool,
    /// Whether a statement of another language was replaced, parts of which may be left.
    statement: bool,
}

impl<'a> Body<'a> {
    /// The body of a clause whose head looks like one; the head may contain a mistake.
    fn new(source: &'a str, tokens: &[Token]) -> Option<Self> {
        let kind = |index: usize| tokens.get(index).map(|token| token.kind);
        if kind(0) != Some(Kind::Agent) || kind(1) != Some(Kind::OpenParen) {
            return None;
        }
        let mut close = 2;
        while kind(close).is_some_and(|kind| kind.is_term() || kind == Kind::Comma) {
            close += 1;
        }
        if kind(close) != Some(Kind::CloseParen) {
            return None;
        }
        let equals = close + 1;
        let defines =
            matches!(tokens.get(equals)?.text(source), "=" | ":=" | "::=" | ":" | "==" | "=>" | "->" | "-->");
        defines.then(|| Self {
            source,
            tokens: tokens.to_vec(),
            start: equals + 1,
            repaired: equals + 1,
            balanced: is_balanced(tokens),
            statement: false,
        })
    }

    /// Parses the body and repairs it, again and again, until it can be read. At most `reported` errors are told; and
    /// none behind one that may follow from another, or is not repaired for sure.
    fn clause(mut self, mut reported: usize, diagnostics: &mut Vec<Diagnostic>) -> Option<Clause> {
        for _ in 0..MAX_PASSES {
            if nesting::in_clause(self.source, &self.tokens).is_some() {
                break;
            }
            let joined = Joined::new(self.source, &self.tokens[self.start..]);
            let (offset, expected) = match pest_grammar::read(Rule::operation_unit, &joined.text) {
                // Escapes and numbers are told of once there is no other mistake.
                Ok(pairs) => {
                    let body = Builder::of_tokens(&joined, &mut Vec::new()).operation_unit(pairs)?;
                    return self.with_head(body);
                }
                Err(Failure::Unexpected { offset, expected }) => (offset, expected),
                Err(Failure::Limit) => break,
            };
            let at = self.start + joined.ending_by(offset);
            let tokens = self.tokens.clone();
            let site =
                Site { unit: Unit::Clause, source: self.source, tokens: &tokens, at, expected: &expected };
            if at < self.repaired || self.follows_from_another(&site) {
                reported = 0;
            }
            if reported > 0 {
                diagnostics.push(errors::diagnose(&site));
            }
            reported = if reported > 0 && self.repair(&site) {
                reported - 1
            } else {
                self.guess(&site);
                0
            };
        }
        self.all_a_hole()
    }

    /// The clause with nothing known of its body.
    fn all_a_hole(&self) -> Option<Clause> {
        let span = self.tokens.get(self.start)?.span.to(self.tokens.last()?.span);
        self.with_head(Op { kind: OpKind::Hole, span })
    }

    /// The clause with a body that has been read, if its head can be read.
    fn with_head(&self, body: Op) -> Option<Clause> {
        let (first, end) = (self.tokens.first()?.span.start, self.tokens.last()?.span.end);
        let head = self.source.get(first as usize..end as usize)?;
        let pairs = pest_grammar::read(Rule::clause_head, head).ok()?;
        Builder::new(first as usize, &mut Vec::new()).clause_with(pairs, body, end)
    }

    /// Whether the error at the site may be there only because of what was replaced.
    fn follows_from_another(&self, site: &Site<'_>) -> bool {
        let ends_wait = site.found() == Some(Kind::Timeout);
        site.expects(Rule::then_word) && (self.statement || !self.balanced || ends_wait)
    }

    /// Changes the tokens so that the parser gets past the site, if it is clear how.
    fn repair(&mut self, site: &Site<'_>) -> bool {
        let at = site.at;
        let joint = site.expects(Rule::then_word) && at > self.start;
        // `while (..)` is an ask of a procedure `while`, up to here.
        let before = (self.start..at).rev().take_while(|&index| !self.tokens[index].kind.is_join());
        self.statement |=
            before.into_iter().any(|index| mistakes::is_compound_statement(self.token_text(index)));
        if at >= self.tokens.len() || joint && may_be_head(site) {
            return false;
        }
        let separates = mistakes::joins_operations(site) || site.found() == Some(Kind::Comma);
        if joint && separates && self.begins_operation(at + 1) {
            self.tokens[at].kind = Kind::Then;
            self.repaired = at + 1;
        } else if joint && !separates && self.begins_operation(at) {
            let start = self.tokens[at].span.start;
            let then = Token { kind: Kind::Then, first_on_line: false, span: Span::new(start, start) };
            self.tokens.insert(at, then);
            self.repaired = at + 1;
        } else {
            self.cut_out(at);
        }
        true
    }

    /// Changes the tokens so that the parser gets past the site, if need be by a guess, behind which nothing is
    /// reported.
    fn guess(&mut self, site: &Site<'_>) {
        let end = self.tokens[self.tokens.len() - 1].span;
        let token = |kind, span| Token { kind, first_on_line: false, span };
        let joint = site.expects(Rule::then_word);
        if site.at == self.tokens.len() && site.expects(Rule::close_paren) {
            self.tokens.push(token(Kind::CloseParen, Span::new(end.end, end.end)));
        } else if joint && site.found() == Some(Kind::CloseParen) {
            self.tokens.remove(site.at);
        } else if self.repair(site) {
            // It was clear how, only not whether it had to be.
        } else if joint && site.at < self.tokens.len() {
            let start = self.tokens[site.at].span.start;
            self.tokens.truncate(site.at);
            let then = token(Kind::Then, Span::new(start, start));
            self.tokens.extend([then, token(Kind::Hole, then.span.to(end))]);
        } else {
            self.cut_out(site.at);
        }
    }

    /// Replaces the operation around a token by a hole.
    fn cut_out(&mut self, at: usize) {
        let range = self.operation_around(at);
        let Range { start, end } = range;
        self.statement |= [start, at].iter().any(|&at| mistakes::is_compound_statement(self.token_text(at)));
        let span = match self.tokens[range.clone()] {
            [first, .., last] => first.span.to(last.span),
            [only] => only.span,
            [] => {
                let place = self.tokens[start - 1].span.end;
                Span::new(place, place)
            }
        };
        let first_on_line = end > start && self.tokens[start].first_on_line;
        self.tokens.splice(range, [Token { kind: Kind::Hole, first_on_line, span }]);
        self.repaired = start + 1;
    }

    /// The operation around a token: up to the next connective, parenthesis or line that ends it.
    fn operation_around(&mut self, at: usize) -> Range<usize> {
        let mut open = Open::new(self.start);
        for index in self.start..at.min(self.tokens.len()) {
            open.pass(&self.tokens, index);
        }
        let mut around = open.innermost_operation();
        let mut own_waits = 0_usize;
        let mut listing = false;
        let mut end = at;
        while let Some(token) = self.tokens.get(end) {
            let Level { content, operation, waits, .. } = open.levels[around];
            let above = open.above(around);
            let outermost = above.total == above.terms;
            match token.kind {
                kind if kind.is_join() && end == at && self.is_meant_as_name(at, above.total > 0) => {}
                Kind::Then | Kind::Or | Kind::Par if outermost => break,
                Kind::Timeout if outermost && own_waits > 0 => own_waits -= 1,
                Kind::Timeout if outermost && waits > 0 => break,
                // Perhaps a parenthesis between it and its `waitfor` should have been closed.
                Kind::Timeout if outermost => self.balanced = false,
                Kind::Waitfor if outermost => own_waits += 1,
                Kind::Waitfor | Kind::Timeout => {}
                Kind::Comma if above.total == 0 => listing = true,
                Kind::CloseBracket | Kind::CloseBrace if above.foreign == 0 => {}
                Kind::CloseParen if above.total == above.foreign => {
                    let message = self.tokens.get(end + 1).is_some_and(|next| next.kind.is_arrow());
                    if around > 0 && !listing && !message {
                        break;
                    }
                    // It ends terms whose `(` is missing, or is not preceded by a name.
                    self.balanced = false;
                    listing = false;
                    if message && around > 0 && content == operation {
                        open.close(around);
                        around = open.innermost_operation();
                    }
                }
                _ if end > at && above.total == 0 && (self.begins_line(end) || self.separates(end)) => break,
                _ => open.pass(&self.tokens, end),
            }
            end += 1;
        }
        self.balanced &= open.levels.len() == around + 1;
        let start = open.levels[around].operation;
        start..end.max(start)
    }

    /// Whether a connective stands where the author wants a name: as a term, or before arguments.
    fn is_meant_as_name(&self, at: usize, among_terms: bool) -> bool {
        let next = self.tokens.get(at + 1);
        let touches = next.is_some_and(|next| next.span.start == self.tokens[at].span.end);
        match next.map(|next| next.kind) {
            Some(Kind::OpenParen) => touches,
            Some(Kind::Comma | Kind::CloseParen) => among_terms,
            _ => false,
        }
    }

    /// Whether an operation seems to begin on a new line, after one that is complete.
    fn begins_line(&self, at: usize) -> bool {
        self.tokens[at].first_on_line
            && self.tokens[at - 1].kind.ends_operation()
            && self.begins_operation(at)
    }

    /// Whether a token stands between two operations, in place of `then`.
    fn separates(&self, at: usize) -> bool {
        self.token_text(at) == ";" && self.begins_operation(at + 1)
    }

    /// Whether an operation surely begins at a token.
    fn begins_operation(&self, at: usize) -> bool {
        let next = self.tokens.get(at + 1).map(|token| token.kind);
        match self.tokens.get(at).map(|token| token.kind) {
            Some(Kind::Waitfor | Kind::Skip | Kind::Fail | Kind::Hole) => true,
            Some(Kind::Name | Kind::Agent) => next == Some(Kind::OpenParen),
            Some(Kind::Variable) => next == Some(Kind::Equals),
            _ => false,
        }
    }

    fn token_text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text(self.source))
    }
}

/// Whether a clause may begin at the site, whose head is broken.
fn may_be_head(site: &Site<'_>) -> bool {
    let first_on_line = site.tokens.get(site.at).is_some_and(|token| token.first_on_line);
    let arguments = site.arguments_end(site.at + 1);
    let defines = arguments.is_some_and(|end| site.kind(end) == Some(Kind::Equals));
    let heads = site.found() == Some(Kind::Agent)
        && (arguments.is_none()
            || site.kind(site.at + 2) == Some(Kind::AgentName)
            || site.kind(site.at + 4) == Some(Kind::Role));
    first_on_line && (defines || heads)
}

fn is_balanced(tokens: &[Token]) -> bool {
    let mut open = 0_usize;
    for token in tokens {
        match token.kind {
            Kind::OpenParen => open += 1,
            Kind::CloseParen if open == 0 => return false,
            Kind::CloseParen => open -= 1,
            _ => {}
        }
    }
    open == 0
}

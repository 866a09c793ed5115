//! What to select when the selection is widened step by step.

use std::ops::Range;

use map_diagnostics::Span;
use map_syntax::TokenKind as Kind;
use map_syntax::ast::{Atom, Expression, Term, TermKind};
use map_syntax::ast::{Formula, FormulaKind, Op, OpKind, Property};

use crate::model::Model;

/// The ranges around an offset, innermost first, each inside the next.
pub(crate) fn selection(model: &Model, at: usize) -> Vec<Range<usize>> {
    let words = &model.words;
    let mut around = Around { at, found: Vec::new() };
    around.add(0..model.text().len());
    if let Some(comment) = words.comment_at(model.text(), at) {
        around.add(comment.clone());
    }
    if let Some(token) = words.at(at) {
        around.add(words.range(token));
        around.brackets(model, token);
        if let Some(item) = words.item_of(token) {
            around.add(words.extent(&words.items[item].tokens));
        }
        if let Some(clause) = model.index.clause_of(token).map(|clause| &model.index.clauses[clause]) {
            around.add(words.extent(&clause.tokens));
            around.add(words.extent(&clause.head));
            clause.parameters.iter().for_each(|it| around.add(words.extent(it)));
        }
    }
    if let Some(site) = model.index.site_around(words, at).map(|site| &model.index.sites[site]) {
        site.arguments.iter().for_each(|it| around.add(words.extent(it)));
        around.add(words.extent(&site.tokens));
    }
    for clause in model.file.scenes().flat_map(|scene| &scene.clauses) {
        if around.has(clause.span) {
            around.operation(&clause.body);
        }
    }
    for Property { formula, span, .. } in model.file.properties() {
        if around.has(*span) {
            around.formula(formula);
        }
    }
    around.nested()
}

struct Around {
    at: usize,
    found: Vec<Range<usize>>,
}

impl Around {
    fn add(&mut self, range: Range<usize>) {
        if range.start <= self.at && self.at <= range.end {
            self.found.push(range);
        }
    }

    fn has(&self, span: Span) -> bool {
        span.start as usize <= self.at && self.at <= span.end as usize
    }

    fn span(&mut self, span: Span) -> bool {
        self.add(span.start as usize..span.end as usize);
        self.has(span)
    }

    /// What is in the brackets around a token, without them and with them.
    fn brackets(&mut self, model: &Model, token: usize) {
        let words = &model.words;
        let item = words.item_of(token).map_or(token..token + 1, |item| words.items[item].tokens.clone());
        let mut open = Vec::new();
        for token in item {
            match words.kind(token) {
                Some(Kind::OpenParen | Kind::OpenBrace | Kind::OpenBracket) => open.push(token),
                Some(Kind::CloseParen | Kind::CloseBrace | Kind::CloseBracket) => {
                    if let Some(open) = open.pop() {
                        self.add(words.extent(&(open..token + 1)));
                        self.add(words.extent(&(open + 1..token)));
                    }
                }
                _ => {}
            }
        }
    }

    fn operation(&mut self, op: &Op) {
        if !self.span(op.span) {
            return;
        }
        match &op.kind {
            OpKind::Call { arguments } | OpKind::Ask { arguments, .. } => self.terms(arguments),
            OpKind::Send { message, to: address } | OpKind::Receive { message, from: address } => {
                self.span(message.span);
                self.span(address.span);
                self.terms(&message.arguments);
            }
            _ => op.parts().into_iter().for_each(|part| self.operation(part)),
        }
    }

    fn terms(&mut self, terms: &[Term]) {
        for term in terms {
            if let TermKind::Expression(expression) = &term.kind {
                self.expression(expression);
            }
        }
    }

    fn expression(&mut self, expression: &Expression) {
        if !self.span(expression.span) {
            return;
        }
        expression.parts().into_iter().for_each(|part| self.expression(part));
    }

    fn formula(&mut self, formula: &Formula) {
        if !self.span(formula.span) {
            return;
        }
        if let FormulaKind::Atom(Atom::Comparison(left, _, right)) = &formula.kind {
            [left, right].into_iter().for_each(|side| _ = self.span(side.span));
        }
        formula.parts().into_iter().for_each(|part| self.formula(part));
    }

    /// The ranges from the smallest to the largest, without those that cross a smaller one.
    fn nested(mut self) -> Vec<Range<usize>> {
        self.found.sort_by_key(|range| (range.len(), range.start));
        self.found.dedup();
        let mut nested: Vec<Range<usize>> = Vec::new();
        for range in self.found {
            if nested.last().is_none_or(|last| range.start <= last.start && last.end <= range.end) {
                nested.push(range);
            }
        }
        nested
    }
}

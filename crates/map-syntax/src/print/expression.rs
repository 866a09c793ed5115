//! Expressions.

use super::gap::{Next, Separator};
use super::parens;
use super::precedence::{self, Place};
use super::printer::Printer;
use crate::ast::{Expression, ExpressionKind};

impl Printer<'_> {
    /// Where an expression that stands alone begins.
    pub(super) fn start_of(&self, expression: &Expression) -> usize {
        self.offset(self.first_of(expression, Place::Alone))
    }

    /// Writes an expression that stands alone with the gap before it.
    pub(super) fn whole_expression(&mut self, expression: &Expression, separator: Separator) {
        self.may_add = precedence::may_be_added(expression);
        self.expression(expression, Place::Alone, separator);
    }

    /// Writes an expression with the gap before it and its parentheses.
    fn expression(&mut self, expression: &Expression, place: Place, separator: Separator) {
        let extent = parens::extent(self.tokens, expression.span);
        let given = extent.pairs > 0;
        let behind = extent.end + extent.pairs;
        self.next = self.first_of(expression, place);
        if precedence::wanted(expression, place) && (given || self.may_add) {
            // Behind a word that has no meaning alone, comments go into the parentheses.
            if place == Place::Negated && self.newline_in_gap() {
                self.doc.text(" ");
            } else {
                self.gap(separator, Next::Leader);
            }
            let inside = self.first_of(expression, Place::Alone);
            self.enclosed(&extent, given, inside, |printer| printer.parts(expression));
        } else {
            self.gap(separator, Next::Leader);
            self.doc.indent();
            self.parts(expression);
            self.doc.dedent();
        }
        self.next = behind;
    }

    /// Index of the first word of an expression that is written; parentheses before it are left out.
    fn first_of(&self, expression: &Expression, place: Place) -> usize {
        let (mut expression, mut place) = (expression, place);
        loop {
            let extent = parens::extent(self.tokens, expression.span);
            if precedence::wanted(expression, place) && extent.pairs > 0 {
                return extent.start - 1;
            }
            match precedence::first_part(expression) {
                Some(first) => (expression, place) = first,
                None => return extent.start,
            }
        }
    }

    /// Writes an expression behind the gap before it, without parentheses.
    fn parts(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Arithmetic { first, rest } => {
                let place = precedence::operand_place(rest);
                self.operands(first, rest.iter().map(|(_, operand)| operand), place);
            }
            ExpressionKind::Comparison { left, right, .. } => {
                self.operands(left, std::iter::once(&**right), Place::Compared);
            }
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
                if let Some((first, rest)) = parts.split_first() {
                    self.operands(first, rest.iter(), Place::Condition);
                }
            }
            ExpressionKind::Not(condition) => {
                self.word();
                self.expression(condition, Place::Negated, Separator::Space);
            }
            ExpressionKind::Min(left, right) | ExpressionKind::Max(left, right) => {
                self.word();
                self.doc.open();
                self.punctuation(Separator::Nothing);
                self.doc.indent();
                self.expression(left, Place::Alone, Separator::Soft);
                self.comma();
                self.expression(right, Place::Alone, Separator::Line);
                self.gap_before_closer(Separator::Soft);
                self.word();
                self.doc.close();
            }
            ExpressionKind::If { .. } => self.conditional(expression),
            _ => self.word(),
        }
    }

    /// Operands with an operator before each but the first. A long chain is broken before its operators.
    fn operands<'e>(&mut self, first: &Expression, rest: impl Iterator<Item = &'e Expression>, place: Place) {
        self.doc.open();
        self.expression(first, place, Separator::Nothing);
        for operand in rest {
            self.joining_word(operand, place);
            self.expression(operand, place, Separator::Space);
        }
        self.doc.close();
    }

    /// `if .. then .. else ..`: on one line, or with a line for each `else`.
    fn conditional(&mut self, expression: &Expression) {
        self.doc.open();
        let mut expression = expression;
        while let ExpressionKind::If { condition, then, otherwise } = &expression.kind {
            self.doc.open();
            self.word();
            self.expression(condition, Place::Branch, Separator::Space);
            self.doc.indent();
            self.joining_word(then, Place::Branch);
            self.expression(then, Place::Branch, Separator::Space);
            self.doc.dedent();
            self.doc.close();
            self.joining_word(otherwise, Place::Alone);
            expression = otherwise;
            if matches!(expression.kind, ExpressionKind::If { .. }) {
                self.next = self.first_of(expression, Place::Alone);
                self.gap(Separator::Space, Next::Leader);
            } else {
                self.expression(expression, Place::Alone, Separator::Space);
            }
        }
        self.doc.close();
    }

    fn joining_word(&mut self, following: &Expression, place: Place) {
        let target = self.offset(self.first_of(following, place));
        self.gap_before_joint(target, Separator::Line);
        self.word();
    }
}

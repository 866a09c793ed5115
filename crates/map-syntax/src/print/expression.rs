//! Expressions.

use super::parens::{self, Extent};
use super::precedence::{self, Place};
use super::printer::Printer;
use super::separator::{Next, Separator};
use crate::ast::{Expression, ExpressionKind};
use map_diagnostics::Span;

impl Printer<'_> {
    /// The offset at which an expression that stands alone begins.
    pub(super) fn start_of(&self, expression: &Expression) -> usize {
        self.offset(self.first_of(expression, Place::Alone))
    }

    /// Writes an expression that stands alone, with the gap before it.
    pub(super) fn whole_expression(&mut self, expression: &Expression, separator: Separator) {
        self.may_add = precedence::may_be_added(expression);
        self.expression(expression, Place::Alone, separator);
    }

    /// The same, where continuation lines are indented as the first one is.
    pub(super) fn whole_expression_flush(&mut self, expression: &Expression, separator: Separator) {
        self.may_add = precedence::may_be_added(expression);
        self.hanging(expression, Place::Alone, separator, 0);
    }

    /// Writes an expression that is an argument of an act, with the gap before it.
    pub(super) fn argument(&mut self, expression: &Expression, only: bool, separator: Separator) {
        // Added parentheses might nest the whole clause too deeply.
        let may_add = std::mem::replace(&mut self.may_add, false);
        self.expression(expression, Place::Argument { only }, separator);
        self.may_add = may_add;
    }

    /// Writes an expression with the gap before it and its parentheses; continuation lines are indented by one
    /// level.
    fn expression(&mut self, expression: &Expression, place: Place, separator: Separator) {
        self.hanging(expression, place, separator, 1);
    }

    /// The same, with continuation lines outside parentheses indented by `levels`.
    fn hanging(&mut self, expression: &Expression, place: Place, separator: Separator, levels: usize) {
        let extent = self.extent_at(expression.span, place);
        let given = extent.pairs > 0;
        let behind = extent.end + extent.pairs;
        self.next = self.first_of(expression, place);
        if precedence::wanted(expression, place) && (given || self.may_add) {
            // After a prefix such as `not`, comments move into the parentheses.
            if place == Place::Negated && self.comments_move() {
                self.doc.text(" ");
            } else {
                self.gap(separator, Next::Leader);
            }
            let inside = self.first_of(expression, Place::Alone);
            self.enclosed(&extent, given, inside, |printer| printer.parts(expression, 0));
        } else {
            self.gap(separator, Next::Leader);
            self.parts(expression, levels);
        }
        self.next = behind;
    }

    /// The tokens of an expression at a place, with the pairs of parentheses that are its own.
    pub(super) fn extent_at(&self, span: Span, place: Place) -> Extent {
        let mut extent = parens::extent(self.tokens, span);
        if place == (Place::Argument { only: true }) {
            extent.pairs = extent.pairs.saturating_sub(1);
        }
        extent
    }

    /// Index of the first token of an expression that is written; redundant parentheses are skipped.
    fn first_of(&self, expression: &Expression, place: Place) -> usize {
        let (mut expression, mut place) = (expression, place);
        loop {
            let extent = self.extent_at(expression.span, place);
            if precedence::wanted(expression, place) && extent.pairs > 0 {
                return extent.start - 1;
            }
            match precedence::first_part(expression) {
                Some(first) => (expression, place) = first,
                None => return extent.start,
            }
        }
    }

    /// Writes an expression without the gap before it and without parentheses; continuation lines are indented by
    /// `levels`.
    fn parts(&mut self, expression: &Expression, levels: usize) {
        match &expression.kind {
            ExpressionKind::Arithmetic { first, rest } => {
                let place = precedence::operand_place(rest);
                self.operands(first, rest.iter().map(|(_, operand)| operand), place, levels);
            }
            ExpressionKind::Comparison { left, right, .. } => {
                self.operands(left, std::iter::once(&**right), Place::Compared, levels);
            }
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
                if let Some((first, rest)) = parts.split_first() {
                    self.operands(first, rest.iter(), Place::Condition, levels);
                }
            }
            ExpressionKind::Not(condition) => {
                self.word();
                self.expression(condition, Place::Negated, Separator::Space);
            }
            ExpressionKind::Min(left, right) | ExpressionKind::Max(left, right) => {
                self.smaller_or_larger(left, right);
            }
            ExpressionKind::If { .. } => self.conditional(expression, levels),
            ExpressionKind::Reading(quantity) => self.quantity(quantity),
            ExpressionKind::Holds(_) => {
                self.word();
                self.terms();
            }
            ExpressionKind::Constant(_)
            | ExpressionKind::Parameter(_)
            | ExpressionKind::Cell(_)
            | ExpressionKind::Own => self.word(),
        }
    }

    /// Writes operands separated by operators. A long chain is broken before its operators.
    fn operands<'e>(
        &mut self,
        first: &Expression,
        rest: impl Iterator<Item = &'e Expression>,
        place: Place,
        levels: usize,
    ) {
        self.doc.open();
        self.hanging(first, place, Separator::Nothing, levels + 1);
        self.indented(levels, |printer| {
            for operand in rest {
                printer.joining_word(operand, place);
                printer.expression(operand, place, Separator::Space);
            }
        });
        self.doc.close();
    }

    /// Writes `min(..)` or `max(..)` on one line or with a line for each argument.
    fn smaller_or_larger(&mut self, left: &Expression, right: &Expression) {
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

    /// Writes `if .. then .. else ..` on one line, or with a line for each `else`.
    fn conditional(&mut self, expression: &Expression, levels: usize) {
        self.doc.open();
        self.doc.open();
        self.word();
        self.indented(levels, |printer| {
            let mut expression = expression;
            while let ExpressionKind::If { condition, then, otherwise } = &expression.kind {
                printer.expression(condition, Place::Branch, Separator::Space);
                printer.doc.indent();
                printer.joining_word(then, Place::Branch);
                printer.expression(then, Place::Branch, Separator::Space);
                printer.doc.dedent();
                printer.doc.close();
                printer.joining_word(otherwise, Place::Alone);
                printer.doc.open();
                expression = otherwise;
                if matches!(expression.kind, ExpressionKind::If { .. }) {
                    printer.next = printer.first_of(expression, Place::Alone);
                    printer.spaced_word(Separator::Space, Next::Leader);
                }
            }
            printer.expression(expression, Place::Alone, Separator::Space);
            printer.doc.close();
        });
        self.doc.close();
    }

    fn indented(&mut self, levels: usize, write: impl FnOnce(&mut Self)) {
        (0..levels).for_each(|_| self.doc.indent());
        write(self);
        (0..levels).for_each(|_| self.doc.dedent());
    }

    /// Writes the operator or keyword before an operand or branch. Comments around it that end a line come first.
    fn joining_word(&mut self, following: &Expression, place: Place) {
        let target = self.offset(self.first_of(following, place));
        self.gap_before_joint(target, Separator::Line);
        self.word();
    }
}

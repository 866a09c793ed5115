//! Properties and formulas.

use super::formula_precedence::{self as precedence, Place};
use super::parens;
use super::printer::{Last, Printer};
use super::separator::{Next, Separator};
use crate::ast::{Atom, Formula, FormulaKind, Over, Property, Quantity, QuantityKind, RangeOver};
use crate::sketch::token::Kind;

impl Printer<'_> {
    /// Writes `property NAME : formula`, with the formula on a line of its own if the whole does not fit on one.
    pub(super) fn property(&mut self, property: &Property) {
        self.may_add = precedence::may_be_added(&property.formula);
        self.word();
        self.spaced_word(Separator::Space, Next::Leader);
        self.punctuation(Separator::Space);
        self.last = Last::Definition;
        self.doc.open();
        self.doc.indent();
        self.formula(&property.formula, Place::Alone, Separator::Line);
        self.doc.dedent();
        self.doc.close();
    }

    /// Writes a formula with the gap before it and the parentheses around it.
    fn formula(&mut self, formula: &Formula, place: Place, separator: Separator) {
        let extent = parens::extent(self.tokens, formula.span);
        let given = extent.pairs > 0;
        let behind = extent.end + extent.pairs;
        self.next = self.first_of_formula(formula, place);
        if precedence::wanted(formula, place) && (given || self.may_add) {
            self.gap(separator, Next::Leader);
            let inside = self.first_of_formula(formula, Place::Alone);
            self.enclosed(&extent, given, inside, |printer| printer.formula_parts(formula));
        } else {
            self.gap(separator, Next::Leader);
            self.formula_parts(formula);
        }
        self.next = behind;
    }

    /// Index of the first token of a formula that is written; redundant parentheses are skipped.
    fn first_of_formula(&self, formula: &Formula, place: Place) -> usize {
        let (mut formula, mut place) = (formula, place);
        loop {
            let extent = parens::extent(self.tokens, formula.span);
            if precedence::wanted(formula, place) && extent.pairs > 0 {
                return extent.start - 1;
            }
            match precedence::first_part(formula) {
                Some(first) => (formula, place) = first,
                None => return extent.start,
            }
        }
    }

    /// Writes a formula without the gap before it and without parentheses.
    fn formula_parts(&mut self, formula: &Formula) {
        match &formula.kind {
            FormulaKind::And(parts) | FormulaKind::Or(parts) => {
                self.joined(parts.iter().map(|part| (part, Place::Link)));
            }
            FormulaKind::Implies(parts) => {
                let last = parts.len() - 1;
                let place = |index| if index == last { Place::Last } else { Place::Premise };
                self.joined(parts.iter().enumerate().map(|(index, part)| (part, place(index))));
            }
            FormulaKind::Until(left, right)
            | FormulaKind::Unless(left, right)
            | FormulaKind::Precedes(left, right)
            | FormulaKind::LeadsTo(left, right) => {
                self.joined([(&**left, Place::Side), (&**right, Place::LastSide)].into_iter());
            }
            FormulaKind::Not(operand) | FormulaKind::Before(operand) => {
                self.word();
                self.formula(operand, Place::Negated, Separator::Space);
            }
            FormulaKind::Temporal(_, operand) | FormulaKind::Possible(operand) => {
                self.word();
                self.formula(operand, Place::Operand, Separator::Space);
            }
            FormulaKind::Sequence(events) => self.sequence(events),
            FormulaKind::Quantified(_, range, body) => {
                self.word();
                self.range_over(range, Separator::Space);
                self.doc.open();
                self.doc.indent();
                self.formula(body, Place::Alone, Separator::Line);
                self.doc.dedent();
                self.doc.close();
            }
            FormulaKind::Atom(atom) => self.atom(atom, formula),
        }
    }

    /// Writes formulas separated by connectives. A long chain is broken before its connectives.
    fn joined<'f>(&mut self, mut parts: impl Iterator<Item = (&'f Formula, Place)>) {
        let Some((first, place)) = parts.next() else { return };
        self.doc.open();
        self.formula(first, place, Separator::Nothing);
        self.doc.indent();
        for (part, place) in parts {
            let target = self.offset(self.first_of_formula(part, place));
            self.gap_before_joint(target, Separator::Line);
            self.word();
            self.formula(part, place, Separator::Space);
        }
        self.doc.dedent();
        self.doc.close();
    }

    /// Writes `possible sequence e1 ; e2 ; ..` on one line or with a line for each event.
    fn sequence(&mut self, events: &[Formula]) {
        self.word();
        self.spaced_word(Separator::Space, Next::Leader);
        self.last = Last::Definition;
        self.doc.open();
        self.doc.indent();
        for (index, event) in events.iter().enumerate() {
            if index > 0 {
                self.punctuation(Separator::Space);
            }
            self.formula(event, Place::Element, Separator::Line);
        }
        self.doc.dedent();
        self.doc.close();
    }

    /// Writes `$x in %role :` with the gap before it.
    fn range_over(&mut self, range: &RangeOver, separator: Separator) {
        self.spaced_word(separator, Next::Leader);
        self.spaced_word(Separator::Space, Next::Follower);
        match &range.over {
            Over::Domain(domain) => self.domain(domain),
            Over::Answers(_) => {
                self.spaced_word(Separator::Space, Next::Leader);
                self.terms();
            }
        }
        self.punctuation(Separator::Space);
    }

    pub(super) fn atom(&mut self, atom: &Atom, formula: &Formula) {
        if let Atom::Comparison(left, _, right) = atom {
            self.doc.open();
            self.quantity(left);
            self.doc.indent();
            self.spaced_word(Separator::Line, Next::Follower);
            self.gap(Separator::Space, Next::Leader);
            self.quantity(right);
            self.doc.dedent();
            self.doc.close();
            return;
        }
        let end = parens::extent(self.tokens, formula.span).end;
        self.word();
        while self.next < end {
            if self.kind(self.next) == Some(Kind::OpenParen) {
                self.terms();
            } else {
                self.spaced_word(Separator::Space, Next::Leader);
            }
        }
    }

    /// Writes a side of a comparison, or what a measure reads, without the gap before it.
    pub(super) fn quantity(&mut self, quantity: &Quantity) {
        self.word();
        match &quantity.kind {
            QuantityKind::Term(_) => {}
            QuantityKind::Cell(..) => {
                self.last = Last::Opener;
                self.spaced_word(Separator::Nothing, Next::Leader);
            }
            QuantityKind::Mailbox(_)
            | QuantityKind::Cost(..)
            | QuantityKind::Measure(..)
            | QuantityKind::Sum(_) => self.terms(),
            QuantityKind::Count(_, formula)
            | QuantityKind::Times(formula)
            | QuantityKind::Total(_, formula)
            | QuantityKind::Moment(_, _, formula) => self.counted(&quantity.kind, formula),
        }
    }

    /// Writes what stands behind `count`, `total`, `first` or `last`.
    fn counted(&mut self, kind: &QuantityKind, formula: &Formula) {
        self.doc.open();
        self.punctuation(Separator::Nothing);
        self.doc.indent();
        let separator = match kind {
            QuantityKind::Count(range, _) => {
                self.range_over(range, Separator::Soft);
                Separator::Line
            }
            QuantityKind::Total(..) | QuantityKind::Moment(..) => {
                self.spaced_word(Separator::Soft, Next::Leader);
                self.punctuation(Separator::Space);
                Separator::Line
            }
            _ => Separator::Soft,
        };
        self.formula(formula, Place::Alone, separator);
        if let QuantityKind::Times(_) = kind {
            // The parentheses of `count(f)` were taken for redundant ones around `f`.
            self.next -= 1;
        }
        self.gap_before_closer(Separator::Soft);
        self.word();
        self.doc.close();
    }
}

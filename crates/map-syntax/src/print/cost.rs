//! Costs.

use super::printer::{Last, Printer};
use super::separator::{Next, Separator};
use crate::ast::{Cost, FormulaKind};

impl Printer<'_> {
    /// Writes `cost NAME { .. }` on one line or with a line for each charge.
    pub(super) fn cost(&mut self, cost: &Cost) {
        self.word();
        self.spaced_word(Separator::Space, Next::Leader);
        self.doc.open();
        self.punctuation(Separator::Space);
        self.last = Last::Definition;
        self.doc.indent();
        for charge in &cost.charges {
            self.gap(Separator::Line, Next::Leader);
            if let FormulaKind::Atom(event) = &charge.event.kind {
                self.atom(event, &charge.event);
            }
            self.punctuation(Separator::Space);
            self.spaced_word(Separator::Space, Next::Leader);
            self.comma();
        }
        self.gap_before_closer(Separator::Line);
        self.word();
        self.doc.close();
    }
}

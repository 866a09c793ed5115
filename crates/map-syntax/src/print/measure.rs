//! Measures.

use super::printer::{Last, Printer};
use super::separator::{Next, Separator};
use crate::ast::Measure;

impl Printer<'_> {
    /// Writes `measure NAME = ..`, with the expression on a line of its own if the whole does not fit on one.
    pub(super) fn measure(&mut self, measure: &Measure) {
        self.word();
        self.spaced_word(Separator::Space, Next::Leader);
        if measure.of.is_some() {
            // `of $b in %role`
            self.spaced_word(Separator::Space, Next::Follower);
            self.spaced_word(Separator::Space, Next::Leader);
            self.spaced_word(Separator::Space, Next::Follower);
            self.spaced_word(Separator::Space, Next::Leader);
        }
        self.punctuation(Separator::Space);
        self.last = Last::Definition;
        self.doc.open();
        self.doc.indent();
        self.whole_expression_flush(&measure.value, Separator::Line);
        self.doc.dedent();
        self.doc.close();
    }
}

//! Memories, and procedures with their bodies.

use super::printer::{Last, Printer};
use super::separator::{Next, Separator};
use crate::ast::{
    Alternative, Answer, Body, CellValue, Domain, DomainKind, InitialValue, Memory, Procedure, Weights,
};
use crate::sketch::token::Kind;

impl Printer<'_> {
    /// Writes `memory %role { .. }` on one line or with a line for each cell.
    pub(super) fn memory(&mut self, memory: &Memory) {
        self.word();
        self.spaced_word(Separator::Space, Next::Leader);
        self.doc.open();
        self.punctuation(Separator::Space);
        self.last = Last::Definition;
        self.doc.indent();
        for cell in &memory.cells {
            self.spaced_word(Separator::Line, Next::Leader);
            self.punctuation(Separator::Space);
            match &cell.value {
                InitialValue::Value(_) => self.spaced_word(Separator::Space, Next::Leader),
                InitialValue::Domain(domain) => self.domain(domain),
                InitialValue::Count(_) => {
                    self.spaced_word(Separator::Space, Next::Leader);
                    self.terms();
                }
            }
            self.comma();
        }
        self.gap_before_closer(Separator::Line);
        self.word();
        self.doc.close();
    }

    pub(super) fn procedure(&mut self, procedure: &Procedure) {
        self.word();
        self.spaced_word(Separator::Space, Next::Leader);
        self.terms();
        if procedure.probability.is_some() {
            self.spaced_word(Separator::Space, Next::Follower);
            self.spaced_word(Separator::Space, Next::Follower);
            self.gap(Separator::Space, Next::Leader);
            self.decimal();
        }
        match &procedure.body {
            None => {}
            Some(Body::Fresh(_)) => self.spaced_word(Separator::Space, Next::Follower),
            Some(Body::Domain(domain)) => {
                self.gap_before_joint(domain.span.start as usize, Separator::Space);
                self.word();
                self.domain(domain);
            }
            Some(Body::Alternatives(alternatives)) => self.alternatives(alternatives),
        }
    }

    /// Writes a body. A single answer without a guard may stay on the line of the head; otherwise each alternative
    /// has its own line.
    fn alternatives(&mut self, alternatives: &[Alternative]) {
        if let [alternative @ Alternative { guard: None, .. }] = alternatives {
            self.alternative(alternative, Separator::Line);
            return;
        }
        self.doc.indent();
        for alternative in alternatives {
            self.alternative(alternative, Separator::Hard);
        }
        self.doc.dedent();
    }

    /// Writes an alternative. One that is too long is broken before `with`, then before `=`.
    fn alternative(&mut self, alternative: &Alternative, separator: Separator) {
        let Alternative { guard, answer, updates, .. } = alternative;
        let target = match answer {
            Answer::Value(value) => self.start_of(value),
            Answer::Domain(domain) => domain.span.start as usize,
        };
        let own_line = separator == Separator::Hard;
        if own_line {
            self.gap_before_joint(guard.as_ref().map_or(target, |guard| self.start_of(guard)), separator);
        }
        self.doc.open();
        self.doc.open();
        if own_line {
            self.word();
        }
        self.doc.indent();
        if let Some(guard) = guard {
            self.whole_expression(guard, Separator::Space);
        }
        if !own_line || guard.is_some() {
            self.gap_before_joint(target, Separator::Line);
            self.word();
        }
        match answer {
            Answer::Value(value) => self.whole_expression(value, Separator::Space),
            Answer::Domain(domain) => {
                self.spaced_word(Separator::Space, Next::Leader);
                self.domain(domain);
            }
        }
        self.doc.close();
        if !updates.is_empty() {
            self.updates(updates);
        }
        self.doc.dedent();
        self.doc.close();
    }

    /// Writes `with @cell := value, ..` on one line or with a line for each update.
    fn updates(&mut self, updates: &[CellValue]) {
        self.spaced_word(Separator::Line, Next::Follower);
        self.last = Last::Definition;
        self.doc.open();
        self.doc.indent();
        for update in updates {
            self.spaced_word(Separator::Line, Next::Leader);
            self.punctuation(Separator::Space);
            self.whole_expression(&update.value, Separator::Space);
            self.comma();
        }
        self.doc.dedent();
        self.doc.close();
    }

    /// Writes a domain with the gap before it.
    pub(super) fn domain(&mut self, domain: &Domain) {
        self.gap(Separator::Space, Next::Leader);
        match &domain.kind {
            DomainKind::Values(_) => {
                self.doc.open();
                self.word();
                self.list(Kind::CloseBrace);
                self.doc.close();
            }
            DomainKind::Range(..) => {
                self.word();
                self.punctuation(Separator::Nothing);
                self.last = Last::Opener;
                self.spaced_word(Separator::Nothing, Next::Leader);
            }
            DomainKind::Role(_) => self.word(),
        }
        match &domain.weights {
            None | Some(Weights::Each(_)) => {}
            Some(Weights::By(weight)) => {
                self.gap_before_joint(self.start_of(weight), Separator::Space);
                self.word();
                self.whole_expression(weight, Separator::Space);
            }
            Some(Weights::Distribution(..)) => {
                self.spaced_word(Separator::Space, Next::Follower);
                self.spaced_word(Separator::Space, Next::Leader);
                self.doc.open();
                self.punctuation(Separator::Nothing);
                self.doc.indent();
                self.gap(Separator::Soft, Next::Leader);
                self.decimal();
                self.gap_before_closer(Separator::Soft);
                self.word();
                self.doc.close();
            }
        }
    }

    /// Writes a decimal number, which is three tokens without anything between them.
    fn decimal(&mut self) {
        self.word();
        self.word();
        self.word();
    }
}

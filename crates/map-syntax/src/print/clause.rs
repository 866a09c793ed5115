//! Files, items and clauses.

use super::parens::{self, Place};
use super::printer::{Last, Printer};
use super::separator::{Next, Separator};
use crate::ast::{Cast, Clause, File, Item};

impl Printer<'_> {
    pub(super) fn file(&mut self, file: &File) {
        for item in &file.items {
            self.gap(Separator::Hard, Next::Leader);
            match item {
                Item::Scene(scene) => self.scene(&scene.clauses),
                Item::Cast(cast) => self.cast(cast),
                Item::Procedure(procedure) => self.procedure(procedure),
                Item::Memory(memory) => self.memory(memory),
                Item::Property(property) => self.property(property),
                Item::Cost(cost) => self.cost(cost),
                Item::Measure(measure) => self.measure(measure),
                Item::Truth(truth) => self.procedure(&truth.decision),
            }
        }
        self.gap(Separator::Hard, Next::Follower);
    }

    fn cast(&mut self, cast: &Cast) {
        self.word();
        self.spaced_word(Separator::Space, Next::Leader);
        self.punctuation(Separator::Space);
        self.spaced_word(Separator::Space, Next::Leader);
        // `any` alone is one word, `2..any` are three.
        if cast.any && self.tokens.get(self.next).is_some_and(|it| it.span.start < cast.count_span.end) {
            self.punctuation(Separator::Nothing);
            self.last = Last::Opener;
            self.spaced_word(Separator::Nothing, Next::Leader);
        }
    }

    fn scene(&mut self, clauses: &[Clause]) {
        self.word();
        self.punctuation(Separator::Nothing);
        self.doc.indent();
        for clause in clauses {
            self.gap(Separator::Hard, Next::Leader);
            self.clause(clause);
        }
        self.gap_before_closer(Separator::Hard);
        self.word();
    }

    fn clause(&mut self, clause: &Clause) {
        self.may_add = parens::may_be_added(&clause.body);
        self.word();
        self.terms();
        self.punctuation(Separator::Space);
        self.last = Last::Definition;
        self.doc.open();
        if parens::is_compound(&clause.body) && self.begins_line(self.next) {
            self.doc.must_break();
        }
        self.doc.indent();
        self.operation(&clause.body, Place::Alone, Separator::Line);
        self.doc.dedent();
        self.doc.close();
    }
}

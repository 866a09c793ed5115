//! Operations.

use super::parens::{self, Place};
use super::printer::{Last, Printer};
use super::separator::{Next, Separator};
use crate::ast::{Op, OpKind};

impl Printer<'_> {
    /// Writes an operation with the gap before it and its parentheses.
    pub(super) fn operation(&mut self, op: &Op, place: Place, separator: Separator) {
        let extent = parens::extent(self.tokens, op.span);
        let given = extent.pairs > 0;
        if parens::wanted(op, place) && (given || self.may_add) {
            self.group(op, place, separator, given);
        } else {
            self.next = self.first_word(op, place);
            self.gap(separator, Next::Leader);
            self.bare(op);
        }
        self.next = extent.end + extent.pairs;
    }

    /// Writes an operation in parentheses; `given` says whether they are in the text.
    fn group(&mut self, op: &Op, place: Place, separator: Separator, given: bool) {
        self.next = self.first_word(op, place);
        // After `waitfor` or `timeout`, comments move into the parentheses.
        let apart = matches!(place, Place::Awaited | Place::Timeout) && (!given || self.newline_in_gap());
        if apart {
            self.doc.text(" ");
        } else {
            self.gap(separator, Next::Leader);
        }
        let extent = parens::extent(self.tokens, op.span);
        let inside = self.first_word(op, Place::Alone);
        self.enclosed(&extent, given, inside, |printer| printer.bare(op));
    }

    /// Index of the first token of an operation that is written; redundant parentheses are skipped.
    fn first_word(&self, op: &Op, place: Place) -> usize {
        let (mut op, mut place) = (op, place);
        loop {
            let extent = parens::extent(self.tokens, op.span);
            if parens::wanted(op, place) && extent.pairs > 0 {
                return extent.start - 1;
            }
            match parens::chain(op).and_then(<[Op]>::first) {
                Some(first) => (op, place) = (first, Place::Link),
                None => return extent.start,
            }
        }
    }

    /// Writes an operation without the gap before it and without parentheses.
    fn bare(&mut self, op: &Op) {
        match &op.kind {
            OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => self.chain(ops),
            OpKind::Wait { body, timeout } => self.wait(body, timeout.as_deref()),
            OpKind::Skip => {
                self.put("skip", Last::Word);
                self.next += 1;
            }
            OpKind::Fail => self.word(),
            OpKind::Call { .. } => {
                self.word();
                self.terms();
            }
            OpKind::Ask { variable: Some(_), .. } => {
                self.word();
                self.punctuation(Separator::Space);
                self.spaced_word(Separator::Space, Next::Leader);
                self.terms();
            }
            OpKind::Ask { variable: None, .. } => {
                self.word();
                self.terms();
            }
            OpKind::Send { .. } | OpKind::Receive { .. } => self.exchange(),
        }
    }

    /// Writes `m(..) => agent(..)`. A long one is broken before its arrow.
    fn exchange(&mut self) {
        self.word();
        self.terms();
        self.doc.open();
        self.doc.indent();
        self.spaced_word(Separator::Line, Next::Follower);
        self.spaced_word(Separator::Space, Next::Leader);
        self.terms();
        self.doc.dedent();
        self.doc.close();
    }

    fn chain(&mut self, ops: &[Op]) {
        self.doc.open();
        let mut ops = ops.iter();
        if let Some(first) = ops.next() {
            self.operation(first, Place::Link, Separator::Nothing);
        }
        for op in ops {
            self.joint(op, Place::Link, Separator::Joint);
            self.operation(op, Place::Link, Separator::Space);
        }
        self.doc.close();
    }

    fn wait(&mut self, body: &Op, timeout: Option<&Op>) {
        self.doc.open();
        self.word();
        self.operation(body, Place::Awaited, Separator::Space);
        if let Some(timeout) = timeout {
            self.joint(timeout, Place::Timeout, Separator::Line);
            self.operation(timeout, Place::Timeout, Separator::Space);
        }
        self.doc.close();
    }

    /// Writes a connective, on a new line if it or the token after it began a line.
    fn joint(&mut self, following: &Op, place: Place, separator: Separator) {
        if self.begins_line(self.next) || self.begins_line(self.next + 1) {
            self.doc.must_break();
        }
        if place == Place::Link {
            let target = self.offset(self.first_word(following, place));
            self.gap_before_joint(target, separator);
        } else {
            self.gap(separator, Next::Follower);
        }
        self.word();
    }
}

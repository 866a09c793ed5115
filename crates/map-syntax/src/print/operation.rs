//! Operations.

use super::parens::{self, Place};
use super::precedence;
use super::printer::{Last, Printer};
use super::separator::{Next, Separator};
use crate::ast::{Address, Message, Op, OpKind, Term, TermKind};

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
        let apart = matches!(place, Place::Awaited | Place::Timeout) && (!given || self.comments_move());
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
            OpKind::Fail | OpKind::Hole => self.word(),
            OpKind::Call { arguments } => {
                self.word();
                self.arguments(arguments);
            }
            OpKind::Ask { variable: Some(_), arguments, .. } => {
                self.word();
                self.punctuation(Separator::Space);
                self.spaced_word(Separator::Space, Next::Leader);
                self.arguments(arguments);
            }
            OpKind::Ask { variable: None, arguments, .. } => {
                self.word();
                self.arguments(arguments);
            }
            OpKind::Send { message, to: address } | OpKind::Receive { message, from: address } => {
                self.exchange(message, address);
            }
        }
    }

    /// Writes `m(..) => agent(..)`. A long one is broken before its arrow.
    fn exchange(&mut self, message: &Message, address: &Address) {
        self.word();
        self.arguments(&message.arguments);
        self.doc.open();
        self.doc.indent();
        self.spaced_word(Separator::Line, Next::Follower);
        self.spaced_word(Separator::Space, Next::Leader);
        self.argument_list(&mut [&address.agent, &address.role].into_iter(), false);
        self.doc.dedent();
        self.doc.close();
    }

    fn arguments(&mut self, arguments: &[Term]) {
        self.argument_list(&mut arguments.iter(), arguments.len() == 1);
    }

    /// Writes terms and expressions in `(..)`, on one line or with a line for each.
    fn argument_list(&mut self, arguments: &mut dyn Iterator<Item = &Term>, only: bool) {
        let place = precedence::Place::Argument { only };
        self.doc.open();
        self.punctuation(Separator::Nothing);
        self.doc.indent();
        let (mut separator, mut closing) = (Separator::Soft, Separator::Nothing);
        for argument in arguments {
            if let TermKind::Expression(expression) = &argument.kind {
                self.argument(expression, only, separator);
            } else {
                // A term needs no parentheses.
                let extent = self.extent_at(argument.span, place);
                self.next = extent.start;
                self.spaced_word(separator, Next::Leader);
                self.next = extent.end + extent.pairs;
            }
            self.comma();
            (separator, closing) = (Separator::Line, Separator::Soft);
        }
        self.gap_before_closer(closing);
        self.word();
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

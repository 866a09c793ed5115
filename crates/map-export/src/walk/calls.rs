//! Calls: finding the head, bounds, activations given up, runaway recursion, returning.

use map_ir::{Candidate, ClauseId, Goto, Pattern, PointId, PointKind, Test, Value};

use super::equality::Equality;
use super::{Activation, Frame, OpenCall, Strand, Tree, Walker};
use crate::control::{Holder, LevelId};
use crate::promela::{Expr, Operator};
use crate::term::Term;

impl Walker<'_> {
    pub(super) fn call(&mut self, strand: Strand, point: PointId) -> Tree {
        let program = self.program;
        let PointKind::Call { arguments, candidates, .. } = &program.point(point).kind else {
            unreachable!("the point is a call")
        };
        let arguments = self.terms(&strand, arguments);
        self.find_head(strand, point, candidates, &arguments)
    }

    /// Tries the heads in order.
    fn find_head(
        &mut self,
        mut strand: Strand,
        point: PointId,
        candidates: &[Candidate],
        arguments: &[Term],
    ) -> Tree {
        let program = self.program;
        let Some((candidate, rest)) = candidates.split_first() else {
            let err = program.point(point).kind.err().expect("a call may fail");
            let goto = strand.fail(program, err);
            return self.run(strand, goto);
        };
        let matches = self.head_matches(&program.clause(candidate.clause).head, arguments);
        let options = vec![(matches.may.clone(), strand.clone()), (matches.must.clone().not(), strand)];
        self.split(!matches.is_open(), options, |walker, index, strand| match index {
            0 => walker.count(strand, point, candidate.clause, arguments, 0),
            _ => walker.find_head(strand, point, rest, arguments),
        })
    }

    fn head_matches(&mut self, head: &Pattern, arguments: &[Term]) -> Equality {
        let mut parts = Vec::new();
        for test in &head.tests {
            let (left, right) = match *test {
                Test::Operand(place, map_ir::Operand::Constant(value)) => {
                    (&arguments[place as usize], Term::Constant(value))
                }
                Test::Operand(place, _) => (&arguments[place as usize], Term::Own),
                Test::Same(first, second) => (&arguments[first as usize], arguments[second as usize].clone()),
            };
            parts.push(self.equality(left, &right));
        }
        Equality::all(parts)
    }

    /// Counts the call against each bound on calls, from the bound `index` on.
    fn count(
        &mut self,
        mut strand: Strand,
        point: PointId,
        clause: ClauseId,
        arguments: &[Term],
        index: usize,
    ) -> Tree {
        if strand.exceeded {
            return self.open(strand, point, clause, arguments);
        }
        let all = usize::from(self.bounds.rounds.is_some());
        let (limit, constant) = match (self.bounds.rounds, index) {
            (Some(limit), 0) => (limit, None),
            _ => match self.bounds.rounds_of.get(index - all) {
                Some(&(constant, limit)) => (limit, Some(constant)),
                None => return self.open(strand, point, clause, arguments),
            },
        };
        let counts = match (constant, arguments.first()) {
            (None, _) => Expr::True,
            (Some(_), None) => Expr::False,
            (Some(constant), Some(first)) => {
                let first = first.clone();
                self.identical(&first, &Term::Constant(constant))
            }
        };
        let without = strand.clone();
        strand.calls[index] += 1;
        let exceeded = match i64::from(limit) - i64::from(strand.calls[index]) {
            left @ 0.. => {
                let counter = self.control.holder(Holder::Calls(index));
                Expr::binary(Operator::Greater, self.holder_expr(counter), Expr::Number(left))
            }
            _ => Expr::True,
        };
        let cut = Expr::and([counts.clone(), exceeded.clone()]);
        let counted = Expr::and([counts.clone(), exceeded.not()]);
        let options = vec![(cut, strand.clone()), (counted, strand), (counts.not(), without)];
        self.split(true, options, |walker, option, strand| match option {
            0 => walker.exceed(strand, |walker, strand| walker.open(strand, point, clause, arguments)),
            _ => walker.count(strand, point, clause, arguments, index + 1),
        })
    }

    /// A call needs more than a bound allows. That cuts the step, unless it turns out to be none.
    fn exceed(&mut self, mut strand: Strand, go_on: impl FnOnce(&mut Self, Strand) -> Tree) -> Tree {
        if strand.action.is_some() {
            return self.cut();
        }
        strand.exceeded = true;
        go_on(self, strand)
    }

    /// Opens the activation, if it is not too deep.
    fn open(&mut self, strand: Strand, point: PointId, clause: ClauseId, arguments: &[Term]) -> Tree {
        let program = self.program;
        let PointKind::Call { ok, err, .. } = &program.point(point).kind else {
            unreachable!("the point is a call")
        };
        // Nothing follows, and a failure of the callee would just be this clause's failure.
        let given_up =
            *ok == Goto::Return(true) && (!program.clause(clause).can_fail || err.to == Goto::Return(false));
        if strand.depth() + u32::from(!given_up) > self.bounds.depth {
            let go_on = |walker: &mut Self, strand| {
                walker.enter_unless_open(strand, point, clause, arguments, given_up)
            };
            return self.exceed(strand, go_on);
        }
        self.enter_unless_open(strand, point, clause, arguments, given_up)
    }

    fn enter_unless_open(
        &mut self,
        strand: Strand,
        point: PointId,
        clause: ClauseId,
        arguments: &[Term],
        given_up: bool,
    ) -> Tree {
        let runaway = self.is_open_call(&strand, arguments);
        let options = vec![(runaway.clone(), strand.clone()), (runaway.not(), strand)];
        self.split(true, options, |walker, index, strand| match index {
            0 => walker.run_away(strand, point),
            _ => walker.enter(strand, point, clause, arguments, given_up),
        })
    }

    fn enter(
        &mut self,
        mut strand: Strand,
        point: PointId,
        clause: ClauseId,
        arguments: &[Term],
        given_up: bool,
    ) -> Tree {
        let program = self.program;
        let top_outside = match strand.frames.last() {
            Some(Frame::Activation(it)) => it.outside,
            Some(Frame::Side { outside, .. }) => *outside,
            None => None,
        };
        let outside = if given_up { top_outside } else { strand.innermost };
        strand.open_calls.push(OpenCall { arguments: arguments.to_vec(), before: strand.innermost });
        strand.innermost = Some(strand.open_calls.len() - 1);
        let (level, call) = if given_up {
            match strand.frames.pop() {
                Some(Frame::Activation(replaced)) => (replaced.level, replaced.call),
                _ => unreachable!("what returns from a clause runs in its activation"),
            }
        } else {
            (self.level_above(&strand, point), Some(point))
        };
        let definition = program.clause(clause);
        let mut variables = vec![None; definition.variables.len()];
        if let Some(slot) = definition.own_name {
            variables[slot.index()] = Some(Term::Own);
        }
        for &(place, slot) in &definition.head.bindings {
            variables[slot.index()] = Some(arguments[place as usize].clone());
        }
        strand.frames.push(Frame::Activation(Activation {
            level,
            clause,
            call,
            variables,
            new: true,
            outside,
        }));
        self.run(strand, Goto::Point(definition.body))
    }

    fn level_above(&mut self, strand: &Strand, call: PointId) -> LevelId {
        let side = match strand.frames.last() {
            Some(Frame::Side { side, .. }) => Some(*side),
            _ => None,
        };
        let below = strand.innermost_activation().expect("a call is made in an activation").level;
        self.control.level(below, side, call)
    }

    /// Whether a call with these arguments was made in this act and has not returned.
    fn is_open_call(&mut self, strand: &Strand, arguments: &[Term]) -> Expr {
        let mut found = Vec::new();
        let mut at = strand.innermost;
        while let Some(index) = at {
            let call = &strand.open_calls[index];
            if call.arguments.len() == arguments.len() {
                let mut parts = Vec::new();
                for (before, now) in call.arguments.iter().zip(arguments) {
                    parts.push(self.identical(before, now));
                }
                found.push(Expr::and(parts));
            }
            at = call.before;
        }
        Expr::or(found)
    }

    /// Ends the top activation; `None` if it was the entry clause's.
    pub(super) fn leave(&mut self, strand: &mut Strand, succeeded: bool) -> Option<Goto> {
        let Some(Frame::Activation(left)) = strand.frames.pop() else {
            unreachable!("what returns from a clause runs in its activation")
        };
        strand.innermost = left.outside;
        let PointKind::Call { ok, err, .. } = self.program.point(left.call?).kind else {
            unreachable!("activations are opened by calls")
        };
        Some(if succeeded { ok } else { strand.fail(self.program, err) })
    }

    /// A constant that bounds count, for the preamble.
    pub(crate) fn counted_constant(&self, index: usize) -> Option<Value> {
        let all = usize::from(self.bounds.rounds.is_some());
        index.checked_sub(all).and_then(|index| self.bounds.rounds_of.get(index)).map(|&(value, _)| value)
    }
}

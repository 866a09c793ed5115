//! Calls: matching heads, bounds on calls, last calls, runaway recursion, and returning.

use map_ir::{Candidate, ClauseId, Goto, Pattern, PointId, PointKind, Test, Value};

use super::equality::Equality;
use super::{Activation, Branches, Frame, OpenCall, SymbolicThread, Tree, Walker, Wrong};
use crate::control::{Holder, LevelId};
use crate::promela::{Expr, Operator};
use crate::term::Term;

impl Walker<'_> {
    pub(super) fn call(&mut self, thread: SymbolicThread, point: PointId) -> Tree {
        let program = self.program;
        let PointKind::Call { arguments, candidates, .. } = &program.point(point).kind else {
            unreachable!("the point is a call")
        };
        self.with_operands(thread, point, arguments, |walker, thread, arguments| {
            walker.find_head(thread, point, candidates, &arguments)
        })
    }

    /// Tries the heads of the candidates in order.
    fn find_head(
        &mut self,
        mut thread: SymbolicThread,
        point: PointId,
        candidates: &[Candidate],
        arguments: &[Term],
    ) -> Tree {
        let program = self.program;
        let Some((candidate, rest)) = candidates.split_first() else {
            let err = program.point(point).kind.err().expect("a call may fail");
            let goto = thread.fail(program, err);
            return self.run(thread, goto);
        };
        let matches = self.head_matches(&program.clause(candidate.clause).head, arguments);
        let options = vec![(matches.may.clone(), thread.clone()), (matches.must.clone().not(), thread)];
        self.split(Branches::compared(matches.is_open()), options, |walker, index, thread| match index {
            0 => walker.count(thread, point, candidate.clause, arguments, 0),
            _ => walker.find_head(thread, point, rest, arguments),
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

    /// Counts the call against the bounds on calls from `index` on.
    fn count(
        &mut self,
        mut thread: SymbolicThread,
        point: PointId,
        clause: ClauseId,
        arguments: &[Term],
        index: usize,
    ) -> Tree {
        if thread.exceeded {
            return self.open(thread, point, clause, arguments);
        }
        let all = usize::from(self.bounds.rounds.is_some());
        let (limit, constant) = match (self.bounds.rounds, index) {
            (Some(limit), 0) => (limit, None),
            _ => match self.bounds.rounds_of.get(index - all) {
                Some(&(constant, limit)) => (limit, Some(constant)),
                None => return self.open(thread, point, clause, arguments),
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
        let without = thread.clone();
        thread.calls[index] += 1;
        let exceeded = match i64::from(limit) - i64::from(thread.calls[index]) {
            left @ 0.. => {
                let counter = self.control.holder(Holder::Calls(index));
                Expr::binary(Operator::Greater, self.holder_expr(counter), Expr::Number(left))
            }
            _ => Expr::True,
        };
        let cut = Expr::and([counts.clone(), exceeded.clone()]);
        let counted = Expr::and([counts.clone(), exceeded.not()]);
        let options = vec![(cut, thread.clone()), (counted, thread), (counts.not(), without)];
        self.split(Branches::Exclusive, options, |walker, option, thread| match option {
            0 => walker.exceed(thread, |walker, thread| walker.open(thread, point, clause, arguments)),
            _ => walker.count(thread, point, clause, arguments, index + 1),
        })
    }

    /// A call needs more than a bound allows. That cuts the step, unless it turns out to be none.
    fn exceed(
        &mut self,
        mut thread: SymbolicThread,
        go_on: impl FnOnce(&mut Self, SymbolicThread) -> Tree,
    ) -> Tree {
        if thread.action.is_some() {
            return self.cut();
        }
        thread.exceeded = true;
        go_on(self, thread)
    }

    /// Opens the activation, if it is not too deep.
    fn open(&mut self, thread: SymbolicThread, point: PointId, clause: ClauseId, arguments: &[Term]) -> Tree {
        let program = self.program;
        let PointKind::Call { ok, err, .. } = &program.point(point).kind else {
            unreachable!("the point is a call")
        };
        // A last call: nothing follows it, and a failure of the callee would just be a failure of this clause.
        let is_last_call =
            *ok == Goto::Return(true) && (!program.clause(clause).can_fail || err.to == Goto::Return(false));
        if thread.depth() + u32::from(!is_last_call) > self.bounds.depth {
            let go_on = |walker: &mut Self, thread| {
                walker.enter_unless_open(thread, point, clause, arguments, is_last_call)
            };
            return self.exceed(thread, go_on);
        }
        self.enter_unless_open(thread, point, clause, arguments, is_last_call)
    }

    fn enter_unless_open(
        &mut self,
        thread: SymbolicThread,
        point: PointId,
        clause: ClauseId,
        arguments: &[Term],
        is_last_call: bool,
    ) -> Tree {
        let runaway = self.compare_open_calls(&thread, arguments);
        let options = vec![(runaway.may.clone(), thread.clone()), (runaway.must.clone().not(), thread)];
        self.split(Branches::compared(runaway.is_open()), options, |walker, index, thread| match index {
            0 => walker.go_wrong(thread, point, Wrong::Runaway),
            _ => walker.enter(thread, point, clause, arguments, is_last_call),
        })
    }

    fn enter(
        &mut self,
        mut thread: SymbolicThread,
        point: PointId,
        clause: ClauseId,
        arguments: &[Term],
        is_last_call: bool,
    ) -> Tree {
        let program = self.program;
        let top_outside = match thread.frames.last() {
            Some(Frame::Activation(it)) => it.outside,
            Some(Frame::Side { outside, .. }) => *outside,
            None => None,
        };
        let outside = if is_last_call { top_outside } else { thread.innermost };
        thread.open_calls.push(OpenCall { arguments: arguments.to_vec(), before: thread.innermost });
        thread.innermost = Some(thread.open_calls.len() - 1);
        let (level, call) = if is_last_call {
            match thread.frames.pop() {
                Some(Frame::Activation(replaced)) => (replaced.level, replaced.call),
                _ => unreachable!("what returns from a clause runs in its activation"),
            }
        } else {
            (self.level_above(&thread, point), Some(point))
        };
        let definition = program.clause(clause);
        let mut variables = vec![None; definition.variables.len()];
        if let Some(slot) = definition.own_name {
            variables[slot.index()] = Some(Term::Own);
        }
        for &(place, slot) in &definition.head.bindings {
            variables[slot.index()] = Some(arguments[place as usize].clone());
        }
        thread.frames.push(Frame::Activation(Activation {
            level,
            clause,
            call,
            variables,
            new: true,
            outside,
        }));
        self.run(thread, Goto::Point(definition.body))
    }

    fn level_above(&mut self, thread: &SymbolicThread, call: PointId) -> LevelId {
        let side = match thread.frames.last() {
            Some(Frame::Side { side, .. }) => Some(*side),
            _ => None,
        };
        let below = thread.innermost_activation().expect("a call is made in an activation").level;
        self.control.level(below, side, call)
    }

    /// Whether a call with these arguments was made in this act and has not returned.
    fn compare_open_calls(&mut self, thread: &SymbolicThread, arguments: &[Term]) -> Equality {
        let mut found = Vec::new();
        let mut at = thread.innermost;
        while let Some(index) = at {
            let call = &thread.open_calls[index];
            if call.arguments.len() == arguments.len() {
                found.push(self.all_equal(call.arguments.iter().zip(arguments)));
            }
            at = call.before;
        }
        Equality::any(found)
    }

    /// Ends the top activation and returns where to continue; `None` if it was that of the entry clause.
    pub(super) fn leave(&mut self, thread: &mut SymbolicThread, succeeded: bool) -> Option<Goto> {
        let Some(Frame::Activation(left)) = thread.frames.pop() else {
            unreachable!("what returns from a clause runs in its activation")
        };
        thread.innermost = left.outside;
        let PointKind::Call { ok, err, .. } = self.program.point(left.call?).kind else {
            unreachable!("activations are opened by calls")
        };
        Some(if succeeded { ok } else { thread.fail(self.program, err) })
    }

    /// The constant whose calls the bound `index` counts; `None` if it counts all calls.
    pub(crate) fn counted_constant(&self, index: usize) -> Option<Value> {
        let all = usize::from(self.bounds.rounds.is_some());
        index.checked_sub(all).and_then(|index| self.bounds.rounds_of.get(index)).map(|&(value, _)| value)
    }
}

//! The end of an act: at a place, with the end of the agent, or without a step.

use map_ir::PointId;

use super::equality::Equality;
use super::{Branches, Ending, Frame, Leaf, SymbolicThread, Tree, Walker, Wrong, place_of};
use crate::control::{At, Holder, HolderId, Place};
use crate::promela::Expr;
use crate::refusal::Reason;
use crate::term::Term;

impl Walker<'_> {
    /// The act reaches a `waitfor`: it rests there, or it entered anew, by a call, the one that it started from.
    pub(super) fn reach_wait(&mut self, thread: SymbolicThread, point: PointId) -> Tree {
        let again = self.entered_anew(&thread, point);
        let options = vec![(again.may.clone(), thread.clone()), (again.must.clone().not(), thread)];
        self.split(Branches::compared(again.is_open()), options, |walker, index, thread| match index {
            0 => walker.go_wrong(thread, point, Wrong::Runaway),
            _ => walker.rest(thread, At::Point(point)),
        })
    }

    fn entered_anew(&mut self, thread: &SymbolicThread, point: PointId) -> Equality {
        let never = Equality::certain(Expr::False);
        let Some(started) = &thread.started else { return never };
        if started.point != point || thread.action.is_some() {
            return never;
        }
        let new_side = |frame: &Frame| matches!(frame, Frame::Side { new: true, .. });
        let Some(Frame::Activation(top)) = thread.frames.last() else { return never };
        if !top.new || thread.frames.iter().any(new_side) || top.clause != started.clause {
            return never;
        }
        self.same_variables(&started.variables, &top.variables)
    }

    fn same_variables(&mut self, before: &[Option<Term>], now: &[Option<Term>]) -> Equality {
        if !before.iter().map(Option::is_some).eq(now.iter().map(Option::is_some)) {
            return Equality::certain(Expr::False);
        }
        self.all_equal(before.iter().flatten().zip(now.iter().flatten()))
    }

    /// Lets the running thread rest, and continues with the next side that has to move to its first place.
    pub(super) fn rest(&mut self, mut thread: SymbolicThread, at: At) -> Tree {
        thread.placed.push((thread.frames.clone(), at));
        self.next_side(thread)
    }

    pub(super) fn next_side(&mut self, mut thread: SymbolicThread) -> Tree {
        match thread.pending.pop() {
            Some(side) => {
                thread.frames = side.frames;
                thread.innermost = side.innermost;
                self.run(thread, map_ir::Goto::Point(side.start))
            }
            None => self.finish(&thread, Ending::Rest),
        }
    }

    /// The entry clause has returned.
    pub(super) fn ended(&mut self, thread: &SymbolicThread, succeeded: bool) -> Tree {
        self.finish(thread, Ending::Ended(succeeded))
    }

    /// A step that a bound cuts is not taken, and does not count as going wrong.
    pub(super) fn cut(&self) -> Tree {
        self.leaf_of(Ending::Cut)
    }

    /// The running thread goes wrong. The other sides go to their first places all the same: a bound may cut them.
    pub(super) fn go_wrong(&mut self, mut thread: SymbolicThread, point: PointId, wrong: Wrong) -> Tree {
        thread.fault.get_or_insert(wrong);
        self.rest(thread, At::Point(point))
    }

    fn finish(&mut self, thread: &SymbolicThread, ending: Ending) -> Tree {
        let places: Vec<Place> = thread.placed.iter().map(|(frames, at)| place_of(frames, *at)).collect();
        let origin = &self.control.places[thread.origin.0];
        let (stays, returns) = (places == [origin.clone()], places.contains(origin));
        if !thread.exceeded && thread.fault.is_none() {
            places.into_iter().for_each(|place| {
                self.control.place(place);
            });
        }
        if thread.fault.is_none() && thread.action.is_none() && stays && ending == Ending::Rest {
            let now: Vec<(Term, Term)> = self.changes_of(thread);
            let unchanged = self.all_equal(now.iter().map(|(now, next)| (now, next)));
            let options =
                vec![(unchanged.may.clone(), thread.clone()), (unchanged.must.clone().not(), thread.clone())];
            return self.split(Branches::compared(unchanged.is_open()), options, |walker, index, thread| {
                match index {
                    0 => walker.leaf_of(Ending::Nothing),
                    // What is no step needs no bound.
                    _ if thread.exceeded => walker.cut(),
                    _ => walker.leaf(&thread, Ending::Rest),
                }
            });
        }
        if thread.fault.is_none() && thread.action.is_none() && !thread.joined.is_empty() && returns {
            let At::Point(point) = self.control.places[thread.origin.0].at else {
                unreachable!("acts begin at points")
            };
            let span = self.program.point(point).span;
            self.refuse(Reason::ReopenedPar, Some(span));
        }
        if thread.exceeded {
            return self.cut();
        }
        let overflow = thread.overflow.clone();
        let options = vec![(overflow.clone(), thread.clone()), (overflow.not(), thread.clone())];
        self.split(Branches::Exclusive, options, |walker, index, thread| match (index, thread.fault) {
            (0, _) => walker.leaf_of(Ending::Wrong(Wrong::Overflow)),
            (_, Some(wrong)) => walker.leaf_of(Ending::Wrong(wrong)),
            // Where nothing is said of what comes after a failure, it is not made.
            _ if ending == Ending::Ended(false) && walker.claims.is_none() => {
                walker.leaf_of(Ending::Wrong(Wrong::Failure))
            }
            _ => walker.leaf(&thread, ending),
        })
    }

    /// The contents of every variable at the place, before and now.
    fn changes_of(&mut self, thread: &SymbolicThread) -> Vec<(Term, Term)> {
        let before = self.thread_at(thread.origin).frames;
        let now = &thread.placed[0].0;
        let variables = |frames: &[Frame]| -> Vec<Option<Term>> {
            let of = |frame: &Frame| match frame {
                Frame::Activation(it) => it.variables.clone(),
                Frame::Side { .. } => Vec::new(),
            };
            frames.iter().flat_map(of).collect()
        };
        let pairs = variables(&before).into_iter().zip(variables(now));
        pairs.filter_map(|(before, now)| before.zip(now)).collect()
    }

    /// The leaf for a step that is taken.
    fn leaf(&mut self, thread: &SymbolicThread, ending: Ending) -> Tree {
        let before = self.thread_at(thread.origin);
        let mut held: Vec<HolderId> = self.contents(&before.frames).into_iter().map(|(it, _)| it).collect();
        held.extend(&thread.stored);
        let mut now: Vec<(HolderId, Term)> = Vec::new();
        for (frames, _) in &thread.placed {
            for (holder, term) in self.contents(frames) {
                if !now.iter().any(|(it, _)| *it == holder) {
                    now.push((holder, term));
                }
            }
        }
        let mut writes: Vec<(HolderId, Option<Term>)> = Vec::new();
        for holder in held {
            if !now.iter().any(|(it, _)| *it == holder) {
                writes.push((holder, None));
            }
        }
        for (index, term) in thread.cells.iter().enumerate() {
            now.push((self.control.holder(Holder::Cell(index)), term.clone()));
        }
        for (holder, term) in now {
            if term != Term::Content(holder) {
                writes.push((holder, Some(term)));
            }
        }
        for (index, &made) in thread.calls.iter().enumerate().filter(|&(_, &made)| made > 0) {
            let counter = self.control.holder(Holder::Calls(index));
            let more = Term::Constant(map_ir::Value::Integer(i64::from(made)));
            let sum = Term::Result(map_ir::Arithmetic::Add, Box::new(Term::Content(counter)), Box::new(more));
            writes.push((counter, Some(sum)));
        }
        let placed =
            thread.placed.iter().map(|(frames, at)| self.control.place(place_of(frames, *at))).collect();
        let (joined, refused) = (thread.joined.clone(), thread.refused.clone());
        Tree::Leaf(Box::new(Leaf { ending, placed, joined, writes, refused }))
    }

    /// The contents of the variables of a stack of activations.
    fn contents(&mut self, frames: &[Frame]) -> Vec<(HolderId, Term)> {
        let mut contents = Vec::new();
        for frame in frames {
            let Frame::Activation(it) = frame else { continue };
            let own_name = self.program.clause(it.clause).own_name;
            for (slot, term) in it.variables.iter().enumerate() {
                let slot = map_ir::Slot::new(slot);
                if let Some(term) = term
                    && own_name != Some(slot)
                {
                    contents
                        .push((self.control.holder(Holder::Slot(it.level, it.clause, slot)), term.clone()));
                }
            }
        }
        contents
    }
}

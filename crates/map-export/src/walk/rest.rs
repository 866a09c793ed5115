//! Where an act ends: at a place, at its agent's end, or without a step.

use map_ir::PointId;

use super::{Ending, Frame, Leaf, Strand, Tree, Walker, Wrong, place_of};
use crate::control::{At, Holder, HolderId, Place};
use crate::promela::Expr;
use crate::refusal::Reason;
use crate::term::Term;

impl Walker<'_> {
    /// The act reaches a `waitfor`: it rests there, or it entered anew, by a call, the one that it started from.
    pub(super) fn reach_wait(&mut self, strand: Strand, point: PointId) -> Tree {
        let again = self.entered_anew(&strand, point);
        let options = vec![(again.clone(), strand.clone()), (again.not(), strand)];
        self.split(true, options, |walker, index, strand| match index {
            0 => walker.run_away(strand, point),
            _ => walker.rest(strand, At::Point(point)),
        })
    }

    fn entered_anew(&mut self, strand: &Strand, point: PointId) -> Expr {
        let Some(started) = &strand.started else { return Expr::False };
        if started.point != point || strand.action.is_some() {
            return Expr::False;
        }
        let new_side = |frame: &Frame| matches!(frame, Frame::Side { new: true, .. });
        let Some(Frame::Activation(top)) = strand.frames.last() else { return Expr::False };
        if !top.new || strand.frames.iter().any(new_side) || top.clause != started.clause {
            return Expr::False;
        }
        self.same_variables(&started.variables, &top.variables)
    }

    fn same_variables(&mut self, before: &[Option<Term>], now: &[Option<Term>]) -> Expr {
        let mut parts = Vec::new();
        for pair in before.iter().zip(now) {
            match pair {
                (None, None) => {}
                (Some(before), Some(now)) => parts.push(self.identical(before, now)),
                _ => return Expr::False,
            }
        }
        Expr::and(parts)
    }

    /// The running thread rests; then the next side goes to its first place.
    pub(super) fn rest(&mut self, mut strand: Strand, at: At) -> Tree {
        strand.placed.push((strand.frames.clone(), at));
        self.next_side(strand)
    }

    pub(super) fn next_side(&mut self, mut strand: Strand) -> Tree {
        match strand.pending.pop() {
            Some(side) => {
                strand.frames = side.frames;
                strand.innermost = side.innermost;
                self.run(strand, map_ir::Goto::Point(side.start))
            }
            None => self.finish(&strand, Ending::Rest),
        }
    }

    /// The entry clause has returned.
    pub(super) fn ended(&mut self, strand: &Strand, succeeded: bool) -> Tree {
        self.finish(strand, Ending::Ended(succeeded))
    }

    /// A step that a bound cuts is not made, and does not go wrong in another way.
    pub(super) fn cut(&self) -> Tree {
        self.leaf_of(Ending::Cut)
    }

    /// The running thread runs away. The other sides go to their first places all the same: a bound may cut them.
    pub(super) fn run_away(&mut self, mut strand: Strand, point: PointId) -> Tree {
        strand.runaway = true;
        self.rest(strand, At::Point(point))
    }

    fn finish(&mut self, strand: &Strand, ending: Ending) -> Tree {
        let places: Vec<Place> = strand.placed.iter().map(|(frames, at)| place_of(frames, *at)).collect();
        let origin = &self.control.places[strand.origin.0];
        let (stays, returns) = (places == [origin.clone()], places.contains(origin));
        if !strand.exceeded && !strand.runaway {
            places.into_iter().for_each(|place| {
                self.control.place(place);
            });
        }
        if !strand.runaway && strand.action.is_none() && stays && ending == Ending::Rest {
            let now: Vec<(Term, Term)> = self.changes_of(strand);
            let unchanged = self.unchanged(&now);
            let options = vec![(unchanged.clone(), strand.clone()), (unchanged.not(), strand.clone())];
            return self.split(true, options, |walker, index, strand| match index {
                0 => walker.leaf_of(Ending::Nothing),
                // What is no step needs no bound.
                _ if strand.exceeded => walker.cut(),
                _ => walker.leaf(&strand, Ending::Rest),
            });
        }
        if !strand.runaway && strand.action.is_none() && !strand.joined.is_empty() && returns {
            let At::Point(point) = self.control.places[strand.origin.0].at else {
                unreachable!("acts begin at points")
            };
            let span = self.program.point(point).span;
            self.refuse(Reason::ReopenedPar, Some(span));
        }
        if strand.exceeded {
            return self.cut();
        }
        let overflow = strand.overflow.clone();
        let options = vec![(overflow.clone(), strand.clone()), (overflow.not(), strand.clone())];
        self.split(true, options, |walker, index, strand| match index {
            0 => walker.leaf_of(Ending::Wrong(Wrong::Overflow)),
            _ if strand.runaway => walker.leaf_of(Ending::Wrong(Wrong::Runaway)),
            // Where nothing is said of what comes after a failure, it is not made.
            _ if ending == Ending::Ended(false) && walker.claims.is_none() => {
                walker.leaf_of(Ending::Wrong(Wrong::Failure))
            }
            _ => walker.leaf(&strand, ending),
        })
    }

    /// What every variable at the place held before and holds now.
    fn changes_of(&mut self, strand: &Strand) -> Vec<(Term, Term)> {
        let before = self.strand(strand.origin).frames;
        let now = &strand.placed[0].0;
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

    /// The end of a step that is made.
    fn leaf(&mut self, strand: &Strand, ending: Ending) -> Tree {
        let before = self.strand(strand.origin);
        let mut held: Vec<HolderId> = self.contents(&before.frames).into_iter().map(|(it, _)| it).collect();
        held.extend(&strand.stored);
        let mut now: Vec<(HolderId, Term)> = Vec::new();
        for (frames, _) in &strand.placed {
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
        for (index, term) in strand.cells.iter().enumerate() {
            now.push((self.control.holder(Holder::Cell(index)), term.clone()));
        }
        for (holder, term) in now {
            if term != Term::Content(holder) {
                writes.push((holder, Some(term)));
            }
        }
        for (index, &made) in strand.calls.iter().enumerate().filter(|&(_, &made)| made > 0) {
            let counter = self.control.holder(Holder::Calls(index));
            let more = Term::Constant(map_ir::Value::Integer(i64::from(made)));
            let sum = Term::Result(map_ir::Arithmetic::Add, Box::new(Term::Content(counter)), Box::new(more));
            writes.push((counter, Some(sum)));
        }
        let placed =
            strand.placed.iter().map(|(frames, at)| self.control.place(place_of(frames, *at))).collect();
        let (joined, refused) = (strand.joined.clone(), strand.refused.clone());
        Tree::Leaf(Box::new(Leaf { ending, placed, joined, writes, refused }))
    }

    /// What the variables of a stack of activations hold.
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

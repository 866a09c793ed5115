//! `par`: entering it, and the end of its sides.

use map_ir::{Goto, PointId, PointKind, Slot};

use super::{Branches, Frame, PendingSide, SymbolicThread, Tree, Walker, place_of};
use crate::control::{At, Fork, FrameKey, Holder, PlaceId, SideId};
use crate::promela::Expr;

impl Walker<'_> {
    pub(super) fn fork(&mut self, mut thread: SymbolicThread, point: PointId, sides: &[PointId]) -> Tree {
        thread.silent = true;
        let frames = place_of(&thread.frames, At::End(true)).frames;
        let fork = self.control.fork(Fork { frames, point, sides: sides.len() });
        thread.placed.push((thread.frames.clone(), At::Fork(fork)));
        let outside = thread.innermost;
        // Pushed in reverse, so that the sides move to their first places in order.
        for (index, &start) in sides.iter().enumerate().rev() {
            let mut frames = thread.frames.clone();
            self.control.holder(Holder::Side(SideId { fork, index }));
            frames.push(Frame::Side { side: SideId { fork, index }, new: true, outside });
            thread.pending.push(PendingSide { frames, start, innermost: outside });
        }
        self.next_side(thread)
    }

    /// Ends the top side; continues after the `par` if that ends it.
    pub(super) fn end_side(&mut self, mut thread: SymbolicThread, succeeded: bool) -> Tree {
        thread.silent = true;
        let Some(Frame::Side { side, .. }) = thread.frames.last() else {
            unreachable!("a side's operations run on its frame")
        };
        let side = *side;
        let end = place_of(&thread.frames, At::End(succeeded));
        let end = self.control.place(end);
        let in_fork = |frames: &[Frame]| {
            frames.iter().any(|it| matches!(it, Frame::Side { side: other, .. } if other.fork == side.fork))
        };
        if thread.pending.iter().any(|pending| in_fork(&pending.frames)) {
            return self.rest(thread, At::End(succeeded));
        }
        // All combinations of ways in which the other sides may have ended, with their conditions.
        let mut ways: Vec<(Expr, Vec<PlaceId>)> = vec![(Expr::True, vec![end])];
        for index in (0..self.control.forks[side.fork.0].sides).filter(|&index| index != side.index) {
            let other = SideId { fork: side.fork, index };
            let ends = self.ends_of(&thread, other);
            ways = ways
                .iter()
                .flat_map(|(condition, so_far)| {
                    ends.iter().map(|(its, end)| {
                        let mut all = so_far.clone();
                        all.push(*end);
                        (Expr::and([condition.clone(), its.clone()]), all)
                    })
                })
                .collect();
        }
        let joined = Expr::or(ways.iter().map(|(condition, _)| condition.clone()));
        let mut options: Vec<(Expr, SymbolicThread)> =
            ways.iter().map(|(condition, _)| (condition.clone(), thread.clone())).collect();
        options.push((joined.not(), thread));
        self.split(Branches::Exclusive, options, |walker, option, thread| match ways.get(option) {
            Some((_, ends)) => walker.join(thread, side, ends),
            None => walker.rest(thread, At::End(succeeded)),
        })
    }

    /// The places at which another side may have ended, with their conditions.
    fn ends_of(&mut self, thread: &SymbolicThread, other: SideId) -> Vec<(Expr, PlaceId)> {
        let is_its = |frames: &[Frame]| {
            let innermost = frames.iter().rev().find_map(|frame| match frame {
                Frame::Side { side, .. } => Some(*side),
                Frame::Activation(_) => None,
            });
            innermost == Some(other)
        };
        if let Some((frames, at)) = thread.placed.iter().find(|(frames, _)| is_its(frames)) {
            return match at {
                At::End(_) => vec![(Expr::True, self.control.place(place_of(frames, *at)))],
                At::Point(_) | At::Fork(_) => Vec::new(),
            };
        }
        let place = self.control.holder(Holder::Side(other));
        let place = self.holder_expr(place);
        let ends = self
            .control
            .places
            .iter()
            .enumerate()
            .filter(|(_, it)| it.thread() == Some(other) && matches!(it.at, At::End(_)));
        ends.map(|(index, _)| {
            let here = Expr::name(self.place_name(PlaceId(index)));
            (Expr::equal(place.clone(), here), PlaceId(index))
        })
        .collect()
    }

    fn join(&mut self, mut thread: SymbolicThread, side: SideId, ends: &[PlaceId]) -> Tree {
        let program = self.program;
        let Some(Frame::Side { outside, .. }) = thread.frames.pop() else {
            unreachable!("the side that ended is on top")
        };
        thread.innermost = outside;
        let in_fork = |frames: &[Frame], at: &At| {
            *at == At::Fork(side.fork)
                || frames
                    .iter()
                    .any(|it| matches!(it, Frame::Side { side: other, .. } if other.fork == side.fork))
        };
        thread.placed.retain(|(frames, at)| !in_fork(frames, at));
        let sides = self.control.forks[side.fork.0].sides;
        thread.joined.extend((0..sides).map(|index| SideId { fork: side.fork, index }));
        let mut succeeded = true;
        for &end in ends {
            let place = &self.control.places[end.0];
            succeeded &= place.at == At::End(true);
            let Some(FrameKey::Activation { level, clause, bound, .. }) =
                place.frames.iter().rev().find(|it| matches!(it, FrameKey::Activation { .. })).cloned()
            else {
                continue;
            };
            for slot in (0..bound.len()).filter(|&slot| bound[slot]) {
                let content = self.content(level, clause, Slot::new(slot));
                thread.variables()[slot].get_or_insert(content);
            }
        }
        let PointKind::Par { ok, err, .. } = program.point(self.control.forks[side.fork.0].point).kind else {
            unreachable!("forks are made by pars")
        };
        let goto: Goto = if succeeded { ok } else { thread.fail(program, err) };
        self.run(thread, goto)
    }
}

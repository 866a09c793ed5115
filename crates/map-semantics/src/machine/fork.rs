//! Entering a `par`, and the end of its sides.

use map_ir::{Goto, PointId, PointKind};

use super::{Machine, Pending};
use crate::agent::{Node, NodeKind, Side};
use crate::outcome::Event;

impl Machine<'_> {
    pub(super) fn fork(&mut self, point: PointId, sides: &[PointId], pending: &mut Vec<Pending>) {
        let depth = self.extras[self.top].depth;
        let below = Some(self.top as u32);
        self.push(
            Node { below, kind: NodeKind::Fork { point, sides: vec![Side::Running; sides.len()] } },
            depth,
        );
        let fork = self.top as u32;
        let first = pending.len();
        for (index, &start) in sides.iter().enumerate() {
            self.push(Node { below: Some(fork), kind: NodeKind::SideOf(index as u32) }, depth);
            pending.push(Pending { top: self.top, start, calls: self.innermost_call });
        }
        // `pending` is a stack: the first side must run first.
        pending[first..].reverse();
    }

    /// Ends the top side; if that ends the `par`, returns where control continues.
    pub(super) fn end_side(&mut self, succeeded: bool) -> Option<Goto> {
        let side = self.top;
        let (NodeKind::SideOf(index), Some(fork)) = (&self.nodes[side].kind, self.nodes[side].below) else {
            unreachable!("a side's operations run on its node")
        };
        let (index, fork) = (*index as usize, fork as usize);
        self.extras[side].removed = true;
        let NodeKind::Fork { point, sides } = &mut self.nodes[fork].kind else {
            unreachable!("a side rests on a fork")
        };
        sides[index] = Side::Ended(succeeded);
        while let [.., Side::Ended(before), Side::Ended(last)] = sides[..] {
            sides.pop();
            let end = sides.len() - 1;
            sides[end] = Side::Ended(before && last);
        }
        let [Side::Ended(succeeded)] = sides[..] else { return None };
        let point = *point;
        self.extras[fork].removed = true;
        self.innermost_call = self.extras[fork].calls_outside;
        self.top = self.nodes[fork].below.expect("a fork rests on an activation") as usize;
        let PointKind::Par { ok, err, .. } = self.program.point(point).kind else {
            unreachable!("forks are made by pars")
        };
        if succeeded {
            return Some(ok);
        }
        self.events.push(Event::ParFailed(point));
        Some(self.fail(err))
    }
}

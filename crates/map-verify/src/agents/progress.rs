//! How far an agent has come: its places in the order in which its part's text leads to them. Where one agent of
//! several interchangeable ones is to be preferred, this tells them apart, and does not depend on names, on the order
//! of clauses, or on what else an agent holds.

use map_ir::{PointId, PointKind, Program};
use map_semantics::Control;

use crate::footprint::successors;

/// The points of a program in the order in which a search in depth reaches them from where the parts begin.
pub(super) struct Progress {
    /// By point: its number in this order; 0 if nothing leads there.
    numbers: Vec<u32>,
}

impl Progress {
    pub(super) fn new(program: &Program) -> Self {
        let mut numbers = vec![0; program.points.len()];
        let mut seen = 0;
        let entries = program.parts.iter().rev().map(|part| program.clause(part.entry).body);
        let mut todo: Vec<PointId> = entries.collect();
        while let Some(point) = todo.pop() {
            if numbers[point.index()] > 0 {
                continue;
            }
            seen += 1;
            numbers[point.index()] = seen;
            let kind = &program.point(point).kind;
            // What follows a call comes after what is called.
            todo.extend(successors(kind).into_iter().rev());
            if let PointKind::Call { candidates, .. } = kind {
                todo.extend(candidates.iter().rev().map(|it| program.clause(it.clause).body));
            }
        }
        Self { numbers }
    }

    /// How far an agent has come whose control this is: the last of the places where its threads are.
    pub(super) fn of(&self, control: &Control) -> u32 {
        let places = control.threads().map(|node| control.place(node));
        places.map(|point| self.numbers[point.index()]).max().unwrap_or(0)
    }
}

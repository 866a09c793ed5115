//! The sides of a `par` share their variables, so a variable must be bound before the `par` or on a single side
//! that alone uses it.

use std::collections::HashMap;
use std::ops::Range;

use map_syntax::ast::Op;

use super::{Bound, Change, Flow, Place, diagnose};

/// What one side did, as ranges of the lists in [`Flow`].
struct SideRanges {
    bindings: Range<usize>,
    unbound: Range<usize>,
}

impl<'a> Flow<'a, '_> {
    /// Analyses each side from the current state; afterwards everything bound by any side is bound.
    pub(super) fn sides(&mut self, ops: &'a [Op]) {
        let (start, reachable) = (self.trail.len(), self.reachable);
        let mut all_succeed = reachable;
        let mut changes = Vec::new();
        let mut sides = Vec::new();
        for (branch, op) in ops.iter().enumerate() {
            let (bindings, unbound) = (self.bindings.len(), self.unbound.len());
            self.reachable = reachable;
            self.op(op);
            all_succeed &= self.reachable;
            self.collect_changes(start, branch, &mut changes);
            self.undo(start);
            sides.push(SideRanges {
                bindings: bindings..self.bindings.len(),
                unbound: unbound..self.unbound.len(),
            });
        }
        self.reachable = all_succeed;
        self.conflicts(&sides);
        changes.sort_by_key(|change| (change.slot, change.branch));
        for of_slot in changes.chunk_by(|a, b| a.slot == b.slot) {
            self.set(of_slot[0].slot, unite(of_slot));
        }
    }

    fn conflicts(&mut self, sides: &[SideRanges]) {
        let mut first: HashMap<usize, (usize, Place)> = HashMap::new();
        let mut last_reported: HashMap<usize, usize> = HashMap::new();
        for (index, side) in sides.iter().enumerate() {
            for &place in &self.bindings[side.bindings.clone()] {
                let &mut (owner, at) = first.entry(place.slot).or_insert((index, place));
                // One error for each further side.
                if owner != index && last_reported.insert(place.slot, index) != Some(index) {
                    let name = self.names[place.slot];
                    self.errors.push(diagnose::bound_in_both_sides(name, place.span, at.span));
                }
            }
        }
        for (index, side) in sides.iter().enumerate() {
            for entry in &mut self.unbound[side.unbound.clone()] {
                let Some(place) = *entry else { continue };
                if let Some((_, at)) = first.get(&place.slot).filter(|(owner, _)| *owner != index) {
                    *entry = None;
                    let name = self.names[place.slot];
                    self.errors.push(diagnose::bound_in_other_side(name, place.span, at.span));
                }
            }
        }
    }
}

/// The state of a variable after a `par`, given its states after the sides that changed it.
fn unite(changed: &[Change]) -> Bound {
    let rank = |bound: &Bound| match bound {
        Bound::Reported => 0,
        Bound::Always(_) => 1,
        Bound::Sometimes(..) => 2,
        Bound::Never => 3,
    };
    changed.iter().map(|change| change.bound).min_by_key(rank).unwrap_or(Bound::Never)
}

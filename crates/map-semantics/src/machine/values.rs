//! Variables, failure edges, and comparisons.

use map_ir::{Edge, Goto, Operand, Pattern, PointId, Slot, Test, Value};

use super::Machine;
use crate::Choice;
use crate::agent::NodeKind;
use crate::outcome::Assumption;

impl Machine<'_> {
    /// Follows a failure edge: unbinds its variables, and returns where it leads.
    pub(super) fn fail(&mut self, edge: Edge) -> Goto {
        for &slot in self.program.slot_set(edge.unbind) {
            *self.variable(slot) = None;
        }
        edge.to
    }

    pub(super) fn variable(&mut self, slot: Slot) -> &mut Option<Value> {
        let mut at = self.top;
        while !matches!(self.nodes[at].kind, NodeKind::Activation { .. }) {
            at = self.nodes[at].below.expect("every node rests on an activation") as usize;
        }
        match &mut self.nodes[at].kind {
            NodeKind::Activation { variables, .. } => &mut variables[slot.index()],
            _ => unreachable!("the loop ends at an activation"),
        }
    }

    pub(super) fn value(&self, operand: Operand) -> Value {
        match operand {
            Operand::Constant(value) => value,
            Operand::Own => Value::Agent(self.me),
            Operand::Expression(_) => unreachable!("only the operands of acts and calls are computed"),
            Operand::Variable(slot) => {
                let mut at = self.top;
                loop {
                    if let NodeKind::Activation { variables, .. } = &self.nodes[at].kind {
                        return variables[slot.index()].expect("checked: bound on every path to a use");
                    }
                    at = self.nodes[at].below.expect("every node rests on an activation") as usize;
                }
            }
        }
    }

    /// Whether every test of the pattern passes; those left open are resolved together.
    pub(super) fn matches(&mut self, point: PointId, pattern: &Pattern, at: impl Fn(usize) -> Value) -> bool {
        self.compare(pattern, at).is_some_and(|open| open.is_empty() || self.equal(point, &open))
    }

    /// The tests of the pattern that are open; `None` if some other test fails.
    pub(super) fn compare(
        &self,
        pattern: &Pattern,
        at: impl Fn(usize) -> Value,
    ) -> Option<Vec<(Value, Value)>> {
        self.open_pairs(pattern.tests.iter().map(|test| match *test {
            Test::Operand(place, operand) => (at(place as usize), self.value(operand)),
            Test::Same(first, second) => (at(first as usize), at(second as usize)),
        }))
    }

    /// The pairs whose equality is open; `None` if those of some other pair differ.
    pub(super) fn open_pairs(
        &self,
        pairs: impl Iterator<Item = (Value, Value)>,
    ) -> Option<Vec<(Value, Value)>> {
        let mut open = Vec::new();
        for (left, right) in pairs {
            match self.choices.equals(left, right) {
                Some(true) => {}
                Some(false) => return None,
                // Exchanged values give the same pair twice.
                None if open.contains(&(left, right)) || open.contains(&(right, left)) => {}
                None => open.push((left, right)),
            }
        }
        Some(open)
    }

    /// Resolves whether open pairs are all equal.
    pub(super) fn equal(&mut self, point: PointId, pairs: &[(Value, Value)]) -> bool {
        let equal = self.choices.choose(&Choice::Equal { point, pairs }) == 1;
        self.assumptions.push(Assumption::Equal { point, pairs: pairs.to_vec(), equal });
        equal
    }
}

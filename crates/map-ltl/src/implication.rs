//! Syntactic implication (Somenzi and Bloem, "Efficient Büchi automata from LTL formulae", CAV 2000): sound but
//! incomplete.

use crate::normal::{Node, NodeId, NormalForms};

/// The depth to which two formulas are compared; beyond it no implication is found.
const MAX_NESTING: usize = 100;

impl NormalForms {
    /// Whether `f` implies `g` by the syntactic rules. False may mean unknown.
    pub(crate) fn implies(&mut self, f: NodeId, g: NodeId) -> bool {
        self.implies_within(f, g, MAX_NESTING)
    }

    fn implies_within(&mut self, f: NodeId, g: NodeId, nesting: usize) -> bool {
        if f == g || f == NodeId::FALSE || g == NodeId::TRUE {
            return true;
        }
        if f == g.complement() || f == NodeId::TRUE || g == NodeId::FALSE {
            return false;
        }
        if let Some(&known) = self.implied.get(&(f, g)) {
            return known;
        }
        if nesting == 0 || self.fuel == 0 {
            return false;
        }
        self.fuel -= 1;
        let implies = self.implies_by_rule(f, g, nesting - 1);
        self.implied.insert((f, g), implies);
        implies
    }

    fn implies_by_rule(&mut self, f: NodeId, g: NodeId, nesting: usize) -> bool {
        let (left, right) = (self.node(f).clone(), self.node(g).clone());
        let mut implies = |f: NodeId, g: NodeId| self.implies_within(f, g, nesting);
        let by_left = match &left {
            Node::And(parts) => parts.iter().any(|&part| implies(part, g)),
            Node::Or(parts) => parts.iter().all(|&part| implies(part, g)),
            &Node::Until(way, goal) => implies(goal, g) && implies(way, g),
            &Node::Release(_, held) => implies(held, g),
            _ => false,
        };
        by_left
            || match &right {
                Node::And(parts) => parts.iter().all(|&part| implies(f, part)),
                Node::Or(parts) => parts.iter().any(|&part| implies(f, part)),
                &Node::Until(_, goal) => implies(f, goal),
                &Node::Release(end, held) => implies(f, held) && implies(f, end),
                _ => false,
            }
            || match (left, right) {
                (Node::Next(f), Node::Next(g)) => implies(f, g),
                (Node::Until(f1, f2), Node::Until(g1, g2))
                | (Node::Release(f1, f2), Node::Release(g1, g2)) => implies(f1, g1) && implies(f2, g2),
                _ => false,
            }
    }
}

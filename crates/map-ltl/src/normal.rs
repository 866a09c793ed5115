//! Negation normal form, simplified during construction.
//!
//! Every node is stored next to its complement, so that a rule for conjunctions or until also serves, dually, for
//! disjunctions or release. The rules are those of Etessami and Holzmann ("Optimizing Büchi automata", CONCUR 2000) and
//! Somenzi and Bloem ("Efficient Büchi automata from LTL formulae", CAV 2000) that make automata smaller.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::{FormulaId, Formulas, Operator};

/// Index of a node. The complement of node `n` is `n ^ 1`; operands have smaller indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    pub(crate) const TRUE: Self = Self(0);
    pub(crate) const FALSE: Self = Self(1);

    pub(crate) const fn complement(self) -> Self {
        Self(self.0 ^ 1)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    True,
    False,
    Literal {
        atom: u32,
        positive: bool,
    },
    /// Two or more operands, ascending.
    And(Box<[NodeId]>),
    Or(Box<[NodeId]>),
    Next(NodeId),
    Until(NodeId, NodeId),
    Release(NodeId, NodeId),
}

/// Known properties of a node's language (Etessami and Holzmann).
#[derive(Clone, Copy, Default)]
struct Kind {
    /// A pure eventuality: holds of a word if it holds of a suffix.
    eventual: bool,
    /// Purely universal: holds of all suffixes if it holds of the word.
    universal: bool,
}

/// An arena of nodes.
pub(crate) struct NormalForms {
    nodes: IndexSet<Node, FxBuildHasher>,
    kinds: Vec<Kind>,
    pub(crate) implied: FxHashMap<(NodeId, NodeId), bool>,
    /// The remaining budget of implication checks. When it is spent, formulas are simplified less.
    pub(crate) fuel: u32,
}

impl Default for NormalForms {
    fn default() -> Self {
        let mut forms = Self {
            nodes: IndexSet::default(),
            kinds: Vec::new(),
            implied: FxHashMap::default(),
            fuel: 200_000,
        };
        forms.intern(Node::True);
        forms
    }
}

impl NormalForms {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(crate) fn ids_up_to(&self, id: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        (0..=id.0).map(NodeId)
    }

    /// The simplified negation normal form of a formula.
    pub(crate) fn of(&mut self, formulas: &Formulas, id: FormulaId) -> NodeId {
        let occurs = formulas.occurring(id);
        let mut forms = vec![NodeId::TRUE; occurs.len()];
        for (part, operator) in formulas.up_to(id) {
            if !occurs[part.index()] {
                continue;
            }
            let form = |operand: FormulaId| forms[operand.index()];
            forms[part.index()] = match operator {
                Operator::Truth => NodeId::TRUE,
                Operator::Falsity => NodeId::FALSE,
                Operator::Atom(atom) => self.intern(Node::Literal { atom, positive: true }),
                Operator::Not(f) => form(f).complement(),
                Operator::And(f, g) => self.and(&[form(f), form(g)]),
                Operator::Or(f, g) => self.or(&[form(f), form(g)]),
                Operator::Implies(f, g) => self.or(&[form(f).complement(), form(g)]),
                Operator::Next(f) => self.next(form(f)),
                Operator::Until(f, g) => self.until(form(f), form(g)),
                Operator::Release(f, g) => self.release(form(f), form(g)),
                Operator::Always(f) => self.release(NodeId::FALSE, form(f)),
                Operator::Eventually(f) => self.until(NodeId::TRUE, form(f)),
            };
        }
        forms[id.index()]
    }

    pub(crate) fn and(&mut self, operands: &[NodeId]) -> NodeId {
        let mut operands = self.flattened(operands);
        loop {
            operands.sort_unstable();
            operands.dedup();
            operands.retain(|&it| it != NodeId::TRUE);
            let exclusive = |&it: &NodeId| operands.binary_search(&it.complement()).is_ok();
            if operands.contains(&NodeId::FALSE) || operands.iter().any(exclusive) {
                return NodeId::FALSE;
            }
            if self.exclude_each_other(&operands) {
                return NodeId::FALSE;
            }
            self.absorb(&mut operands);
            if !self.merge_pair(&mut operands) {
                break;
            }
        }
        match operands.as_slice() {
            [] => NodeId::TRUE,
            &[only] => only,
            _ => self.intern(Node::And(operands.into())),
        }
    }

    pub(crate) fn or(&mut self, operands: &[NodeId]) -> NodeId {
        let complements: Vec<NodeId> = operands.iter().map(|it| it.complement()).collect();
        self.and(&complements).complement()
    }

    pub(crate) fn next(&mut self, f: NodeId) -> NodeId {
        let Kind { eventual, universal } = self.kinds[f.index()];
        if eventual && universal { f } else { self.intern(Node::Next(f)) }
    }

    pub(crate) fn release(&mut self, f: NodeId, g: NodeId) -> NodeId {
        self.until(f.complement(), g.complement()).complement()
    }

    pub(crate) fn until(&mut self, f: NodeId, g: NodeId) -> NodeId {
        // `f until g` is `g` if `g` is a pure eventuality, or if `f` implies `g`.
        if f == NodeId::FALSE || self.kinds[g.index()].eventual || self.implies(f, g) {
            return g;
        }
        // If `not g` implies `f`, the left side adds nothing.
        if f != NodeId::TRUE && self.implies(g.complement(), f) {
            return self.until(NodeId::TRUE, g);
        }
        match (self.node(f).clone(), self.node(g).clone()) {
            (_, Node::Until(_, goal)) if f == NodeId::TRUE => return self.until(f, goal),
            (_, Node::Until(way, _)) if self.implies(f, way) => return g,
            (Node::True, Node::Next(later)) => {
                let until = self.until(f, later);
                return self.next(until);
            }
            (Node::Next(way), Node::Next(goal)) => {
                let until = self.until(way, goal);
                return self.next(until);
            }
            (_, Node::And(parts)) => {
                let suspended = |kind: Kind| kind.eventual && kind.universal;
                if let Some((out, kept)) = self.split(&parts, suspended) {
                    let goal = self.and(&kept);
                    let until = self.until(f, goal);
                    return self.and(&[&out[..], &[until]].concat());
                }
            }
            (_, Node::Or(parts)) => {
                if let Some((out, kept)) = self.split(&parts, |kind| kind.eventual) {
                    let goal = self.or(&kept);
                    let until = self.until(f, goal);
                    return self.or(&[&out[..], &[until]].concat());
                }
            }
            _ => {}
        }
        self.intern(Node::Until(f, g))
    }

    /// Partitions the operands into those of a kind and the others; `None` if there are none of the kind.
    fn split(&self, parts: &[NodeId], wanted: impl Fn(Kind) -> bool) -> Option<(Vec<NodeId>, Vec<NodeId>)> {
        let (out, kept): (Vec<_>, Vec<_>) = parts.iter().partition(|it| wanted(self.kinds[it.index()]));
        if out.is_empty() { None } else { Some((out, kept)) }
    }

    fn flattened(&self, operands: &[NodeId]) -> Vec<NodeId> {
        let mut flat = Vec::with_capacity(operands.len());
        for &operand in operands {
            match self.node(operand) {
                Node::And(parts) => flat.extend_from_slice(parts),
                _ => flat.push(operand),
            }
        }
        flat
    }

    fn exclude_each_other(&mut self, operands: &[NodeId]) -> bool {
        (1..operands.len()).any(|end| {
            operands[..end].iter().any(|earlier| self.implies(operands[end], earlier.complement()))
        })
    }

    /// Drops operands that another operand implies.
    fn absorb(&mut self, operands: &mut Vec<NodeId>) {
        let mut index = 0;
        while index < operands.len() {
            let weaker = operands[index];
            let mut others = operands.iter().enumerate().filter(|&(other, _)| other != index);
            if others.any(|(_, &stronger)| self.implies(stronger, weaker)) {
                operands.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// Merges two operands into one, if some pair allows it; returns whether one did.
    fn merge_pair(&mut self, operands: &mut Vec<NodeId>) -> bool {
        for second in 1..operands.len() {
            for first in 0..second {
                if let Some(merged) = self.merged(operands[first], operands[second]) {
                    operands.remove(second);
                    operands.remove(first);
                    operands.extend(self.flattened(&[merged]));
                    return true;
                }
            }
        }
        false
    }

    fn merged(&mut self, left: NodeId, right: NodeId) -> Option<NodeId> {
        match (self.node(left), self.node(right)) {
            (&Node::Next(f), &Node::Next(g)) => {
                let both = self.and(&[f, g]);
                Some(self.next(both))
            }
            (&Node::Release(f, g), &Node::Release(same, h)) if f == same => {
                let both = self.and(&[g, h]);
                Some(self.release(f, both))
            }
            (&Node::Until(f, goal), &Node::Until(g, same)) if goal == same => {
                let both = self.and(&[f, g]);
                Some(self.until(both, goal))
            }
            (&Node::Until(NodeId::TRUE, f), &Node::Until(NodeId::TRUE, g)) => {
                // Both are of the form `eventually always`, which distributes over `and`.
                let (&Node::Release(NodeId::FALSE, f), &Node::Release(NodeId::FALSE, g)) =
                    (self.node(f), self.node(g))
                else {
                    return None;
                };
                let both = self.and(&[f, g]);
                let always = self.release(NodeId::FALSE, both);
                Some(self.until(NodeId::TRUE, always))
            }
            _ => None,
        }
    }

    fn intern(&mut self, node: Node) -> NodeId {
        if let Some(known) = self.nodes.get_index_of(&node) {
            return NodeId(known as u32);
        }
        let complement = self.complement_of(&node);
        let kind = self.kind(&node);
        let id = NodeId(self.nodes.insert_full(node).0 as u32);
        self.nodes.insert(complement);
        self.kinds.push(kind);
        self.kinds.push(Kind { eventual: kind.universal, universal: kind.eventual });
        id
    }

    fn complement_of(&self, node: &Node) -> Node {
        let complements = |parts: &[NodeId]| {
            let mut complements: Vec<NodeId> = parts.iter().map(|it| it.complement()).collect();
            complements.sort_unstable();
            complements.into_boxed_slice()
        };
        match node {
            Node::True => Node::False,
            Node::False => Node::True,
            Node::Literal { atom, positive } => Node::Literal { atom: *atom, positive: !positive },
            Node::And(parts) => Node::Or(complements(parts)),
            Node::Or(parts) => Node::And(complements(parts)),
            Node::Next(f) => Node::Next(f.complement()),
            Node::Until(f, g) => Node::Release(f.complement(), g.complement()),
            Node::Release(f, g) => Node::Until(f.complement(), g.complement()),
        }
    }

    fn kind(&self, node: &Node) -> Kind {
        let of = |it: &NodeId| self.kinds[it.index()];
        match node {
            Node::True | Node::False => Kind { eventual: true, universal: true },
            Node::Literal { .. } => Kind::default(),
            Node::And(parts) | Node::Or(parts) => Kind {
                eventual: parts.iter().all(|it| of(it).eventual),
                universal: parts.iter().all(|it| of(it).universal),
            },
            Node::Next(f) => of(f),
            Node::Until(f, g) => {
                Kind { eventual: *f == NodeId::TRUE || of(g).eventual, universal: of(g).universal }
            }
            Node::Release(f, g) => {
                Kind { eventual: of(g).eventual, universal: *f == NodeId::FALSE || of(g).universal }
            }
        }
    }
}

//! Translation of formulas to automata: the tableau with promises of Couvreur ("On-the-fly verification of linear
//! temporal logic", FM 1999).
//!
//! A state is a set of formulas that the rest of the word must satisfy. Its edges are the ways to satisfy all of them
//! at one moment, each with the formulas it leaves for the next; an until that is postponed is a *promise*. A word is
//! accepted if for every until there are infinitely many edges that do not promise it. An edge that is dominated by
//! another one (weaker guard, fewer obligations, fewer promises) is dropped at once.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::automaton::{Automaton, Edge};
use crate::cube::Cube;
use crate::normal::{Node, NodeId, NormalForms};
use crate::simplify::simplified;
use crate::{FormulaId, Formulas, MAX_DEPTH};

/// Which words the automaton accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// Those that satisfy the formula.
    Positive,
    /// Those that do not.
    Negated,
}

/// The cost limits of a translation.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The maximum number of elementary operations, such as comparisons of two edges.
    pub operations: u64,
    /// The maximum number of edges before simplification.
    pub edges: usize,
}

impl Default for Effort {
    /// Well under a second and about ten megabytes.
    fn default() -> Self {
        Self { operations: 50_000_000, edges: 100_000 }
    }
}

/// Why a formula was not translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// More than 128 different propositions.
    Propositions,
    /// More than 128 different formulas postponed to the next moment, or more than 128 untils.
    Obligations,
    /// Nested deeper than [`MAX_DEPTH`].
    Depth,
    /// The [`Effort`] is spent.
    Effort,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Propositions => "the formula has more than 128 different propositions",
            Self::Obligations => "the formula has more than 128 different temporal parts",
            Self::Depth => "the formula is nested too deeply",
            Self::Effort => "the formula is too large: its automaton grows beyond all bounds",
        })
    }
}

impl std::error::Error for TooLarge {}

/// Translates a formula to an automaton that accepts exactly the words that satisfy it, or exactly the others, as
/// `polarity` says.
///
/// # Errors
/// If the formula is too large.
pub fn translate(
    formulas: &Formulas,
    id: FormulaId,
    polarity: Polarity,
    effort: Effort,
) -> Result<Automaton, TooLarge> {
    if formulas.depth(id) > MAX_DEPTH {
        return Err(TooLarge::Depth);
    }
    let mut forms = NormalForms::default();
    let positive = forms.of(formulas, id);
    let root = if polarity == Polarity::Positive { positive } else { positive.complement() };
    let mut tableau = Tableau::new(&forms, effort);
    tableau.list_ways(root)?;
    let (states, untils) = tableau.states(root)?;
    let atoms = tableau.atoms.into_iter().collect();
    Ok(simplified(Automaton::new(atoms, untils, states)))
}

/// A way to satisfy some formulas at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    /// What must hold now.
    guard: Cube,
    /// What must hold from the next moment on, as bits of `Tableau::elements`.
    left: u128,
    /// Postponed untils, as bits of `Tableau::untils`.
    promised: u128,
}

impl Way {
    const FREE: Self = Self { guard: Cube::TRUE, left: 0, promised: 0 };

    fn and(self, other: Self) -> Option<Self> {
        Some(Self {
            guard: self.guard.and(other.guard)?,
            left: self.left | other.left,
            promised: self.promised | other.promised,
        })
    }

    /// Whether it demands no more than another way in any respect.
    fn is_as_good_as(self, other: Self) -> bool {
        self.guard.covers(other.guard) && self.left & !other.left == 0 && self.promised & !other.promised == 0
    }
}

struct Tableau<'n> {
    forms: &'n NormalForms,
    effort: Effort,
    atoms: IndexSet<u32, FxBuildHasher>,
    elements: IndexSet<NodeId, FxBuildHasher>,
    untils: IndexSet<NodeId, FxBuildHasher>,
    /// For every node that may have to be satisfied, the ways to do so.
    ways: Vec<Vec<Way>>,
}

impl<'n> Tableau<'n> {
    fn new(forms: &'n NormalForms, effort: Effort) -> Self {
        Self {
            forms,
            effort,
            atoms: IndexSet::default(),
            elements: IndexSet::default(),
            untils: IndexSet::default(),
            ways: Vec::new(),
        }
    }

    /// The conjuncts of a node: formulas that are satisfied one by one.
    fn obligations<'o>(&self, node: &'o NodeId) -> &'o [NodeId]
    where
        'n: 'o,
    {
        match self.forms.node(*node) {
            Node::True => &[],
            Node::And(parts) => parts,
            _ => std::slice::from_ref(node),
        }
    }

    /// Computes the ways of every node that is needed, operands first.
    fn list_ways(&mut self, root: NodeId) -> Result<(), TooLarge> {
        let mut needed = vec![false; root.index() + 1];
        for part in self.obligations(&root) {
            needed[part.index()] = true;
        }
        let ids: Vec<NodeId> = self.forms.ids_up_to(root).collect();
        for &id in ids.iter().rev() {
            if !needed[id.index()] {
                continue;
            }
            match self.forms.node(id) {
                Node::True | Node::False | Node::Literal { .. } => {}
                Node::And(parts) | Node::Or(parts) => {
                    parts.iter().for_each(|part| needed[part.index()] = true);
                }
                Node::Next(later) => {
                    self.obligations(later).iter().for_each(|part| needed[part.index()] = true);
                }
                Node::Until(f, g) | Node::Release(f, g) => {
                    needed[f.index()] = true;
                    needed[g.index()] = true;
                }
            }
        }
        for id in ids {
            let ways = if needed[id.index()] { self.ways_of(id)? } else { Vec::new() };
            self.ways.push(ways);
        }
        Ok(())
    }

    fn ways_of(&mut self, id: NodeId) -> Result<Vec<Way>, TooLarge> {
        let forms = self.forms;
        match forms.node(id) {
            Node::True => Ok(vec![Way::FREE]),
            Node::False => Ok(Vec::new()),
            &Node::Literal { atom, positive } => {
                let bit = numbered(&mut self.atoms, atom).ok_or(TooLarge::Propositions)?;
                Ok(vec![Way { guard: Cube::literal(bit, positive), ..Way::FREE }])
            }
            Node::And(parts) => self.ways_of_all(parts),
            Node::Or(parts) => {
                let mut ways = Vec::new();
                for part in parts {
                    self.add_all(&mut ways, &self.ways[part.index()].clone())?;
                }
                Ok(ways)
            }
            Node::Next(later) => Ok(vec![Way { left: self.bits(self.obligations(later))?, ..Way::FREE }]),
            Node::Until(f, g) => {
                let until = numbered(&mut self.untils, id).ok_or(TooLarge::Obligations)?;
                let later = Way { left: self.bits(&[id])?, promised: 1 << until, ..Way::FREE };
                let mut ways = self.ways[g.index()].clone();
                let postponed = self.product(&self.ways[f.index()].clone(), &[later])?;
                self.add_all(&mut ways, &postponed)?;
                Ok(ways)
            }
            Node::Release(f, g) => {
                let mut ends = self.ways[f.index()].clone();
                let later = Way { left: self.bits(&[id])?, ..Way::FREE };
                self.add_all(&mut ends, &[later])?;
                self.product(&self.ways[g.index()].clone(), &ends)
            }
        }
    }

    fn ways_of_all(&mut self, parts: &[NodeId]) -> Result<Vec<Way>, TooLarge> {
        let mut ways = vec![Way::FREE];
        for part in parts {
            ways = self.product(&ways, &self.ways[part.index()].clone())?;
        }
        Ok(ways)
    }

    fn product(&mut self, left: &[Way], right: &[Way]) -> Result<Vec<Way>, TooLarge> {
        let mut ways = Vec::new();
        for one in left {
            for other in right {
                if let Some(way) = one.and(*other) {
                    self.add(&mut ways, way)?;
                }
            }
            self.spend(right.len())?;
        }
        Ok(ways)
    }

    fn add_all(&mut self, ways: &mut Vec<Way>, more: &[Way]) -> Result<(), TooLarge> {
        more.iter().try_for_each(|&way| self.add(ways, way))
    }

    /// Adds a way unless another one is as good, and drops those that it dominates.
    fn add(&mut self, ways: &mut Vec<Way>, way: Way) -> Result<(), TooLarge> {
        self.spend(2 * ways.len() + 1)?;
        let way = Way { left: self.without_repetition(way.left), ..way };
        if !ways.iter().any(|known| known.is_as_good_as(way)) {
            ways.retain(|&known| !way.is_as_good_as(known));
            ways.push(way);
        }
        Ok(())
    }

    /// Drops elements that another element demands anyway at every moment until it is met: next to `always f`, `f` need
    /// not be listed. The ways to satisfy the set, and their promises, stay the same.
    fn without_repetition(&self, left: u128) -> u128 {
        let mut kept = left;
        for release in bits_of(left) {
            let &Node::Release(_, held) = self.forms.node(self.elements[release]) else { continue };
            for other in bits_of(left).filter(|&other| other != release) {
                if self.demands(held, self.elements[other]) {
                    kept &= !(1 << other);
                }
            }
        }
        kept
    }

    fn demands(&self, node: NodeId, part: NodeId) -> bool {
        node == part
            || match self.forms.node(node) {
                Node::And(parts) => parts.iter().any(|&it| self.demands(it, part)),
                &Node::Release(_, held) => self.demands(held, part),
                _ => false,
            }
    }

    /// The bit set of some formulas, which are added to `elements` if new.
    fn bits(&mut self, formulas: &[NodeId]) -> Result<u128, TooLarge> {
        let mut bits = 0;
        for &formula in formulas {
            bits |= 1 << numbered(&mut self.elements, formula).ok_or(TooLarge::Obligations)?;
        }
        Ok(bits)
    }

    /// The reachable states, the initial one first, and the number of untils.
    fn states(&mut self, root: NodeId) -> Result<(Vec<Vec<Edge>>, u32), TooLarge> {
        let all: u128 = self.bits(self.obligations(&root))?;
        let first = self.without_repetition(all);
        let mut sets: IndexSet<u128, FxBuildHasher> = IndexSet::from_iter([first]);
        let mut states = Vec::new();
        let mut edges = 0;
        while states.len() < sets.len() {
            let parts: Vec<NodeId> = bits_of(sets[states.len()]).map(|bit| self.elements[bit]).collect();
            let ways = self.ways_of_all(&parts)?;
            edges += ways.len();
            if edges > self.effort.edges {
                return Err(TooLarge::Effort);
            }
            let edge = |way: &Way| Edge {
                guard: way.guard,
                marks: !way.promised,
                target: sets.insert_full(way.left).0 as u32,
            };
            states.push(ways.iter().map(edge).collect());
        }
        Ok((states, self.untils.len() as u32))
    }

    fn spend(&mut self, operations: usize) -> Result<(), TooLarge> {
        self.effort.operations =
            self.effort.operations.checked_sub(operations as u64).ok_or(TooLarge::Effort)?;
        Ok(())
    }
}

/// The index of an item, which is added if it is new; `None` beyond 128 items.
fn numbered<T: Eq + std::hash::Hash>(things: &mut IndexSet<T, FxBuildHasher>, thing: T) -> Option<usize> {
    let number = things.insert_full(thing).0;
    if number < 128 { Some(number) } else { None }
}

fn bits_of(set: u128) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        if bit < 128 { Some(bit) } else { None }
    })
}

//! Formulas in surface form, in an arena where operands come before the operators that use them.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Index of a formula in its arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FormulaId(u32);

impl FormulaId {
    /// Position in [`Formulas`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The operator at the root of a formula, with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Holds at every moment.
    Truth,
    /// Holds at no moment.
    Falsity,
    /// The proposition with this number.
    Atom(u32),
    /// Negation.
    Not(FormulaId),
    /// Conjunction.
    And(FormulaId, FormulaId),
    /// Disjunction.
    Or(FormulaId, FormulaId),
    /// Implication.
    Implies(FormulaId, FormulaId),
    /// At the next moment.
    Next(FormulaId),
    /// The right side holds now or later, and until then the left side holds.
    Until(FormulaId, FormulaId),
    /// The right side holds up to and including the moment at which the left side does, or for ever if it never does.
    Release(FormulaId, FormulaId),
    /// Now and at every later moment.
    Always(FormulaId),
    /// Now or at some later moment.
    Eventually(FormulaId),
}

impl Operator {
    /// The operands, left before right.
    pub fn operands(self) -> impl Iterator<Item = FormulaId> {
        let (left, right) = match self {
            Self::Truth | Self::Falsity | Self::Atom(_) => (None, None),
            Self::Not(it) | Self::Next(it) | Self::Always(it) | Self::Eventually(it) => (Some(it), None),
            Self::And(left, right)
            | Self::Or(left, right)
            | Self::Implies(left, right)
            | Self::Until(left, right)
            | Self::Release(left, right) => (Some(left), Some(right)),
        };
        left.into_iter().chain(right)
    }

    const fn is_temporal(self) -> bool {
        matches!(
            self,
            Self::Next(_) | Self::Until(..) | Self::Release(..) | Self::Always(_) | Self::Eventually(_)
        )
    }
}

/// An arena of formulas. Equal formulas are stored once.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: IndexSet<Operator, FxBuildHasher>,
}

impl Formulas {
    /// The operator at the root of a formula.
    #[must_use]
    pub fn operator(&self, id: FormulaId) -> Operator {
        self.nodes[id.index()]
    }

    /// All operators up to the root of a formula in arena order, operands before their users.
    pub(crate) fn up_to(&self, id: FormulaId) -> impl DoubleEndedIterator<Item = (FormulaId, Operator)> {
        self.nodes.as_slice()[..=id.index()]
            .iter()
            .enumerate()
            .map(|(index, &operator)| (FormulaId(index as u32), operator))
    }

    /// For every index up to the root of a formula, whether that operator occurs in it.
    pub(crate) fn occurring(&self, id: FormulaId) -> Vec<bool> {
        let mut occurs = vec![false; id.index() + 1];
        occurs[id.index()] = true;
        for (part, operator) in self.up_to(id).rev() {
            if occurs[part.index()] {
                for operand in operator.operands() {
                    occurs[operand.index()] = true;
                }
            }
        }
        occurs
    }

    /// The maximum number of operators on a path from the root of a formula to an atom.
    #[must_use]
    pub fn depth(&self, id: FormulaId) -> usize {
        let mut depths: Vec<usize> = Vec::with_capacity(id.index() + 1);
        for (_, operator) in self.up_to(id) {
            depths.push(operator.operands().map(|it| depths[it.index()] + 1).max().unwrap_or(0));
        }
        depths[id.index()]
    }

    /// Whether a temporal operator occurs in a formula.
    #[must_use]
    pub fn is_temporal(&self, id: FormulaId) -> bool {
        let occurs = self.occurring(id);
        self.up_to(id).any(|(part, operator)| occurs[part.index()] && operator.is_temporal())
    }

    /// The propositions that occur in a formula, ascending.
    #[must_use]
    pub fn atoms(&self, id: FormulaId) -> Vec<u32> {
        let occurs = self.occurring(id);
        let atom = |(part, operator): (FormulaId, Operator)| match operator {
            Operator::Atom(atom) if occurs[part.index()] => Some(atom),
            _ => None,
        };
        let mut atoms: Vec<u32> = self.up_to(id).filter_map(atom).collect();
        atoms.sort_unstable();
        atoms
    }

    /// Whether a formula without temporal operators holds at a moment.
    ///
    /// # Panics
    /// If a temporal operator occurs in it.
    #[must_use]
    pub fn holds_now(&self, id: FormulaId, atom: impl Fn(u32) -> bool) -> bool {
        let occurs = self.occurring(id);
        let mut values = vec![false; occurs.len()];
        for (part, operator) in self.up_to(id) {
            if !occurs[part.index()] {
                continue;
            }
            let value = |operand: FormulaId| values[operand.index()];
            values[part.index()] = match operator {
                Operator::Truth => true,
                Operator::Falsity => false,
                Operator::Atom(number) => atom(number),
                Operator::Not(it) => !value(it),
                Operator::And(left, right) => value(left) && value(right),
                Operator::Or(left, right) => value(left) || value(right),
                Operator::Implies(left, right) => !value(left) || value(right),
                _ => panic!("a temporal operator in a formula about one moment"),
            };
        }
        values[id.index()]
    }

    fn add(&mut self, operator: Operator) -> FormulaId {
        FormulaId(self.nodes.insert_full(operator).0 as u32)
    }
}

/// Constructors of formulas.
impl Formulas {
    /// `true`.
    pub fn truth(&mut self) -> FormulaId {
        self.add(Operator::Truth)
    }

    /// `false`.
    pub fn falsity(&mut self) -> FormulaId {
        self.add(Operator::Falsity)
    }

    /// The proposition with this number.
    pub fn atom(&mut self, number: u32) -> FormulaId {
        self.add(Operator::Atom(number))
    }

    /// `not f`.
    pub fn not(&mut self, f: FormulaId) -> FormulaId {
        self.add(Operator::Not(f))
    }

    /// `f and g`.
    pub fn and(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        self.add(Operator::And(f, g))
    }

    /// `f or g`.
    pub fn or(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        self.add(Operator::Or(f, g))
    }

    /// `f implies g`.
    pub fn implies(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        self.add(Operator::Implies(f, g))
    }

    /// `next f`.
    pub fn next(&mut self, f: FormulaId) -> FormulaId {
        self.add(Operator::Next(f))
    }

    /// `f until g`.
    pub fn until(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        self.add(Operator::Until(f, g))
    }

    /// `f release g`: `g` up to and including the moment of `f`.
    pub fn release(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        self.add(Operator::Release(f, g))
    }

    /// `always f`.
    pub fn always(&mut self, f: FormulaId) -> FormulaId {
        self.add(Operator::Always(f))
    }

    /// `eventually f`.
    pub fn eventually(&mut self, f: FormulaId) -> FormulaId {
        self.add(Operator::Eventually(f))
    }

    /// `f leadsto g`: always, if `f`, then eventually `g`.
    pub fn leads_to(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        let answer = self.eventually(g);
        let answered = self.implies(f, answer);
        self.always(answered)
    }

    /// `never f`.
    pub fn never(&mut self, f: FormulaId) -> FormulaId {
        let not = self.not(f);
        self.always(not)
    }

    /// The conjunction of all formulas; `true` if there are none. The tree is balanced, so that long lists do not make
    /// deep formulas.
    pub fn all(&mut self, formulas: &[FormulaId]) -> FormulaId {
        self.balanced(formulas, Operator::Truth, Operator::And)
    }

    /// The disjunction of all formulas; `false` if there are none. Balanced like [`Formulas::all`].
    pub fn any(&mut self, formulas: &[FormulaId]) -> FormulaId {
        self.balanced(formulas, Operator::Falsity, Operator::Or)
    }

    fn balanced(
        &mut self,
        formulas: &[FormulaId],
        none: Operator,
        join: fn(FormulaId, FormulaId) -> Operator,
    ) -> FormulaId {
        let mut level = formulas.to_vec();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| if let &[left, right] = pair { self.add(join(left, right)) } else { pair[0] })
                .collect();
        }
        level.first().copied().unwrap_or_else(|| self.add(none))
    }
}

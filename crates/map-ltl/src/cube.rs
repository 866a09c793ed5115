//! Cubes: conjunctions of propositions and negated propositions, as conditions on one moment.

/// A conjunction of literals. Bit `i` represents the `i`th proposition of the automaton ([`crate::Automaton::atoms`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// Propositions that have to hold.
    pub positive: u128,
    /// Propositions that must not hold; none of them is in `positive`.
    pub negative: u128,
}

impl Cube {
    /// The condition that holds at every moment.
    pub const TRUE: Self = Self { positive: 0, negative: 0 };

    /// One literal.
    #[must_use]
    pub const fn literal(bit: usize, positive: bool) -> Self {
        let mask = 1 << bit;
        if positive { Self { positive: mask, negative: 0 } } else { Self { positive: 0, negative: mask } }
    }

    /// The conjunction; `None` if the conditions exclude each other.
    #[must_use]
    pub const fn and(self, other: Self) -> Option<Self> {
        let both =
            Self { positive: self.positive | other.positive, negative: self.negative | other.negative };
        if both.positive & both.negative == 0 { Some(both) } else { None }
    }

    /// Whether it holds wherever `other` does.
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        self.positive & !other.positive == 0 && self.negative & !other.negative == 0
    }

    /// Whether it holds at a moment, given as the set of the propositions that hold.
    #[must_use]
    pub const fn holds_at(self, moment: u128) -> bool {
        self.positive & !moment == 0 && self.negative & moment == 0
    }

    /// The disjunction, if the two differ only in the sign of one literal and so merge into one cube.
    #[must_use]
    pub const fn join(self, other: Self) -> Option<Self> {
        let sign = self.positive ^ other.positive;
        if sign.count_ones() == 1 && sign == self.negative ^ other.negative {
            Some(Self { positive: self.positive & !sign, negative: self.negative & !sign })
        } else {
            None
        }
    }
}

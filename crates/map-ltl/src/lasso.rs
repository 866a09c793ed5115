//! The semantics of formulas on ultimately periodic words (lassos).

use crate::{FormulaId, Formulas, Operator};

/// The infinite word `prefix cycle cycle ..`. A moment is the set of propositions that hold at it, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<M> {
    /// The moments before the cycle.
    pub prefix: Vec<M>,
    /// The moments that repeat for ever; at least one.
    pub cycle: Vec<M>,
}

impl<M> Word<M> {
    /// The number of distinct positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// Whether there are no moments, which a valid word never is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The moment at a position below [`Word::len`].
    #[must_use]
    pub fn moment(&self, position: usize) -> &M {
        self.prefix.get(position).unwrap_or_else(|| &self.cycle[position - self.prefix.len()])
    }

    /// The successor of a position.
    #[must_use]
    pub fn after(&self, position: usize) -> usize {
        if position + 1 == self.len() { self.prefix.len() } else { position + 1 }
    }
}

impl Formulas {
    /// Whether a formula holds at the first moment of a word. `holds(moment, atom)` evaluates propositions.
    ///
    /// Until and eventually are least, release and always greatest fixed points of their expansion laws; on a lasso,
    /// two backward passes over the positions reach each of them.
    #[must_use]
    pub fn holds_on<M>(&self, id: FormulaId, word: &Word<M>, holds: impl Fn(&M, u32) -> bool) -> bool {
        let occurs = self.occurring(id);
        let length = word.len();
        let mut values: Vec<Vec<bool>> = Vec::with_capacity(occurs.len());
        for (part, operator) in self.up_to(id) {
            if !occurs[part.index()] {
                values.push(Vec::new());
                continue;
            }
            let at = |operand: FormulaId, position: usize| values[operand.index()][position];
            let everywhere = |value: &dyn Fn(usize) -> bool| (0..length).map(value).collect();
            let fixed_point = |start: bool, law: &dyn Fn(usize, bool) -> bool| {
                let mut value = vec![start; length];
                for position in (0..length).rev().chain((0..length).rev()) {
                    value[position] = law(position, value[word.after(position)]);
                }
                value
            };
            let value = match operator {
                Operator::Truth => vec![true; length],
                Operator::Falsity => vec![false; length],
                Operator::Atom(atom) => everywhere(&|position| holds(word.moment(position), atom)),
                Operator::Not(f) => everywhere(&|position| !at(f, position)),
                Operator::And(f, g) => everywhere(&|position| at(f, position) && at(g, position)),
                Operator::Or(f, g) => everywhere(&|position| at(f, position) || at(g, position)),
                Operator::Implies(f, g) => everywhere(&|position| !at(f, position) || at(g, position)),
                Operator::Next(f) => everywhere(&|position| at(f, word.after(position))),
                Operator::Until(f, g) => {
                    fixed_point(false, &|position, later| at(g, position) || at(f, position) && later)
                }
                Operator::Release(f, g) => {
                    fixed_point(true, &|position, later| at(g, position) && (at(f, position) || later))
                }
                Operator::Always(f) => fixed_point(true, &|position, later| at(f, position) && later),
                Operator::Eventually(f) => fixed_point(false, &|position, later| at(f, position) || later),
            };
            values.push(value);
        }
        values[id.index()][0]
    }
}

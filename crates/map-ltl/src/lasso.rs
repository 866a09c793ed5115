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
    /// two backward passes over the positions reach each of them. Each pass takes 64 positions at a time.
    #[must_use]
    pub fn holds_on<M>(&self, id: FormulaId, word: &Word<M>, holds: impl Fn(&M, u32) -> bool) -> bool {
        let occurs = self.occurring(id);
        let positions = Positions { length: word.len(), back: word.prefix.len() };
        let width = positions.width();
        // For each operator its truth by position, as bits. What is behind the last position means nothing.
        let mut values = vec![0_u64; occurs.len() * width];
        for (part, operator) in self.up_to(id) {
            if !occurs[part.index()] {
                continue;
            }
            let (known, rest) = values.split_at_mut(part.index() * width);
            let value = &mut rest[..width];
            let of = |operand: FormulaId| &known[operand.index() * width..][..width];
            let each = |value: &mut [u64], f: FormulaId, g: FormulaId, law: fn(u64, u64) -> u64| {
                value.iter_mut().zip(of(f).iter().zip(of(g))).for_each(|(it, (&f, &g))| *it = law(f, g));
            };
            match operator {
                Operator::Truth => value.fill(u64::MAX),
                Operator::Falsity => {}
                Operator::Atom(atom) => {
                    for (position, moment) in word.prefix.iter().chain(&word.cycle).enumerate() {
                        value[position / 64] |= u64::from(holds(moment, atom)) << (position % 64);
                    }
                }
                Operator::Not(f) => each(value, f, f, |f, _| !f),
                Operator::And(f, g) => each(value, f, g, |f, g| f & g),
                Operator::Or(f, g) => each(value, f, g, |f, g| f | g),
                Operator::Implies(f, g) => each(value, f, g, |f, g| !f | g),
                Operator::Next(f) => positions.next(of(f), value),
                Operator::Until(f, g) => positions.fixed_point(false, value, |at| (of(g)[at], of(f)[at])),
                Operator::Release(f, g) => {
                    positions.fixed_point(true, value, |at| (of(f)[at] & of(g)[at], of(g)[at]));
                }
                Operator::Always(f) => positions.fixed_point(true, value, |at| (0, of(f)[at])),
                Operator::Eventually(f) => positions.fixed_point(false, value, |at| (of(f)[at], u64::MAX)),
            }
        }
        values[id.index() * width] & 1 != 0
    }
}

/// The positions of a word, of which 64 share a number.
#[derive(Clone, Copy)]
struct Positions {
    length: usize,
    /// The position behind the last one.
    back: usize,
}

impl Positions {
    fn width(self) -> usize {
        self.length.div_ceil(64)
    }

    /// The truth of `next f`.
    fn next(self, f: &[u64], value: &mut [u64]) {
        for at in 0..value.len() {
            value[at] = f[at] >> 1 | f.get(at + 1).copied().unwrap_or(0) << 63;
        }
        let (last, bit) = ((self.length - 1) / 64, (self.length - 1) % 64);
        value[last] = value[last] & !(1 << bit) | u64::from(is_set(f, self.back)) << bit;
    }

    /// The least or, if it is to `start` with true, the greatest solution of: now, or if may and in the next position.
    /// `law` has 64 positions of now and may.
    fn fixed_point(self, start: bool, value: &mut [u64], law: impl Fn(usize) -> (u64, u64)) {
        let behind = match self.length % 64 {
            0 => 0,
            rest => u64::MAX << rest,
        };
        let mut later = start;
        for _ in 0..2 {
            for at in (0..value.len()).rev() {
                let (now, may) = law(at);
                let outside = if at + 1 == value.len() { behind } else { 0 };
                value[at] = carried(now & !outside, may | outside, later);
                later = value[at] & 1 != 0;
            }
            later = is_set(value, self.back);
        }
    }
}

fn is_set(value: &[u64], position: usize) -> bool {
    value[position / 64] >> (position % 64) & 1 != 0
}

/// By bit: whether it is in `now`, or in `may` and so is every bit up to one in `now`, or up to the end if `later`.
fn carried(mut now: u64, mut may: u64, later: bool) -> u64 {
    now |= may & u64::from(later) << 63;
    for distance in [1, 2, 4, 8, 16, 32] {
        now |= may & now >> distance;
        may &= may >> distance;
    }
    now
}

#[cfg(test)]
mod tests {
    use super::Word;
    use crate::random::{Shape, random_formula};
    use crate::{FormulaId, Formulas, Operator};

    /// Position by position, as the laws are written.
    fn holds_on(formulas: &Formulas, id: FormulaId, word: &Word<u64>) -> bool {
        let length = word.len();
        let mut values: Vec<Vec<bool>> = Vec::new();
        for (_, operator) in formulas.up_to(id) {
            let at = |operand: FormulaId, position: usize| values[operand.index()][position];
            let everywhere = |value: &dyn Fn(usize) -> bool| (0..length).map(value).collect();
            let fixed_point = |start: bool, law: &dyn Fn(usize, bool) -> bool| {
                let mut value = vec![start; length];
                for position in (0..length).rev().chain((0..length).rev()) {
                    value[position] = law(position, value[word.after(position)]);
                }
                value
            };
            let value: Vec<bool> = match operator {
                Operator::Truth => vec![true; length],
                Operator::Falsity => vec![false; length],
                Operator::Atom(atom) => everywhere(&|position| word.moment(position) >> atom & 1 != 0),
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

    /// Words of any length, above all around multiples of 64, in which atoms hold mostly or hardly ever.
    #[test]
    fn sixty_four_positions_at_a_time_are_as_good_as_one() {
        let mut state = 1_u64;
        let mut below = move |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        let (mut hold, mut all) = (0, 0);
        for _ in 0..6_000 {
            let mut formulas = Formulas::default();
            let shape = Shape { size: 2 + below(8), atoms: 3, next: true };
            let id = random_formula(&mut formulas, shape, &mut below);
            let [before, repeated] = match below(3) {
                0 => [below(5), 1 + below(5)],
                1 => [60 + below(8), 1 + below(8)],
                _ => [below(140), 1 + below(140)],
            };
            let odds = [1, 3, 8, 100][below(4)];
            let mut moment =
                || (0..3).fold(0, |moment, atom| moment | u64::from(below(odds + 1) == 0) << atom);
            let moments =
                |count: usize, moment: &mut dyn FnMut() -> u64| (0..count).map(|_| moment()).collect();
            let flip = if odds > 3 && before % 2 == 0 { 7 } else { 0 };
            let mut flipped = || moment() ^ flip;
            let word = Word { prefix: moments(before, &mut flipped), cycle: moments(repeated, &mut flipped) };
            let found = formulas.holds_on(id, &word, |moment, atom| moment >> atom & 1 != 0);
            assert_eq!(found, holds_on(&formulas, id, &word), "{formulas:?} {word:?}");
            hold += usize::from(found);
            all += 1;
        }
        assert!(hold * 4 > all && (all - hold) * 4 > all, "{hold} of {all} hold");
    }
}

//! Whether the beginning of a run is enough to refute a formula.
//!
//! The weak semantics of finite words (C. Eisner, D. Fisman and others, "Reasoning with temporal logic on truncated
//! paths", 2003): behind the last letter everything may hold, a formula as well as its negation. So what does not hold
//! even then fails in every continuation. The converse is not claimed: `next p and next not p` fails always, and is not
//! refuted by one letter.

use std::borrow::Borrow;

use map_ir::Temporal;
use map_semantics::Letter;

/// Whether every run that begins with these letters violates a formula, as far as the weak semantics tells.
#[must_use]
pub fn prefix_violates<L: Borrow<Letter>>(formula: &Temporal, letters: &[L]) -> bool {
    let letters: Vec<&Letter> = letters.iter().map(L::borrow).collect();
    !may_hold(formula, true, &letters)[0]
}

/// For each position, the one behind the last letter included: whether the formula, or its negation if it is not
/// `positive`, may hold there.
fn may_hold(formula: &Temporal, positive: bool, letters: &[&Letter]) -> Vec<bool> {
    let of = |part: &Temporal| may_hold(part, positive, letters);
    let end = letters.len();
    let anything = || vec![true; end + 1];
    match (formula, positive) {
        (Temporal::Holds(proposition), _) => {
            let at = |letter: &&Letter| letter.contains(*proposition) == positive;
            letters.iter().map(at).chain([true]).collect()
        }
        (Temporal::Not(part), _) => may_hold(part, !positive, letters),
        (Temporal::And(parts), true) | (Temporal::Or(parts), false) => {
            parts.iter().map(of).fold(anything(), |all, part| both(&all, &part))
        }
        (Temporal::And(parts), false) | (Temporal::Or(parts), true) => {
            parts.iter().map(of).fold(behind_the_end(end), |all, part| either(&all, &part))
        }
        (Temporal::Next(part), _) => of(part).into_iter().skip(1).chain([true]).collect(),
        (Temporal::Always(part), true) | (Temporal::Eventually(part), false) => {
            let mut holds = of(part);
            (0..end).rev().for_each(|at| holds[at] &= holds[at + 1]);
            holds
        }
        (Temporal::Until(one, other), true) => {
            let (one, mut holds) = (of(one), of(other));
            (0..end).rev().for_each(|at| holds[at] |= one[at] && holds[at + 1]);
            holds
        }
        // The second fails for ever, or until the first fails, too.
        (Temporal::Until(one, other), false) => {
            let (one, mut holds) = (of(one), of(other));
            (0..end).rev().for_each(|at| holds[at] &= one[at] || holds[at + 1]);
            holds
        }
        // What is to come may come behind the end. Whether some run does something is no matter of one run.
        (Temporal::Eventually(_) | Temporal::LeadsTo(..), true)
        | (Temporal::Always(_) | Temporal::LeadsTo(..), false)
        | (Temporal::Possible(_), _) => anything(),
    }
}

/// False but behind the last letter.
fn behind_the_end(end: usize) -> Vec<bool> {
    let mut holds = vec![false; end + 1];
    holds[end] = true;
    holds
}

fn both(one: &[bool], other: &[bool]) -> Vec<bool> {
    one.iter().zip(other).map(|(one, other)| *one && *other).collect()
}

fn either(one: &[bool], other: &[bool]) -> Vec<bool> {
    one.iter().zip(other).map(|(one, other)| *one || *other).collect()
}

#[cfg(test)]
mod tests {
    use map_graph::BitSet;
    use map_ir::Temporal::{self, Always, And, Eventually, Holds, LeadsTo, Next, Not, Or, Until};
    use map_semantics::Letter;

    use super::super::temporal::run_violates;
    use super::prefix_violates;

    /// Numbers that look random; fixed, so that a failure can be repeated.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }
    }

    fn formula(numbers: &mut Numbers, depth: u64) -> Temporal {
        let part = |numbers: &mut Numbers| Box::new(formula(numbers, depth - 1));
        match numbers.below(if depth == 0 { 1 } else { 9 }) {
            0 => Holds(numbers.below(2) as usize),
            1 => Not(part(numbers)),
            2 => And(vec![*part(numbers), *part(numbers)]),
            3 => Or(vec![*part(numbers), *part(numbers)]),
            4 => Next(part(numbers)),
            5 => Always(part(numbers)),
            6 => Eventually(part(numbers)),
            7 => Until(part(numbers), part(numbers)),
            _ => LeadsTo(part(numbers), part(numbers)),
        }
    }

    fn letter(number: usize) -> Letter {
        BitSet::of_truths([number & 1 != 0, number & 2 != 0].into_iter()).into()
    }

    /// What a prefix refutes fails in each continuation by up to two letters, the last one or both for ever.
    #[test]
    fn what_is_refuted_fails_however_it_goes_on() {
        let mut numbers = Numbers(7);
        let mut refuted = 0;
        for _ in 0..4_000 {
            let formula = formula(&mut numbers, 3);
            let prefix: Vec<Letter> =
                (0..1 + numbers.below(4)).map(|_| letter(numbers.below(4) as usize)).collect();
            if !prefix_violates(&formula, &prefix) {
                continue;
            }
            refuted += 1;
            for first in 0..4 {
                for second in 0..4 {
                    let longer = [&prefix[..], &[letter(first)]].concat();
                    assert!(run_violates(&formula, &longer, &[letter(second)]), "{formula:?} {prefix:?}");
                    let both = [letter(first), letter(second)];
                    assert!(run_violates(&formula, &prefix, &both), "{formula:?} {prefix:?}");
                }
            }
        }
        assert!(refuted > 400, "{refuted}");
    }

    #[test]
    fn safety_is_refuted_and_what_is_to_come_is_not() {
        let (p, q) = (|| Box::new(Holds(0)), || Box::new(Holds(1)));
        let (neither, only_p, only_q) = (letter(0), letter(1), letter(2));
        let refutes = |formula: Temporal, letters: &[&Letter]| {
            let letters: Vec<Letter> = letters.iter().map(|&letter| letter.clone()).collect();
            prefix_violates(&formula, &letters)
        };
        assert!(refutes(Always(p()), &[&only_p, &neither]));
        assert!(!refutes(Always(p()), &[&only_p, &only_p]));
        assert!(!refutes(Eventually(p()), &[&neither, &neither]));
        assert!(refutes(Not(Box::new(Eventually(p()))), &[&neither, &only_p]));
        assert!(refutes(Until(p(), q()), &[&only_p, &neither]));
        assert!(!refutes(Until(p(), q()), &[&only_p, &only_p]));
        assert!(refutes(Not(Box::new(Until(p(), q()))), &[&only_p, &only_q]));
        assert!(!refutes(LeadsTo(p(), q()), &[&only_p, &neither]));
        assert!(refutes(Next(p()), &[&only_p, &neither]));
        assert!(!refutes(Next(p()), &[&only_p]));
    }
}

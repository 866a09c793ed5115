//! Random formulas on random words, compared with what they mean.

use map_ir::StateAtom;

use super::{Letter, Obligations, Rest};
use crate::claim::{Side, StatePredicate};
use crate::past::looking_ahead;
use crate::safety::{Happened, Safety};

/// Different claims; what they say does not matter here.
fn claims() -> Vec<StatePredicate> {
    let compared = StatePredicate::Compare(Side::Nothing, map_ir::Comparison::Less, Side::Nothing);
    vec![StatePredicate::State(StateAtom::Ended), compared]
}

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn literal(&mut self) -> Safety {
        Safety::Now(claims().remove(self.below(2)), self.below(2) == 0)
    }

    fn moment(&mut self) -> Safety {
        let parts = (0..=self.below(2)).map(|_| self.literal()).collect();
        if self.below(2) == 0 { Safety::And(parts) } else { Safety::Or(parts) }
    }

    fn formula(&mut self, depth: usize) -> Safety {
        if depth == 0 {
            return self.literal();
        }
        let parts = |it: &mut Self| (0..=it.below(2)).map(|_| it.formula(depth - 1)).collect();
        match self.below(6) {
            0 => Safety::And(parts(self)),
            1 => Safety::Or(parts(self)),
            2 => self.formula(depth - 1).next(),
            3 => self.formula(depth - 1).always(),
            _ => {
                let left = self.formula(depth - 1);
                left.unless(self.formula(depth - 1))
            }
        }
    }

    /// `always` of something that looks back.
    fn looking_back(&mut self) -> Safety {
        let happened = Happened {
            what: Box::new(self.moment()),
            times: 1 + self.below(3),
            now_counts: self.below(2) == 0,
        };
        // `before` does not count.
        let times = if happened.now_counts { happened.times } else { 1 };
        let past = Safety::Past { happened: Happened { times, ..happened }, holds: self.below(2) == 0 };
        match self.below(4) {
            0 => past.always(),
            1 => Safety::Or(vec![past, self.formula(1)]).always(),
            _ => Safety::Or(vec![self.literal(), past]).always(),
        }
    }

    fn word(&mut self) -> Word {
        let known = |it: &mut Self| -> Letter { (0..2).map(|_| Some(it.below(2) == 0)).collect() };
        let letters: Vec<Letter> = (0..=1 + self.below(5)).map(|_| known(self)).collect();
        let again = self.below(letters.len());
        Word { letters, again }
    }
}

/// Letters that go on with the one at `again` behind the last one.
struct Word {
    letters: Vec<Letter>,
    again: usize,
}

/// How many moments a word is looked at for.
const LONG: usize = 40;

impl Word {
    fn number(&self, moment: usize) -> usize {
        let count = self.letters.len();
        if moment < count { moment } else { self.again + (moment - count) % (count - self.again) }
    }

    fn holds(&self, formula: &Safety, moment: usize) -> bool {
        match formula {
            Safety::Now(claim, holds) => {
                let place = claims().iter().position(|it| it == claim).expect("it is one of two");
                self.letters[self.number(moment)][place] == Some(*holds)
            }
            Safety::And(parts) => parts.iter().all(|it| self.holds(it, moment)),
            Safety::Or(parts) => parts.iter().any(|it| self.holds(it, moment)),
            Safety::Next(inner) => self.holds(inner, moment + 1),
            // Behind the first few moments the word has nothing new.
            Safety::Unless(left, right) => {
                let last = if moment == 0 { LONG } else { moment + self.letters.len() };
                let released = (moment..last).find(|&it| self.holds(right, it));
                (moment..released.unwrap_or(last)).all(|it| self.holds(left, it))
            }
            Safety::Past { happened: Happened { what, times, now_counts }, holds } => {
                let until = if *now_counts { moment + 1 } else { moment };
                let count = (0..until).filter(|&it| self.holds(what, it)).count();
                (count >= *times) == *holds
            }
            Safety::Every(_) | Safety::Liveness(_) => panic!("not drawn"),
        }
    }

    /// Whether no prefix refutes the formula; some letters may be unknown.
    fn keeps(&self, formula: &Safety, letters: &[Letter]) -> bool {
        let mut obligations = Obligations::new(formula, &claims());
        let mut state = 0;
        for moment in 0..LONG {
            let number = self.number(moment);
            match obligations.after(state, number, &letters[number]) {
                Rest::Broken => return false,
                Rest::Kept => return true,
                Rest::Open(next) => state = next,
            }
        }
        true
    }
}

#[test]
fn obligations_are_what_a_formula_means() {
    let (mut kept, mut broken, mut lost) = (0, 0, 0);
    for seed in 0..4_000 {
        let mut random = Random(seed);
        let looks_back = random.below(3) == 0;
        let formula = if looks_back { random.looking_back() } else { random.formula(3) };
        let followed = looking_ahead(formula.clone()).expect("it is `always` of one thing that happened");
        let taken_apart = followed.clone().conjuncts();
        for _ in 0..8 {
            let word = random.word();
            let holds = word.holds(&formula, 0);
            assert_eq!(word.keeps(&followed, &word.letters), holds, "seed {seed}: {formula:?}");
            let all_hold = taken_apart.iter().all(|it| word.keeps(it, &word.letters));
            assert_eq!(all_hold, holds, "seed {seed}: {formula:?} in parts");
            // What is not known is never taken for granted.
            let mut letters = word.letters.clone();
            letters.iter_mut().for_each(|it| it[random.below(2)] = None);
            let is_kept = word.keeps(&followed, &letters);
            assert!(holds || !is_kept, "seed {seed}: {formula:?}");
            lost += usize::from(holds && !is_kept);
            if holds { kept += 1 } else { broken += 1 }
        }
    }
    println!("{kept} kept, {broken} broken, {lost} not known");
    assert!(kept > 3_000 && broken > 3_000 && lost > 100);
}

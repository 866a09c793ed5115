//! Whether a run drawn by lot satisfies a formula with some probability, by getting rid of its operators one by one:
//! each moment is split into one at which `f until g` will hold and one at which it will not, unless only one of them
//! has any probability; runs drawn from the split moments are the same as before, and the until is a proposition of
//! them. (C. Courcoubetis and M. Yannakakis, "Verifying temporal properties of finite-state probabilistic programs",
//! FOCS 1988.)
//!
//! Faults may happen any finite number of times: there are two copies of each moment, one with faults ahead and one
//! without, and a run sooner or later gets from the first kind to the second.

use std::collections::BTreeMap;

use super::{Formula, Graph, Letter, Move};

/// Whether a run drawn by lot satisfies the formula with some probability. Every move is drawn with some probability,
/// except that a run stays where it is only if there is no other move but faults.
///
/// If `certain`, no move that is open is made, and only runs count that come to where there are none.
#[must_use]
pub fn drawn_run_satisfies(graph: &Graph, formula: &Formula, certain: bool) -> bool {
    let mut moments = Moments::new(graph, certain);
    let wanted = moments.hold(formula);
    moments.all.iter().zip(wanted).any(|(moment, holds)| moment.is_first && holds)
}

#[derive(Clone)]
struct Moment {
    is_first: bool,
    letter: Letter,
    /// Whether the operators that were got rid of hold here.
    settled: Vec<bool>,
    next: Vec<usize>,
}

struct Moments {
    all: Vec<Moment>,
    /// The operators that were got rid of.
    settled: Vec<Formula>,
}

/// A move, or none at the first moment, and whether faults are ahead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    made: Option<(usize, usize)>,
    faults: bool,
}

/// The moves of a state that are drawn again and again.
fn drawn(graph: &Graph, state: usize) -> Vec<(usize, &Move)> {
    let moves = graph.states[state].moves.iter().enumerate();
    let lucky: Vec<(usize, &Move)> = moves.filter(|(_, made)| !made.fault).collect();
    match lucky.len() {
        0 | 1 => lucky,
        _ => lucky.into_iter().filter(|(_, made)| made.agent.is_some() || made.target != state).collect(),
    }
}

/// For each state whether open moves may be drawn from it on.
fn doubtful(graph: &Graph) -> Vec<bool> {
    let mut doubtful = vec![false; graph.states.len()];
    loop {
        let before = doubtful.clone();
        for (state, doubtful) in doubtful.iter_mut().enumerate() {
            *doubtful |= drawn(graph, state).iter().any(|(_, made)| made.open || before[made.target]);
        }
        if doubtful == before {
            return doubtful;
        }
    }
}

impl Moments {
    fn new(graph: &Graph, certain: bool) -> Self {
        let doubtful = doubtful(graph);
        let first = Key { made: None, faults: true };
        let (mut numbers, mut keys) = (BTreeMap::from([(first, 0)]), vec![first]);
        let mut all: Vec<Moment> = Vec::new();
        while let Some(&key) = keys.get(all.len()) {
            let (state, letter) = match key.made {
                None => (0, &graph.first),
                Some((state, index)) => {
                    let made = &graph.states[state].moves[index];
                    (made.target, &made.letter)
                }
            };
            let mut next = Vec::new();
            let stays = |made: &Move| made.agent.is_none() && made.target == state;
            let drawn = drawn(graph, state);
            for (index, made) in graph.states[state].moves.iter().enumerate() {
                let is_drawn = drawn.iter().any(|(other, _)| *other == index);
                if key.faults && !stays(made) && !(certain && made.open) {
                    next.push(Key { made: Some((state, index)), faults: true });
                }
                let settles = !key.faults || !certain || !doubtful[state];
                if is_drawn && settles {
                    next.push(Key { made: Some((state, index)), faults: false });
                }
            }
            let mut number = |key: Key| {
                *numbers.entry(key).or_insert_with(|| {
                    keys.push(key);
                    keys.len() - 1
                })
            };
            let next = next.into_iter().map(&mut number).collect();
            let is_first = all.is_empty();
            all.push(Moment { is_first, letter: letter.clone(), settled: Vec::new(), next });
        }
        // A run does not stay for ever where faults are ahead.
        let calm: Vec<bool> = keys.iter().map(|key| !key.faults).collect();
        let mut moments = Self { all, settled: Vec::new() };
        let comes = moments.may_come(&vec![true; calm.len()], &calm);
        moments.keep(&comes);
        moments
    }

    /// For each moment whether a run may come through such moments to a wanted one.
    fn may_come(&self, through: &[bool], wanted: &[bool]) -> Vec<bool> {
        let mut may = wanted.to_vec();
        loop {
            let before = may.clone();
            for (number, moment) in self.all.iter().enumerate() {
                may[number] |= through[number] && moment.next.iter().any(|&next| before[next]);
            }
            if may == before {
                return may;
            }
        }
    }

    /// Drops the other moments.
    fn keep(&mut self, kept: &[bool]) {
        let mut count = 0;
        let numbers: Vec<Option<usize>> = kept
            .iter()
            .map(|kept| {
                kept.then(|| {
                    count += 1;
                    count - 1
                })
            })
            .collect();
        let all = std::mem::take(&mut self.all);
        self.all = all.into_iter().zip(kept).filter(|(_, kept)| **kept).map(|(moment, _)| moment).collect();
        for moment in &mut self.all {
            moment.next = moment.next.iter().filter_map(|&next| numbers[next]).collect();
        }
    }

    /// Whether the formula holds at each moment, after as many splits as it takes.
    fn hold(&mut self, formula: &Formula) -> Vec<bool> {
        match formula {
            Formula::True => vec![true; self.all.len()],
            Formula::Atom(atom) => self.all.iter().map(|moment| moment.letter.contains(atom)).collect(),
            Formula::Not(f) => self.hold(f).into_iter().map(|holds| !holds).collect(),
            Formula::And(f, g) => {
                self.settle(f);
                self.settle(g);
                let (f, g) = (self.hold(f), self.hold(g));
                f.into_iter().zip(g).map(|(f, g)| f && g).collect()
            }
            Formula::Next(_) | Formula::Until(..) => {
                self.settle(formula);
                let index = self.settled.iter().position(|known| known == formula).expect("it is settled");
                self.all.iter().map(|moment| moment.settled[index]).collect()
            }
        }
    }

    /// Gets rid of the operators of a formula, its parts first.
    fn settle(&mut self, formula: &Formula) {
        match formula {
            Formula::True | Formula::Atom(_) => {}
            Formula::Not(f) => self.settle(f),
            Formula::And(f, g) => {
                self.settle(f);
                self.settle(g);
            }
            _ if self.settled.contains(formula) => {}
            Formula::Next(f) => {
                self.settle(f);
                let holds = self.hold(f);
                let some = |wanted: bool| -> Vec<bool> {
                    self.all
                        .iter()
                        .map(|moment| moment.next.iter().any(|&next| holds[next] == wanted))
                        .collect()
                };
                let (yes, no) = (some(true), some(false));
                self.split(formula, (&yes, &no), |_, value, next, _| value == holds[next]);
            }
            Formula::Until(f, g) => {
                self.settle(f);
                self.settle(g);
                let (f, g) = (self.hold(f), self.hold(g));
                let goes_on: Vec<bool> = f.iter().zip(&g).map(|(f, g)| *f && !*g).collect();
                let yes = self.may_come(&goes_on, &g);
                let never: Vec<bool> = yes.iter().map(|may| !may).collect();
                let no = self.may_come(&goes_on, &never);
                self.split(formula, (&yes, &no), |number, value, _, next_value| {
                    !goes_on[number] || value == next_value
                });
            }
        }
    }

    /// Splits moments by whether an operator holds, which may be so or not with some probability. `follows` is given a
    /// moment and a next one, each with whether the operator holds there.
    fn split(
        &mut self,
        formula: &Formula,
        (yes, no): (&[bool], &[bool]),
        follows: impl Fn(usize, bool, usize, bool) -> bool,
    ) {
        let mut count = 0;
        let mut number = |exists: bool| {
            exists.then(|| {
                count += 1;
                count - 1
            })
        };
        // For each moment the numbers of its copies at which the operator holds and does not.
        let copies: Vec<[Option<usize>; 2]> =
            yes.iter().zip(no).map(|(&yes, &no)| [number(yes), number(no)]).collect();
        let split = self.all.iter().zip(&copies).enumerate().flat_map(|(number, (moment, [yes, no]))| {
            let values = [yes.map(|_| true), no.map(|_| false)].into_iter().flatten();
            let (copies, follows) = (&copies, &follows);
            values.map(move |value| {
                let nexts = moment.next.iter().flat_map(|&next| {
                    let [yes, no] = copies[next];
                    [(next, true, yes), (next, false, no)]
                });
                let kept = nexts.filter(|&(next, next_value, _)| follows(number, value, next, next_value));
                let mut settled = moment.settled.clone();
                settled.push(value);
                Moment { next: kept.filter_map(|(_, _, copy)| copy).collect(), settled, ..moment.clone() }
            })
        });
        let split: Vec<Moment> = split.collect();
        self.all = split;
        self.settled.push(formula.clone());
    }
}

//! [`Path`]: it takes every way once, and finds out whether the comparisons can leave no step whatever the answers.

use map_ir::{PerformativeId, PointId, ProcedureId, Symbol, Value};

use crate::{Choice, Choices, Look, Path};

/// The questions that an act may ask, one after the other.
#[derive(Clone, Debug)]
enum Tree {
    /// The end: true if it is without a step.
    End(bool),
    /// A decision: "no", then an answer.
    Answer(Box<[Tree; 2]>),
    /// A comparison: unequal, then equal.
    Equal(Box<[Tree; 2]>),
    /// An abstract address: nobody first.
    Recipients(Vec<Tree>),
}

use Tree::{Answer, End, Equal, Recipients};

const STEP: Tree = End(false);
const STUCK: Tree = End(true);

fn answer(no: Tree, yes: Tree) -> Tree {
    Answer(Box::new([no, yes]))
}

fn equal(unequal: Tree, equal: Tree) -> Tree {
    Equal(Box::new([unequal, equal]))
}

impl Tree {
    /// Takes one way; returns whether it ends without a step.
    fn walk(&self, path: &mut Path) -> bool {
        let point = PointId::new(0);
        let pairs = [(Value::Abstract(Symbol(0)), Value::Integer(1))];
        match self {
            End(stuck) => *stuck,
            Answer(next) => {
                let choice = Choice::Answer { point, procedure: ProcedureId::new(0), arguments: &[] };
                next[path.choose(&choice) as usize].walk(path)
            }
            Equal(next) => next[path.choose(&Choice::Equal { point, pairs: &pairs }) as usize].walk(path),
            Recipients(next) => {
                let (sets, address) = (vec![Vec::new(); next.len()], (None, None));
                let choice = Choice::Recipients { point, address, sets: &sets, options: next.len() as u32 };
                next[path.choose(&choice) as usize].walk(path)
            }
        }
    }

    /// By the definition: some outcome of every comparison, and all answers.
    fn may_vanish(&self) -> bool {
        match self {
            End(stuck) => *stuck,
            Answer(next) => next.iter().all(Self::may_vanish),
            Equal(next) => next.iter().any(Self::may_vanish),
            Recipients(next) => next.iter().any(Self::may_vanish),
        }
    }

    /// All ways in order, first options first.
    fn ways(&self) -> Vec<Vec<u32>> {
        let next: &[Self] = match self {
            End(_) => return vec![Vec::new()],
            Answer(next) | Equal(next) => &next[..],
            Recipients(next) => next,
        };
        let after = |(option, tree): (usize, &Self)| {
            tree.ways().into_iter().map(move |way| [vec![option as u32], way].concat())
        };
        next.iter().enumerate().flat_map(after).collect()
    }
}

/// All ways that a [`Path`] takes, and its final answer.
fn enumerate(tree: &Tree) -> (Vec<Vec<u32>>, bool) {
    let mut path = Path::default();
    let mut ways = Vec::new();
    loop {
        let stuck = tree.walk(&mut path);
        ways.push(path.options());
        if let Err(may_vanish) = path.advance(stuck) {
            return (ways, may_vanish);
        }
    }
}

#[track_caller]
fn assert_may_vanish(tree: &Tree, expected: bool) {
    assert_eq!(enumerate(tree), (tree.ways(), expected), "{tree:?}");
}

#[test]
fn without_questions_there_is_one_way() {
    assert_eq!(enumerate(&STEP), (vec![vec![]], false));
    assert_eq!(enumerate(&STUCK), (vec![vec![]], true));
}

#[test]
fn every_way_is_gone_once_in_order() {
    let (ways, _) = enumerate(&answer(equal(STEP, answer(STEP, STUCK)), Recipients(vec![STUCK, STEP, STEP])));
    assert_eq!(ways, [vec![0, 0], vec![0, 1, 0], vec![0, 1, 1], vec![1, 0], vec![1, 1], vec![1, 2]]);
}

#[test]
fn all_answers_must_be_stuck() {
    assert_may_vanish(&answer(STUCK, STUCK), true);
    assert_may_vanish(&answer(STUCK, STEP), false);
    assert_may_vanish(&answer(STEP, STUCK), false);
}

#[test]
fn one_outcome_of_a_comparison_suffices() {
    assert_may_vanish(&equal(STUCK, STEP), true);
    assert_may_vanish(&equal(STEP, STUCK), true);
    assert_may_vanish(&equal(STEP, STEP), false);
    assert_may_vanish(&Recipients(vec![STUCK, STEP, STEP]), true);
    assert_may_vanish(&Recipients(vec![STEP, STEP, STUCK]), true);
    assert_may_vanish(&Recipients(vec![STEP, STEP, STEP]), false);
}

#[test]
fn a_comparison_after_an_answer_is_settled_for_that_answer() {
    assert_may_vanish(&answer(equal(STUCK, STEP), equal(STEP, STUCK)), true);
    assert_may_vanish(&answer(equal(STUCK, STEP), STEP), false);
    assert_may_vanish(&answer(STUCK, equal(STEP, STEP)), false);
}

#[test]
fn an_answer_after_a_comparison_must_be_stuck_either_way() {
    assert_may_vanish(&equal(answer(STUCK, STEP), answer(STEP, STUCK)), false);
    assert_may_vanish(&equal(answer(STUCK, STUCK), STEP), true);
    assert_may_vanish(&equal(STEP, answer(STUCK, equal(STUCK, STEP))), true);
}

#[test]
fn all_small_trees_are_judged_by_the_definition() {
    let mut trees = vec![STEP, STUCK];
    for _ in 0..2 {
        let mut larger = vec![STEP, STUCK];
        for first in &trees {
            for second in &trees {
                larger.push(answer(first.clone(), second.clone()));
                larger.push(equal(first.clone(), second.clone()));
            }
        }
        larger.push(Recipients(trees.clone()));
        trees = larger;
    }
    assert!(trees.len() > 200);
    for tree in &trees {
        assert_may_vanish(tree, tree.may_vanish());
    }
}

#[test]
fn only_comparisons_and_addresses_are_open_comparisons() {
    let compared = |tree: &Tree| {
        let mut path = Path::default();
        tree.walk(&mut path);
        path.compared()
    };
    assert!(!compared(&STEP));
    assert!(!compared(&answer(STEP, equal(STEP, STEP))), "the comparison lies on the other way");
    assert!(compared(&answer(equal(STEP, STEP), STEP)));
    assert!(compared(&Recipients(vec![STEP, STEP])));
}

#[test]
fn a_path_notes_how_far_receives_look_when_that_is_further() {
    let look = |performative, last| Look { performative: PerformativeId::new(performative), last };
    let mut path = Path::default();
    let all = [
        look(0, Some(2)),
        look(0, Some(1)),
        look(1, None),
        look(0, Some(4)),
        look(1, Some(7)),
        look(0, None),
    ];
    all.into_iter().for_each(|it| path.look(it));
    assert_eq!(path.looks, [look(0, Some(2)), look(1, None), look(0, Some(4)), look(0, None)]);
}

//! Known automata, and limits. The semantics of formulas is tested in the workspace's `tests/comparisons/ltl.rs`.

use crate::{Automaton, Effort, FormulaId, Formulas, Polarity, TooLarge, translate};

fn automaton(write: impl Fn(&mut Formulas) -> FormulaId) -> Automaton {
    let mut formulas = Formulas::default();
    let id = write(&mut formulas);
    translate(&formulas, id, Polarity::Positive, Effort::default()).expect("a small formula")
}

/// States, edges and acceptance conditions.
fn size(write: impl Fn(&mut Formulas) -> FormulaId) -> (usize, usize, u32) {
    let automaton = automaton(write);
    (automaton.len(), automaton.edge_count(), automaton.conditions())
}

#[test]
fn automata_are_as_small_as_one_would_draw_them() {
    let always = size(|f| {
        let p = f.atom(0);
        f.always(p)
    });
    assert_eq!(always, (1, 1, 0), "always p");
    let until = size(|f| {
        let (p, q) = (f.atom(0), f.atom(1));
        f.until(p, q)
    });
    assert_eq!(until, (2, 3, 1), "p until q: p, then q, then anything");
    let again_and_again = size(|f| {
        let p = f.atom(0);
        let later = f.eventually(p);
        f.always(later)
    });
    assert_eq!(again_and_again, (1, 2, 1), "always eventually p: one state, p is marked");
    let in_the_end = size(|f| {
        let p = f.atom(0);
        let for_ever = f.always(p);
        f.eventually(for_ever)
    });
    assert_eq!(in_the_end, (2, 3, 1), "eventually always p");
    let leads_to = size(|f| {
        let (p, q) = (f.atom(0), f.atom(1));
        f.leads_to(p, q)
    });
    assert_eq!(leads_to.0, 2, "p leadsto q: nothing is owed, or q is");
}

#[test]
fn conditions_are_met_independently() {
    // always eventually p0, .. p5 at once: one state in which every set of them may be met.
    let many = size(|f| {
        let each: Vec<FormulaId> = (0..6)
            .map(|atom| {
                let atom = f.atom(atom);
                let later = f.eventually(atom);
                f.always(later)
            })
            .collect();
        f.all(&each)
    });
    assert_eq!(many, (1, 64, 6));
}

#[test]
fn contradictions_have_no_words() {
    let never = automaton(|f| {
        let p = f.atom(0);
        let not = f.not(p);
        let (always, later) = (f.always(p), f.eventually(not));
        f.and(always, later)
    });
    assert!(never.is_empty());
    assert!(automaton(Formulas::falsity).is_empty());
    assert!(!automaton(Formulas::truth).is_empty());
}

#[test]
fn one_condition_takes_a_copy_for_each() {
    let both = automaton(|f| {
        let (p, q) = (f.atom(0), f.atom(1));
        let (p, q) = (f.eventually(p), f.eventually(q));
        let (p, q) = (f.always(p), f.always(q));
        f.and(p, q)
    });
    assert_eq!((both.len(), both.conditions()), (1, 2));
    let buchi = both.degeneralised();
    assert_eq!(buchi.states.len(), 3, "waiting for the first, for the second, both met");
    assert_eq!(buchi.states.iter().filter(|state| state.accepting).count(), 1);
}

fn too_large(write: impl Fn(&mut Formulas) -> FormulaId) -> Option<TooLarge> {
    let mut formulas = Formulas::default();
    let id = write(&mut formulas);
    translate(&formulas, id, Polarity::Positive, Effort::default()).err()
}

#[test]
fn what_grows_beyond_all_bounds_is_refused() {
    let nested = |depth: usize| {
        move |f: &mut Formulas| {
            let mut id = f.atom(0);
            for level in 0..depth {
                let atom = f.atom(level as u32 % 7);
                id = if level % 2 == 0 { f.until(id, atom) } else { f.release(atom, id) };
            }
            id
        }
    };
    assert_eq!(too_large(nested(1_001)), Some(TooLarge::Depth));
    assert!(matches!(too_large(nested(300)), Some(TooLarge::Effort | TooLarge::Obligations)));
    let propositions = |f: &mut Formulas| {
        let atoms: Vec<FormulaId> = (0..129).map(|atom| f.atom(atom)).collect();
        f.all(&atoms)
    };
    assert_eq!(too_large(propositions), Some(TooLarge::Propositions));
    // The states must remember which of thirty have been met.
    let met = |f: &mut Formulas| {
        let each: Vec<FormulaId> = (0..30)
            .map(|atom| {
                let atom = f.atom(atom);
                f.eventually(atom)
            })
            .collect();
        f.all(&each)
    };
    assert_eq!(too_large(met), Some(TooLarge::Effort));
}

#[test]
fn nesting_needs_no_deep_stack() {
    let work = || {
        let mut formulas = Formulas::default();
        let mut id = formulas.atom(0);
        for level in 0..900 {
            id = match level % 3 {
                0 => formulas.next(id),
                1 => formulas.always(id),
                _ => {
                    let atom = formulas.atom(1 + level % 5);
                    formulas.and(id, atom)
                }
            };
        }
        translate(&formulas, id, Polarity::Negated, Effort::default()).is_ok()
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread");
    thread.join().expect("the stack is deep enough");
}

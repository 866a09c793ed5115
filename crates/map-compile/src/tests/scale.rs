//! Long chains are not nesting: nothing may recurse along them. Tests run on threads with 2 MiB of stack.

use super::{body, compiled};

const LONG: usize = 100_000;

fn chain(word: &str, op: impl Fn(usize) -> String) -> String {
    (0..LONG).map(op).collect::<Vec<_>>().join(word)
}

#[test]
fn long_sequences() {
    let compiled = body(&chain(" then ", |_| "skip".to_owned()));
    assert_eq!(compiled.program.clauses[0].points.len(), LONG);
    assert!(!compiled.program.clauses[0].can_fail);
}

#[test]
fn long_choices() {
    let compiled = body(&chain(" or ", |number| format!("$x{number} = p()")));
    assert_eq!(compiled.program.regions.len(), LONG);
    assert_eq!(
        compiled.program.slot_sets.len(),
        LONG,
        "the empty set and one for all alternatives but the last"
    );
    assert!(compiled.program.clauses[0].can_fail);
}

#[test]
fn long_pars() {
    let compiled = body(&chain(" par ", |_| "agent(q)".to_owned()));
    assert_eq!(compiled.program.clauses[0].points.len(), LONG + 1);
    assert!(!compiled.program.clauses[0].can_fail);
}

#[test]
fn long_sequences_of_bindings_in_an_alternative() {
    let compiled = body(&(chain(" then ", |number| format!("$x{number} = p()")) + " or skip"));
    assert_eq!(compiled.program.slot_sets.iter().map(Vec::len).max(), Some(LONG));
}

#[test]
fn long_chains_inside_a_waitfor() {
    let receives = chain(" or ", |number| format!("m({number}) <= agent(_, %b)"));
    let compiled = body(&format!("waitfor ({receives}) timeout skip"));
    assert_eq!(compiled.program.clauses[0].points.len(), LONG + 2);
}

#[test]
fn long_circles_of_calls() {
    const CLAUSES: usize = 1_000;
    let clauses: Vec<String> = (0..CLAUSES)
        .map(|number| format!("agent(!A, %a, {number}) = agent({})\n", (number + 1) % CLAUSES))
        .collect();
    let compiled = compiled(&format!("s[ agent(!A, %a) = agent(0)\n {} ]", clauses.concat()));
    assert!(compiled.program.clauses.iter().all(|clause| !clause.can_fail));
}

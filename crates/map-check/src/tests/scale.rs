//! The time to check long chains and wide files is linear in their size.

use super::{assert_errors, assert_errors_with, body, with_checked};

const MANY: usize = 100_000;

fn chain(link: impl Fn(usize) -> String, joint: &str) -> String {
    (0..MANY).map(link).collect::<Vec<_>>().join(joint)
}

#[test]
fn long_chains_of_alternatives_with_variables_of_their_own() {
    let text = body(&chain(|index| format!("$x{index} = p()"), " or "));
    assert_eq!(with_checked("", &text, |checked| checked.occurrences.len()), MANY + 1);
}

#[test]
fn long_chains_of_steps_and_sides() {
    for joint in [" then ", " par "] {
        let text = body(&chain(|index| format!("$x{index} = p()"), joint));
        assert_eq!(with_checked("", &text, |checked| checked.occurrences.len()), MANY + 1);
    }
}

#[test]
fn deep_nesting_of_long_chains() {
    let mut text = chain(|index| format!("$x{index} = p()"), " then ");
    for _ in 0..90 {
        text = format!("(skip then {text} or fail)");
    }
    assert_errors(&body(&text), &[]);
}

#[test]
fn many_clauses_calling_each_other() {
    let clauses = chain(|index| format!("agent($x, %a, {index}) = agent({})", (index + 1) % MANY), "\n");
    assert_errors(&format!("s[ agent($x, %a) = agent(0)\n{clauses} ]"), &[]);
}

#[test]
fn many_roles_casts_and_errors() {
    let clauses = chain(
        |index| format!("agent($x, %role{index}x) = m() => agent(!Role{index}x2, %rolf{index}x)"),
        "\n",
    );
    let casts = chain(|index| format!("cast %role{index}x = 2"), "\n");
    let text = format!("s[ {clauses} ]\n{casts}");
    let (_, file) = super::parsed(&text);
    let (checked, errors) = crate::check(&file, &super::options(""));
    assert!(checked.is_none());
    assert_eq!(errors.len(), MANY);
}

#[test]
fn many_agents_of_one_name_and_variables_never_bound() {
    let text = format!("s[ {} ]", chain(|index| format!("agent(!A, %r{index}) = skip"), "\n"));
    let (_, file) = super::parsed(&text);
    assert_eq!(crate::check(&file, &super::options("")).1.len(), MANY - 1);
    let text = body(&chain(|index| format!("m($x{index}) => agent(_, %b)"), " or "));
    let (_, file) = super::parsed(&text);
    assert_eq!(crate::check(&file, &super::options("")).1.len(), MANY);
}

#[test]
fn many_scenes_with_a_million_agents_each() {
    let scenes = (0..1000).map(|index| format!("s{index}[ agent($x, %a) = m() => agent(!A500000, %a) ]\n"));
    let text = format!("{}cast %a = 1000000", scenes.collect::<String>());
    assert_errors_with("", &text, &[]);
}

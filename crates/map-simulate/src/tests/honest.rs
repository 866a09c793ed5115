//! What honest agents answer.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use map_ir::{Program, Value};
use map_semantics::{Action, RunErrorKind};

use super::{BOUNDS, program};
use crate::{NoHonestAnswer, Run, RunEnd, SimulationOptions, first, repeat, seed_of_run, simulate};

fn options(truthful: bool, seed: u64) -> SimulationOptions {
    SimulationOptions { seed, yes: 0.5, yes_of: Vec::new(), truthful, max_steps: 1000, loss: 0.0, crash: 0.0 }
}

/// The answers of a procedure in many runs; those that it refuses are not seen.
fn answers(program: &Program, truthful: bool, name: &str) -> BTreeSet<(Vec<Value>, Value)> {
    let mut found = BTreeSet::new();
    for number in 0..200 {
        simulate(program, &BOUNDS, &options(truthful, seed_of_run(1, number)), &mut |seen| {
            if let Some(Action::Ask { point, arguments, answer, .. }) = &seen.observed.outcome.action
                && let map_ir::PointKind::Ask { procedure, .. } = program.point(*point).kind
                && program.procedure(procedure).name == name
            {
                found.insert((arguments.clone(), *answer));
            }
            ControlFlow::Continue(())
        });
    }
    found
}

/// Pairs of an argument and an answer, both integers.
fn pairs(all: &[(i64, i64)]) -> BTreeSet<(Vec<Value>, Value)> {
    all.iter().map(|&(argument, answer)| (vec![Value::Integer(argument)], Value::Integer(answer))).collect()
}

fn end(text: &str) -> Run {
    simulate(&program(text), &BOUNDS, &options(true, 1), &mut |_| ControlFlow::Continue(()))
}

const BIDS: &str = "procedure worth() in 0..3
    decision bid($worth) in 1..3
    truth bid($v) | $v > 0 = $v
    s[ agent(!A, %a) = $w = worth() then ($b = bid($w) or skip) ]";

#[test]
fn a_domain_is_answered_by_the_truth() {
    let program = program(BIDS);
    let all: Vec<(i64, i64)> = (0..4).flat_map(|worth| (1..4).map(move |bid| (worth, bid))).collect();
    assert_eq!(answers(&program, false, "bid"), pairs(&all));
    assert_eq!(answers(&program, true, "bid"), pairs(&[(1, 1), (2, 2), (3, 3)]));
}

#[test]
fn what_has_no_body_is_answered_by_the_truth() {
    let program = program(
        "memory %a { @least in 2..3 } procedure ask($x) decision accept($x)
         truth accept($x) | $x >= @least = yes truth ask($x) = $x + @least
         s[ agent(!A, %a) = $p = ask(1) then (accept($p) or $q = accept(1) or skip) ]",
    );
    assert_eq!(answers(&program, true, "ask"), pairs(&[(1, 3), (1, 4)]));
    let accepted = answers(&program, true, "accept");
    assert_eq!(accepted.len(), 2, "never 1: {accepted:?}");
}

#[test]
fn the_domain_of_an_alternative_is_answered_by_the_truth() {
    let program = program(
        "procedure worth() in 1..3
         procedure bid($worth) | $worth > 1 = in 1..3 = in {0, 9}
         truth bid($v) | $v > 1 = $v = in {0, 9}
         s[ agent(!A, %a) = $w = worth() then $b = bid($w) ]",
    );
    assert_eq!(answers(&program, true, "bid"), pairs(&[(1, 0), (1, 9), (2, 2), (3, 3)]));
}

#[test]
fn runs_of_honest_agents_are_repeated() {
    let program = program(BIDS);
    for seed in 1..40 {
        let mut steps = Vec::new();
        let run = simulate(&program, &BOUNDS, &options(true, seed), &mut |seen| {
            steps.push(seen.step.clone());
            ControlFlow::Continue(())
        });
        let mut again = first(&program, &BOUNDS, run.initial.clone());
        let taken =
            repeat(&program, &BOUNDS, &mut again, &steps, &run.values, &mut |_| ControlFlow::Continue(()));
        assert_eq!((taken, again.state), (Ok(()), run.state));
    }
}

#[test]
fn a_truth_that_is_no_answer_ends_the_run() {
    let bid = |truth: &str| {
        let text = format!("procedure bid($v) in 1..3 {truth} s[ agent(!A, %a) = $b = bid(2) ]");
        let run = end(&text);
        let RunEnd::NoHonestAnswer(_, _, why) = run.end else { panic!("{text}: {:?}", run.end) };
        assert_eq!(run.steps, 0);
        why
    };
    assert_eq!(bid("truth bid($v) = $v * 2"), NoHonestAnswer::Outside(Value::Integer(4)));
    for (truth, kind) in [
        ("truth bid($v) = 1 / ($v - 2)", RunErrorKind::DivisionByZero),
        ("truth bid($v) = $v * 9223372036854775807", RunErrorKind::Overflow),
    ] {
        let NoHonestAnswer::Error(error) = bid(truth) else { panic!("{truth}") };
        assert_eq!(error.kind, kind);
    }
    let unknown = end("procedure worth() procedure bid($v) in 1..3 truth bid($v) = if $v > 1 then 2 else 1
         s[ agent(!A, %a) = $w = worth() then $b = bid($w) ]");
    assert!(
        matches!(unknown.end, RunEnd::NoHonestAnswer(_, _, NoHonestAnswer::Unknown)),
        "{:?}",
        unknown.end
    );
    let no = end("decision bid($v) | $v > 1 = in 1..3 truth bid($v) | $v > 5 = 1
         s[ agent(!A, %a) = ($b = bid(2)) or skip ]");
    assert!(matches!(no.end, RunEnd::NoHonestAnswer(_, _, NoHonestAnswer::No)), "{:?}", no.end);
}

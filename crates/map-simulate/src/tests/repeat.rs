//! Replaying runs step by step gives the same states and ends; impossible steps are refused with a reason.

use std::ops::ControlFlow;

use map_ir::AgentId;
use map_semantics::{BoundHit, Bounds, Network, NoStep, Step, Timeouts, Turn};

use super::{AUCTION, BOUNDS, program};
use crate::{Impossible, Run, RunEnd, SimulationOptions, first, go_on, repeat, simulate};

/// Memory, domains, a run error, open comparisons, a `par` and timeouts.
const SCENE: &str = "memory %a { @n = 0 }
    procedure count() = @n with @n := @n + 1
    procedure pick() in 1..4
    procedure over($x) = 6 / ($x - 4)
    s[ agent(!A, %a) = $n = count() then $p = pick() then $q = over($p) then m($q) => agent(!B, %b)
                       then (waitfor (r($x) <= agent(_, _) then agent(is, $x)) timeout agent())
       agent(!A, %a, is, 3) = skip
       agent(!A, %a, is, $x) = $y = p() then m($y) => agent(!B, %b) then agent()
       agent(!B, %b) = waitfor (m($x) <= agent($a, %a) then (r($x) => agent($a, %a) par $z = p()) then agent())
                       timeout (skip) ]";

fn drawn(text: &str, bounds: &Bounds, seed: u64) -> (Run, Vec<Step>) {
    let options = SimulationOptions {
        seed,
        yes: 0.6,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 300,
        loss: 0.2,
        crash: 0.05,
    };
    let mut steps = Vec::new();
    let run = simulate(&program(text), bounds, &options, &mut |seen| {
        steps.push(seen.step.clone());
        ControlFlow::Continue(())
    });
    (run, steps)
}

#[test]
fn a_run_that_is_repeated_comes_to_the_same() {
    let mut kinds = [0; 4];
    for (text, timeouts) in
        [AUCTION, SCENE].into_iter().flat_map(|it| [(it, Timeouts::Quiescent), (it, Timeouts::Any)])
    {
        let program = program(text);
        for network in [Network::INSTANT, Network { unordered: true, delayed: true, losses: 2, crashes: 1 }] {
            let bounds = Bounds { timeouts, network, ..BOUNDS };
            for seed in 0..40 {
                let (run, steps) = drawn(text, &bounds, seed);
                let mut again = first(&program, &bounds, Vec::new());
                let mut numbers = Vec::new();
                let result = repeat(&program, &bounds, &mut again, &steps, &[], &mut |seen| {
                    numbers.push(seen.number);
                    kinds[seen.step.turn as usize] += 1;
                    ControlFlow::Continue(())
                });
                assert_eq!(result, Ok(()), "seed {seed}");
                assert_eq!(numbers, (1..=run.steps).collect::<Vec<_>>());
                assert_eq!(again.state, run.state, "seed {seed}");
                assert_eq!((again.unread, again.last_step), (run.unread, run.last_step));
                match run.end {
                    RunEnd::Wrong(..) => assert_eq!(again.end, run.end),
                    _ => assert_eq!(again.end, RunEnd::Stopped),
                }
            }
        }
    }
    assert!(kinds.iter().all(|&kind| kind > 50), "acts, timeouts, crashes, arrivals: {kinds:?}");
}

#[test]
fn a_run_may_be_taken_on_in_pieces() {
    let program = program(AUCTION);
    let options = SimulationOptions {
        seed: 3,
        yes: 0.8,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 7,
        loss: 0.0,
        crash: 0.0,
    };
    let mut run = first(&program, &BOUNDS, Vec::new());
    let mut steps = Vec::new();
    for max_steps in [7, 7, 20, 1000] {
        let options = SimulationOptions { max_steps, ..options.clone() };
        go_on(&program, &BOUNDS, &options, &mut run, &mut |seen| {
            assert_eq!(seen.number, steps.len() as u64 + 1);
            steps.push(seen.step.clone());
            ControlFlow::Continue(())
        });
        assert!(run.steps <= max_steps);
    }
    assert_eq!(run.end, RunEnd::Ended);
    let mut again = first(&program, &BOUNDS, Vec::new());
    assert_eq!(
        repeat(&program, &BOUNDS, &mut again, &steps, &[], &mut |_| ControlFlow::Continue(())),
        Ok(())
    );
    assert_eq!(again.state, run.state);
}

#[test]
fn steps_that_are_not_possible() {
    let program = program(
        "s[ agent(!A, %a) = ($x = p() then agent()) or skip agent(!B, %b) = waitfor m() <= agent(_, _) timeout skip ]",
    );
    let step = |agent, thread, turn, options: &[u32]| Step {
        agent: AgentId::new(agent),
        thread,
        turn,
        options: options.to_vec(),
    };
    let bounds = Bounds { rounds: Some(0), ..BOUNDS };
    for (wrong, why) in [
        (step(2, 0, Turn::Act, &[]), NoStep::NoAgent),
        (step(0, 1, Turn::Act, &[]), NoStep::NoThread),
        (step(1, 0, Turn::Timeout, &[]), NoStep::NoTimeout),
        (step(0, 0, Turn::Timeout, &[]), NoStep::NoTimeout),
        (step(0, 0, Turn::Act, &[]), NoStep::Options),
        (step(0, 0, Turn::Act, &[2, 0]), NoStep::Options),
        (step(0, 0, Turn::Act, &[3]), NoStep::Options),
        (step(0, 0, Turn::Act, &[1, 0]), NoStep::Options),
        (step(0, 0, Turn::Act, &[1]), NoStep::Cut(BoundHit::Rounds)),
        (step(1, 0, Turn::Act, &[]), NoStep::Nothing),
        (step(0, 0, Turn::Crash, &[]), NoStep::Nothing),
    ] {
        let mut run = first(&program, &bounds, Vec::new());
        let before = run.state.clone();
        let result = repeat(&program, &bounds, &mut run, [&wrong], &[], &mut |_| ControlFlow::Continue(()));
        assert_eq!((result, run.steps), (Err((0, Impossible::NoStep(why))), 0), "{wrong:?}");
        assert_eq!(run.state, before);
    }
}

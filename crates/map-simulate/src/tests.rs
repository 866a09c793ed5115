//! The simulator on small scenes: what it draws, how runs end, and pinned sequences.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use map_check::CheckOptions;
use map_diagnostics::SourceFile;
use map_ir::Program;
use map_semantics::{Action, BoundHit, Bounds, StepError, Turn};

use crate::{Random, Run, RunEnd, SimulationOptions, simulate};

pub(crate) const BOUNDS: Bounds = Bounds::USUAL;

#[track_caller]
pub(crate) fn program(text: &str) -> Program {
    let source = SourceFile::new("test.map", text);
    let parsed = map_syntax::parse(&source);
    assert!(parsed.diagnostics.is_empty(), "{:#?}", parsed.diagnostics);
    let (checked, diagnostics) = map_check::check(&parsed.file, &CheckOptions::default());
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    map_compile::compile(&checked.unwrap())
}

fn run_with(program: &Program, bounds: &Bounds, options: &SimulationOptions) -> (Run, String) {
    let mut text = String::new();
    let run = simulate(program, bounds, options, &mut |seen| {
        let at = program.agent_name(seen.step.agent);
        writeln!(text, "{} {at} {} {:?}", seen.number, seen.observed.outcome.kind.word(), seen.step.options)
            .unwrap();
        ControlFlow::Continue(())
    });
    (run, text)
}

fn run(text: &str, seed: u64, yes: f64) -> Run {
    run_with(
        &program(text),
        &BOUNDS,
        &SimulationOptions {
            seed,
            yes,
            yes_of: Vec::new(),
            truthful: false,
            max_steps: 1000,
            loss: 0.0,
            crash: 0.0,
        },
    )
    .0
}

#[test]
fn the_generator_is_the_published_one() {
    let golden = [
        (0, [0x99ec_5f36_cb75_f2b4_u64, 0xbf6e_1f78_4956_452a, 0x1a5f_849d_4933_e6e0, 0x6aa5_94f1_262d_2d2c]),
        (1, [0xb3f2_af6d_0fc7_10c5, 0x853b_5596_4736_4cea, 0x92f8_9756_082a_4514, 0x642e_1c7b_c266_a3a7]),
        (
            0xdead_beef,
            [0xc555_5444_a74d_7e83, 0x65c3_0d37_b4b1_6e38, 0x54f7_7320_0a4e_fa23, 0x429a_ed75_fb95_8af7],
        ),
    ];
    for (seed, expected) in golden {
        let mut random = Random::from_seed(seed);
        assert_eq!(expected.map(|_| random.next_u64()), expected, "seed {seed}");
    }
}

#[test]
fn samplers_are_pinned() {
    let mut random = Random::from_seed(42);
    let dice: Vec<u64> = (0..20).map(|_| random.below(6)).collect();
    assert_eq!(dice, [0, 2, 4, 5, 5, 4, 4, 5, 4, 3, 4, 1, 4, 1, 4, 5, 3, 5, 4, 4]);

    // Nearly half of all draws are rejected here.
    let mut random = Random::from_seed(42);
    let large: Vec<u64> = (0..4).map(|_| random.below((1 << 63) + 1)).collect();
    assert_eq!(
        large,
        [
            9_147_776_489_032_658_738,
            7_099_593_415_032_875_292,
            6_633_989_454_467_100_377,
            7_022_439_175_346_172_479
        ]
    );

    let mut random = Random::from_seed(7);
    let coins: String = (0..40).map(|_| if random.chance(0.3) { '1' } else { '0' }).collect();
    assert_eq!(coins, "0100001101000000101110010110101100000000");
}

#[test]
fn probabilities_zero_and_one_are_certain() {
    let mut random = Random::from_seed(3);
    assert!((0..1000).all(|_| !random.chance(0.0)));
    assert!((0..1000).all(|_| random.chance(1.0)));
}

pub(crate) const AUCTION: &str = include_str!("../../../protocols/english-auction/auction.map");

#[test]
fn one_seed_one_run() {
    let program = program(AUCTION);
    for seed in 0..20 {
        let options = SimulationOptions {
            seed,
            yes: 0.5,
            yes_of: Vec::new(),
            truthful: false,
            max_steps: 500,
            loss: 0.0,
            crash: 0.0,
        };
        let (first, text) = run_with(&program, &BOUNDS, &options);
        let (second, again) = run_with(&program, &BOUNDS, &options);
        assert_eq!(text, again);
        assert_eq!((first.end, first.steps), (second.end, second.steps));
        assert_eq!(first.end, RunEnd::Ended);
        assert!(!first.some_failed());
    }
}

#[test]
fn every_step_is_one_of_the_enumerated_ones() {
    let program = program(AUCTION);
    let options = SimulationOptions {
        seed: 5,
        yes: 0.8,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 300,
        loss: 0.0,
        crash: 0.0,
    };
    simulate(&program, &BOUNDS, &options, &mut |seen| {
        let steps = map_semantics::agent_steps(&program, &BOUNDS, seen.step.agent, seen.before);
        let thread = &steps.threads[seen.step.thread];
        let all = if seen.step.turn == Turn::Timeout { &thread.timeouts } else { &thread.acts };
        assert!(
            all.iter()
                .any(|it| it.options == seen.step.options && it.outcome.kind == seen.observed.outcome.kind)
        );
        ControlFlow::Continue(())
    });
}

#[test]
fn threads_are_drawn_evenly() {
    let program = program(
        "s[ agent(!A, %a) = agent(loop) agent(!A, %a, loop) = $x = p() then agent(loop)
            agent(!B, %b) = agent(loop) agent(!B, %b, loop) = $x = p() then agent(loop) ]
         ",
    );
    let mut first = 0;
    let options = SimulationOptions {
        seed: 1,
        yes: 1.0,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 10_000,
        loss: 0.0,
        crash: 0.0,
    };
    let run = simulate(&program, &BOUNDS, &options, &mut |seen| {
        first += u32::from(seen.step.agent.index() == 0);
        ControlFlow::Continue(())
    });
    assert_eq!(run.end, RunEnd::MaxSteps);
    assert!((4_800..5_200).contains(&first), "{first} of 10000");
}

#[test]
fn a_poll_without_hope_ends_the_run() {
    let text = "s[ agent(!A, %a) = waitfor $x = p() ]";
    assert_eq!(run(text, 1, 0.0).end, RunEnd::AskedInVain);
    let run = run(text, 1, 0.01);
    assert_eq!((run.end, run.steps), (RunEnd::Ended, 1));
}

#[test]
fn a_timeout_beats_a_poll_without_hope() {
    let run = run("s[ agent(!A, %a) = waitfor ($x = p()) timeout (skip) ]", 1, 0.0);
    assert_eq!((run.end, run.steps), (RunEnd::Ended, 1));
}

#[test]
fn a_deadlock_is_no_step() {
    let run = run("s[ agent(!A, %a) = waitfor m() <= agent(_, %b) agent(!B, %b) = skip ]", 1, 0.5);
    assert_eq!((run.end, run.steps), (RunEnd::NothingMoves, 0));
}

#[test]
fn after_a_failure_the_others_go_on() {
    let text = "s[ agent(!A, %a) = fail agent(!B, %b) = m() => agent(!A, %a) then m() => agent(!A, %a) ]";
    let run = run(text, 1, 0.5);
    assert_eq!((run.end, run.steps), (RunEnd::Ended, 2));
    assert!(run.some_failed());
    assert_eq!(run.unread.values().sum::<u64>(), 2);
}

#[test]
fn overflow_and_runaway_end_it() {
    let text = "s[ agent(!A, %a) = agent(loop) agent(!A, %a, loop) = m() => agent(!B, %b) then agent(loop)
                   agent(!B, %b) = waitfor n() <= agent(_, %a) ]";
    let run = run(text, 1, 0.5);
    assert!(matches!(run.end, RunEnd::Wrong(_, StepError::Overflow(_))));
    assert_eq!(run.steps, 51);

    let text = "s[ agent(!A, %a) = $x = p() then agent(loop) agent(!A, %a, loop) = agent(loop) ]";
    let run = self::run(text, 1, 1.0);
    assert!(matches!(run.end, RunEnd::Wrong(_, StepError::Runaway(_))));

    let run = self::run("s[ agent(!A, %a) = agent(loop) agent(!A, %a, loop) = agent(loop) ]", 1, 1.0);
    assert!(matches!(run.end, RunEnd::Wrong(_, StepError::Runaway(_))));
    assert!(run.state.is_none());
}

#[test]
fn bounds_cut() {
    let text = "s[ agent(!A, %a) = agent(loop) agent(!A, %a, loop) = $x = p() then agent(loop) ]";
    let bounds = Bounds { rounds: Some(3), ..BOUNDS };
    let options = SimulationOptions {
        seed: 1,
        yes: 1.0,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 100,
        loss: 0.0,
        crash: 0.0,
    };
    let (run, _) = run_with(&program(text), &bounds, &options);
    assert_eq!(run.end, RunEnd::Cut(BoundHit::Rounds));
    assert_eq!(run.steps, 2);
}

#[test]
fn the_observer_may_stop_it() {
    let program = program("s[ agent(!A, %a) = agent(loop) agent(!A, %a, loop) = $x = p() then agent(loop) ]");
    let options = SimulationOptions {
        seed: 1,
        yes: 1.0,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 100,
        loss: 0.0,
        crash: 0.0,
    };
    let run = simulate(&program, &BOUNDS, &options, &mut |seen| {
        assert!(matches!(seen.observed.outcome.action, Some(Action::Ask { .. })));
        if seen.number == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((run.end, run.steps), (RunEnd::Stopped, 7));
}

mod honest;
mod outside;
mod repeat;
mod weights;

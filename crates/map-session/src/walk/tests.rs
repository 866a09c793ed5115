//! Going back and forth leads to the same states as going forward only, and replays few steps.

use std::ops::ControlFlow;
use std::sync::Arc;

use map_check::CheckOptions;
use map_diagnostics::SourceFile;
use map_semantics::{Bounds, SceneState, Step};

use map_simulate::{Random, SimulationOptions};

use crate::{PropertySelection, Scene, compile};

use super::{Checkpoint, REPLAY_CHECKPOINTS, SPACING, STRIDE, Walk};

fn scene() -> Scene {
    let text = "s[
        agent(!A, %a) = $x = p() then ping($x) => agent(!B, %b) then (waitfor pong(_) <= agent(_, %b)) then agent()
        agent(!B, %b) = (waitfor ping($x) <= agent(_, %a)) then pong($x) => agent(!A, %a) then agent()
    ] procedure p()";
    let source = SourceFile::new("s.map", text);
    let compilation = compile(&Arc::new(source), &CheckOptions::default(), PropertySelection::Nothing);
    compilation.scene(Bounds::USUAL).expect("the scene has no errors")
}

fn after_random_steps(steps: u64) -> Walk {
    let mut history = Walk::new(scene(), Vec::new());
    let options = SimulationOptions {
        seed: 1,
        yes: 0.5,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 0,
        loss: 0.0,
        crash: 0.0,
    };
    history.random(&options, steps, &mut |_| ControlFlow::Continue(()));
    assert_eq!(history.run().steps, steps);
    history
}

/// Goes to a step; returns how many steps were replayed for it, and the state.
fn go(history: &mut Walk, step: u64) -> (u64, SceneState) {
    if step < history.run().steps {
        history.rewind_to(step);
    }
    let mut made = 0;
    let result = history.replay_to(step, &mut |_| {
        made += 1;
        ControlFlow::Continue(())
    });
    assert_eq!((result, history.run().steps), (Ok(()), step));
    (made, history.run().state.clone().expect("there is a state"))
}

#[test]
fn back_and_forth_is_where_forward_leads() {
    let mut forward = after_random_steps(500);
    let mut there = after_random_steps(500);
    let states: Vec<SceneState> = (0..=500).map(|step| go(&mut forward, step).1).collect();
    let mut random = Random::from_seed(7);
    for _ in 0..300 {
        let step = random.below(501);
        assert_eq!(go(&mut there, step).1, states[step as usize], "step {step}");
    }
}

#[test]
fn undo_makes_few_steps_again() {
    let mut history = after_random_steps(50_000);
    let since_the_last_stride = 50_000 % STRIDE - 1;
    assert_eq!(go(&mut history, 49_999).0, since_the_last_stride);
    for step in (49_900..49_999).rev() {
        assert!(go(&mut history, step).0 < 2 * SPACING, "step {step}");
    }
    assert!(go(&mut history, 25_000).0 < STRIDE);
    assert!(go(&mut history, 24_999).0 < 2 * SPACING);
    assert_eq!(go(&mut history, 50_000).0, 25_001, "what was taken back is still there");
}

#[test]
fn another_step_forgets_what_was_taken_back() {
    let mut history = after_random_steps(200);
    go(&mut history, 100);
    let step = history.steps[100].clone();
    assert_eq!(history.take(step, &mut |_| ControlFlow::Continue(())), Ok(()));
    assert_eq!((history.known_steps(), history.run().steps, history.steps().len()), (101, 101, 101));
    assert!(history.checkpoints.iter().all(|it| it.run.steps <= 101));
    let wrong = Step { thread: 7, ..history.steps[0].clone() };
    let before = history.run().state.clone();
    assert!(history.take(wrong, &mut |_| ControlFlow::Continue(())).is_err());
    assert_eq!((history.known_steps(), &history.run().state), (101, &before));
}

#[test]
fn a_long_way_is_marked_here_and_there() {
    let forward = after_random_steps(50_000);
    let mut resumed = Walk::new(scene(), Vec::new());
    let result = resumed.take_all(&forward.steps, Vec::new(), &mut |_| ControlFlow::Continue(()));
    assert_eq!((result, resumed.run().steps), (Ok(()), 50_000));
    assert!(
        resumed.checkpoints.len() as u64 <= REPLAY_CHECKPOINTS + 2,
        "{} checkpoints",
        resumed.checkpoints.len()
    );
    assert_eq!(resumed.run().state, forward.run().state);
    assert!(go(&mut resumed, 49_999).0 <= 50_000 / REPLAY_CHECKPOINTS);
    assert!(go(&mut resumed, 49_998).0 < 2 * SPACING);
    let held: usize = resumed.checkpoints.iter().map(Checkpoint::size).sum();
    assert_eq!(resumed.held, held);
}

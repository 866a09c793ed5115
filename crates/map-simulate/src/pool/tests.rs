//! The pool against a full enumeration of all agents.

use map_check::{CastOverride, CheckOptions};
use map_diagnostics::SourceFile;
use map_ir::Program;
use map_semantics::{Action, Bounds, Ending, SceneState, SceneStep, Timeouts, Turn, scene_steps};

use super::{Drawn, Pool};
use crate::dice::Dice;
use crate::{Random, SimulationOptions};

const SCENES: &[&str] = &[
    include_str!("../../../../protocols/english-auction/auction.map"),
    "s[ agent(!A, %a) = agent(loop)
        agent(!A, %a, loop) = waitfor (m($x) <= agent(_, %b) then agent(loop) or n($x) <= agent($x, %b))
                              timeout (ping() => agent(_, %b) then agent(loop))
        agent($me, %b) = waitfor ($x = p() then (m($x) => agent(!A, %a) par n($me) => agent(!A, %a)))
                         timeout (waitfor (ping() <= agent(_, _) then agent(wait) or $x = p() then agent(wait)))
        agent($me, %b, wait) = waitfor (ping() <= agent(_, %a)) ]",
];

fn program(text: &str) -> Program {
    let source = SourceFile::new("test.map", text);
    let role = if text.starts_with("s[") { "b" } else { "bidder" };
    let agents = vec![CastOverride { name: role.to_owned(), count: 4 }];
    let file = map_syntax::parse(&source).file;
    let (checked, diagnostics) = map_check::check(&file, &CheckOptions { agents, ..CheckOptions::default() });
    map_compile::compile(&checked.unwrap_or_else(|| panic!("{diagnostics:#?}")))
}

/// Every thread with a step that no bound cuts.
fn all_movable(program: &Program, bounds: &Bounds, state: &SceneState) -> Vec<(usize, usize)> {
    let steps = scene_steps(program, bounds, state);
    let uncut = steps.all().filter(|it| !matches!(it.observed.result, SceneStep::Cut(_)));
    let mut movable: Vec<_> = uncut.map(|it| (it.step.agent.index(), it.step.thread)).collect();
    movable.dedup();
    movable
}

#[test]
fn every_thread_that_has_a_step_may_be_drawn_and_no_other() {
    for (text, timeouts) in
        SCENES.iter().flat_map(|text| [(text, Timeouts::Quiescent), (text, Timeouts::Any)])
    {
        let program = program(text);
        let bounds = Bounds { rounds: Some(20), timeouts, ..Bounds::USUAL };
        let mut drawn_in_all = 0;
        for seed in 0..30 {
            let options = SimulationOptions {
                seed,
                yes: 0.4,
                yes_of: Vec::new(),
                truthful: false,
                max_steps: 0,
                loss: 0.0,
                crash: 0.0,
            };
            let mut chance = |_: &map_semantics::Question<'_>| crate::Response::Chance;
            let mut dice = Dice::new(&program, &options, &mut chance);
            let mut state = SceneState::start(&program, &bounds, &[]).0.unwrap();
            let mut pool = Pool::new(&program, &bounds, &state);
            for step in 0..60 {
                let movable = all_movable(&program, &bounds, &state);
                // Refresh all agents now and then, so that stale and fresh ones both occur.
                if step % 7 == 0 {
                    assert_eq!(pool.can_move(&state), !movable.is_empty(), "seed {seed}, step {step}");
                    let mut settled = Random::from_seed(step);
                    let mut seen: Vec<_> = (0..200)
                        .filter_map(|_| pool.draw(&state, &mut settled))
                        .map(|drawn| (drawn.agent.index(), drawn.thread))
                        .collect();
                    seen.sort_unstable();
                    seen.dedup();
                    assert_eq!(seen, movable, "seed {seed}, step {step}");
                }
                let Some(Drawn { agent, thread, act, timeout }) = pool.draw(&state, &mut dice.random) else {
                    assert!(movable.is_empty(), "seed {seed}, step {step}");
                    break;
                };
                assert!(movable.contains(&(agent.index(), thread)), "seed {seed}, step {step}");
                let timeout = timeout && (!act || step % 2 == 0);
                let turn = if timeout { Turn::Timeout } else { Turn::Act };
                let observed = state.attempt(&program, &bounds, agent, thread, turn, &mut dice);
                if observed.result == SceneStep::Made
                    && let Ending::State(next) = observed.outcome.ending
                {
                    drawn_in_all += 1;
                    state.make(&bounds, agent, next, observed.outcome.action.as_ref(), &observed.lost);
                    pool.changed(&state, agent);
                    if let Some(Action::Send { message, to, .. }) = &observed.outcome.action {
                        to.iter().for_each(|&to| pool.delivered(&state, to, message.performative));
                    }
                }
            }
        }
        assert!(drawn_in_all > 300, "{drawn_in_all} steps");
    }
}

#[test]
fn stale_threads_are_drawn_as_often_as_others() {
    // Only half of the agents can move: the others wait for messages that nobody sends.
    let program = program(
        "s[ agent(!A, %a) = waitfor (m() <= agent(_, %b)) agent(!B, %b) = $x = p() then skip
            agent(!C, %c) = waitfor (m() <= agent(_, %b)) agent(!D, %d) = $x = p() then skip ]
            procedure p() cast %b = 1",
    );
    let bounds = Bounds::USUAL;
    let state = SceneState::start(&program, &bounds, &[]).0.unwrap();
    let mut random = Random::from_seed(9);
    let mut counts = vec![0; program.agents.len()];
    for _ in 0..4_000 {
        let drawn = Pool::new(&program, &bounds, &state).draw(&state, &mut random).unwrap();
        counts[drawn.agent.index()] += 1;
    }
    assert!(counts.iter().all(|&count| count == 0 || (720..880).contains(&count)), "{counts:?}");
}

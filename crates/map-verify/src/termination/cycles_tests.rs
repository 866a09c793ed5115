//! Cycle exclusion by the agent tables, against the graph of the scene.

use std::num::NonZeroUsize;

use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{chatty_scene, random_options, random_scene};

use super::alone::Alone as Search;
use super::searched::Searched;
use crate::abstraction::slicing::Slicer;
use crate::abstraction::symmetry::Symmetry;
use crate::budget::Budget;
use crate::budget::{Limit, Limits, Progress, Snapshot};
use crate::fixture::{bounds, program};
use crate::graph::cycles::has_cycle;
use crate::state::space::Space;
use crate::system::{Layers, System};
use crate::tuning::Tuning;

/// Reports no progress.
struct Alone;

impl Progress for Alone {
    fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
        None
    }
}

/// Whether the tables admit a cycle, and whether the graph has one; `None` if the scene is too large, or the search
/// is inconclusive.
fn judged(text: &str, options: &OracleOptions, reduced: bool) -> Option<(bool, bool)> {
    let program = program(text);
    let bounds = bounds(&program, options);
    let space = match reduced {
        true => {
            let slicer = Slicer::new(&program, &bounds, &[]);
            Space::up_to(&program, &bounds, Some(slicer), Symmetry::new(&program, &bounds))
        }
        false => Space::new(&program, &bounds),
    };
    let limits = Limits { states: 3_000, memory: 1 << 30, threads: NonZeroUsize::MIN, tuning: Tuning::TINY };
    let search = Search::explore(System::new(space, Layers::default()), &limits, true, &mut Alone);
    let Ok(search) = search else { panic!("nothing was kept") };
    if !search.is_complete() {
        return None;
    }
    let judged = search.judge_graph(&limits, &mut Alone, |edges, _, budget: &mut Budget<'_>| {
        let may = search.explorer.system.space.agents.may_cycle(budget)?;
        Ok((may, has_cycle(edges, search.explorer.states(), budget)?))
    });
    judged.ok()
}

fn plain(text: &str) -> Option<(bool, bool)> {
    judged(text, &OracleOptions { mailbox: 3, ..OracleOptions::new(0) }, false)
}

const PING: &str = "
    memory %ping { @left = 3 }
    procedure served() = @left with @left := @left - 1
    game[
        agent(!Ping, %ping) = BODY
        agent(!Ping, %ping, serve, 0) = over() => agent(!Pong, %pong)
        agent(!Ping, %ping, serve, _) =
            ping() => agent(!Pong, %pong) then pong() <= agent(!Pong, %pong) then agent()
        agent(!Pong, %pong) = waitfor (
            (ping() <= agent(!Ping, %ping) then pong() => agent(!Ping, %ping) then agent())
            or over() <= agent(!Ping, %ping)
        )
    ]";

#[test]
fn who_only_answers_goes_round_no_longer_than_those_who_ask() {
    let counted = PING.replace("BODY", "$left = served() then agent(serve, $left)");
    assert_eq!(plain(&counted), Some((false, false)));
    let endless = PING.replace("BODY", "agent(serve, 1)");
    assert_eq!(plain(&endless), Some((true, true)));
}

#[test]
fn nothing_goes_round_that_is_said_not_to() {
    const SCENES: u64 = 400;
    let (mut told, mut cyclic, mut untold) = (0, 0, 0);
    for seed in 1..=SCENES {
        let options = OracleOptions { rounds_of: Vec::new(), ..random_options(seed) };
        let scene = if seed % 2 == 0 { random_scene(seed) } else { chatty_scene(seed) };
        for reduced in [false, true] {
            match judged(&scene, &options, reduced) {
                None => {}
                Some((false, true)) => panic!("seed {seed}, reduced {reduced}: a cycle in\n{scene}"),
                Some((false, false)) => told += 1,
                Some((true, true)) => cyclic += 1,
                Some((true, false)) => untold += 1,
            }
        }
    }
    assert!(told > 5 * untold, "{told} without cycles, {cyclic} with, {untold} not told");
    assert!(cyclic > 20, "{told} without cycles, {cyclic} with, {untold} not told");
}

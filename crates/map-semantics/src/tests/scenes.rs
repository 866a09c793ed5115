//! Random scenes, and random walks through their states.

use map_check::{CastOverride, CheckOptions, check};
use map_diagnostics::SourceFile;
use map_ir::{Program, Value};
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{Random, chatty_scene, random_options, random_scene};

use crate::{Bounds, InitialChoices, Network, SceneState, Timeouts, scene_steps};

/// The maximum length of a walk.
const MAX_STEPS: usize = 25;

/// The random scene and options of a seed.
pub(super) fn scene(seed: u64) -> (Program, Bounds) {
    let (text, options) = match seed % 2 {
        0 => (random_scene(seed), random_options(seed)),
        _ => (chatty_scene(seed), random_options(seed)),
    };
    let agents = options.agents.iter().map(|(name, count)| (name.clone(), i64::from(*count)));
    let agents = agents.map(|(name, count)| CastOverride { name, count }).collect();
    let program = compiled(&text, agents);
    let bounds = bounds(&program, &options);
    (program, bounds)
}

/// The program of a text, with its own cast.
pub(super) fn program(text: &str) -> Program {
    compiled(text, Vec::new())
}

fn compiled(text: &str, agents: Vec<CastOverride>) -> Program {
    let parsed = map_syntax::parse(&SourceFile::new("scene.map", text));
    let (checked, diagnostics) = check(&parsed.file, &CheckOptions { agents, ..CheckOptions::default() });
    map_compile::compile(
        &checked.unwrap_or_else(|| panic!("{:?}{diagnostics:?}\n{text}", parsed.diagnostics)),
    )
}

fn bounds(program: &Program, options: &OracleOptions) -> Bounds {
    let rounds_of = options.rounds_of.iter();
    Bounds {
        depth: options.depth,
        rounds: options.rounds,
        rounds_of: rounds_of
            .filter_map(|(name, limit)| Some((Value::Name(program.name_constant(name)?), *limit)))
            .collect(),
        mailbox: options.mailbox,
        timeouts: if options.any_time { Timeouts::Any } else { Timeouts::Quiescent },
        network: Network {
            unordered: options.unordered,
            delayed: options.delayed,
            losses: options.losses,
            crashes: options.crashes,
        },
        after: None,
    }
}

/// Passes every state on a few random walks through the scene of a seed to `see`.
pub(super) fn walk(seed: u64, see: &mut dyn FnMut(&Program, &Bounds, &SceneState)) {
    let (program, bounds) = scene(seed);
    let Some(first) = SceneState::start(&program, &bounds, InitialChoices::all(&program).options()).0 else {
        return;
    };
    for way in 0..3 {
        let mut random = Random::new(seed, 100 + way);
        let mut state = first.clone();
        for _ in 0..MAX_STEPS {
            see(&program, &bounds, &state);
            let next: Vec<SceneState> = scene_steps(&program, &bounds, &state)
                .all()
                .filter_map(|step| step.next_state(&bounds, &state))
                .collect();
            if next.is_empty() {
                break;
            }
            state = random.pick(&next).clone();
        }
    }
}

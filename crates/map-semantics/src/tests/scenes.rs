//! Random scenes, and random ways through their states.

use map_check::{CastOverride, CheckOptions, check};
use map_diagnostics::SourceFile;
use map_ir::{Program, Value};
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{Random, chatty_scene, random_options, random_scene};

use crate::{Bounds, Network, SceneState, Timeouts, scene_steps};

/// The longest way through a scene.
const MAX_STEPS: usize = 25;

/// The scene of a seed under its options.
pub(super) fn scene(seed: u64) -> (Program, Bounds) {
    let (text, options) = match seed % 2 {
        0 => (random_scene(seed), random_options(seed)),
        _ => (chatty_scene(seed), random_options(seed)),
    };
    let parsed = map_syntax::parse(&SourceFile::new("scene.map", &text));
    let agents = options.agents.iter().map(|(name, count)| (name.clone(), i64::from(*count)));
    let agents = agents.map(|(name, count)| CastOverride { name, count }).collect();
    let (checked, diagnostics) = check(&parsed.file, &CheckOptions { scene: None, agents });
    let program =
        map_compile::compile(&checked.unwrap_or_else(|| panic!("seed {seed}: {diagnostics:?}\n{text}")));
    let bounds = bounds(&program, &options);
    (program, bounds)
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
        network: Network { unordered: options.unordered, losses: options.losses, crashes: options.crashes },
    }
}

/// Shows every state on some random ways through the scene of a seed.
pub(super) fn walk(seed: u64, see: &mut dyn FnMut(&Program, &Bounds, &SceneState)) {
    let (program, bounds) = scene(seed);
    let Some(first) = SceneState::start(&program, &bounds).0 else { return };
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

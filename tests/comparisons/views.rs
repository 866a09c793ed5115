//! Every view of every state that some number of members can reach is among the views that are explored for any number.
//!
//! `MAP_SCENES=N` sets how many random scenes, `MAP_SEED=S` where the seeds start.

use std::collections::VecDeque;

use indexmap::IndexSet;
use map_diagnostics::SourceFile;
use map_ir::Program;
use map_semantics::{Bounds, InitialChoices, SceneState, scene_steps};
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{chatty_scene, random_asking, random_options, random_scene};
use map_tests::engines::{bounds, program};
use map_tests::seeds::for_each_seed;
use map_tests::settings::setting;
use map_views::{Explored, Precision, Sabotage, Tally, with_views};

/// The most views that are explored.
const MOST_VIEWS: usize = 6_000;

/// The most concrete states whose views are looked for.
const MOST_STATES: usize = 1_500;

/// What came of one scene with one of its roles.
#[derive(Default)]
struct Compared {
    /// The number of concrete states.
    states: usize,
    /// Views that are missing.
    missing: Vec<String>,
}

/// The scene with so many agents of a role, if that is possible.
fn cast(text: &str, options: &OracleOptions, role: &str, count: u32) -> Option<Program> {
    let mut options = options.clone();
    options.agents.retain(|(name, _)| name != role);
    options.agents.push((role.to_owned(), count));
    program(&SourceFile::new("scene.map", text), &options).ok()
}

/// Looks for the views of the states that are reached.
fn look(explored: &Explored<'_>, program: &Program, bounds: &Bounds, name: &str, compared: &mut Compared) {
    let mut seen: IndexSet<(Vec<map_semantics::AgentState>, Tally)> = IndexSet::new();
    let mut queue: VecDeque<(SceneState, Tally)> = VecDeque::new();
    let mut initial = InitialChoices::all(program);
    loop {
        if let (Some(state), _) = SceneState::start(program, bounds, initial.options()) {
            let tally = explored.first_tally(program, &state);
            queue.push_back((state, tally));
        }
        if !initial.advance() || queue.len() >= MOST_STATES {
            break;
        }
    }
    while let Some((state, tally)) = queue.pop_front() {
        // Symbols are numbered as they occur first.
        let mut canonical = state.agents.clone();
        let mut symbols = Vec::new();
        for agent in &mut canonical {
            agent.rename_symbols(&mut |symbol| {
                let known = symbols.iter().position(|&it| it == symbol);
                map_ir::Symbol(known.unwrap_or_else(|| {
                    symbols.push(symbol);
                    symbols.len() - 1
                }) as u32)
            });
        }
        if seen.len() >= MOST_STATES || !seen.insert((canonical, tally.clone())) {
            continue;
        }
        for member in explored.missing(program, &state, &tally) {
            compared.missing.push(format!("{name}: {member:?} in {state:#?} {tally:?}"));
        }
        if !compared.missing.is_empty() {
            break;
        }
        for step in scene_steps(program, bounds, &state).all() {
            if let Some(after) = step.next_state(bounds, &state) {
                let tally = explored.tally(program, &state, &tally, &step, &after);
                queue.push_back((after, tally));
            }
        }
    }
    compared.states += seen.len();
}

/// Compares a scene whose role has any number of agents with it for two and three; `None` if views cannot show it.
fn compare(
    text: &str,
    options: &OracleOptions,
    role: &str,
    how: (Precision, Sabotage),
) -> Option<Compared> {
    let (two, three) = (cast(text, options, role, 2)?, cast(text, options, role, 3)?);
    let bounds = bounds(&two, options);
    with_views((&two, &three), role, &bounds, how, MOST_VIEWS, |explored| {
        if !explored.complete {
            return None;
        }
        let mut compared = Compared::default();
        for (program, name) in [(&two, "two members"), (&three, "three members")] {
            look(explored, program, &bounds, name, &mut compared);
        }
        Some(compared)
    })
    .ok()?
}

/// A random scene under options that views allow.
fn scene(seed: u64) -> (String, OracleOptions) {
    let (text, options) = match seed % 3 {
        0 => (random_scene(seed), random_options(seed)),
        1 => (chatty_scene(seed), random_options(seed)),
        _ => random_asking(seed),
    };
    let options = OracleOptions { rounds: None, rounds_of: Vec::new(), losses: 0, crashes: 0, ..options };
    (text, options)
}

/// The roles of a scene.
fn roles(text: &str, options: &OracleOptions) -> Vec<String> {
    program(&SourceFile::new("scene.map", text), options).map_or_else(|_| Vec::new(), |it| it.roles)
}

/// Compares random scenes, and returns how many role by role, how many states, and what is missing.
fn compare_all(count: u64, first: u64, sabotage: Sabotage) -> (usize, usize, Vec<String>) {
    let compared = for_each_seed(count, first, |seed| {
        let (text, options) = scene(seed);
        let mut found = Vec::new();
        for role in roles(&text, &options) {
            for counting in [false, true] {
                let precision = Precision { counting, ..Precision::COARSE };
                if let Some(compared) = compare(&text, &options, &role, (precision, sabotage)) {
                    let missing: Vec<String> = compared
                        .missing
                        .iter()
                        .map(|it| format!("seed {seed}, {role}, counting: {counting}, {it}\n{text}\n{options:?}"))
                        .collect();
                    found.push((compared.states, missing));
                }
            }
        }
        found
    });
    let all: Vec<_> = compared.into_iter().flatten().collect();
    let states = all.iter().map(|(states, _)| states).sum();
    (all.len(), states, all.into_iter().flat_map(|(_, missing)| missing).collect())
}

#[test]
fn random_scenes_have_no_other_views() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(300), setting("MAP_SEED").unwrap_or(1));
    println!("{count} scenes from seed {first}");
    let (scenes, states, missing) = compare_all(count, first, Sabotage::default());
    println!("{scenes} scenes with a role, {states} states, {} missing", missing.len());
    assert!(missing.is_empty(), "{}", missing[0]);
    assert!(scenes as u64 > count / 4, "{scenes} compared");
}

//! The states that are visited one by one are all states, but for the names of a role's agents.
//!
//! `MAP_SCENES=N` sets how many random scenes, `MAP_SEED=S` where the seeds start.

use std::collections::{BTreeSet, VecDeque};

use indexmap::IndexSet;
use map_diagnostics::SourceFile;
use map_ir::{AgentId, Program, RoleId, Symbol};
use map_semantics::{AgentState, Bounds, InitialChoices, SceneState, scene_steps};
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{chatty_scene, random_options, random_scene};
use map_tests::engines::{Unwatched, bounds, limits, program};
use map_tests::seeds::for_each_seed;
use map_tests::settings::setting;
use map_verify::visit_states;

/// The most states that are compared.
const MOST: usize = 2_000;

type States = IndexSet<Vec<AgentState>>;

/// The agents with symbols in the order in which they occur.
fn canonical(mut agents: Vec<AgentState>) -> Vec<AgentState> {
    let mut symbols: Vec<Symbol> = Vec::new();
    for agent in &mut agents {
        agent.rename_symbols(&mut |symbol| {
            let known = symbols.iter().position(|&it| it == symbol);
            Symbol(known.unwrap_or_else(|| {
                symbols.push(symbol);
                symbols.len() - 1
            }) as u32)
        });
    }
    agents
}

/// The agents of a state.
fn agents_of(state: &SceneState) -> Vec<AgentState> {
    state.agents.iter().map(|agent| AgentState::clone(agent)).collect()
}

/// Every state, by a search of its own; `None` if there are too many, or a bound cuts something.
fn all_states(program: &Program, bounds: &Bounds) -> Option<States> {
    let mut queue: VecDeque<SceneState> = VecDeque::new();
    let mut initial = InitialChoices::all(program);
    loop {
        queue.push_back(SceneState::start(program, bounds, initial.options()).0?);
        if !initial.advance() {
            break;
        }
    }
    let mut states = States::new();
    while let Some(state) = queue.pop_front() {
        if !states.insert(canonical(agents_of(&state))) {
            continue;
        }
        if states.len() > MOST {
            return None;
        }
        let steps = scene_steps(program, bounds, &state);
        queue.extend(steps.all().filter_map(|step| step.next_state(bounds, &state)));
    }
    Some(states)
}

/// All orders of some agents.
fn orders(agents: &[AgentId]) -> Vec<Vec<AgentId>> {
    let Some((&first, rest)) = agents.split_first() else { return vec![Vec::new()] };
    let of_rest = orders(rest);
    let places = (0..agents.len()).flat_map(|place| {
        of_rest.iter().map(move |order| {
            let mut order = order.clone();
            order.insert(place, first);
            order
        })
    });
    places.collect()
}

/// The same state with other names for the members.
fn renamed(agents: &[AgentState], members: &[AgentId], order: &[AgentId]) -> Vec<AgentState> {
    let mut after = agents.to_vec();
    let name =
        |agent: AgentId| members.iter().position(|&it| it == agent).map_or(agent, |place| order[place]);
    for (index, agent) in agents.iter().enumerate() {
        let mut agent = agent.clone();
        agent.rename_agents(|_| true, &mut |it| name(it));
        after[name(AgentId::new(index)).index()] = agent;
    }
    canonical(after)
}

/// Compares the states of a scene; whether they could be compared.
fn compare(name: &str, text: &str, options: &OracleOptions) -> bool {
    let Ok(program) = program(&SourceFile::new("scene.map", text), options) else { return false };
    let bounds = bounds(&program, options);
    let Some(all) = all_states(&program, &bounds) else { return false };
    let roles: BTreeSet<RoleId> = program.cast().map(|agent| program.agent(agent).role).collect();
    let mut compared = false;
    for role in roles {
        let members: Vec<AgentId> = program.cast().filter(|&it| program.agent(it).role == role).collect();
        let orders = orders(&members);
        let (mut visited, mut count) = (States::new(), 0);
        let complete =
            visit_states(&program, &bounds, role, &limits(10 * MOST), &mut Unwatched, &mut |state| {
                count += 1;
                let all = orders.iter().map(|order| renamed(&agents_of(state), &members, order));
                visited.extend(all);
            });
        if !complete.expect("nothing is replayed") {
            continue;
        }
        let named = map_verify::named_agents(&program, &bounds);
        let alike = members.iter().all(|it| !named[it.index()])
            && !bounds.network.unordered
            && !bounds.network.delayed;
        if alike {
            assert_eq!(visited.len(), all.len(), "{name}, role {role:?}\n{text}\n{options:?}");
        }
        assert!(all.iter().all(|it| visited.contains(it)), "{name}, role {role:?}\n{text}\n{options:?}");
        assert!(count <= all.len(), "{name}, role {role:?}: {count} states\n{text}\n{options:?}");
        compared = true;
    }
    compared
}

#[test]
fn visited_states_are_all_states() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(60), setting("MAP_SEED").unwrap_or(1));
    println!("{count} scenes from seed {first}");
    let compared = for_each_seed(count, first, |seed| {
        let text = if seed % 2 == 0 { random_scene(seed) } else { chatty_scene(seed) };
        let options = OracleOptions { losses: 0, crashes: 0, ..random_options(seed) };
        compare(&format!("seed {seed}"), &text, &options)
    });
    let compared = compared.into_iter().filter(|&it| it).count();
    println!("{compared} scenes compared");
    assert!(compared as u64 > count / 4, "{compared} compared");
}

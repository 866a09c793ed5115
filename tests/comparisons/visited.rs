//! The states that are visited one by one are all states, but for the names of a role's agents.

use std::collections::{BTreeSet, VecDeque};

use indexmap::IndexSet;
use map_ir::{AgentId, Program, RoleId, Symbol};
use map_semantics::{AgentState, Bounds, InitialChoices, SceneState, scene_steps};
use map_testkit::oracle::OracleOptions;
use map_tests::engines::{NoWatch, bounds, limits};
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_verify::visit_states;

pub(crate) const COMPARISON: Comparison = Comparison {
    name: "visited",
    kind: Kind::Any,
    scenes: 60,
    compare,
    enough: |counts, scenes| counts.of("compared") > scenes / 4,
};

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

fn compare(scene: &Scene, counts: &mut Counts) {
    let program = &scene.program;
    let bounds = bounds(program, &OracleOptions { losses: 0, crashes: 0, ..scene.options.clone() });
    let Some(all) = all_states(program, &bounds) else { return };
    let roles: BTreeSet<RoleId> = program.cast().map(|agent| program.agent(agent).role).collect();
    let mut compared = false;
    for role in roles {
        let members: Vec<AgentId> = program.cast().filter(|&it| program.agent(it).role == role).collect();
        let orders = orders(&members);
        let (mut visited, mut count) = (States::new(), 0);
        let complete = visit_states(program, &bounds, role, &limits(10 * MOST), &mut NoWatch, &mut |state| {
            count += 1;
            let all = orders.iter().map(|order| renamed(&agents_of(state), &members, order));
            visited.extend(all);
        });
        if !complete.expect("nothing is replayed") {
            continue;
        }
        let named = map_verify::named_agents(program, &bounds);
        let part = |member: &AgentId| program.agent(*member).part;
        let alike = members.iter().all(|it| !named[it.index()] && part(it) == part(&members[0]))
            && !bounds.network.unordered
            && !bounds.network.delayed;
        if alike {
            assert_eq!(visited.len(), all.len(), "role {role:?}");
        }
        assert!(all.iter().all(|it| visited.contains(it)), "role {role:?}");
        assert!(count <= all.len(), "role {role:?}: {count} states");
        compared = true;
    }
    counts.add("compared", u8::from(compared));
}

//! The recipients of a send.

use map_ir::{AgentId, Program, RoleId, Value};

/// The sets of agents that an address may mean, without the sender itself. A concrete address (`None` is the wildcard)
/// means exactly one set, which may be empty. An abstract name or role stands for each agent or role it might be, in
/// turn, or for none: then the first option is the empty set, and no set occurs twice.
pub(crate) fn recipients(
    program: &Program,
    me: AgentId,
    name: Option<Value>,
    role: Option<Value>,
) -> Vec<Vec<AgentId>> {
    let matching = |name: Option<Value>, role: Option<Value>| -> Vec<AgentId> {
        let plays = |agent: &AgentId| {
            *agent != me && role.is_none_or(|role| role == Value::Role(program.agent(*agent).role))
        };
        match (name, role) {
            // Scenes may have very many agents: addressing one must not scan the others.
            (Some(Value::Agent(agent)), _) if agent.index() < program.agents.len() => {
                Some(agent).filter(plays).into_iter().collect()
            }
            (Some(_), _) => Vec::new(),
            (None, Some(Value::Role(role))) => {
                let parts = program.parts.iter().filter(|part| part.role == role);
                let mut agents: Vec<AgentId> =
                    parts.flat_map(|part| &part.agents).copied().filter(|&agent| agent != me).collect();
                agents.sort_unstable();
                agents
            }
            (None, _) => program.cast().filter(plays).collect(),
        }
    };
    let is_abstract = |value: Option<Value>| matches!(value, Some(Value::Abstract(_)));
    let mut options: Vec<Vec<AgentId>> = match (is_abstract(name), is_abstract(role)) {
        (false, false) => return vec![matching(name, role)],
        (true, false) => matching(None, role).into_iter().map(|agent| vec![agent]).collect(),
        (false, true) => (0..program.roles.len())
            .map(|role| matching(name, Some(Value::Role(RoleId::new(role)))))
            .filter(|agents| !agents.is_empty())
            .collect(),
        (true, true) => matching(None, None).into_iter().map(|agent| vec![agent]).collect(),
    };
    options.insert(0, Vec::new());
    options
}

//! Which agents a program names. Those of one part that it does not name are interchangeable: exchanging two of them,
//! and their names wherever they are held, maps runs to runs.

use crate::{AgentId, Program, Value};

/// For every agent: whether the program names it, or it is among `others`, or a procedure's answers include it but not
/// all agents of its part.
#[must_use]
pub fn named_agents(program: &Program, others: impl Iterator<Item = Value>) -> Vec<bool> {
    let mut named = vec![false; program.agent_names.len()];
    let mut value = |value: Value| {
        if let Value::Agent(agent) = value {
            named[agent.index()] = true;
        }
    };
    program.constants().into_iter().for_each(|(constant, _)| value(constant));
    others.for_each(&mut value);
    for (domain, _) in program.domains() {
        let mut listed = vec![false; program.agent_names.len()];
        for answer in domain {
            if let Value::Agent(agent) = answer {
                listed[agent.index()] = true;
            }
        }
        for part in &program.parts {
            let is_listed = |agent: &&AgentId| listed[agent.index()];
            if !part.agents.iter().all(|agent| is_listed(&agent)) {
                part.agents.iter().filter(is_listed).for_each(|&agent| value(Value::Agent(agent)));
            }
        }
    }
    named
}

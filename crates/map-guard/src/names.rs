//! Who is who in a conversation, and values as JSON.

use map_conform::{Cast, FaultKind, agent_named};
use map_ir::{AgentId, Program, Value};
use serde_json::{Value as Json, json};

use crate::refusal::{Misuse, MisuseKind};
use crate::rules::Rules;

/// The agent that somebody who speaks or is spoken to is, by the cast of the conversation, by the configuration, or by
/// its name in the file.
pub(crate) fn resolve(rules: &Rules, cast: &mut Cast, name: &str) -> Result<AgentId, Misuse> {
    let program = rules.program();
    if let Some(agent) = cast.agent_of(name) {
        return Ok(agent);
    }
    let in_file = agent_named(program, name);
    // Whoever has another name here is known by that of the file, too.
    if let Some(agent) = in_file.filter(|&agent| cast.real_name(agent).is_some()) {
        return Ok(agent);
    }
    let in_file = in_file.filter(|_| !rules.roles.knows(name));
    let usual = in_file.and_then(|agent| rules.roles.name_of(program, agent)).unwrap_or(name);
    let agent = cast.agent(&rules.roles, program, usual, || None);
    agent.map_err(|fault| {
        let text = match fault.kind {
            FaultKind::NoRole => {
                format!("nobody here is called {name:?}: there are {}", all_names(rules, cast))
            }
            _ => fault.text,
        };
        Misuse::new(MisuseKind::UnknownAgent, text)
    })
}

/// The most names that are told.
const MAX_NAMES: usize = 8;

fn all_names(rules: &Rules, cast: &Cast) -> String {
    let all = rules.program().cast().map(|agent| shown(rules, cast, agent));
    let mut names: Vec<&str> = all.take(MAX_NAMES + 1).collect();
    if names.len() > MAX_NAMES {
        names[MAX_NAMES] = "..";
    }
    names.join(", ")
}

/// The name of an agent: the one that it has here, or by the configuration, or that of the file.
pub(crate) fn shown<'a>(rules: &'a Rules, cast: &'a Cast, agent: AgentId) -> &'a str {
    let program = rules.program();
    let configured = || rules.roles.name_of(program, agent).unwrap_or_else(|| program.agent_name(agent));
    cast.real_name(agent).unwrap_or_else(configured)
}

/// The arguments of a message as values.
pub(crate) fn values(rules: &Rules, cast: &mut Cast, args: &[Json]) -> Result<Vec<Value>, Misuse> {
    cast.values(rules.program(), args).map_err(|fault| {
        let kind = match fault.kind {
            FaultKind::NoRole | FaultKind::BeyondCast => MisuseKind::UnknownAgent,
            _ => MisuseKind::NoValue,
        };
        Misuse::new(kind, fault.text)
    })
}

/// The JSON of a value that no file can write, as far as it is known; `None` of other values.
fn opaque(program: &Program, cast: &Cast, value: Value) -> Option<Json> {
    let Value::Name(_) = value else { return None };
    let content = cast.foreign.content(program, value)?;
    let is_name = content.starts_with(|first: char| first.is_ascii_alphabetic());
    (!is_name).then(|| serde_json::from_str(content).unwrap_or_else(|_| json!(content)))
}

/// An argument that was `given`, so that it means the same whatever names there are.
pub(crate) fn unmistakable(program: &Program, cast: &Cast, value: Value, given: &Json) -> Json {
    match opaque(program, cast, value) {
        Some(_) => given.clone(),
        None => value_to_json(program, cast, value),
    }
}

/// A value as a record has it, so that it means the same whatever names there are.
fn value_to_json(program: &Program, cast: &Cast, value: Value) -> Json {
    let content = || cast.foreign.content(program, value).unwrap_or_default();
    match value {
        Value::Integer(number) => json!(number),
        Value::Name(_) => json!({ "constant": content() }),
        Value::Text(_) => json!({ "text": content() }),
        Value::Agent(agent) => json!({ "agent": program.agent_name(agent) }),
        Value::Role(role) => json!({ "role": program.role_name(role) }),
        Value::Fresh(_) | Value::Abstract(_) => Json::Null,
    }
}

/// A value as it is written to people and agents: constants and texts that cannot be confused are plain strings.
pub(crate) fn value_to_plain(program: &Program, cast: &Cast, value: Value) -> Json {
    if let Some(json) = opaque(program, cast, value) {
        return json;
    }
    match value {
        Value::Name(_) | Value::Text(_) => {
            let text = cast.foreign.content(program, value).unwrap_or_default();
            let means_it = match (cast.agent_of(text), program.name_constant(text)) {
                (Some(_), _) => false,
                (None, Some(id)) => value == Value::Name(id),
                (None, None) => matches!(value, Value::Text(_)),
            };
            if means_it { json!(text) } else { value_to_json(program, cast, value) }
        }
        Value::Agent(agent) => match cast.real_name(agent) {
            Some(name) => json!(name),
            None => value_to_json(program, cast, value),
        },
        _ => value_to_json(program, cast, value),
    }
}

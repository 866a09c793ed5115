//! Real names and values of a conversation, in the terms of the scene.

use std::collections::HashMap;
use std::sync::Arc;

use map_ir::{AgentId, Foreign, PartId, PerformativeId, PointKind, Program, RoleId, Value};
use serde_json::Value as Json;

use crate::casting::{CastRules, number};
use crate::opaque;
use crate::record::{Fault, FaultKind, OUTSIDE};
use crate::scene::Scene;

/// What the roles of a scene say and hear: which parts a name can have, by what it does in the log.
pub struct Roles {
    /// By name of a message: its arities with the parts that send it.
    senders: HashMap<String, Vec<(usize, PartId)>>,
    /// The same for those that receive it.
    receivers: HashMap<String, Vec<(usize, PartId)>>,
    /// What a mapping says of names.
    cast: Arc<CastRules>,
}

impl Roles {
    /// The roles of a program. The cast does not matter.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let (mut senders, mut receivers) = (HashMap::new(), HashMap::new());
        for point in &program.points {
            let part = program.clause(point.clause).part;
            let (table, performative): (&mut HashMap<String, Vec<(usize, PartId)>>, _) = match point.kind {
                PointKind::Send { performative, .. } => (&mut senders, performative),
                PointKind::Receive { performative, .. } => (&mut receivers, performative),
                _ => continue,
            };
            let it = program.performative(performative);
            let parts = table.entry(it.name.clone()).or_default();
            if !parts.contains(&(it.arity, part)) {
                parts.push((it.arity, part));
            }
        }
        Self { senders, receivers, cast: Arc::default() }
    }

    /// With what a mapping says of names, which goes before all else.
    #[must_use]
    pub fn with_cast(self, cast: Arc<CastRules>) -> Self {
        Self { cast, ..self }
    }

    /// The agent that a name means, by the mapping or by the file.
    ///
    /// # Errors
    /// If the mapping names an agent that the cast does not have.
    pub fn agent(&self, program: &Program, name: &str) -> Result<Option<AgentId>, Fault> {
        match self.cast.knows(name) {
            true => self.cast.agent(program, name),
            false => Ok(agent_named(program, name)),
        }
    }

    /// The name that the mapping gives an agent, if it gives one.
    #[must_use]
    pub fn name_of(&self, program: &Program, agent: AgentId) -> Option<&str> {
        self.cast.name_of(program.agent_name(agent))
    }

    /// Whether the mapping says who has this name.
    #[must_use]
    pub fn knows(&self, name: &str) -> bool {
        self.cast.knows(name)
    }

    /// The part that a name has by the mapping.
    #[must_use]
    pub fn given_part(&self, program: &Program, name: &str) -> Option<PartId> {
        self.cast.part(program, name)
    }

    /// The part of a name that sends, or receives, such a message, if there is one only.
    #[must_use]
    pub fn part(&self, sends: bool, performative: &str, arity: usize) -> Option<PartId> {
        let table = if sends { &self.senders } else { &self.receivers };
        let all = table.get(performative)?;
        // Whoever gives it other arguments plays the part all the same.
        let is_known = all.iter().any(|(its, _)| *its == arity);
        let mut parts = all.iter().filter(|(its, _)| *its == arity || !is_known).map(|(_, part)| *part);
        let only = parts.next()?;
        parts.all(|part| part == only).then_some(only)
    }

    /// All parts that say or hear something.
    pub(crate) fn parts(&self) -> impl Iterator<Item = PartId> {
        let all = self.senders.values().chain(self.receivers.values()).flatten();
        let mut parts: Vec<PartId> = all.map(|(_, part)| *part).collect();
        parts.sort_unstable();
        parts.dedup();
        parts.into_iter()
    }

    /// The number in a name of which a mapping gives the role only.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        self.cast.number(name)
    }

    /// The numbers of arguments with which a part says something.
    pub(crate) fn arities(&self, performative: &str, part: PartId) -> Vec<usize> {
        let all = self.senders.get(performative).into_iter().flatten();
        all.filter(|(_, its)| *its == part).map(|(arity, _)| *arity).collect()
    }
}

/// The agent with this name in the file, with or without `!`.
#[must_use]
pub fn agent_named(program: &Program, name: &str) -> Option<AgentId> {
    let bare = name.strip_prefix('!').unwrap_or(name);
    program.cast().find(|&agent| program.agent_name(agent) == bare)
}

/// The agent with this name, with or without `!`, even if the file only names it and nobody in the cast has the name:
/// it can be spoken of.
fn name_of_agent(program: &Program, name: &str) -> Option<AgentId> {
    let bare = name.strip_prefix('!').unwrap_or(name);
    program.agent_names.iter().position(|it| it == bare).map(AgentId::new)
}

/// Who is who in a conversation, and the values that occur in it.
#[derive(Clone, Default)]
pub struct Cast {
    known: HashMap<String, AgentId>,
    /// By agent: the real name.
    names: Vec<Option<String>>,
    /// Constants and texts that are not in the file.
    pub foreign: Foreign,
    /// About how many bytes these take.
    size: usize,
    /// How many of them there are: constants, and texts.
    count: (usize, usize),
    /// Whether names of which a mapping gives the role only are told apart as they come, whatever numbers they have.
    loses_numbers: bool,
}

/// How many values there are that are not in the file.
#[derive(Clone, Copy, Debug)]
pub struct ValuesMark {
    foreign: (usize, usize),
    size: usize,
    count: (usize, usize),
}

/// What a constant or text takes besides its bytes, about.
const OVERHEAD: usize = 64;

impl Cast {
    /// Nobody has appeared.
    pub(crate) fn new(loses_numbers: bool) -> Self {
        Self { loses_numbers, ..Self::default() }
    }

    /// The same agents, without the values of a conversation that has ended.
    #[must_use]
    pub fn agents_only(&self) -> Self {
        let (known, names) = (self.known.clone(), self.names.clone());
        Self { known, names, loses_numbers: self.loses_numbers, ..Self::default() }
    }

    /// Whether names of which a mapping gives the role only are told apart as they come: their numbers do not fit.
    #[must_use]
    pub fn loses_numbers(&self) -> bool {
        self.loses_numbers
    }

    /// About how many bytes the constants and texts take that are not in the file.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The values so far, so that those which come after can be [forgotten](Self::forget_since).
    #[must_use]
    pub fn values_mark(&self) -> ValuesMark {
        ValuesMark { foreign: self.foreign.counts(), size: self.size, count: self.count }
    }

    /// Forgets the values since a mark: nothing may have them any more.
    pub fn forget_since(&mut self, mark: ValuesMark) {
        self.foreign.truncate(mark.foreign);
        (self.size, self.count) = (mark.size, mark.count);
    }

    /// Counts a constant or text, if it is a new one.
    fn counted(&mut self, program: &Program, value: Value, length: usize) -> Value {
        let (index, count) = match value {
            Value::Name(id) => (id.index().checked_sub(program.names.len()), &mut self.count.0),
            Value::Text(id) => (id.index().checked_sub(program.texts.len()), &mut self.count.1),
            Value::Integer(_) | Value::Agent(_) | Value::Role(_) | Value::Fresh(_) | Value::Abstract(_) => {
                return value;
            }
        };
        if index.is_some_and(|it| it >= *count) {
            *count += 1;
            self.size += length + OVERHEAD;
        }
        value
    }

    /// The scene in which the agent of a real name is there: this one, or one that the agent has joined. `part` is the
    /// part that it has by evidence in the log, if it is asked for.
    ///
    /// # Errors
    /// If too many have joined.
    pub fn admitted(
        &self,
        roles: &Roles,
        scene: &Arc<Scene>,
        name: &str,
        part: impl FnOnce() -> Option<PartId>,
    ) -> Result<Option<Arc<Scene>>, Fault> {
        let program = scene.program();
        if self.known.contains_key(name) {
            return Ok(None);
        }
        let named = roles.cast.name_in_file(name);
        let named = named.as_deref();
        if named.is_some_and(|it| agent_named(program, it).is_some()) {
            return Ok(None);
        }
        let by_name = named.and_then(|it| scene.part_by_name(it));
        let part = by_name.or_else(|| roles.given_part(program, name)).or_else(part);
        match part.filter(|&it| scene.is_open(it)) {
            Some(part) => scene.joined(part, named, |it| roles.cast.mean(it)).map(Some),
            None => Ok(None),
        }
    }

    /// Lets a real name mean an agent.
    ///
    /// # Errors
    /// If the name means another agent, or the agent has another name.
    pub fn bind(&mut self, program: &Program, name: &str, agent: AgentId) -> Result<(), Fault> {
        self.names.resize(program.agents.len(), None);
        let is_taken = self.known.contains_key(name) || self.names[agent.index()].is_some();
        if is_taken {
            let text = format!("{name:?} and another name both mean !{}", program.agent_name(agent));
            return Err(Fault::new(FaultKind::BeyondCast, text));
        }
        self.names[agent.index()] = Some(name.to_owned());
        self.known.insert(name.to_owned(), agent);
        Ok(())
    }

    /// The agent that a real name means, if it has appeared.
    #[must_use]
    pub fn agent_of(&self, name: &str) -> Option<AgentId> {
        self.known.get(name).copied()
    }

    /// The real name of an agent, if it has appeared.
    #[must_use]
    pub fn real_name(&self, agent: AgentId) -> Option<&str> {
        self.names.get(agent.index()).and_then(Option::as_deref)
    }

    /// The agent that a real name means. `part` is the part that it has by evidence in the log.
    ///
    /// # Errors
    /// If it has no part, or nobody of the part is left.
    pub fn agent(
        &mut self,
        roles: &Roles,
        program: &Program,
        name: &str,
        part: impl FnOnce() -> Option<PartId>,
    ) -> Result<AgentId, Fault> {
        if let Some(&agent) = self.known.get(name) {
            return Ok(agent);
        }
        self.names.resize(program.agents.len(), None);
        let agent = match roles.agent(program, name)? {
            Some(agent) if self.names[agent.index()].is_none() => agent,
            Some(agent) => {
                let text = format!("{name:?} and another name both mean !{}", program.agent_name(agent));
                return Err(Fault::new(FaultKind::BeyondCast, text));
            }
            None => {
                let Some(part) = roles.given_part(program, name).or_else(part) else {
                    let text = match name {
                        OUTSIDE => {
                            format!(
                                "whoever is outside of the system has no role: call it {name:?} in [cast]"
                            )
                        }
                        _ => format!("{name:?} has no role: what it says does not tell which"),
                    };
                    return Err(Fault::new(FaultKind::NoRole, text));
                };
                let agents = &program.part(part).agents;
                let free = agents.iter().copied().filter(|it| self.names[it.index()].is_none());
                let first = free.clone().next();
                let wanted = roles.cast.number(name).filter(|_| !self.loses_numbers);
                let numbered = wanted.and_then(|wanted| {
                    free.clone().find(|&agent| number(program.agent_name(agent)) == Some(wanted))
                });
                // Those whom the mapping names are left to the names that mean them.
                let mut free = numbered.into_iter().chain(free);
                free.find(|&it| !roles.cast.mean(program.agent_name(it))).or(first).ok_or_else(|| {
                    let role = program.role_name(program.part(part).role);
                    let text = format!("{name:?} plays %{role}, of which the cast has only {}", agents.len());
                    Fault::new(FaultKind::BeyondCast, text)
                })?
            }
        };
        self.names[agent.index()] = Some(name.to_owned());
        self.known.insert(name.to_owned(), agent);
        Ok(agent)
    }

    /// The arguments of a message as values.
    ///
    /// # Errors
    /// If one of them is no value.
    pub fn values(&mut self, program: &Program, args: &[Json]) -> Result<Vec<Value>, Fault> {
        args.iter().map(|it| self.value(program, it)).collect()
    }

    fn value(&mut self, program: &Program, json: &Json) -> Result<Value, Fault> {
        match json {
            Json::Number(number) => Ok(match opaque::integer(number) {
                Some(number) => Value::Integer(number),
                None => self.opaque(program, json),
            }),
            Json::String(text) => Ok(match self.known.get(text) {
                Some(&agent) => Value::Agent(agent),
                None => match program.name_constant(text) {
                    Some(name) => Value::Name(name),
                    None => {
                        let value = self.foreign.text(program, text);
                        self.counted(program, value, text.len())
                    }
                },
            }),
            Json::Object(fields) => match fields.iter().next().map(|(kind, it)| (kind.as_str(), it.as_str()))
            {
                Some((kind, Some(name))) if fields.len() == 1 => {
                    let named = self.named(program, kind, name)?;
                    Ok(named.unwrap_or_else(|| self.opaque(program, json)))
                }
                _ => Ok(self.opaque(program, json)),
            },
            Json::Bool(_) | Json::Null | Json::Array(_) => Ok(self.opaque(program, json)),
        }
    }

    /// What a file cannot write: a constant that has no name a file can have, but for `true`, `false` and `null`.
    fn opaque(&mut self, program: &Program, json: &Json) -> Value {
        let content = opaque::content(json);
        let value = self.foreign.name(program, &content);
        self.counted(program, value, content.len())
    }

    /// The value that an object names by its kind; nothing if it does not name a kind.
    fn named(&mut self, program: &Program, kind: &str, name: &str) -> Result<Option<Value>, Fault> {
        let wrong = |text: String| Fault::new(FaultKind::NoValue, text);
        match kind {
            "constant" if !is_name(name) => Err(wrong(format!("{name:?} is not the name of a constant"))),
            "constant" => {
                let value = self.foreign.name(program, name);
                Ok(Some(self.counted(program, value, name.len())))
            }
            "text" | "fresh" => {
                let value = self.foreign.text(program, name);
                Ok(Some(self.counted(program, value, name.len())))
            }
            "agent" => {
                let agent = self.known.get(name).copied().or_else(|| name_of_agent(program, name));
                let agent = agent.ok_or_else(|| wrong(format!("there is no agent {name:?}")))?;
                Ok(Some(Value::Agent(agent)))
            }
            // Messages of models have such an object, too.
            "role" => {
                let bare = name.strip_prefix('%').unwrap_or(name);
                let role = program.roles.iter().position(|it| it == bare);
                Ok(role.map(|it| Value::Role(RoleId::new(it))))
            }
            _ => Ok(None),
        }
    }
}

/// Whether this has the form of a name in a file: letters, digits and `_` of ASCII, with a letter first.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The performative with this name and arity.
#[must_use]
pub fn performative_named(program: &Program, name: &str, arity: usize) -> Option<PerformativeId> {
    let at = program.performatives.iter().position(|it| it.arity == arity && it.name == name);
    at.map(PerformativeId::new)
}

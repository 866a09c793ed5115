//! The cast: the parts of a scene, its agents, and what a literal name refers to.

use std::collections::{BTreeMap, BTreeSet};

use map_syntax::ast::{CastSubject, Clause, File, Procedure, Scene, TermKind, Who};

use super::OracleOptions;
use super::can_fail;
use super::state::Value;

/// "All clauses with the same role and the same `who` (all variables count as the same `who`) form a *part*."
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) role: &'a str,
    /// The literal name in the heads; `None` for a variable.
    pub(super) literal: Option<&'a str>,
    /// Indices into the scene's clauses, in order.
    pub(super) clauses: Vec<usize>,
    /// "The clause with no further terms is the part's entry."
    pub(super) entry: usize,
    /// "For a variable `who`, the role with a capital."
    cast_name: String,
}

/// One agent of the cast.
#[derive(Debug)]
pub(super) struct Agent {
    pub(super) name: String,
    pub(super) part: usize,
}

/// The parts of the chosen scene and its agents.
#[derive(Debug)]
pub(super) struct Cast<'a> {
    pub(super) scene: &'a Scene,
    pub(super) parts: Vec<Part<'a>>,
    pub(super) agents: Vec<Agent>,
}

impl<'a> Cast<'a> {
    /// "The cast has by default one agent for each part", then what the file says, then what `--agents` says.
    pub(super) fn new(file: &'a File, options: &OracleOptions) -> Self {
        let scene = match &options.scene {
            Some(name) => file.scenes().find(|scene| scene.name.text == *name),
            None => file.scenes().next(),
        }
        .expect("the scene exists");
        let parts = parts_of(scene);
        let mut counts = vec![1; parts.len()];
        for cast in file.casts() {
            let part = match &cast.subject {
                CastSubject::Role(name) => part_of_role(&parts, &name.text),
                CastSubject::Agent(name) => part_of_agent(&parts, &name.text),
            };
            // A file may hold several scenes: ignore casts for the others.
            if let Some(part) = part {
                counts[part] = u32::try_from(cast.count).expect("a sensible number of agents");
            }
        }
        for (name, count) in &options.agents {
            let part = part_of_role(&parts, name).or_else(|| part_of_agent(&parts, name));
            counts[part.expect("a role or an agent of the scene")] = *count;
        }
        let mut agents = Vec::new();
        for (part, count) in counts.into_iter().enumerate() {
            let name = &parts[part].cast_name;
            match count {
                1 => agents.push(Agent { name: name.clone(), part }),
                // "With n > 1 they are `!Bidder1 .. !BidderN`."
                n => agents.extend((1..=n).map(|i| Agent { name: format!("{name}{i}"), part })),
            }
        }
        Self { scene, parts, agents }
    }

    pub(super) fn role_of(&self, agent: usize) -> &str {
        self.parts[self.agents[agent].part].role
    }
}

fn parts_of(scene: &Scene) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for (index, clause) in scene.clauses.iter().enumerate() {
        let literal = literal_of(clause);
        let role = clause.role.text.as_str();
        let found = parts.iter().position(|part| part.role == role && part.literal == literal);
        let at = found.unwrap_or_else(|| {
            let cast_name = literal.map_or_else(|| capitalised(role), str::to_owned);
            parts.push(Part { role, literal, clauses: Vec::new(), entry: usize::MAX, cast_name });
            parts.len() - 1
        });
        parts[at].clauses.push(index);
        if clause.parameters.is_empty() {
            parts[at].entry = index;
        }
    }
    parts
}

fn literal_of(clause: &Clause) -> Option<&str> {
    match &clause.who {
        Who::Agent(name) => Some(&name.text),
        Who::Variable(_) => None,
    }
}

fn capitalised(role: &str) -> String {
    let (first, rest) = role.split_at(1);
    format!("{}{rest}", first.to_ascii_uppercase())
}

/// "A role with several parts: the role's count means its variable part."
fn part_of_role(parts: &[Part<'_>], role: &str) -> Option<usize> {
    let of_role: Vec<usize> = (0..parts.len()).filter(|&part| parts[part].role == role).collect();
    match of_role[..] {
        [only] => Some(only),
        _ => of_role.into_iter().find(|&part| parts[part].literal.is_none()),
    }
}

fn part_of_agent(parts: &[Part<'_>], name: &str) -> Option<usize> {
    parts.iter().position(|part| part.cast_name == name)
}

/// The value of a term that is neither variable nor wildcard, outside the clauses: a literal name is one agent's.
pub(super) fn constant(term: &TermKind) -> Value<'_> {
    match term {
        TermKind::Agent(name) => Value::Agent(name),
        TermKind::Role(name) => Value::Role(name),
        TermKind::Name(name) => Value::Name(name),
        TermKind::Integer(number) => Value::Integer(*number),
        TermKind::Text(text) => Value::Text(text),
        TermKind::Variable(_) | TermKind::Wildcard | TermKind::Expression(_) => unreachable!("not a literal"),
    }
}

/// Everything that stays constant while a scene is explored.
#[derive(Debug)]
pub(super) struct Setting<'a> {
    pub(super) cast: &'a Cast<'a>,
    pub(super) options: &'a OracleOptions,
    pub(super) file: &'a File,
    /// The procedures that the file declares.
    procedures: BTreeMap<&'a str, &'a Procedure>,
    /// For every clause, whether it can fail, "decided statically, as a least fixed point".
    pub(super) can_fail: Vec<bool>,
}

impl<'a> Setting<'a> {
    pub(super) fn new(file: &'a File, cast: &'a Cast<'a>, options: &'a OracleOptions) -> Self {
        // "A procedure that no item declares is a `decision`."
        let total: BTreeSet<&str> =
            file.procedures().filter(|it| !it.may_refuse).map(|it| it.name.text.as_str()).collect();
        let can_fail = can_fail::can_fail(cast, &total);
        let procedures = file.procedures().map(|it| (it.name.text.as_str(), it)).collect();
        Self { cast, options, file, procedures, can_fail }
    }

    pub(super) fn clause(&self, index: usize) -> &'a Clause {
        &self.cast.scene.clauses[index]
    }

    pub(super) fn part(&self, agent: usize) -> &'a Part<'a> {
        &self.cast.parts[self.cast.agents[agent].part]
    }

    pub(super) fn name(&self, agent: usize) -> &'a str {
        &self.cast.agents[agent].name
    }

    pub(super) fn role(&self, agent: usize) -> &'a str {
        self.cast.role_of(agent)
    }

    /// The procedure with this name, if the file declares one.
    pub(super) fn procedure(&self, name: &str) -> Option<&'a Procedure> {
        self.procedures.get(name).copied()
    }

    /// The value of a term that is neither variable nor wildcard, in a clause that `agent` follows.
    /// "In the clauses of its own part a literal name means *this agent*."
    pub(super) fn literal(&self, term: &'a TermKind, agent: usize) -> Value<'a> {
        match term {
            TermKind::Agent(name) if self.part(agent).literal == Some(name) => Value::Agent(self.name(agent)),
            _ => constant(term),
        }
    }

    /// The value of a term that must have one.
    pub(super) fn value(
        &self,
        term: &'a TermKind,
        variables: &BTreeMap<&'a str, Value<'a>>,
        agent: usize,
    ) -> Value<'a> {
        match term {
            TermKind::Variable(name) => *variables.get(name.as_str()).expect("bound on every path"),
            _ => self.literal(term, agent),
        }
    }
}

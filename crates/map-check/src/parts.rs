//! The parts of a scene, the number of agents of each, and the resolution of agent names.

use std::collections::HashMap;

use indexmap::{IndexMap, IndexSet};
use map_diagnostics::Span;
use map_syntax::ast::{Clause, File, Scene, Who};

use crate::{AgentInfo, CheckedScene, ClauseInfo, Occurrence, PartInfo, ProcedureInfo, suggest};

/// All clauses with the same role and the same `who`.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    /// Index into [`Parts::roles`].
    pub(crate) role: usize,
    /// The agent name of the heads, `None` for a variable.
    pub(crate) literal: Option<&'a str>,
    /// The name of its agent if there is one, or the base to which numbers are appended if there are several.
    pub(crate) base: String,
    /// Indices of its clauses.
    pub(crate) clauses: Vec<usize>,
    /// The number of its agents in the cast.
    pub(crate) count: usize,
    /// Where that number comes from.
    pub(crate) counted_by: CountedBy,
}

/// Where the number of agents of a part comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountedBy {
    /// Not specified, so one.
    Default,
    /// A `cast` item, with the span of its number.
    File(Span),
    /// The command line.
    Override,
}

/// What an agent name refers to outside its own part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// One agent.
    Agent,
    /// A part without agents in the cast.
    Absent,
    /// Any of the several agents of this part.
    Ambiguous(usize),
    /// Nothing.
    Unknown,
}

/// A scene with its parts.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    pub(crate) scene: &'a Scene,
    /// In order of first definition.
    pub(crate) roles: IndexSet<String>,
    /// In order of their first clause.
    pub(crate) list: Vec<Part<'a>>,
    /// Parallel to the clauses.
    pub(crate) of_clause: Vec<usize>,
    /// Parallel to the roles.
    pub(crate) of_role: Vec<Vec<usize>>,
    by_base: HashMap<String, Vec<usize>>,
}

impl<'a> Parts<'a> {
    /// The role that a part without entry was probably meant to be of: one with nearly the same name that has an entry.
    pub(crate) fn meant_for(&self, part: usize) -> Option<usize> {
        let has_entry = |part: &Part<'_>| part.clauses.iter().any(|&it| is_entry(&self.scene.clauses[it]));
        if has_entry(&self.list[part]) {
            return None;
        }
        let role = self.list[part].role;
        let begun = |role: &usize| self.of_role[*role].iter().any(|&it| has_entry(&self.list[it]));
        let others = (0..self.roles.len()).filter(|&other| other != role).filter(begun);
        let near = suggest::nearest(self.role_name(role), others.map(|other| self.role_name(other)))?;
        self.roles.get_index_of(near)
    }

    pub(crate) fn new(scene: &'a Scene) -> Self {
        let mut parts = Self {
            scene,
            roles: IndexSet::new(),
            list: Vec::new(),
            of_clause: Vec::with_capacity(scene.clauses.len()),
            of_role: Vec::new(),
            by_base: HashMap::new(),
        };
        let mut known: HashMap<(usize, Option<&'a str>), usize> = HashMap::new();
        for (index, clause) in scene.clauses.iter().enumerate() {
            let (role, new) = parts.roles.insert_full(clause.role.text.clone());
            if new {
                parts.of_role.push(Vec::new());
            }
            let literal = literal_of(clause);
            let part =
                *known.entry((role, literal)).or_insert_with(|| parts.add(role, literal, &clause.role.text));
            parts.list[part].clauses.push(index);
            parts.of_clause.push(part);
        }
        parts
    }

    /// The parts of a checked scene, with the numbers of agents of its cast.
    pub(crate) fn of_checked(checked: &CheckedScene<'a>) -> Self {
        let mut parts = Self::new(checked.scene);
        for (part, info) in parts.list.iter_mut().zip(&checked.parts) {
            part.count = info.agents.len();
        }
        parts
    }

    fn add(&mut self, role: usize, literal: Option<&'a str>, role_name: &str) -> usize {
        let index = self.list.len();
        let base = literal.map_or_else(|| capitalised(role_name), str::to_owned);
        self.by_base.entry(base.clone()).or_default().push(index);
        self.of_role[role].push(index);
        let (count, counted_by) = (1, CountedBy::Default);
        self.list.push(Part { role, literal, base, clauses: Vec::new(), count, counted_by });
        index
    }

    /// The parts whose single agent would have this name.
    pub(crate) fn of_base(&self, base: &str) -> &[usize] {
        self.by_base.get(base).map_or(&[], Vec::as_slice)
    }

    /// The first clause of a part, if there is such a part.
    pub(crate) fn first_clause(&self, part: usize) -> Option<&'a Clause> {
        let clause = *self.list.get(part)?.clauses.first()?;
        self.scene.clauses.get(clause)
    }

    /// The part as shown to users: the agent or the role, with sigil.
    pub(crate) fn title(&self, part: usize) -> String {
        match self.list[part].literal {
            Some(name) => format!("!{name}"),
            None => format!("%{}", self.role_name(self.list[part].role)),
        }
    }

    pub(crate) fn role_name(&self, role: usize) -> &str {
        self.roles.get_index(role).map_or("", String::as_str)
    }

    /// The parts that have an agent of exactly this name. More than one is an error that [`crate::cast`] reports.
    ///
    /// Agent names are never generated for the comparison: each of many scenes may have a million agents.
    pub(crate) fn bearers(&self, name: &str) -> impl Iterator<Item = usize> {
        let single = self.of_base(name).iter().filter(|&&part| self.list[part].count == 1);
        let several = numbered(name).flat_map(move |(base, number)| {
            let has_it =
                move |part: &&usize| self.list[**part].count > 1 && number <= self.list[**part].count;
            self.of_base(base).iter().filter(has_it)
        });
        single.chain(several).copied()
    }

    /// What an agent name refers to outside its own part.
    pub(crate) fn meaning(&self, name: &str) -> Meaning {
        if self.bearers(name).next().is_some() {
            return Meaning::Agent;
        }
        let parts = self.of_base(name);
        match parts.iter().find(|&&part| self.list[part].count > 1) {
            Some(&part) => Meaning::Ambiguous(part),
            None if parts.is_empty() => Meaning::Unknown,
            None => Meaning::Absent,
        }
    }

    /// The tables for the compiler; `None` if a part has no entry clause, which has been reported.
    pub(crate) fn into_checked(
        self,
        file: &'a File,
        procedures: IndexMap<String, ProcedureInfo>,
        occurrences: IndexMap<u32, Occurrence>,
    ) -> Option<CheckedScene<'a>> {
        let mut agents = Vec::new();
        let mut parts = Vec::new();
        for (index, part) in self.list.into_iter().enumerate() {
            let first = agents.len();
            let agent = |name| AgentInfo { name, part: index };
            match part.count {
                1 => agents.push(agent(part.base)),
                count => agents.extend((1..=count).map(|number| agent(format!("{}{number}", part.base)))),
            }
            parts.push(PartInfo {
                role: part.role,
                literal: part.literal.map(str::to_owned),
                entry: part.clauses.iter().copied().find(|&clause| is_entry(&self.scene.clauses[clause]))?,
                clauses: part.clauses,
                agents: first..agents.len(),
            });
        }
        let clauses = self.of_clause.into_iter().map(|part| ClauseInfo { part }).collect();
        Some(CheckedScene {
            file,
            scene: self.scene,
            roles: self.roles,
            parts,
            clauses,
            agents,
            procedures,
            occurrences,
            first_values: Vec::new(),
        })
    }
}

/// Whether a clause is an entry clause of its part.
pub(crate) fn is_entry(clause: &Clause) -> bool {
    clause.parameters.is_empty()
}

/// The literal agent name in the head of a clause; `None` if it has a variable.
pub(crate) fn literal_of(clause: &Clause) -> Option<&str> {
    match &clause.who {
        Who::Agent(name) => Some(&name.text),
        Who::Variable(_) => None,
    }
}

/// All ways to split a name into a shorter name and a number of at least 1 without leading zeros.
pub(crate) fn numbered(name: &str) -> impl Iterator<Item = (&str, usize)> {
    // No part has more than `MAX_AGENTS` agents, so longer numbers cannot occur.
    const DIGITS: usize = 7;
    (1..=DIGITS)
        .map_while(|digits| {
            let (base, number) = name.split_at_checked(name.len().checked_sub(digits)?)?;
            number.bytes().all(|byte| byte.is_ascii_digit()).then_some((base, number))
        })
        .filter(|(base, number)| !base.is_empty() && !number.starts_with('0'))
        .filter_map(|(base, number)| Some((base, number.parse().ok()?)))
}

/// The default name of an agent: its role with a capital first letter.
pub(crate) fn capitalised(role: &str) -> String {
    let mut name = role.to_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
}

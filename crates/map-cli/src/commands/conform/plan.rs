//! Reads logs for the names in them: who plays which role, and how large the cast of each conversation is.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use map_check::{CastOverride, CheckOptions};
use map_conform::{Roles, agent_named};
use map_ir::{PartId, Program};

use super::Bad;
use super::logs::Logs;
use crate::input::load;

/// The casts of the conversations.
#[derive(Default)]
pub(super) struct Plan {
    /// Whether some line is an arrival.
    pub(super) some_arrive: bool,
    /// By real name: its part.
    parts: HashMap<String, PartId>,
    /// By conversation: the index of its cast.
    casts: HashMap<String, usize>,
    /// The different casts: the number of agents of each part, 0 for as many as the file has.
    counts: Vec<Vec<usize>>,
}

impl Plan {
    /// The plan for a stream, which is not known beforehand.
    pub(super) fn of_stream() -> Self {
        Self { counts: vec![Vec::new()], ..Self::default() }
    }

    /// Reads the logs. If the cast is `fixed`, only roles are looked for.
    pub(super) fn read(
        paths: &[PathBuf],
        program: &Program,
        roles: &Roles,
        fixed: bool,
    ) -> Result<Self, Bad> {
        let mut plan = Self::of_stream();
        let mut names: HashMap<String, Vec<String>> = HashMap::new();
        let mut heard: HashMap<String, PartId> = HashMap::new();
        let mut logs = Logs::open(paths)?;
        while let Some(entry) = logs.next()? {
            let Ok(record) = entry.record else { continue };
            plan.some_arrive |= record.arrives;
            let arity = record.args.len();
            let by_name = |name: &str| agent_named(program, name).map(|it| program.agent(it).part);
            let part = by_name(&record.from).or_else(|| roles.part(true, &record.performative, arity));
            if let (Some(part), false) = (part, plan.parts.contains_key(&record.from)) {
                plan.parts.insert(record.from.clone(), part);
            }
            for to in &record.to {
                let part = by_name(to).or_else(|| roles.part(false, &record.performative, arity));
                if let (Some(part), false) = (part, heard.contains_key(to)) {
                    heard.insert(to.clone(), part);
                }
            }
            if !fixed {
                let known = names.entry(record.conversation).or_default();
                for name in record.to.into_iter().chain([record.from]) {
                    if !known.contains(&name) {
                        known.push(name);
                    }
                }
            }
        }
        // What somebody says tells more than what somebody hears.
        let heard: std::collections::BTreeMap<String, PartId> = heard.into_iter().collect();
        for (name, part) in heard {
            plan.parts.entry(name).or_insert(part);
        }
        let names: std::collections::BTreeMap<String, Vec<String>> = names.into_iter().collect();
        for (conversation, names) in names {
            let index = plan.cast_of(program, &names);
            plan.casts.insert(conversation, index);
        }
        Ok(plan)
    }

    /// The index of the cast of a conversation in which these names occur.
    fn cast_of(&mut self, program: &Program, names: &[String]) -> usize {
        if names.iter().all(|it| agent_named(program, it).is_some()) {
            return 0;
        }
        let mut counts = vec![0; program.parts.len()];
        for part in names.iter().filter_map(|it| self.parts.get(it)) {
            counts[part.index()] += 1;
        }
        for (count, part) in counts.iter_mut().zip(&program.parts) {
            if *count == part.agents.len() {
                *count = 0;
            }
        }
        if counts.iter().all(|&it| it == 0) {
            return 0;
        }
        self.counts.iter().position(|it| *it == counts).unwrap_or_else(|| {
            self.counts.push(counts);
            self.counts.len() - 1
        })
    }

    /// The part of a real name, if the logs tell it.
    pub(super) fn part(&self, name: &str) -> Option<PartId> {
        self.parts.get(name).copied()
    }

    /// The index of a conversation's cast.
    pub(super) fn cast(&self, conversation: &str) -> usize {
        self.casts.get(conversation).copied().unwrap_or(0)
    }

    /// The programs of all casts. One that cannot be is that of the file.
    pub(super) fn programs(&self, file: &Path, options: &CheckOptions, program: &Program) -> Vec<Program> {
        let of = |counts: &Vec<usize>| {
            let changed = counts.iter().zip(&program.parts).filter(|(count, _)| **count > 0);
            let agents: Vec<CastOverride> = changed
                .map(|(&count, part)| CastOverride {
                    name: program.role_name(part.role).to_owned(),
                    count: count as i64,
                })
                .collect();
            if agents.is_empty() {
                return program.clone();
            }
            let options = CheckOptions { agents, ..options.clone() };
            load(file, &options).program.unwrap_or_else(|| program.clone())
        };
        self.counts.iter().map(of).collect()
    }
}

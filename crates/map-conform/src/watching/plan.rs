//! Reads logs ahead for the names in them: who plays which role, and how large the cast of each conversation is.
//!
//! The plan runs ahead of the judging by a window of lines, and forgets what lies behind it, so that it does not grow
//! with the logs.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use map_ir::{PartId, Program};

use super::Counts;
use super::recipients::is_name;
use crate::cast::Roles;
use crate::casting;
use crate::record::{OUTSIDE, Record};

/// How many lines the plan is ahead.
const WINDOW: u64 = 1_000_000;
/// How many lines may lie behind before they are forgotten.
const SWEEP: u64 = WINDOW / 8;

/// The evidence for the part of a real name: what somebody says tells more than what somebody hears.
#[derive(Clone, Copy, Default)]
struct Evidence {
    says: Option<PartId>,
    hears: Option<PartId>,
    /// The last line with it.
    last: u64,
}

impl Evidence {
    fn part(self) -> Option<PartId> {
        self.says.or(self.hears)
    }
}

/// How many names of a conversation are told apart: more than a cast may have, so that those beyond change nothing but
/// would take quadratic time.
const MAX_NAMES: usize = 1 << 15;

/// The names in a conversation, sorted.
#[derive(Default)]
struct Names {
    names: Vec<(Box<str>, Evidence)>,
    /// What the conversation is called later.
    alias: Option<String>,
    /// By log: the latest time.
    latest: Vec<(usize, u64)>,
    /// Whether a line is earlier than one before it in its log.
    runs_back: bool,
    last: u64,
}

impl Names {
    fn at(&self, name: &str) -> Result<usize, usize> {
        self.names.binary_search_by(|(it, _)| (**it).cmp(name))
    }

    /// The evidence for a name; `None` if there are too many.
    fn of(&mut self, name: &str) -> Option<&mut Evidence> {
        let at = match self.at(name) {
            Ok(at) => at,
            Err(_) if self.names.len() == MAX_NAMES => return None,
            Err(at) => {
                self.names.insert(at, (name.into(), Evidence::default()));
                at
            }
        };
        Some(&mut self.names[at].1)
    }
}

/// What the lines ahead say of casts.
pub struct Plan {
    /// Whether some line is an arrival.
    pub some_arrive: bool,
    /// Whether some messages have arrivals that the log does not show.
    pub some_arrive_unlogged: bool,
    roles: Arc<Roles>,
    /// By real name, over all conversations.
    everywhere: HashMap<String, Evidence>,
    conversations: HashMap<String, Names>,
    /// Whether the cast is that of --agents.
    is_fixed: bool,
    /// The number of lines read.
    read: u64,
    /// When to forget what lies behind.
    sweep_at: u64,
}

impl Plan {
    /// The plan for a log. If the cast is `fixed`, as that of a stream, which is not known beforehand, only roles are
    /// looked for.
    #[must_use]
    pub fn new(roles: Arc<Roles>, fixed: bool) -> Self {
        Self {
            some_arrive: false,
            some_arrive_unlogged: false,
            roles,
            everywhere: HashMap::new(),
            conversations: HashMap::new(),
            is_fixed: fixed,
            read: 0,
            sweep_at: SWEEP,
        }
    }

    /// Whether the plan has to know more lines before this one is judged.
    #[must_use]
    pub fn is_behind(&self, line: u64) -> bool {
        self.read < line + WINDOW
    }

    /// Forgets what lies behind this line, now and then; to be called when the plan is not behind.
    pub fn forget_before(&mut self, line: u64) {
        if line >= self.sweep_at {
            self.sweep_at = line + SWEEP;
            self.everywhere.retain(|_, evidence| evidence.last >= line);
            self.conversations.retain(|_, names| names.last >= line);
        }
    }

    /// Notes the next line; one that cannot be used is counted.
    pub fn note(&mut self, program: &Program, log: usize, record: Option<&Record>) {
        self.read += 1;
        if let Some(record) = record {
            self.note_names(program, record);
            if let (Some(time), Some(names)) = (record.time, self.conversations.get_mut(&record.conversation))
            {
                names.runs_back |= runs_back(&mut names.latest, log, time);
            }
        }
    }

    fn note_names(&mut self, program: &Program, record: &Record) {
        let roles = &*self.roles;
        self.some_arrive |= record.arrives;
        self.some_arrive_unlogged |= record.arrives_unlogged;
        let arity = record.args.len();
        let part = |sends: bool, name: &str| {
            let named = roles.agent(program, name).ok().flatten().map(|it| program.agent(it).part);
            let given = || roles.given_part(program, name);
            named.or_else(given).or_else(|| roles.part(sends, &record.performative, arity))
        };
        let names = match self.conversations.get_mut(&record.conversation) {
            Some(names) => names,
            None => self.conversations.entry(record.conversation.clone()).or_default(),
        };
        names.last = self.read;
        if record.alias.is_some() {
            names.alias.clone_from(&record.alias);
        }
        let to = record.to.iter().filter(|name| is_name(program, name)).map(|it| (false, it));
        let all = to.chain([(true, &record.from)]);
        for (says, name) in all {
            let part = part(says, name);
            let known = match self.everywhere.get_mut(name) {
                Some(known) => known,
                None => self.everywhere.entry(name.clone()).or_default(),
            };
            known.add(says, part, self.read);
            if let Some(here) = names.of(name) {
                here.add(says, part, self.read);
            }
        }
    }

    /// The part of a real name in a conversation, if the logs tell it.
    pub(super) fn part(&self, conversation: &str, name: &str) -> Option<PartId> {
        let here = self.conversations.get(conversation);
        let here = here.and_then(|it| it.at(name).ok().map(|at| it.names[at].1));
        let everywhere = || self.everywhere.get(name).and_then(|it| it.part());
        here.and_then(Evidence::part).or_else(everywhere)
    }

    /// Whether the times of a conversation run back in a log.
    pub(super) fn runs_back(&self, conversation: &str) -> bool {
        self.conversations.get(conversation).is_some_and(|names| names.runs_back)
    }

    /// What a conversation is called later, if the logs tell it.
    pub(super) fn alias(&self, conversation: &str) -> Option<&str> {
        self.conversations.get(conversation)?.alias.as_deref()
    }

    /// The part of whoever is outside, if this is its name: the only one that nobody plays.
    pub(super) fn part_of_outside(&self, conversation: &str, name: &str) -> Option<PartId> {
        let names = self.conversations.get(conversation).filter(|_| name == OUTSIDE)?;
        let others = names.names.iter().filter(|(its, _)| **its != *OUTSIDE);
        let played: Vec<PartId> = others.filter_map(|(its, _)| self.part(conversation, its)).collect();
        let mut free = self.roles.parts().filter(|part| !played.contains(part));
        free.next().filter(|_| free.next().is_none())
    }

    /// Whether the numbers in the names of a conversation tell which agents of a role they are, as far as a mapping
    /// gives the role only: they differ, and the cast has such agents.
    pub(super) fn numbers_fit(&self, program: &Program, conversation: &str) -> bool {
        let Some(names) = self.conversations.get(conversation) else { return true };
        let mut seen = BTreeSet::new();
        names.names.iter().filter_map(|(name, _)| Some((name, self.roles.number(name)?))).all(
            |(name, number)| {
                let part = self.roles.given_part(program, name);
                let fits = part.is_some_and(|part| {
                    let mut agents = program.part(part).agents.iter();
                    agents.any(|&agent| casting::number(program.agent_name(agent)) == Some(number))
                });
                fits && seen.insert((part, number))
            },
        )
    }

    /// The cast of a conversation.
    pub(super) fn cast(&self, program: &Program, conversation: &str) -> Counts {
        let mut counts = vec![0; program.parts.len()];
        let Some(names) = self.conversations.get(conversation).filter(|_| !self.is_fixed) else {
            return counts;
        };
        if names.names.iter().all(|(it, _)| matches!(self.roles.agent(program, it), Ok(Some(_)))) {
            return counts;
        }
        let part =
            |name: &str| self.part(conversation, name).or_else(|| self.part_of_outside(conversation, name));
        for part in names.names.iter().filter_map(|(name, _)| part(name)) {
            counts[part.index()] += 1;
        }
        for (count, part) in counts.iter_mut().zip(&program.parts) {
            if *count == part.agents.len() {
                *count = 0;
            }
        }
        counts
    }
}

impl Evidence {
    fn add(&mut self, says: bool, part: Option<PartId>, line: u64) {
        let known = if says { &mut self.says } else { &mut self.hears };
        *known = known.or(part);
        self.last = line;
    }
}

/// Whether a line of a log is earlier than the `latest` one before it; notes its time.
pub(super) fn runs_back(latest: &mut Vec<(usize, u64)>, log: usize, time: u64) -> bool {
    match latest.iter_mut().find(|(its, _)| *its == log) {
        Some((_, before)) if time < *before => true,
        Some((_, before)) => {
            *before = time;
            false
        }
        None => {
            latest.push((log, time));
            false
        }
    }
}

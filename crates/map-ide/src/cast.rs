//! Who plays in a scene under the cast of the file, and whom an address means.

use std::collections::HashMap;
use std::ops::Range;

use map_syntax::TokenKind as Kind;
use map_syntax::ast::{self, CastSubject};

use crate::index::{Address, EntityKind, Index, Part};
use crate::words::Words;

/// The number of agents of each part.
#[derive(Debug)]
pub(crate) struct Cast {
    counts: Vec<usize>,
}

impl Cast {
    pub(crate) fn new(index: &Index, file: &ast::File) -> Self {
        let mut of_roles: HashMap<&str, i64> = HashMap::new();
        let mut of_agents: HashMap<&str, i64> = HashMap::new();
        for cast in file.casts() {
            match &cast.subject {
                CastSubject::Role(role) => of_roles.entry(&role.text).or_insert(cast.count),
                CastSubject::Agent(agent) => of_agents.entry(&agent.text).or_insert(cast.count),
            };
        }
        let of_role = |part: &Part| of_roles.get(&*part.role).filter(|_| is_its_role(index, part));
        let wanted = |part: &Part| of_role(part).or_else(|| of_agents.get(&*part.base())).copied();
        let count = |part| wanted(part).map_or(1, |count| usize::try_from(count).unwrap_or(0));
        Self { counts: index.parts.iter().map(count).collect() }
    }

    /// The number of agents of a part.
    pub(crate) fn count(&self, part: usize) -> usize {
        self.counts[part]
    }

    /// The names of the agents of a part, such as `!Bidder1`, the first few of them.
    pub(crate) fn names(&self, index: &Index, part: usize) -> Vec<String> {
        let base = index.parts[part].base();
        match self.counts[part] {
            1 => vec![format!("!{base}")],
            count => (1..=count.min(SHOWN)).map(|number| format!("!{base}{number}")).collect(),
        }
    }
}

/// Whether a count for a role is that of this part: it has a variable, or is the only one.
pub(crate) fn is_its_role(index: &Index, part: &Part) -> bool {
    let parts = &index.parts[index.scenes[part.scene].parts.clone()];
    part.literal.is_none() || parts.iter().filter(|it| it.role == part.role).count() == 1
}

/// The most agents of a part whose names are listed.
const SHOWN: usize = 8;

/// The parts of a scene whose agents an address may mean, seen from a clause of the part `own`; its own agents too, if
/// there may be others of them.
pub(crate) fn meant(text: &str, words: &Words, index: &Index, own: usize, address: &Address) -> Vec<usize> {
    let mut parts: Vec<usize> = index.scenes[index.parts[own].scene].parts.clone().collect();
    if let Some(role) = only(words, &address.role, Kind::Role) {
        let role = &text[words.range(role)][1..];
        parts.retain(|&part| index.parts[part].role == role);
    }
    if let Some(agent) = only(words, &address.agent, Kind::AgentName) {
        let mentions = index.mentions_of(agent);
        let base =
            mentions.iter().map(|it| &index.entities[it.entity]).find(|it| it.kind == EntityKind::Agent);
        parts.retain(|&part| base.is_some_and(|base| index.parts[part].base() == base.name));
    }
    parts
}

/// The token of a term that is of this kind.
pub(crate) fn only(words: &Words, term: &Range<usize>, kind: Kind) -> Option<usize> {
    (term.len() == 1 && words.kind(term.start) == Some(kind)).then_some(term.start)
}

//! Who plays what by a mapping: names with `*`, which stands for any text.

use std::ops::Range;

use map_ir::{AgentId, PartId, Program};

use crate::record::{Fault, FaultKind};

/// Whom a name of the real system means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// This agent, without `!`.
    Agent(String),
    /// Some agent of this role, without `%`.
    Role(String),
}

/// A line of the table `[cast]`.
#[derive(Clone, Debug)]
pub(crate) struct CastRule {
    pub(crate) pattern: String,
    pub(crate) target: Target,
    /// Where the target stands.
    pub(crate) span: Range<usize>,
}

/// Who plays what by the mapping; the first rule that fits a name counts.
#[derive(Clone, Debug, Default)]
pub struct CastRules {
    pub(crate) rules: Vec<CastRule>,
}

impl CastRules {
    fn target(&self, name: &str) -> Option<&Target> {
        self.rules.iter().find(|it| fits(&it.pattern, name)).map(|it| &it.target)
    }

    /// Whether a rule fits this name.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.target(name).is_some()
    }

    /// The agent that a rule gives a name.
    ///
    /// # Errors
    /// If the cast has no such agent.
    pub(crate) fn agent(&self, program: &Program, name: &str) -> Result<Option<AgentId>, Fault> {
        let Some(Target::Agent(agent)) = self.target(name) else { return Ok(None) };
        let found = program.cast().find(|&it| program.agent_name(it) == agent);
        found.map(Some).ok_or_else(|| {
            let text = format!("{name:?} is !{agent} by the mapping, whom this cast does not have");
            Fault::new(FaultKind::BeyondCast, text)
        })
    }

    /// The name in the file that a name of the real system means, if it means one: it is the same without a rule.
    pub(crate) fn name_in_file<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        match self.target(name) {
            Some(Target::Agent(agent)) => Some(agent),
            Some(Target::Role(_)) => None,
            None => Some(name.strip_prefix('!').unwrap_or(name)),
        }
    }

    /// Whether a rule means the agent with this name in the file.
    pub(crate) fn mean(&self, name: &str) -> bool {
        self.rules.iter().any(|it| matches!(&it.target, Target::Agent(its) if its == name))
    }

    /// The part whose role a rule gives a name.
    pub(crate) fn part(&self, program: &Program, name: &str) -> Option<PartId> {
        match self.target(name)? {
            Target::Role(role) => part_named(program, role),
            Target::Agent(agent) => part_of_agent(program, agent),
        }
    }

    /// The rules that fit no name with a platform behind `@`.
    #[must_use]
    pub fn without_platform(&self) -> Vec<(Range<usize>, String)> {
        let lacks = |rule: &&CastRule| !rule.pattern.contains(['@', '*']);
        let told = |rule: &CastRule| {
            let text =
                format!("no agent of JADE is called {:?}: its platform is part of its name", rule.pattern);
            (rule.span.clone(), text)
        };
        self.rules.iter().filter(lacks).map(told).collect()
    }

    /// The rules whose role or agent the scene does not have, under no cast.
    #[must_use]
    pub fn strangers(&self, program: &Program) -> Vec<(Range<usize>, String)> {
        let stranger = |rule: &CastRule| match &rule.target {
            Target::Role(role) if part_named(program, role).is_none() => {
                Some((rule.span.clone(), format!("no agent of the scene plays %{role}")))
            }
            Target::Agent(agent) if part_of_agent(program, agent).is_none() => {
                Some((rule.span.clone(), format!("the scene has no agent !{agent}")))
            }
            Target::Role(_) | Target::Agent(_) => None,
        };
        self.rules.iter().filter_map(stranger).collect()
    }
}

fn part_named(program: &Program, role: &str) -> Option<PartId> {
    program.parts.iter().position(|it| program.role_name(it.role) == role).map(PartId::new)
}

/// The part of an agent, also of one that only a larger cast has: they differ in their numbers.
fn part_of_agent(program: &Program, agent: &str) -> Option<PartId> {
    let base = |name: &str| name.trim_end_matches(|it: char| it.is_ascii_digit()).to_owned();
    let exact = program.cast().find(|&it| program.agent_name(it) == agent);
    let found = exact.or_else(|| program.cast().find(|&it| base(program.agent_name(it)) == base(agent)));
    found.map(|it| program.agent(it).part)
}

/// Whether a name fits a pattern. Linear in their product: the last `*` alone is tried again.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, n));
            p += 1;
        } else if pattern.get(p) == Some(&name[n]) {
            p += 1;
            n += 1;
        } else if let Some((at, from)) = star {
            star = Some((at, from + 1));
            p = at + 1;
            n = from + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&it| it == b'*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, name) in
            [("desk", "desk"), ("*", ""), ("bidder-*", "bidder-7"), ("*-a*b", "x-a-a-b"), ("**", "é")]
        {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("desk", "desks"), ("bidder-*", "bidder"), ("", "a"), ("*a", "ab"), ("a*a", "a")]
        {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }
}

//! Who plays what by a mapping: names with `*`, which stands for any text.

use std::borrow::Cow;
use std::ops::Range;

use map_ir::{AgentId, PartId, Program};

use crate::record::{Fault, FaultKind};

/// Whom a name of the real system means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// This agent, without `!`; what `*` stands for in the pattern is put for a `*` in it.
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

/// Whom a name means by a rule.
enum Meant<'a> {
    Agent(Cow<'a, str>),
    Role(&'a str),
}

impl CastRules {
    fn rule(&self, name: &str) -> Option<&CastRule> {
        self.rules.iter().find(|rule| fits(&rule.pattern, name))
    }

    fn meant<'a>(&'a self, name: &str) -> Option<Meant<'a>> {
        let rule = self.rule(name)?;
        Some(match &rule.target {
            Target::Role(role) => Meant::Role(role),
            Target::Agent(agent) => {
                Meant::Agent(match (rule.pattern.split_once('*'), agent.split_once('*')) {
                    (Some((before, behind)), Some((start, end))) => {
                        let kept = name.get(before.len()..name.len() - behind.len()).unwrap_or_default();
                        Cow::Owned(format!("{start}{kept}{end}"))
                    }
                    _ => Cow::Borrowed(agent.as_str()),
                })
            }
        })
    }

    /// Whether a rule fits this name.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.rule(name).is_some()
    }

    /// The number at the end of a name to which a pattern gives a role.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        let rule = self.rule(name)?;
        let is_wide = rule.pattern.contains('*') && matches!(rule.target, Target::Role(_));
        is_wide.then(|| number(name)).flatten()
    }

    /// The agent that a rule gives a name.
    ///
    /// # Errors
    /// If the cast has no such agent.
    pub fn agent(&self, program: &Program, name: &str) -> Result<Option<AgentId>, Fault> {
        let Some(Meant::Agent(agent)) = self.meant(name) else { return Ok(None) };
        let found = program.cast().find(|&it| program.agent_name(it) == agent);
        found.map(Some).ok_or_else(|| {
            let text = format!("{name:?} is !{agent} by the mapping, whom this cast does not have");
            Fault::new(FaultKind::BeyondCast, text)
        })
    }

    /// The name that the mapping gives the agent with this name in the file, if it gives one.
    #[must_use]
    pub fn name_of(&self, agent: &str) -> Option<&str> {
        let is_its = |rule: &&CastRule| {
            matches!(&rule.target, Target::Agent(its) if its == agent) && !rule.pattern.contains('*')
        };
        self.rules.iter().find(is_its).map(|rule| rule.pattern.as_str())
    }

    /// What an agent is called: as the mapping says, or else as in the file.
    #[must_use]
    pub fn usual_name<'a>(&'a self, program: &'a Program, agent: AgentId) -> &'a str {
        let in_file = program.agent_name(agent);
        self.name_of(in_file).unwrap_or(in_file)
    }

    /// The name in the file that a name of the real system means, if it means one: it is the same without a rule.
    pub(crate) fn name_in_file<'a>(&'a self, name: &'a str) -> Option<Cow<'a, str>> {
        match self.meant(name) {
            Some(Meant::Agent(agent)) => Some(agent),
            Some(Meant::Role(_)) => None,
            None => Some(Cow::Borrowed(name.strip_prefix('!').unwrap_or(name))),
        }
    }

    /// Whether a rule means the agent with this name in the file.
    pub(crate) fn mean(&self, name: &str) -> bool {
        self.rules.iter().any(|rule| matches!(&rule.target, Target::Agent(agent) if fits(agent, name)))
    }

    /// The part whose role a rule gives a name.
    pub(crate) fn part(&self, program: &Program, name: &str) -> Option<PartId> {
        match self.meant(name)? {
            Meant::Role(role) => {
                // Agents that the file names are parts of their own.
                let numbered = self.number(name).and_then(|wanted| {
                    program.cast().find(|&agent| {
                        program.role_name(program.agent(agent).role) == role
                            && number(program.agent_name(agent)) == Some(wanted)
                    })
                });
                numbered.map(|agent| program.agent(agent).part).or_else(|| part_named(program, role))
            }
            Meant::Agent(agent) => part_of_agent(program, &agent),
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

/// The number at the end of a name.
pub(crate) fn number(name: &str) -> Option<u64> {
    let digits = name.len() - name.trim_end_matches(|it: char| it.is_ascii_digit()).len();
    name[name.len() - digits..].parse().ok()
}

pub(crate) fn part_named(program: &Program, role: &str) -> Option<PartId> {
    program.parts.iter().position(|it| program.role_name(it.role) == role).map(PartId::new)
}

/// The part of an agent, also of one that only a larger cast has: they differ in their numbers.
fn part_of_agent(program: &Program, agent: &str) -> Option<PartId> {
    let base = |name: &str| name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '*').to_owned();
    let exact = program.cast().find(|&it| program.agent_name(it) == agent);
    let found = exact.or_else(|| program.cast().find(|&it| base(program.agent_name(it)) == base(agent)));
    found.map(|it| program.agent(it).part)
}

/// Whether a name fits a pattern. Linear in their product: the last `*` alone is tried again.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
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

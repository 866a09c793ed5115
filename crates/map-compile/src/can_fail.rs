//! Which clauses can fail: a least fixed point over the calls (language reference, "Bounds"). It decides where an
//! activation is given up at a call in last place.

use map_check::{Checked, HeadMatch};
use map_syntax::ast::{self, OpKind, TermKind};

use crate::known_agents::KnownAgents;

/// For every clause whether it can fail.
pub(crate) fn clauses_that_can_fail(checked: &Checked<'_>) -> Vec<bool> {
    let known = KnownAgents::new(checked);
    let mut can_fail = vec![false; checked.scene.clauses.len()];
    loop {
        let mut changed = false;
        for (index, clause) in checked.scene.clauses.iter().enumerate() {
            if !can_fail[index]
                && (Analysis { checked, known: &known, clause: index, can_fail: &can_fail }).op(&clause.body)
            {
                can_fail[index] = true;
                changed = true;
            }
        }
        if !changed {
            return can_fail;
        }
    }
}

/// The clauses of `part` whose heads a call may match, with whether each is certain to, up to the first certain one.
pub(crate) fn candidates<'a>(
    checked: &'a Checked<'_>,
    part: usize,
    arguments: &'a [ast::Term],
) -> impl Iterator<Item = (usize, bool)> + 'a {
    let mut ended = false;
    checked.parts[part].clauses.iter().copied().filter_map(move |clause| {
        if ended {
            return None;
        }
        match checked.match_clause(clause, arguments) {
            HeadMatch::Never => None,
            HeadMatch::Maybe => Some((clause, false)),
            HeadMatch::Certain => {
                ended = true;
                Some((clause, true))
            }
        }
    })
}

struct Analysis<'a> {
    checked: &'a Checked<'a>,
    known: &'a KnownAgents<'a>,
    clause: usize,
    can_fail: &'a [bool],
}

impl Analysis<'_> {
    fn op(&self, op: &ast::Op) -> bool {
        match &op.kind {
            OpKind::Fail | OpKind::Receive { .. } => true,
            OpKind::Skip => false,
            OpKind::Then(parts) | OpKind::Par(parts) => parts.iter().any(|part| self.op(part)),
            OpKind::Or(parts) => parts.iter().all(|part| self.op(part)),
            OpKind::Wait { timeout, .. } => timeout.as_deref().is_some_and(|timeout| self.op(timeout)),
            OpKind::Ask { variable, procedure, .. } => {
                let refuses = self.checked.procedures.get(&procedure.text).is_none_or(|it| it.may_refuse);
                refuses || !self.checked.binds(variable.span)
            }
            OpKind::Send { to, .. } => self.send(to),
            OpKind::Call { arguments } => {
                let mut certain = false;
                let some_can =
                    candidates(self.checked, self.part(), arguments).any(|(clause, is_certain)| {
                        certain |= is_certain;
                        self.can_fail[clause]
                    });
                some_can || !certain
            }
        }
    }

    /// A send cannot fail if for every agent of the part some other agent matches, and a variable in the address, if
    /// any, is known to hold an agent of the address's role.
    fn send(&self, to: &ast::Address) -> bool {
        let role = match &to.role.kind {
            TermKind::Role(name) => Some(name.as_str()),
            TermKind::Wildcard => None,
            _ => return true,
        };
        let name = match &to.agent.kind {
            TermKind::Wildcard => None,
            TermKind::Variable(variable) => match role {
                Some(role) if self.known.holds_agent_of(self.clause, variable, role) => None,
                _ => return true,
            },
            TermKind::Agent(name) => Some(name.as_str()),
            _ => return true,
        };
        let part = self.part();
        let own = self.checked.parts[part].literal.as_deref();
        if name.is_some() && name == own {
            return !self.checked.parts[part].agents.is_empty();
        }
        let role = role.and_then(|role| self.checked.roles.get_index_of(role));
        let matches = |agent: usize| {
            let info = &self.checked.agents[agent];
            name.is_none_or(|name| info.name == name)
                && role.is_none_or(|role| self.checked.parts[info.part].role == role)
        };
        let matching =
            (0..self.checked.agents.len()).filter(|&agent| matches(agent)).take(2).collect::<Vec<_>>();
        match matching[..] {
            [] => !self.checked.parts[part].agents.is_empty(),
            [only] => self.checked.parts[part].agents.contains(&only),
            _ => false,
        }
    }

    fn part(&self) -> usize {
        self.checked.clauses[self.clause].part
    }
}

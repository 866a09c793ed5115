//! Which clauses and operations can fail: a least fixed point over the calls (language reference, "Bounds"). The
//! compiler uses the result to decide which calls in tail position are last calls, which replace the caller's
//! activation.

use map_syntax::ast::{Address, Op, OpKind, TermKind};

use super::{Analysis, run_to_fixed_point};

impl Analysis<'_> {
    pub(super) fn find_what_can_fail(&mut self) {
        let mut can_fail = std::mem::take(&mut self.can_fail);
        run_to_fixed_point(self.callers(), |clause| {
            let found =
                !can_fail[clause] && self.judge(clause, &self.checked.scene.clauses[clause].body, &can_fail);
            can_fail[clause] |= found;
            found
        });
        self.can_fail = can_fail;
    }

    /// Whether an operation in a clause can fail.
    #[must_use]
    pub fn can_fail(&self, clause: usize, op: &Op) -> bool {
        self.judge(clause, op, &self.can_fail)
    }

    fn judge(&self, clause: usize, op: &Op, clauses: &[bool]) -> bool {
        match &op.kind {
            OpKind::Fail | OpKind::Hole | OpKind::Receive { .. } => true,
            OpKind::Skip => false,
            OpKind::Then(parts) | OpKind::Par(parts) => {
                parts.iter().any(|part| self.judge(clause, part, clauses))
            }
            OpKind::Or(parts) => parts.iter().all(|part| self.judge(clause, part, clauses)),
            OpKind::Wait { timeout, .. } => {
                timeout.as_deref().is_some_and(|timeout| self.judge(clause, timeout, clauses))
            }
            OpKind::Ask { variable, procedure, .. } => {
                self.may_refuse(&procedure.text) || self.checked.compares(variable.as_ref())
            }
            OpKind::Send { to, .. } => self.send_can_fail(clause, to),
            OpKind::Call { .. } => {
                let candidates = self.candidates(op);
                candidates.iter().any(|candidate| clauses[candidate.clause])
                    || !candidates.iter().any(|candidate| candidate.certain)
            }
        }
    }

    /// Whether a procedure may answer "no", as far as its declaration tells: what is compiled goes by this.
    #[must_use]
    pub fn may_refuse(&self, procedure: &str) -> bool {
        self.checked.procedures.get(procedure).is_none_or(|info| info.may_refuse)
    }

    /// Whether warnings have to reckon with the answer "no": there is no alternative that is always taken.
    #[must_use]
    pub fn may_say_no(&self, procedure: &str) -> bool {
        self.checked.procedures.get(procedure).is_none_or(|info| info.may_say_no)
    }

    /// Whether a send can fail. It cannot if, for every agent of the part, some other agent matches the address,
    /// and a variable in the address is known to hold an agent of the address's role.
    fn send_can_fail(&self, clause: usize, to: &Address) -> bool {
        let role = match &to.role.kind {
            TermKind::Role(name) => Some(name.as_str()),
            TermKind::Wildcard => None,
            _ => return true,
        };
        let name = match &to.agent.kind {
            TermKind::Wildcard => None,
            TermKind::Variable(variable) => match role {
                Some(role) if self.known.holds_agent_of(clause, variable, role) => None,
                _ => return true,
            },
            TermKind::Agent(name) => Some(name.as_str()),
            _ => return true,
        };
        let checked = self.checked;
        let part = &checked.parts[checked.clauses[clause].part];
        if name.is_some() && name == part.literal.as_deref() {
            return !part.agents.is_empty();
        }
        let role = role.and_then(|role| checked.roles.get_index_of(role));
        let matches = |agent: usize| {
            let info = &checked.agents[agent];
            name.is_none_or(|name| info.name == name)
                && role.is_none_or(|role| checked.parts[info.part].role == role)
        };
        let matching = (0..checked.agents.len()).filter(|&agent| matches(agent)).take(2).collect::<Vec<_>>();
        match matching[..] {
            [] => !part.agents.is_empty(),
            [only] => part.agents.contains(&only),
            _ => false,
        }
    }
}

//! Resolves the open questions of a step in every way, and notes what each way takes for granted.

use std::sync::Arc;

use map_ir::{AgentId, PerformativeId, Program, Symbol, Value};
use map_semantics::{Choice, Choices, ComputedValue, Look, Question, Reply};

use crate::constraint::{Constraint, role_of};

/// Domains with more values are not enumerated: the answer is abstract, with a test of membership.
const MAX_ENUMERATED: usize = 8;

/// Follows a path, given by what chooses among the options, and collects what it takes for granted.
pub(crate) struct Ways<'a> {
    pub(crate) program: &'a Program,
    pub(crate) agent: AgentId,
    pub(crate) path: &'a mut dyn Choices,
    pub(crate) assumed: Vec<Constraint>,
    /// Performatives of which a receive found nothing.
    pub(crate) missed: Vec<PerformativeId>,
}

impl Choices for Ways<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        let option = self.path.choose(choice);
        match choice {
            Choice::Equal { pairs, .. } if option == 1 => {
                self.assumed.extend(pairs.iter().map(|&(left, right)| Constraint::Equal(left, right)));
            }
            Choice::Equal { pairs, .. } => self.assumed.push(Constraint::NotAll(pairs.to_vec())),
            Choice::Condition { compared: (left, how, right), .. } => {
                self.assumed.push(Constraint::Compares(*left, *how, *right, option == 1));
            }
            Choice::Recipients { address: (name, role), sets, .. } => {
                let is_open = |it: &Value| matches!(it, Value::Abstract(_));
                match sets[option as usize].first() {
                    None => {
                        let there = self.program.agents.len();
                        self.assumed.push(Constraint::Nobody(self.agent, *name, *role, there));
                    }
                    Some(&first) => {
                        let name = name.filter(is_open).map(|it| Constraint::Equal(it, Value::Agent(first)));
                        let its_role = role_of(self.program, first);
                        let role = role.filter(is_open).map(|it| Constraint::Equal(it, its_role));
                        self.assumed.extend(name.into_iter().chain(role));
                    }
                }
            }
            Choice::Answer { .. } | Choice::Domain { .. } | Choice::Message { .. } | Choice::Loss { .. } => {}
        }
        option
    }

    fn reply(&mut self, question: &Question<'_>) -> Reply {
        let Question { point, procedure, arguments, .. } = *question;
        let says_no =
            question.may_refuse && self.choose(&Choice::Answer { point, procedure, arguments }) == 0;
        if says_no { Reply::No } else { Reply::Unknown }
    }

    fn look(&mut self, look: Look) {
        if look.last.is_none() && !self.missed.contains(&look.performative) {
            self.missed.push(look.performative);
        }
        self.path.look(look);
    }

    fn member(&mut self, domain: &[Value], fresh: Symbol) -> Option<Value> {
        if domain.len() <= MAX_ENUMERATED {
            return None;
        }
        let value = Value::Abstract(fresh);
        self.assumed.push(Constraint::Member(value, Arc::from(domain)));
        Some(value)
    }

    fn derive(&mut self, derived: ComputedValue) {
        self.assumed.push(Constraint::Derived(derived));
    }
}

//! Who owes something for too long, by the times of the log.

use map_ir::AgentId;

use crate::blame::Kind;
use crate::conversation::Conversation;
use crate::report::{Debt, Mark, Offence};

impl Conversation {
    /// Notes since when an agent has to say something.
    pub(crate) fn note_owing(&mut self, agent: AgentId, mark: Mark) {
        if self.scene.settings.deadlines.is_empty() || self.broke[agent.index()] {
            return;
        }
        let owes = self.owes(agent);
        let since = &mut self.owes_since[agent.index()];
        *since = if owes { since.or(Some(mark)) } else { None };
    }

    /// An agent has said something: what it owes now it owes from here on.
    pub(crate) fn note_answer(&mut self, agent: AgentId, mark: Mark) {
        self.owes_since[agent.index()] = None;
        self.note_owing(agent, mark);
    }

    /// Who has to begin owes something from the first line on.
    pub(crate) fn note_all_owing(&mut self, mark: Mark) {
        if !self.scene.settings.deadlines.is_empty() {
            self.scene.program().clone().cast().for_each(|agent| self.note_owing(agent, mark));
        }
    }

    /// When an agent has to have sent what it owes, in nanoseconds since 1970. What clocks may differ by is added.
    fn due(&self, agent: AgentId) -> Option<(Mark, u64)> {
        let settings = &self.scene.settings;
        let since = self.owes_since[agent.index()].filter(|_| !self.broke[agent.index()])?;
        let deadline = settings.deadlines.of(self.scene.program().agent(agent).part)?;
        let due = since.time?.saturating_add(deadline).saturating_add(settings.skew);
        (!self.is_doubtful(agent)).then_some((since, due))
    }

    /// Whether all that the log shows of an agent has been judged: what it has said may wait for what it heard.
    fn is_known(&self, agent: AgentId) -> bool {
        self.held[agent.index()].is_empty()
    }

    /// When the first agent has to have sent what it owes, in nanoseconds since 1970.
    #[must_use]
    pub fn next_due(&self) -> Option<u64> {
        if self.scene.settings.deadlines.is_empty() {
            return None;
        }
        let known = self.scene.program().cast().filter(|&agent| self.is_known(agent));
        let due = known.filter_map(|agent| self.due(agent)).map(|(_, due)| due).min()?;
        // A line that is not late may still wait for others.
        Some(due.saturating_add(self.scene.settings.skew.saturating_mul(2)))
    }

    /// Blames all agents that owe something for too long by this clock: what they sent before is known.
    pub fn expire(&mut self, clock: Mark) {
        if self.scene.settings.deadlines.is_empty() {
            return;
        }
        if let Some(in_order) = &mut self.in_order {
            in_order.expire(clock);
        }
        for agent in self.scene.program().clone().cast() {
            if self.is_known(agent) {
                self.check_deadline(agent, clock);
            }
        }
    }

    /// Blames an agent that has owed something for too long by this clock, or by the line that is its next one.
    pub(crate) fn check_deadline(&mut self, agent: AgentId, clock: Mark) {
        let Some((since, due)) = self.due(agent) else { return };
        if clock.time.is_some_and(|now| now > due) {
            self.violated(clock, agent, Kind::Silent, Offence::Nothing);
            if let Some(violation) = self.violations.last_mut() {
                violation.debt = Some(Debt { since, due, clock });
            }
        }
    }
}

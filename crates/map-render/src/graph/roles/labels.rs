//! The labels of a role graph: short forms of operations.

use map_ir::{
    ClauseId, Operand, Part, Pattern, PerformativeId, Place, ProcedureId, Program, Recipient, Slot, Test,
    Value, show_value,
};

/// Labels the points and clauses of a part.
pub(super) struct Labels<'p> {
    pub(super) program: &'p Program,
    pub(super) part: &'p Part,
}

impl Labels<'_> {
    /// The arguments of a clause's head, if the first is a constant, which then names the clause.
    pub(super) fn name(&self, clause: ClauseId) -> Option<String> {
        let head = &self.program.clause(clause).head;
        let begins = head.tests.iter().any(|test| matches!(test, Test::Operand(0, Operand::Constant(_))));
        begins.then(|| self.arguments(clause))
    }

    /// `agent(bidloop, $asking)`.
    pub(super) fn head(&self, clause: ClauseId) -> String {
        format!("agent({})", self.arguments(clause))
    }

    fn arguments(&self, clause: ClauseId) -> String {
        let definition = self.program.clause(clause);
        self.terms(clause, &definition.head, 0..definition.arity as Place)
    }

    pub(super) fn call(&self, clause: ClauseId, arguments: &[Operand]) -> String {
        format!("agent({})", self.operands(clause, arguments))
    }

    pub(super) fn ask(&self, clause: ClauseId, procedure: ProcedureId, arguments: &[Operand]) -> String {
        let name = &self.program.procedure(procedure).name;
        format!("ask {name}({})", self.operands(clause, arguments))
    }

    pub(super) fn send(
        &self,
        clause: ClauseId,
        performative: PerformativeId,
        arguments: &[Operand],
        agent: Recipient,
        role: Recipient,
    ) -> Vec<String> {
        let name = &self.program.performative(performative).name;
        let to = match (agent, role) {
            (Recipient::Is(agent), _) => self.operand(clause, agent),
            (Recipient::Any, Recipient::Is(role)) => self.operand(clause, role),
            (Recipient::Any, Recipient::Any) => "everybody".to_owned(),
        };
        vec![format!("send {name}({})", self.operands(clause, arguments)), format!("to {to}")]
    }

    pub(super) fn receive(
        &self,
        clause: ClauseId,
        performative: PerformativeId,
        pattern: &Pattern,
    ) -> Vec<String> {
        let performative = self.program.performative(performative);
        let arity = performative.arity as Place;
        let agent = self.terms(clause, pattern, arity..arity + 1);
        let role = self.terms(clause, pattern, arity + 1..arity + 2);
        let from = match (agent.as_str(), role.as_str()) {
            ("_", "_") => "anybody".to_owned(),
            ("_", _) => role,
            _ => agent,
        };
        let message = self.terms(clause, pattern, 0..arity);
        vec![format!("receive {}({message})", performative.name), format!("from {from}")]
    }

    /// `$x`.
    pub(super) fn variable(&self, clause: ClauseId, slot: Slot) -> String {
        format!("${}", self.program.clause(clause).variables[slot.index()])
    }

    /// The terms of a pattern at these places, in source form.
    fn terms(&self, clause: ClauseId, pattern: &Pattern, places: std::ops::Range<Place>) -> String {
        let terms: Vec<String> = places.map(|place| self.term(clause, pattern, place)).collect();
        terms.join(", ")
    }

    fn term(&self, clause: ClauseId, pattern: &Pattern, place: Place) -> String {
        for test in &pattern.tests {
            match *test {
                Test::Operand(at, operand) if at == place => return self.operand(clause, operand),
                Test::Same(first, second) if first.max(second) == place => {
                    return self.term(clause, pattern, first.min(second));
                }
                _ => {}
            }
        }
        let bound = pattern.bindings.iter().find(|&&(at, _)| at == place);
        bound.map_or_else(|| "_".to_owned(), |&(_, slot)| self.variable(clause, slot))
    }

    fn operands(&self, clause: ClauseId, operands: &[Operand]) -> String {
        let operands: Vec<String> = operands.iter().map(|&it| self.operand(clause, it)).collect();
        operands.join(", ")
    }

    fn operand(&self, clause: ClauseId, operand: Operand) -> String {
        match operand {
            // Abstract and fresh values, which are no constants, occur only in runs.
            Operand::Constant(value) => show_value(self.program, value, &|_: Value| "_".to_owned()),
            Operand::Variable(slot) => self.variable(clause, slot),
            Operand::Own => self.own_name(clause),
        }
    }

    /// The words for an agent's own name.
    fn own_name(&self, clause: ClauseId) -> String {
        match (self.program.clause(clause).own_name, self.part.agents.as_slice()) {
            (Some(slot), _) => self.variable(clause, slot),
            (None, [agent]) => format!("!{}", self.program.agent_name(*agent)),
            (None, _) => "its own name".to_owned(),
        }
    }
}

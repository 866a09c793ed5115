//! The labels of a role graph: short forms of operations.

use map_ir::{
    ClauseId, Operand, Part, Pattern, PerformativeId, Place, PointId, PointKind, ProcedureId, Program,
    Recipient, Slot, Test, Value, show_expression, show_value,
};

use crate::measure::wrap;

/// The most messages listed in the name of a state.
const MAX_AWAITED: usize = 3;

/// The widest line of the name of a state, in columns.
const STATE_WIDTH: usize = 26;

/// Labels the points and clauses of a part.
pub(super) struct Labels<'p> {
    pub(super) program: &'p Program,
    pub(super) part: &'p Part,
}

impl Labels<'_> {
    /// The name of the state in which an agent is before `point`: what it waits for, or is about to do. `actions` are
    /// what it can do there. A clause that begins with a constant lends its name.
    pub(super) fn state(&self, point: PointId, waits: bool, actions: &[PointId]) -> Vec<String> {
        let clause = self.program.point(point).clause;
        let is_first = self.program.clause(clause).body == point;
        let name = is_first.then(|| self.name(clause)).flatten();
        if !waits && name.is_some() {
            return name.into_iter().collect();
        }
        let does = match (self.awaited(actions), waits) {
            (Some(awaited), true) => format!("waits for {awaited}"),
            (Some(awaited), false) => format!("looks for {awaited}"),
            (None, true) => format!("waits: {}", self.does(actions)),
            (None, false) => self.does(actions),
        };
        let name = name.map(|name| format!("{name}:"));
        name.into_iter().chain(wrap(&does, STATE_WIDTH, 4)).collect()
    }

    /// `bid, decline or stop`: the messages that are received in some of these actions, if there are any.
    fn awaited(&self, actions: &[PointId]) -> Option<String> {
        let mut names: Vec<&str> = Vec::new();
        for &action in actions {
            if let PointKind::Receive { performative, .. } = &self.program.point(action).kind {
                let name = self.program.performative(*performative).name.as_str();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        if names.len() > MAX_AWAITED {
            names.truncate(MAX_AWAITED - 1);
            names.push("others");
        }
        let last = names.pop()?;
        Some(if names.is_empty() { last.to_owned() } else { format!("{} or {last}", names.join(", ")) })
    }

    /// The first of these actions in two words.
    fn does(&self, actions: &[PointId]) -> String {
        let does = |&action: &PointId| match &self.program.point(action).kind {
            PointKind::Ask { procedure, .. } => {
                Some(format!("asks {}", self.program.procedure(*procedure).name))
            }
            PointKind::Send { performative, .. } => {
                Some(format!("sends {}", self.program.performative(*performative).name))
            }
            _ => None,
        };
        actions.iter().find_map(does).unwrap_or_else(|| "goes on".to_owned())
    }

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
            Operand::Expression(id) => show_expression(self.program, clause, id),
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

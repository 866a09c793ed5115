//! A flow analysis of the kinds of values that can reach a variable, message or cell: a least fixed point over the
//! program.
//!
//! All values are numbers in Promela. Where no abstract value can occur, a comparison is a single `==`.

use map_ir::{
    AgentId, Answer, Body, CellId, ClauseId, ExpressionId, ExpressionKind, Initial, Operand, PerformativeId,
    PointKind, ProcedureId, Program, RoleId, Slot, Test, Value,
};

/// A set of kinds of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const INTEGER: Self = Self(1);
    /// Names, strings, agents, roles.
    pub(crate) const ATOM: Self = Self(2);
    pub(crate) const ABSTRACT: Self = Self(4);
    pub(crate) const FRESH: Self = Self(8);

    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn of(value: Value) -> Self {
        match value {
            Value::Integer(_) => Self::INTEGER,
            Value::Abstract(_) => Self::ABSTRACT,
            Value::Fresh(_) => Self::FRESH,
            _ => Self::ATOM,
        }
    }

    pub(crate) fn of_all(values: &[Value]) -> Self {
        values.iter().fold(Self::NONE, |kinds, &value| kinds.with(Self::of(value)))
    }
}

/// Where an expression stands.
#[derive(Clone, Copy)]
enum Scope {
    Clause(ClauseId),
    Procedure(ProcedureId),
}

/// The kinds of values that can reach each variable, message, parameter and cell.
pub(crate) struct Flow {
    variables: Vec<Vec<Kinds>>,
    messages: Vec<Vec<Kinds>>,
    parameters: Vec<Vec<Kinds>>,
    /// Indexed by role, parallel to its cells.
    cells: Vec<Vec<Kinds>>,
    /// The roles whose agents may send each performative.
    senders: Vec<Vec<RoleId>>,
    changed: bool,
}

impl Flow {
    pub(crate) fn of(program: &Program) -> Self {
        let mut flow = Self {
            variables: program.clauses.iter().map(|it| vec![Kinds::NONE; it.variables.len()]).collect(),
            messages: program.performatives.iter().map(|it| vec![Kinds::NONE; it.arity]).collect(),
            parameters: program.procedures.iter().map(|it| vec![Kinds::NONE; it.arity]).collect(),
            cells: program.memories.iter().map(|memory| initial_kinds(&memory.cells)).collect(),
            senders: vec![Vec::new(); program.performatives.len()],
            changed: true,
        };
        for (index, clause) in program.clauses.iter().enumerate() {
            if let Some(slot) = clause.own_name {
                flow.variables[index][slot.index()] = Kinds::ATOM;
            }
        }
        while std::mem::take(&mut flow.changed) {
            for point in &program.points {
                let role = program.part(program.clause(point.clause).part).role;
                flow.visit(program, point.clause, role, &point.kind);
            }
        }
        flow
    }

    pub(crate) fn variable(&self, clause: ClauseId, slot: Slot) -> Kinds {
        self.variables[clause.index()][slot.index()]
    }

    pub(crate) fn cell(&self, role: RoleId, index: usize) -> Kinds {
        self.cells[role.index()][index]
    }

    /// The kinds of a field in the tuple against which patterns for a performative are matched (see
    /// `Layout::column`).
    pub(crate) fn message(&self, performative: PerformativeId, place: usize) -> Kinds {
        self.messages[performative.index()].get(place).copied().unwrap_or(Kinds::ATOM)
    }

    pub(crate) fn senders(&self, performative: PerformativeId) -> &[RoleId] {
        &self.senders[performative.index()]
    }

    fn visit(&mut self, program: &Program, clause: ClauseId, role: RoleId, kind: &PointKind) {
        match kind {
            PointKind::Ask { procedure, arguments, target, .. } => {
                for (index, argument) in arguments.iter().enumerate() {
                    let kinds = self.operand(program, clause, *argument);
                    let place = &mut self.parameters[procedure.index()][index];
                    self.changed |= add(place, kinds);
                }
                let answer = self.answer(program, role, *procedure);
                if let Some(variable) = target.bound() {
                    let place = &mut self.variables[clause.index()][variable.index()];
                    self.changed |= add(place, answer);
                }
            }
            PointKind::Send { performative, arguments, .. } => {
                for (index, argument) in arguments.iter().enumerate() {
                    let kinds = self.operand(program, clause, *argument);
                    let place = &mut self.messages[performative.index()][index];
                    self.changed |= add(place, kinds);
                }
                let senders = &mut self.senders[performative.index()];
                if !senders.contains(&role) {
                    senders.push(role);
                    self.changed = true;
                }
            }
            PointKind::Receive { performative, pattern, .. } => {
                for &(place, slot) in &pattern.bindings {
                    let kinds = self.message(*performative, place as usize);
                    self.changed |= add(&mut self.variables[clause.index()][slot.index()], kinds);
                }
            }
            PointKind::Call { arguments, candidates, .. } => {
                for candidate in candidates {
                    for &(place, slot) in &program.clause(candidate.clause).head.bindings {
                        let kinds = self.operand(program, clause, arguments[place as usize]);
                        let variables = &mut self.variables[candidate.clause.index()];
                        self.changed |= add(&mut variables[slot.index()], kinds);
                    }
                }
            }
            PointKind::Skip { .. }
            | PointKind::Fail { .. }
            | PointKind::Wait { .. }
            | PointKind::Par { .. } => {}
        }
    }

    fn operand(&self, program: &Program, clause: ClauseId, operand: Operand) -> Kinds {
        match operand {
            Operand::Constant(value) => Kinds::of(value),
            Operand::Own => Kinds::ATOM,
            Operand::Expression(id) => {
                let role = program.part(program.clause(clause).part).role;
                self.expression(program, role, Scope::Clause(clause), id)
            }
            Operand::Variable(slot) => self.variable(clause, slot),
        }
    }

    /// The kinds of the answers of a procedure to agents of a role. Propagates its updates to the cells of that
    /// role.
    fn answer(&mut self, program: &Program, role: RoleId, procedure: ProcedureId) -> Kinds {
        let scope = Scope::Procedure(procedure);
        match &program.procedure(procedure).body {
            Body::Abstract => Kinds::ABSTRACT,
            Body::Fresh => Kinds::FRESH,
            Body::In(values) => Kinds::of_all(values),
            Body::Alternatives(alternatives) => {
                let mut answer = Kinds::NONE;
                for alternative in alternatives {
                    answer = answer.with(match &alternative.answer {
                        Answer::Value(value) => self.expression(program, role, scope, *value),
                        Answer::In(values) => Kinds::of_all(values),
                    });
                    for &(cell, value) in &alternative.updates {
                        let kinds = self.expression(program, role, scope, value);
                        if let Some(index) = program.cell_of(role, cell) {
                            self.changed |= add(&mut self.cells[role.index()][index], kinds);
                        }
                    }
                }
                answer
            }
        }
    }

    fn expression(&self, program: &Program, role: RoleId, scope: Scope, id: ExpressionId) -> Kinds {
        let of = |id: ExpressionId| self.expression(program, role, scope, id);
        let number = |kinds: Kinds| if kinds.has(Kinds::ABSTRACT) { Kinds::ABSTRACT } else { Kinds::NONE };
        match &program.expression(id).kind {
            ExpressionKind::Constant(value) => Kinds::of(*value),
            ExpressionKind::Argument(index) => match scope {
                Scope::Procedure(asked) => self.parameters[asked.index()][*index],
                Scope::Clause(_) => unreachable!("clauses have variables"),
            },
            ExpressionKind::Variable(slot) => match scope {
                Scope::Clause(clause) => self.variable(clause, *slot),
                Scope::Procedure(_) => unreachable!("procedures have parameters"),
            },
            ExpressionKind::Cell(cell) => {
                program.cell_of(role, *cell).map_or(Kinds::NONE, |index| self.cell(role, index))
            }
            ExpressionKind::Own => Kinds::ATOM,
            ExpressionKind::Arithmetic(first, rest) => rest
                .iter()
                .fold(Kinds::INTEGER.with(number(of(*first))), |kinds, (_, it)| kinds.with(number(of(*it)))),
            ExpressionKind::Min(left, right) | ExpressionKind::Max(left, right) => {
                Kinds::INTEGER.with(number(of(*left))).with(number(of(*right)))
            }
            ExpressionKind::If(_, then, otherwise) => of(*then).with(of(*otherwise)),
            ExpressionKind::Comparison(..)
            | ExpressionKind::And(_)
            | ExpressionKind::Or(_)
            | ExpressionKind::Not(_) => Kinds::NONE,
        }
    }
}

fn initial_kinds(cells: &[(CellId, Initial)]) -> Vec<Kinds> {
    let of = |(_, initial): &(CellId, Initial)| match initial {
        Initial::Constant(value) => Kinds::of(*value),
        Initial::Own => Kinds::ATOM,
        Initial::In(values) => values.iter().fold(Kinds::NONE, |all, &value| all.with(Kinds::of(value))),
    };
    cells.iter().map(of).collect()
}

fn add(place: &mut Kinds, kinds: Kinds) -> bool {
    let before = *place;
    *place = place.with(kinds);
    *place != before
}

/// The pairs of fields that some pattern for a performative requires to be equal, because a variable occurs twice
/// in it.
pub(crate) fn compared_places(program: &Program, performative: PerformativeId) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for point in &program.points {
        let PointKind::Receive { performative: its, pattern, .. } = &point.kind else { continue };
        for test in &pattern.tests {
            if let Test::Same(first, second) = *test
                && *its == performative
                && !found.contains(&(first, second))
            {
                found.push((first, second));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Whether integers occur at all, as constants or as results.
pub(crate) fn has_integers(program: &Program) -> bool {
    let is_integer = |value: &Value| matches!(value, Value::Integer(_));
    program.constants().iter().any(|(value, _)| is_integer(value))
        || program.domains().iter().any(|(domain, _)| domain.iter().any(is_integer))
        || program.expressions.iter().any(|it| matches!(it.kind, ExpressionKind::Arithmetic(..)))
}

/// The agents that play a role, in order.
pub(crate) fn players(program: &Program, role: RoleId) -> Vec<AgentId> {
    program.cast().filter(|&agent| program.agent(agent).role == role).collect()
}

//! Flow of values: which variables, message arguments and cells may hold a value of some kind in some run. A
//! flow-insensitive least fixed point: the order of operations is ignored.

use crate::{
    Answer, Body, ClauseId, ExpressionId, ExpressionKind, Initial, Operand, Pattern, PerformativeId, Place,
    PointKind, ProcedureId, Program, RoleId, Slot, Value,
};

/// The values that are traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TracedValues {
    /// Abstract values: answers of procedures without a body, and results computed from them.
    Abstract,
    /// Abstract and fresh values.
    Symbols,
    /// All values that need not be the same in every state: abstract and fresh values, and names of agents.
    Unfixed,
    /// The answers of this procedure, which has no body, and results computed from them.
    AnswersOf(ProcedureId),
}

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(crate) enum Within {
    /// In the body of a procedure.
    Body(ProcedureId),
    /// In an act or call of a clause.
    Clause(ClauseId),
}

/// Where traced values may occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueFlow {
    followed: TracedValues,
    /// Variables, by clause.
    variables: Vec<Vec<bool>>,
    /// Message arguments, by performative.
    arguments: Vec<Vec<bool>>,
    /// Arguments of asks, by procedure.
    asked: Vec<Vec<bool>>,
    answers: Vec<bool>,
    /// Cells, by role, in the order of the role's memory.
    cells: Vec<Vec<bool>>,
}

impl ValueFlow {
    /// Traces values through a program.
    #[must_use]
    pub fn new(program: &Program, followed: TracedValues) -> Self {
        let no = |length: usize| vec![false; length];
        let mut flow = Self {
            followed,
            variables: program.clauses.iter().map(|clause| no(clause.variables.len())).collect(),
            arguments: program.performatives.iter().map(|it| no(it.arity)).collect(),
            asked: program.procedures.iter().map(|it| no(it.arity)).collect(),
            answers: no(program.procedures.len()),
            cells: program.memories.iter().map(|memory| no(memory.cells.len())).collect(),
        };
        flow.begin(program);
        loop {
            let before = flow.clone();
            for (index, clause) in program.clauses.iter().enumerate() {
                for point in clause.points.clone() {
                    flow.point(program, ClauseId::new(index), &program.points[point].kind);
                }
            }
            if flow == before {
                return flow;
            }
        }
    }

    /// Whether a variable of a clause may hold a traced value.
    #[must_use]
    pub fn variable(&self, clause: ClauseId, slot: Slot) -> bool {
        self.variables[clause.index()][slot.index()]
    }

    /// Whether an argument of a message may be a traced value.
    #[must_use]
    pub fn argument(&self, performative: PerformativeId, index: usize) -> bool {
        self.arguments[performative.index()].get(index).copied().unwrap_or(false)
    }

    /// Whether a cell of a role's memory may hold a traced value.
    #[must_use]
    pub fn cell(&self, role: RoleId, index: usize) -> bool {
        self.cells[role.index()].get(index).copied().unwrap_or(false)
    }

    /// Marks the variables and cells that hold traced values initially.
    fn begin(&mut self, program: &Program) {
        for (index, clause) in program.clauses.iter().enumerate() {
            if let Some(own) = clause.own_name {
                self.bind(ClauseId::new(index), own, self.names());
            }
        }
        for (role, memory) in program.memories.iter().enumerate() {
            for (index, (_, initial)) in memory.cells.iter().enumerate() {
                self.cells[role][index] = match initial {
                    Initial::Constant(value) => self.constant(*value),
                    Initial::Own => self.names(),
                    Initial::In(values) => values.iter().any(|&value| self.constant(value)),
                };
            }
        }
    }

    /// Whether names of agents are traced.
    fn names(&self) -> bool {
        self.followed == TracedValues::Unfixed
    }

    fn constant(&self, value: Value) -> bool {
        matches!(value, Value::Agent(_)) && self.names()
    }

    fn point(&mut self, program: &Program, clause: ClauseId, point: &PointKind) {
        match point {
            PointKind::Ask { procedure, arguments, target, .. } => {
                for (index, &argument) in arguments.iter().enumerate() {
                    self.asked[procedure.index()][index] |= self.operand(program, clause, argument);
                }
                self.ask(program, program.part(program.clause(clause).part).role, *procedure);
                if let Some(variable) = target.variable() {
                    self.bind(clause, variable, self.answers[procedure.index()]);
                }
            }
            PointKind::Send { performative, arguments, .. } => {
                for (index, &argument) in arguments.iter().enumerate() {
                    self.arguments[performative.index()][index] |= self.operand(program, clause, argument);
                }
            }
            PointKind::Receive { performative, pattern, .. } => {
                self.receive(program, clause, *performative, pattern);
            }
            PointKind::Call { arguments, candidates, .. } => {
                for candidate in candidates {
                    for &(place, slot) in &program.clause(candidate.clause).head.bindings {
                        let passed = arguments.get(place as usize);
                        let is_followed = passed.is_some_and(|&it| self.operand(program, clause, it));
                        self.bind(candidate.clause, slot, is_followed);
                    }
                }
            }
            PointKind::Skip { .. }
            | PointKind::Fail { .. }
            | PointKind::Wait { .. }
            | PointKind::Par { .. } => {}
        }
    }

    fn receive(
        &mut self,
        program: &Program,
        clause: ClauseId,
        performative: PerformativeId,
        pattern: &Pattern,
    ) {
        let sender: Place = program.performative(performative).arity as Place;
        for &(place, slot) in &pattern.bindings {
            let is_name = place == sender && self.names();
            self.bind(clause, slot, is_name || self.argument(performative, place as usize));
        }
    }

    fn bind(&mut self, clause: ClauseId, slot: Slot, is_followed: bool) {
        self.variables[clause.index()][slot.index()] |= is_followed;
    }

    fn operand(&self, program: &Program, clause: ClauseId, operand: Operand) -> bool {
        match operand {
            Operand::Expression(id) => {
                let role = program.part(program.clause(clause).part).role;
                self.expression(program, role, Within::Clause(clause), id)
            }
            Operand::Variable(slot) => self.variable(clause, slot),
            Operand::Constant(value) => self.constant(value),
            Operand::Own => self.names(),
        }
    }

    /// Propagates through an ask by an agent of the role: to the answer, and to the cells it updates.
    fn ask(&mut self, program: &Program, role: RoleId, procedure: ProcedureId) {
        let is_followed = match &program.procedure(procedure).body {
            Body::Abstract => match self.followed {
                TracedValues::AnswersOf(followed) => followed == procedure,
                TracedValues::Abstract | TracedValues::Symbols | TracedValues::Unfixed => true,
            },
            Body::In(values) => values.iter().any(|&value| self.constant(value)),
            Body::Fresh => matches!(self.followed, TracedValues::Symbols | TracedValues::Unfixed),
            Body::Alternatives(alternatives) => {
                let mut any = false;
                for alternative in alternatives {
                    any |= match &alternative.answer {
                        Answer::Value(value) => {
                            self.expression(program, role, Within::Body(procedure), *value)
                        }
                        Answer::In(values) => values.iter().any(|&value| self.constant(value)),
                    };
                    for &(cell, value) in &alternative.updates {
                        let value = self.expression(program, role, Within::Body(procedure), value);
                        if let Some(cell) = program.cell_of(role, cell) {
                            self.cells[role.index()][cell] |= value;
                        }
                    }
                }
                any
            }
        };
        self.answers[procedure.index()] |= is_followed;
    }

    /// Whether the value of an expression may be a traced one.
    pub(crate) fn expression(
        &self,
        program: &Program,
        role: RoleId,
        within: Within,
        expression: ExpressionId,
    ) -> bool {
        let of = |expression: ExpressionId| self.expression(program, role, within, expression);
        match &program.expression(expression).kind {
            ExpressionKind::Argument(index) => match within {
                Within::Body(procedure) => self.asked[procedure.index()][*index],
                Within::Clause(_) => false,
            },
            ExpressionKind::Variable(slot) => match within {
                Within::Body(_) => false,
                Within::Clause(clause) => self.variable(clause, *slot),
            },
            ExpressionKind::Cell(cell) => {
                program.cell_of(role, *cell).is_some_and(|cell| self.cells[role.index()][cell])
            }
            ExpressionKind::Arithmetic(first, rest) => {
                of(*first) || rest.iter().any(|&(_, operand)| of(operand))
            }
            ExpressionKind::Min(left, right) | ExpressionKind::Max(left, right) => of(*left) || of(*right),
            ExpressionKind::If(_, then, otherwise) => of(*then) || of(*otherwise),
            ExpressionKind::Constant(value) => self.constant(*value),
            ExpressionKind::Own => self.names(),
            // A condition is not a value.
            ExpressionKind::Comparison(..)
            | ExpressionKind::And(_)
            | ExpressionKind::Or(_)
            | ExpressionKind::Not(_) => false,
        }
    }
}

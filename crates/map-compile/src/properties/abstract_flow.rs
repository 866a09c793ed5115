//! Where answers of procedures without a body may get to: variables, message arguments, cells and answers that may hold
//! an abstract value in some run. A least fixed point that does not look at the order of operations.

use map_ir::{
    Answer, Body, ClauseId, ExpressionId, ExpressionKind, Operand, PerformativeId, PointKind, ProcedureId,
    Program, RoleId, Slot,
};

/// What may be abstract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AbstractFlow {
    /// Variables, by clause.
    variables: Vec<Vec<bool>>,
    /// Arguments of messages, by performative.
    arguments: Vec<Vec<bool>>,
    /// Arguments of asks, by procedure.
    asked: Vec<Vec<bool>>,
    answers: Vec<bool>,
    /// Cells, by role, in the order of the role's memory.
    cells: Vec<Vec<bool>>,
}

impl AbstractFlow {
    pub(crate) fn new(program: &Program) -> Self {
        let no = |length: usize| vec![false; length];
        let mut flow = Self {
            variables: program.clauses.iter().map(|clause| no(clause.variables.len())).collect(),
            arguments: program.performatives.iter().map(|it| no(it.arity)).collect(),
            asked: program.procedures.iter().map(|it| no(it.arity)).collect(),
            answers: no(program.procedures.len()),
            cells: program.memories.iter().map(|memory| no(memory.cells.len())).collect(),
        };
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

    /// Whether an argument of a message may be abstract.
    pub(crate) fn argument(&self, performative: PerformativeId, index: usize) -> bool {
        self.arguments[performative.index()].get(index).copied().unwrap_or(false)
    }

    /// Whether a cell of a role's memory may hold an abstract value.
    pub(crate) fn cell(&self, role: RoleId, index: usize) -> bool {
        self.cells[role.index()].get(index).copied().unwrap_or(false)
    }

    fn point(&mut self, program: &Program, clause: ClauseId, point: &PointKind) {
        match point {
            PointKind::Ask { procedure, arguments, variable, .. } => {
                for (index, &argument) in arguments.iter().enumerate() {
                    self.asked[procedure.index()][index] |= self.operand(clause, argument);
                }
                self.ask(program, program.part(program.clause(clause).part).role, *procedure);
                self.bind(clause, *variable, self.answers[procedure.index()]);
            }
            PointKind::Send { performative, arguments, .. } => {
                for (index, &argument) in arguments.iter().enumerate() {
                    self.arguments[performative.index()][index] |= self.operand(clause, argument);
                }
            }
            PointKind::Receive { performative, pattern, .. } => {
                for &(place, slot) in &pattern.bindings {
                    self.bind(clause, slot, self.argument(*performative, place as usize));
                }
            }
            PointKind::Call { arguments, candidates, .. } => {
                for candidate in candidates {
                    for &(place, slot) in &program.clause(candidate.clause).head.bindings {
                        let passed = arguments.get(place as usize);
                        let is_abstract = passed.is_some_and(|&it| self.operand(clause, it));
                        self.bind(candidate.clause, slot, is_abstract);
                    }
                }
            }
            PointKind::Skip { .. }
            | PointKind::Fail { .. }
            | PointKind::Wait { .. }
            | PointKind::Par { .. } => {}
        }
    }

    fn bind(&mut self, clause: ClauseId, slot: Slot, is_abstract: bool) {
        self.variables[clause.index()][slot.index()] |= is_abstract;
    }

    fn operand(&self, clause: ClauseId, operand: Operand) -> bool {
        match operand {
            Operand::Variable(slot) => self.variables[clause.index()][slot.index()],
            Operand::Constant(_) | Operand::Own => false,
        }
    }

    /// What an agent of the role may be answered, and how that may change its cells.
    fn ask(&mut self, program: &Program, role: RoleId, procedure: ProcedureId) {
        let is_abstract = match &program.procedure(procedure).body {
            Body::Abstract => true,
            Body::In(_) | Body::Fresh => false,
            Body::Alternatives(alternatives) => {
                let mut any = false;
                for alternative in alternatives {
                    if let Answer::Value(value) = alternative.answer {
                        any |= self.expression(program, role, procedure, value);
                    }
                    for &(cell, value) in &alternative.updates {
                        let value = self.expression(program, role, procedure, value);
                        if let Some(cell) = program.cell_of(role, cell) {
                            self.cells[role.index()][cell] |= value;
                        }
                    }
                }
                any
            }
        };
        self.answers[procedure.index()] |= is_abstract;
    }

    fn expression(
        &self,
        program: &Program,
        role: RoleId,
        procedure: ProcedureId,
        expression: ExpressionId,
    ) -> bool {
        let of = |expression: ExpressionId| self.expression(program, role, procedure, expression);
        match &program.expression(expression).kind {
            ExpressionKind::Argument(index) => self.asked[procedure.index()][*index],
            ExpressionKind::Cell(cell) => {
                program.cell_of(role, *cell).is_some_and(|cell| self.cells[role.index()][cell])
            }
            ExpressionKind::Arithmetic(first, rest) => {
                of(*first) || rest.iter().any(|&(_, operand)| of(operand))
            }
            ExpressionKind::Min(left, right) | ExpressionKind::Max(left, right) => of(*left) || of(*right),
            ExpressionKind::If(_, then, otherwise) => of(*then) || of(*otherwise),
            // A condition is no value.
            ExpressionKind::Comparison(..)
            | ExpressionKind::And(_)
            | ExpressionKind::Or(_)
            | ExpressionKind::Not(_)
            | ExpressionKind::Constant(_)
            | ExpressionKind::Own => false,
        }
    }
}

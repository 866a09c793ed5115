//! Which variables, places of messages and cells matter anywhere: backward reachability over the flow of values.

use super::Visible;
use crate::{
    Answer, Body, CellId, Clause, ClauseId, ExpressionId, ExpressionKind, Operand, Pattern, PerformativeId,
    PointKind, Procedure, Program, Recipient, RoleId, Slot, Test,
};

/// The part of the result that [`super::Slicing`] keeps.
pub(super) struct Relevance {
    pub(super) variables: Vec<Vec<bool>>,
    pub(super) places: Vec<Vec<bool>>,
    pub(super) cells: Vec<Vec<bool>>,
}

/// The flow of values. Nodes are variables, then places of messages (the last is the sender), then cells.
struct Flow<'a> {
    program: &'a Program,
    first_variable: Vec<usize>,
    first_place: Vec<usize>,
    first_cell: Vec<usize>,
    /// For each node, the nodes it gets its values from.
    sources: Vec<Vec<usize>>,
    matters: Vec<bool>,
    todo: Vec<usize>,
}

pub(super) fn analyse(
    program: &Program,
    first_arguments: bool,
    pinned: &[bool],
    visible: &Visible,
) -> Relevance {
    let mut flow = Flow::new(program);
    flow.visible(visible);
    for (index, clause) in program.clauses.iter().enumerate() {
        if pinned[index] {
            let slots = 0..clause.variables.len();
            slots.for_each(|slot| flow.seed(flow.variable(ClauseId::new(index), Slot::new(slot))));
        }
        flow.clause(ClauseId::new(index), clause, first_arguments, pinned);
    }
    flow.spread();
    flow.result()
}

impl<'a> Flow<'a> {
    fn new(program: &'a Program) -> Self {
        let mut nodes = 0;
        let mut numbered = |lengths: &mut dyn Iterator<Item = usize>| -> Vec<usize> {
            lengths
                .map(|length| {
                    nodes += length;
                    nodes - length
                })
                .collect()
        };
        let first_variable = numbered(&mut program.clauses.iter().map(|clause| clause.variables.len()));
        let first_place = numbered(&mut program.performatives.iter().map(|it| it.arity + 1));
        let first_cell = numbered(&mut program.memories.iter().map(|memory| memory.cells.len()));
        Self {
            program,
            first_variable,
            first_place,
            first_cell,
            sources: vec![Vec::new(); nodes],
            matters: vec![false; nodes],
            todo: Vec::new(),
        }
    }

    fn variable(&self, clause: ClauseId, slot: Slot) -> usize {
        self.first_variable[clause.index()] + slot.index()
    }

    /// The node of a place; `None` for the sender's role, which every message keeps.
    fn place(&self, performative: PerformativeId, place: u32) -> Option<usize> {
        let arity = self.program.performative(performative).arity;
        (place as usize <= arity).then(|| self.first_place[performative.index()] + place as usize)
    }

    fn cell(&self, role: RoleId, cell: CellId) -> Option<usize> {
        self.program.cell_of(role, cell).map(|index| self.first_cell[role.index()] + index)
    }

    /// Marks a node as mattering.
    fn seed(&mut self, node: usize) {
        if !std::mem::replace(&mut self.matters[node], true) {
            self.todo.push(node);
        }
    }

    fn visible(&mut self, visible: &Visible) {
        for &(performative, place) in &visible.arguments {
            self.seed(self.first_place[performative.index()] + place);
        }
        for &performative in &visible.senders {
            let arity = self.program.performative(performative).arity;
            self.seed(self.first_place[performative.index()] + arity);
        }
        for &(role, cell) in &visible.cells {
            if let Some(node) = self.cell(role, cell) {
                self.seed(node);
            }
        }
    }

    /// What an expression reads matters anyway.
    fn seed_operand(&mut self, clause: ClauseId, operand: Operand) {
        if let Operand::Variable(slot) = operand {
            self.seed(self.variable(clause, slot));
        }
    }

    fn flows(&mut self, clause: ClauseId, from: Operand, to: usize) {
        if let Operand::Variable(slot) = from {
            let source = self.variable(clause, slot);
            self.sources[to].push(source);
        }
    }

    /// An expression of a clause is computed, and may go wrong, whether or not its value matters: all that it reads
    /// does.
    fn computed(&mut self, clause: ClauseId, expression: ExpressionId) {
        let role = self.program.part(self.program.clause(clause).part).role;
        self.needs(clause, role, &[], expression);
    }

    fn clause(&mut self, id: ClauseId, clause: &Clause, first_arguments: bool, pinned: &[bool]) {
        let program = self.program;
        for point in &program.points[clause.points.clone()] {
            point.kind.expressions().for_each(|it| self.computed(id, it));
            match &point.kind {
                PointKind::Skip { .. }
                | PointKind::Fail { .. }
                | PointKind::Wait { .. }
                | PointKind::Par { .. } => {}
                PointKind::Send { performative, arguments, agent, role, .. } => {
                    for recipient in [agent, role] {
                        if let Recipient::Is(operand) = recipient {
                            self.seed_operand(id, *operand);
                        }
                    }
                    for (place, &argument) in arguments.iter().enumerate() {
                        let to = self.first_place[performative.index()] + place;
                        self.flows(id, argument, to);
                    }
                }
                PointKind::Receive { performative, pattern, .. } => self.receive(id, *performative, pattern),
                PointKind::Call { arguments, candidates, .. } => {
                    if let Some(&first) = arguments.first().filter(|_| first_arguments) {
                        self.seed_operand(id, first);
                    }
                    for candidate in candidates {
                        self.call(id, arguments, candidate.clause, pinned[candidate.clause.index()]);
                    }
                }
                PointKind::Ask { procedure, arguments, target, .. } => {
                    if let Some(compared) = target.compared() {
                        self.seed(self.variable(id, compared));
                    }
                    let answer = target.variable().map(|slot| self.variable(id, slot));
                    self.ask(id, program.procedure(*procedure), arguments, answer);
                }
            }
        }
    }

    fn receive(&mut self, clause: ClauseId, performative: PerformativeId, pattern: &Pattern) {
        for test in &pattern.tests {
            let places = match *test {
                Test::Operand(place, operand) => {
                    self.seed_operand(clause, operand);
                    [place, place]
                }
                Test::Same(first, second) => [first, second],
            };
            for place in places {
                if let Some(node) = self.place(performative, place) {
                    self.seed(node);
                }
            }
        }
        for &(place, slot) in &pattern.bindings {
            if let Some(source) = self.place(performative, place) {
                let variable = self.variable(clause, slot);
                self.sources[variable].push(source);
            }
        }
    }

    fn call(&mut self, caller: ClauseId, arguments: &[Operand], callee: ClauseId, pinned: bool) {
        let program = self.program;
        let head = &program.clause(callee).head;
        for test in &head.tests {
            let places = match *test {
                Test::Operand(place, _) => [place, place],
                Test::Same(first, second) => [first, second],
            };
            for place in places {
                self.seed_operand(caller, arguments[place as usize]);
            }
        }
        for &(place, slot) in &head.bindings {
            let to = self.variable(callee, slot);
            self.flows(caller, arguments[place as usize], to);
        }
        if pinned {
            arguments.iter().for_each(|&argument| self.seed_operand(caller, argument));
        }
    }

    /// The answer flows into a variable, if there is one.
    fn ask(&mut self, clause: ClauseId, procedure: &Procedure, arguments: &[Operand], answer: Option<usize>) {
        let program = self.program;
        let role = program.part(program.clause(clause).part).role;
        let Body::Alternatives(alternatives) = &procedure.body else { return };
        for alternative in alternatives {
            if let Some(guard) = alternative.guard {
                self.needs(clause, role, arguments, guard);
            }
            if let Answer::Value(value) = alternative.answer {
                self.becomes(clause, role, arguments, value, answer);
            }
            for &(cell, value) in &alternative.updates {
                match self.cell(role, cell) {
                    Some(to) => self.becomes(clause, role, arguments, value, Some(to)),
                    None => self.needs(clause, role, arguments, value),
                }
            }
        }
    }

    /// The expression's value is assigned to a node, or to none: values that are merely copied flow there, those used
    /// to compute it matter.
    fn becomes(
        &mut self,
        clause: ClauseId,
        role: RoleId,
        arguments: &[Operand],
        expression: ExpressionId,
        to: Option<usize>,
    ) {
        match &self.program.expression(expression).kind {
            ExpressionKind::Constant(_) | ExpressionKind::Own | ExpressionKind::Variable(_) => {}
            ExpressionKind::Argument(index) => {
                if let Some(to) = to {
                    self.flows(clause, arguments[*index], to);
                }
            }
            ExpressionKind::Cell(cell) => {
                if let (Some(source), Some(to)) = (self.cell(role, *cell), to) {
                    self.sources[to].push(source);
                }
            }
            ExpressionKind::If(condition, then, otherwise) => {
                self.needs(clause, role, arguments, *condition);
                self.becomes(clause, role, arguments, *then, to);
                self.becomes(clause, role, arguments, *otherwise, to);
            }
            ExpressionKind::Arithmetic(..)
            | ExpressionKind::Comparison(..)
            | ExpressionKind::And(_)
            | ExpressionKind::Or(_)
            | ExpressionKind::Not(_)
            | ExpressionKind::Min(..)
            | ExpressionKind::Max(..) => self.needs(clause, role, arguments, expression),
        }
    }

    /// Everything that the expression reads matters.
    fn needs(&mut self, clause: ClauseId, role: RoleId, arguments: &[Operand], expression: ExpressionId) {
        let program = self.program;
        let mut todo = vec![expression];
        while let Some(expression) = todo.pop() {
            let kind = &program.expression(expression).kind;
            match kind {
                ExpressionKind::Argument(index) => self.seed_operand(clause, arguments[*index]),
                ExpressionKind::Variable(slot) => self.seed(self.variable(clause, *slot)),
                ExpressionKind::Cell(cell) => {
                    if let Some(node) = self.cell(role, *cell) {
                        self.seed(node);
                    }
                }
                _ => todo.extend(kind.parts()),
            }
        }
    }

    /// Marks everything that flows into marked nodes.
    fn spread(&mut self) {
        while let Some(node) = self.todo.pop() {
            for source in std::mem::take(&mut self.sources[node]) {
                self.seed(source);
            }
        }
    }

    fn result(mut self) -> Relevance {
        let mut cells =
            self.matters.split_off(self.first_cell.first().copied().unwrap_or(self.matters.len()));
        let mut places =
            self.matters.split_off(self.first_place.first().copied().unwrap_or(self.matters.len()));
        let mut variables = self.matters;
        let cut = |all: &mut Vec<bool>, length: usize| all.drain(..length).collect::<Vec<bool>>();
        let program = self.program;
        Relevance {
            variables: program.clauses.iter().map(|it| cut(&mut variables, it.variables.len())).collect(),
            places: program.performatives.iter().map(|it| cut(&mut places, it.arity + 1)).collect(),
            cells: program.memories.iter().map(|it| cut(&mut cells, it.cells.len())).collect(),
        }
    }
}

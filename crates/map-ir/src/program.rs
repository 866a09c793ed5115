//! The tables of a compiled scene.

use std::ops::Range;

use crate::{
    AgentId, CellId, ClauseId, Expression, ExpressionId, ExpressionKind, Memory, NameId, PartId, Pattern,
    PerformativeId, Point, PointId, Procedure, ProcedureId, RoleId, Slot, SlotSetId, SourceSpan, TextId,
    Truth,
};

/// One scene under one cast.
#[derive(Clone, Debug)]
pub struct Program {
    /// The scene's name.
    pub scene: String,
    /// The first values of cells that its text does not have, as `--set` takes them: `%auctioneer@reserve=3`.
    pub set: Vec<String>,
    /// Role names.
    pub roles: Vec<String>,
    /// The cast. Ids of its agents come first in [`Program::agent_names`].
    pub agents: Vec<Agent>,
    /// Agent names without `!`: those of the cast, then those of parts without agents.
    pub agent_names: Vec<String>,
    /// The parts.
    pub parts: Vec<Part>,
    /// The clauses, in source order.
    pub clauses: Vec<Clause>,
    /// The control points; the points of a clause are contiguous.
    pub points: Vec<Point>,
    /// Performatives with their arities.
    pub performatives: Vec<Performative>,
    /// Decision procedures.
    pub procedures: Vec<Procedure>,
    /// What honest agents answer, at most one for each procedure.
    pub truths: Vec<Truth>,
    /// Names of memory cells.
    pub cells: Vec<String>,
    /// The memory of each role, parallel to [`Program::roles`]; empty if the file declares none.
    pub memories: Vec<Memory>,
    /// All expressions, those of clauses before those of procedure bodies; operands come before the expressions that
    /// use them.
    pub expressions: Vec<Expression>,
    /// Bare constants.
    pub names: Vec<String>,
    /// String constants.
    pub texts: Vec<String>,
    /// Sets of variables that failure edges unbind; the first is empty.
    pub slot_sets: Vec<Vec<Slot>>,
    /// Alternatives and timeout operations, outer before inner; used to report those never taken.
    pub regions: Vec<Region>,
}

/// An agent of the cast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// The part it plays.
    pub part: PartId,
    /// Its role.
    pub role: RoleId,
}

/// All clauses with the same role and the same `who`.
#[derive(Clone, Debug)]
pub struct Part {
    /// The role.
    pub role: RoleId,
    /// Its clauses, in order.
    pub clauses: Vec<ClauseId>,
    /// The clause that its agents start with.
    pub entry: ClauseId,
    /// The agents that play it.
    pub agents: Vec<AgentId>,
}

/// A clause.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The part it belongs to.
    pub part: PartId,
    /// The variable that holds the agent's own name, if the head has one.
    pub own_name: Option<Slot>,
    /// The pattern over the call's arguments.
    pub head: Pattern,
    /// Number of arguments a call must have.
    pub arity: usize,
    /// Names of its variables without `$`.
    pub variables: Vec<String>,
    /// Where it starts.
    pub body: PointId,
    /// Its control points.
    pub points: Range<usize>,
    /// Whether it can fail, decided statically (language reference, "Bounds").
    pub can_fail: bool,
    /// Its head in the source.
    pub head_span: SourceSpan,
    /// Head and body in the source.
    pub span: SourceSpan,
}

/// A performative with its arity. Messages of different arity never match.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Performative {
    /// The name.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
}

/// A part of a clause that runs may skip: an alternative of an `or`, or a timeout operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// What it is.
    pub kind: RegionKind,
    /// The clause.
    pub clause: ClauseId,
    /// Its control points.
    pub points: Range<usize>,
    /// Its text.
    pub span: SourceSpan,
}

/// The kinds of [`Region`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// An alternative of an `or`.
    Alternative,
    /// The operation behind `timeout`.
    Timeout,
}

impl Program {
    /// The control point.
    #[must_use]
    pub fn point(&self, id: PointId) -> &Point {
        &self.points[id.index()]
    }

    /// The clause.
    #[must_use]
    pub fn clause(&self, id: ClauseId) -> &Clause {
        &self.clauses[id.index()]
    }

    /// The part.
    #[must_use]
    pub fn part(&self, id: PartId) -> &Part {
        &self.parts[id.index()]
    }

    /// The agent; `id` must be one of the cast.
    #[must_use]
    pub fn agent(&self, id: AgentId) -> &Agent {
        &self.agents[id.index()]
    }

    /// The ids of the cast, in order.
    pub fn cast(&self) -> impl ExactSizeIterator<Item = AgentId> + use<> {
        (0..self.agents.len()).map(AgentId::new)
    }

    /// The same scene with one more agent, which comes last in the cast, so that no other id changes.
    ///
    /// # Panics
    /// If there are names of parts without agents: they are behind those of the cast.
    #[must_use]
    pub fn with_agent(&self, part: PartId, name: String) -> Self {
        assert_eq!(self.agents.len(), self.agent_names.len(), "all names are of agents");
        let mut program = self.clone();
        let agent = AgentId::new(program.agents.len());
        program.agents.push(Agent { part, role: self.part(part).role });
        program.agent_names.push(name);
        program.parts[part.index()].agents.push(agent);
        program
    }

    /// The agent's name without `!`.
    #[must_use]
    pub fn agent_name(&self, id: AgentId) -> &str {
        &self.agent_names[id.index()]
    }

    /// The role's name without `%`.
    #[must_use]
    pub fn role_name(&self, id: RoleId) -> &str {
        &self.roles[id.index()]
    }

    /// The performative.
    #[must_use]
    pub fn performative(&self, id: PerformativeId) -> &Performative {
        &self.performatives[id.index()]
    }

    /// The procedure.
    #[must_use]
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.index()]
    }

    /// What an honest agent answers, if the text says so.
    #[must_use]
    pub fn truth(&self, id: ProcedureId) -> Option<&Truth> {
        self.truths.iter().find(|it| it.procedure == id)
    }

    /// The expression.
    #[must_use]
    pub fn expression(&self, id: ExpressionId) -> &Expression {
        &self.expressions[id.index()]
    }

    /// The variables that an expression of a clause may read, in the order in which they are written, with repetitions.
    #[must_use]
    pub fn variables_of(&self, id: ExpressionId) -> Vec<Slot> {
        let mut found = Vec::new();
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let kind = &self.expression(id).kind;
            if let ExpressionKind::Variable(slot) = kind {
                found.push(*slot);
            }
            todo.extend(kind.parts().into_iter().rev());
        }
        found
    }

    /// The cell's name without `@`.
    #[must_use]
    pub fn cell_name(&self, id: CellId) -> &str {
        &self.cells[id.index()]
    }

    /// The index of a cell in a role's memory, if the role has it.
    #[must_use]
    pub fn cell_of(&self, role: RoleId, cell: CellId) -> Option<usize> {
        self.memories[role.index()].cells.iter().position(|&(it, _)| it == cell)
    }

    /// The variables of the set.
    #[must_use]
    pub fn slot_set(&self, id: SlotSetId) -> &[Slot] {
        &self.slot_sets[id.index()]
    }

    /// The bare constant with this name, if the scene mentions it.
    #[must_use]
    pub fn name_constant(&self, name: &str) -> Option<NameId> {
        self.names.iter().position(|it| it == name).map(NameId::new)
    }

    /// The string constant with this content, if the scene mentions it.
    #[must_use]
    pub fn text_constant(&self, content: &str) -> Option<TextId> {
        self.texts.iter().position(|it| it == content).map(TextId::new)
    }

    /// The text of a bare constant.
    #[must_use]
    pub fn name(&self, id: NameId) -> &str {
        &self.names[id.index()]
    }

    /// The content of a string constant.
    #[must_use]
    pub fn text(&self, id: TextId) -> &str {
        &self.texts[id.index()]
    }
}

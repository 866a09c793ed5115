//! The names of the variables of one part.
//!
//! Names generated here contain two consecutive underscores; names taken from the source never do.

use map_ir::{Operand, PartId, PointKind, Program, Test, Value};

use crate::control::{Control, Holder, HolderId};
use crate::layout::Layout;
use crate::names::Names;
use crate::source::Source;

/// The names of one part.
pub(crate) struct Naming<'a> {
    pub(crate) source: &'a Source<'a>,
    /// The name of the process type.
    pub(crate) part: String,
    /// Indexed by clause of the program and slot; empty for clauses of other parts.
    variables: Vec<Vec<String>>,
    cells: Vec<String>,
}

impl<'a> Naming<'a> {
    pub(crate) fn new(
        program: &Program,
        layout: &Layout,
        part: PartId,
        source: &'a Source<'a>,
        names: &mut Names,
    ) -> Self {
        let name = names.process(&part_name(program, part));
        // Local variables of different processes may share names; global arrays need unique ones.
        let (mut own, prefix) =
            (names.clone(), if layout.global { format!("{name}_") } else { String::new() });
        let names = if layout.global { names } else { &mut own };
        let part_id = part;
        let mut variables = vec![Vec::new(); program.clauses.len()];
        for (index, clause) in program.clauses.iter().enumerate() {
            if clause.part != part_id {
                continue;
            }
            let label = clause.head.tests.iter().find_map(|test| match *test {
                Test::Operand(0, Operand::Constant(Value::Name(name))) => {
                    Some(format!("{}_", program.name(name)))
                }
                _ => None,
            });
            let label = label.unwrap_or_default();
            let of = |variable: &String| format!("{prefix}{label}{variable}");
            variables[index] = clause.variables.iter().map(|it| names.variable(&of(it))).collect();
        }
        let role = program.part(part).role;
        let cells = &program.memories[role.index()].cells;
        let of = |cell: map_ir::CellId| format!("{prefix}cell_{}", program.cell_name(cell));
        let cells = cells.iter().map(|&(cell, _)| names.variable(&of(cell))).collect();
        Self { source, part: name, variables, cells }
    }

    /// The name of a variable in an activation at the bottom level.
    pub(crate) fn variable(&self, clause: map_ir::ClauseId, slot: map_ir::Slot) -> &str {
        &self.variables[clause.index()][slot.index()]
    }

    /// The name of a holder.
    pub(crate) fn holder(&self, control: &Control, layout: &Layout, holder: HolderId) -> String {
        let prefix = if layout.global { format!("{}_", self.part) } else { String::new() };
        match &control.holders[holder.0] {
            Holder::Slot(level, clause, slot) => {
                let name = &self.variables[clause.index()][slot.index()];
                if *level == Control::BOTTOM { name.clone() } else { format!("{name}__{}", level.0) }
            }
            Holder::Cell(index) => self.cells[*index].clone(),
            Holder::Calls(index) => format!("{prefix}calls__{index}"),
            Holder::Side(side) => format!("{prefix}par__{}_{}", side.fork.0 + 1, side.index + 1),
            // Always local to the process, so it needs no prefix.
            Holder::Swap => "set__aside".to_owned(),
            Holder::Scratch(index) => format!("{prefix}scratch__{index}"),
        }
    }
}

/// The name of the part's agent if there is only one; otherwise the agents' common name without numbers.
fn part_name(program: &Program, part: PartId) -> String {
    let agents = &program.part(part).agents;
    let first = agents.first().map_or("Nobody", |&agent| program.agent_name(agent));
    if agents.len() == 1 {
        return first.to_owned();
    }
    let stem = first.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem.is_empty() { first.to_owned() } else { stem.to_owned() }
}

pub(crate) fn word_of(kind: &PointKind) -> &'static str {
    match kind {
        PointKind::Wait { .. } => "waitfor",
        PointKind::Ask { .. } => "ask",
        PointKind::Send { .. } => "send",
        PointKind::Receive { .. } => "receive",
        PointKind::Skip { .. } | PointKind::Fail { .. } => "silent",
        PointKind::Call { .. } => "call",
        PointKind::Par { .. } => "par",
    }
}

//! The values with which cells start that may start with any of several.

use map_ir::Value;
use map_semantics::{OpenCell, open_cells};

use crate::Namer;

/// `!Buyer@limit = 5`, as in the text of the dialogue.
#[must_use]
pub fn initial_value(namer: &Namer<'_>, cell: &OpenCell<'_>, value: Value) -> String {
    let (agent, name) = (namer.agent(cell.agent), namer.program.cell_name(cell.cell));
    format!("{agent}@{name} = {}", namer.value(value))
}

/// The initial values that these options of [`map_semantics::open_cells`] mean.
#[must_use]
pub fn initial_values(namer: &Namer<'_>, options: &[u32]) -> Vec<String> {
    let cells = open_cells(namer.program).zip(options);
    let values = cells.filter_map(|(cell, &option)| Some((cell, *cell.values.get(option as usize)?)));
    values.map(|(cell, value)| initial_value(namer, &cell, value)).collect()
}

/// A line for each agent, before the first step: `!Buyer starts with @limit = 5`. An empty line is behind them; nothing
/// if nothing is chosen.
#[must_use]
pub fn initial_lines(namer: &Namer<'_>, options: &[u32]) -> String {
    let mut lines: Vec<(map_ir::AgentId, String)> = Vec::new();
    for (cell, &option) in open_cells(namer.program).zip(options) {
        let Some(&value) = cell.values.get(option as usize) else { continue };
        let is = format!("@{} = {}", namer.program.cell_name(cell.cell), namer.value(value));
        match lines.last_mut().filter(|(agent, _)| *agent == cell.agent) {
            Some((_, line)) => line.push_str(&format!(", {is}")),
            None => lines.push((cell.agent, format!("{} starts with {is}", namer.agent(cell.agent)))),
        }
    }
    let gap = if lines.is_empty() { "" } else { "\n" };
    lines.into_iter().map(|(_, line)| line + "\n").chain([gap.to_owned()]).collect()
}

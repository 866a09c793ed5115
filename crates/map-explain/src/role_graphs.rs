//! What each role does, as pictures.

use map_ir::{Part, PartId, Program, RoleId};
use map_render::graph::Graph;
use map_render::graph::roles::{MAX_SIZE, TooLarge, role_graph};

/// The state charts of all roles, or of one. A role with several parts has several.
///
/// # Errors
/// Which of them would be too large.
pub fn role_graphs(program: &Program, only: Option<RoleId>) -> Result<Vec<Graph>, String> {
    let parts = program.parts.iter().enumerate();
    let chosen = parts.filter(|(_, part): &(usize, &Part)| only.is_none_or(|role| role == part.role));
    let drawn = chosen.map(|(index, part)| {
        role_graph(program, PartId::new(index), None).map_err(|TooLarge| {
            let name = program.role_name(part.role);
            format!("the graph of %{name} would have more than {MAX_SIZE} nodes and edges")
        })
    });
    drawn.collect()
}

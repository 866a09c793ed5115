//! A look at every state of a scene.

use map_ir::{AgentId, Program, RoleId};
use map_semantics::{Bounds, Network, SceneState};

use super::alone::Alone;
use super::searched::Searched;
use crate::abstraction::symmetry::{Symmetry, named_agents};
use crate::budget::{Limits, Progress};
use crate::report::InternalError;
use crate::state::space::Space;
use crate::system::{Layers, System};

/// The number of states that are seen between two checks whether to stop.
const STRIDE: u32 = 1 << 10;

/// Calls `see` with every state that a scene can reach, behind violations, too: one of those that are the same but for
/// the names of the agents of a role. Returns whether these are all: no limit or bound came first.
///
/// # Errors
/// None but defects of the engine.
pub fn visit_states(
    program: &Program,
    bounds: &Bounds,
    role: RoleId,
    limits: &Limits,
    progress: &mut dyn Progress,
    see: &mut dyn FnMut(&SceneState),
) -> Result<bool, InternalError> {
    let space = Space::up_to(program, bounds, None, symmetry_of(program, bounds, role));
    let search = Alone::explore(System::new(space, Layers::default()), limits, true, progress)?;
    let snapshot = search.statistics();
    if !search.is_complete() || !search.explorer.cut_by.is_empty() || search.explorer.too_long {
        return Ok(false);
    }
    for state in 0..search.explorer.states() as u32 {
        if state % STRIDE == 0 && progress.tick(&snapshot).is_some() {
            return Ok(false);
        }
        see(&search.explorer.system.space.scene(&search.explorer.words(state)));
    }
    Ok(true)
}

/// The agents of the role are interchangeable, unless one is named, or the order of messages is open.
fn symmetry_of(program: &Program, bounds: &Bounds, role: RoleId) -> Symmetry {
    let named = named_agents(program, bounds);
    let members: Vec<AgentId> = program.cast().filter(|&it| program.agent(it).role == role).collect();
    let Network { unordered, delayed, losses: _, crashes: _ } = bounds.network;
    let alike = members.len() > 1 && !unordered && !delayed && members.iter().all(|it| !named[it.index()]);
    if alike { Symmetry::of(program.agents.len(), vec![members]) } else { Symmetry::none(program) }
}

//! Who plays in each scene of a text, for those who choose the numbers of agents.

use map_ide::Analysis;
use serde::Serialize;

/// Agents of a scene whose number can be chosen.
#[derive(Serialize)]
pub(crate) struct PartOutput {
    scene: String,
    /// What `--agents` calls them.
    name: String,
    role: String,
    /// Their number if nothing else is said.
    count: usize,
}

pub(crate) fn parts(analysis: &Analysis) -> Vec<PartOutput> {
    let parts = analysis.parts().into_iter();
    let output = |part: map_ide::PartOfScene| {
        let map_ide::PartOfScene { scene, name, role, count } = part;
        PartOutput { scene, name, role, count }
    };
    parts.map(output).collect()
}

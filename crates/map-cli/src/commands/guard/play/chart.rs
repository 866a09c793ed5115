//! The chart of the role under test, with what its dialogues covered.

use map_guard::{BranchCoverage, BranchState};
use map_ir::{AgentId, PointId, Program};
use map_render::graph::roles::{Occurrences, TooLarge, role_graph};
use map_render::graph::{Graph, svg};

/// The chart as SVG: what is covered for certain is highlighted, and what is not covered is drawn as never taken.
///
/// # Errors
/// If it would be too large.
pub(super) fn chart(
    program: &Program,
    tested: AgentId,
    coverage: &BranchCoverage,
) -> Result<String, TooLarge> {
    let mut graph = drawn(program, tested, coverage, BranchState::Possible)?;
    let certain = drawn(program, tested, coverage, BranchState::Certain)?;
    for (edge, surely) in graph.edges.iter_mut().zip(&certain.edges) {
        edge.highlighted = !surely.never;
    }
    Ok(format!("{}\n", svg::draw(&[graph])))
}

/// The chart in which everything is taken that is covered like this, or better.
fn drawn(
    program: &Program,
    tested: AgentId,
    coverage: &BranchCoverage,
    least: BranchState,
) -> Result<Graph, TooLarge> {
    let ran = |point: PointId| coverage.ran(point) >= least;
    let failed = |point: PointId| least == BranchState::Possible && coverage.has_failed(point);
    role_graph(program, program.agent(tested).part, Some(Occurrences { ran: &ran, failed: &failed }))
}

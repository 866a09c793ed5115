//! What a dialogue costs at most, and at least if it ends well: longest and shortest ways through the labelled graph.
//!
//! The graph has all steps, those of every order of events: only slicing and symmetry are used, which keep what each
//! step costs. Every run that is shown is replayed, and what its steps cost is read again.

mod cheapest;
mod plan;
mod report;

pub use super::judge::dearest::MostCost;
pub use report::{CostBounds, CostRange, CostReport, NamedRange};

use map_ir::{Costs, DeclaredCost, Program};
use map_semantics::Bounds;

use self::cheapest::cheapest;
use self::plan::groups;
use super::judge::dearest::{Dearest, dearest};
use super::judge::run::Run;
use super::judge::shown::Runs;
use super::judge::weights::Weights;
use super::plan::groups::Group;
use super::search::explored::Explored;
use super::verdict::{PropertyOptions, ShownRun};
use crate::budget::{Budget, Limit, Limits, Progress, with_budget};
use crate::reductions::Reductions;
use crate::report::InternalError;
use crate::witness::replay::NoReport;

/// What every declared cost comes to, over all dialogues.
///
/// # Errors
/// If a run does not replay, or does not cost what it should, which would be a defect of the engine.
pub fn verify_costs(
    program: &Program,
    costs: &Costs,
    bounds: &Bounds,
    options: &PropertyOptions,
    progress: &mut dyn Progress,
) -> Result<CostReport, InternalError> {
    let mut groups = groups(program, costs, bounds, options.reductions).into_iter().peekable();
    loop {
        let group = groups.next().expect("the last search has no reductions, so its runs can be shown");
        match search(program, costs, bounds, options, &group, progress) {
            Err(NoReport::Unlifted) if groups.peek().is_some() => {}
            Err(NoReport::Unlifted) => {
                return Err(InternalError("a run of the unreduced graph cannot be shown".to_owned()));
            }
            Err(NoReport::Broken(error)) => return Err(error),
            Ok(report) => return Ok(report),
        }
    }
}

fn search(
    program: &Program,
    costs: &Costs,
    bounds: &Bounds,
    options: &PropertyOptions,
    group: &Group,
    progress: &mut dyn Progress,
) -> Result<CostReport, NoReport> {
    let mut explored = group.explore((program, bounds), |_, _, _| false, &options.limits, progress);
    let mut list = Vec::new();
    if explored.graph().len() > 0 {
        for cost in &costs.list {
            match bounds_of(program, cost, group, &mut explored, &options.limits, progress)? {
                Ok(bounds) => list.push(bounds),
                Err(limit) => {
                    explored.limit = Limit::reported(explored.limit, Some(limit));
                    break;
                }
            }
        }
    }
    Ok(CostReport {
        costs: list,
        reductions: group.reductions(),
        statistics: explored.statistics,
        searched: explored.searched,
        limit: explored.limit,
        cut_by: explored.cut_by.clone(),
    })
}

/// What a cost comes to; or the limit that was reached.
fn bounds_of(
    program: &Program,
    cost: &DeclaredCost,
    group: &Group,
    explored: &mut Explored<'_>,
    limits: &Limits,
    progress: &mut dyn Progress,
) -> Result<Result<CostBounds, Limit>, NoReport> {
    let ranges = with_budget(&explored.statistics, limits, progress, |budget| {
        let total = range(explored, cost.total, budget)?;
        let mut by_role = Vec::new();
        for &(role, number) in &cost.by_role {
            let (range, _) = range(explored, number, budget)?;
            by_role.push(NamedRange { role: program.role_name(role).to_owned(), range });
        }
        Ok((total, by_role))
    });
    let ((total, run), mut by_role) = match ranges {
        Ok(ranges) => ranges,
        Err(limit) => return Ok(Err(limit)),
    };
    by_role.retain(|it| it.range.most != MostCost::Bounded(0));
    if by_role.len() == 1 {
        by_role.clear();
    }
    let reduced = group.reductions() != Reductions::NONE;
    let mut runs = Runs::new(explored, &group.properties, reduced);
    let shown: Option<ShownRun> = run.as_ref().map(|run| runs.show(&cost.name, run)).transpose()?;
    let possible = run.is_some_and(|run| run.open);
    Ok(Ok(CostBounds { name: cost.name.clone(), total, by_role, shown, possible }))
}

/// The least and the most that a cost comes to, with a shortest run that costs most, or whose loop costs something.
fn range(
    explored: &Explored<'_>,
    cost: usize,
    budget: &mut Budget<'_>,
) -> Result<(CostRange, Option<Run>), Limit> {
    let graph = explored.graph();
    let weights = Weights::new(graph, cost);
    let Dearest { most, run } = dearest(graph, &weights, budget)?;
    let least = cheapest(graph, &weights, budget)?;
    Ok((CostRange { least, most }, run))
}

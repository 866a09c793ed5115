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
pub(super) use self::plan::{CostPlan, Observed};
use super::judge::dearest::{Dearest, dearest};
use super::judge::run::Run;
use super::judge::shown::Runs;
use super::judge::weights::Weights;
use super::plan::groups::Group;
use super::search::explored::Explored;
use super::verdict::{PropertyOptions, ShownRun};
use crate::budget::{Budget, Limit, Limits, Progress, Snapshot, with_budget};
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
    let plan = CostPlan::new(program, costs, bounds, options.reductions);
    let mut groups = plan.groups().into_iter().peekable();
    loop {
        let (group, observed) =
            groups.next().expect("the last search has no reductions, so its runs can be shown");
        let mut explored = group.explore((program, bounds), |_, _, _| false, &options.limits, progress);
        match read(costs, (&group, &observed), &mut explored, &options.limits, progress) {
            Err(NoReport::Unlifted) if groups.peek().is_some() => {}
            Err(NoReport::Unlifted) => {
                return Err(InternalError("a run of the unreduced graph cannot be shown".to_owned()));
            }
            Err(NoReport::Broken(error)) => return Err(error),
            Ok(report) => return Ok(report),
        }
    }
}

/// What the costs come to, as far as it can be read from the whole graph of a group of properties. Nothing is if its
/// search left something out, which one for the costs alone may find, or if a run cannot be shown.
///
/// # Errors
/// As for [`verify_costs`].
pub(super) fn read_beside(
    costs: &Costs,
    observed: (&Group, &Observed),
    explored: &mut Explored<'_>,
    limits: &Limits,
    progress: &mut dyn Progress,
) -> Result<Option<CostReport>, InternalError> {
    if !explored.searched || explored.limit.is_some() {
        return Ok(None);
    }
    match read(costs, observed, explored, limits, progress) {
        Ok(report) => {
            let whole = report.limit.is_none().then_some(report);
            Ok(whole.map(|report| CostReport { statistics: Snapshot::default(), ..report }))
        }
        Err(NoReport::Unlifted) => Ok(None),
        Err(NoReport::Broken(error)) => Err(error),
    }
}

/// What the costs come to, read from a graph whose letters tell them.
fn read(
    costs: &Costs,
    observed: (&Group, &Observed),
    explored: &mut Explored<'_>,
    limits: &Limits,
    progress: &mut dyn Progress,
) -> Result<CostReport, NoReport> {
    let mut list = Vec::new();
    if explored.graph().len() > 0 {
        for cost in &costs.list {
            match bounds_of(cost, observed, explored, limits, progress)? {
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
        reductions: observed.0.reductions(),
        statistics: explored.statistics,
        searched: explored.searched,
        limit: explored.limit,
        cut_by: explored.cut_by.clone(),
    })
}

/// What a cost comes to; or the limit that was reached.
fn bounds_of(
    cost: &DeclaredCost,
    (group, observed): (&Group, &Observed),
    explored: &mut Explored<'_>,
    limits: &Limits,
    progress: &mut dyn Progress,
) -> Result<Result<CostBounds, Limit>, NoReport> {
    let ranges = with_budget(&explored.statistics, limits, progress, |budget| {
        let total = range(explored, observed, cost.total, budget)?;
        let mut by_role = Vec::new();
        for &(role, number) in &cost.by_role {
            let (range, _) = range(explored, observed, number, budget)?;
            by_role.push(NamedRange { role: explored.space().program.role_name(role).to_owned(), range });
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
    observed: &Observed,
    cost: usize,
    budget: &mut Budget<'_>,
) -> Result<(CostRange, Option<Run>), Limit> {
    let graph = explored.graph();
    let weights = Weights::new(graph, observed.costs[cost]);
    let Dearest { most, run } = dearest(graph, &weights, budget)?;
    let least = cheapest(graph, &weights, observed.good_end, budget)?;
    Ok((CostRange { least, most }, run))
}

//! Costs for any number of agents: what each of them pays at most, proved from views; and what all pay together with
//! some numbers, from which nothing follows for others.

use std::sync::Arc;

use map_ir::{Charge, Cost, Costs, DeclaredCost, Program};
use map_semantics::Bounds;
use map_verify::{
    CostRange, InternalError, Limits, MostCost, PropertyOptions, Reductions, Snapshot, verify_costs,
};
use map_views::{NoJudgement, Sabotage, most_of_a_member};

use super::AnyNumber;
use super::properties::{AT_FIRST, Effort};
use crate::compilation::PropertySelection;
use crate::watch::Watch;

/// What was found about a cost.
pub struct AnyCost {
    /// Its name, which is its unit.
    pub name: String,
    /// The most that each agent of the role pays in any run, however many there are; no amount if no bound was found.
    pub each: Result<Option<i64>, NoJudgement>,
    /// What all agents pay together with some numbers of agents of the role, in order.
    pub together: Vec<(u32, CostRange)>,
}

/// Adds up the costs that the text declares.
pub(super) fn add_up(
    question: &AnyNumber,
    bounds: &Bounds,
    effort: Effort,
    watch: &mut dyn Watch,
) -> Result<Vec<AnyCost>, InternalError> {
    let with = |count| {
        let compilation = question.compile(count, PropertySelection::ALL);
        compilation.program.map(|program| (program, compilation.properties))
    };
    let scene = |count| {
        with(count)
            .map(|(program, set): (Arc<Program>, _)| (Program::clone(&program), set.costs.compiled.clone()))
    };
    let Some((_, costs)) = scene(2) else { return Ok(Vec::new()) };
    let most = (effort.views, Sabotage::default());
    let mut stop = || watch.tick(&Snapshot::default()).is_some();
    let each = most_of_a_member(&scene, &question.role, bounds, most, &mut stop);
    let mut found: Vec<AnyCost> = Vec::new();
    for (declared, each) in costs.list.iter().zip(each) {
        found.push(AnyCost { name: declared.name.clone(), each, together: Vec::new() });
    }
    if found.is_empty() {
        return Ok(found);
    }
    for count in question.from.max(1)..=effort.concrete.max(question.from) {
        // One alone has another name, which the text need not know.
        let Some((program, costs)) = scene(count) else { continue };
        let states = if count < 2 { effort.limits.states } else { effort.limits.states / AT_FIRST };
        let options = PropertyOptions {
            limits: Limits { states, ..effort.limits },
            fairness: question.fairness,
            reductions: Reductions::ALL,
        };
        if count < 2 {
            // Views speak of two or more.
            let alone = of_members(&program, &costs, &question.role);
            let report = verify_costs(&program, &alone, bounds, &options, watch)?;
            for it in &mut found {
                let most = report.costs.iter().find(|cost| cost.name == it.name).map(|cost| cost.total.most);
                let is_whole = report.searched && report.cut_by.is_empty();
                it.each = match (it.each, most.filter(|_| is_whole)) {
                    (Ok(Some(each)), Some(MostCost::Bounded(most))) => Ok(Some(each.max(most))),
                    (Ok(_), Some(_)) => Ok(None),
                    (Ok(_), None) => Err(NoJudgement::NoViews),
                    (why, _) => why,
                };
            }
        }
        let report = verify_costs(&program, &costs, bounds, &options, watch)?;
        if !report.searched || !report.cut_by.is_empty() {
            break;
        }
        for cost in &report.costs {
            if let Some(known) = found.iter_mut().find(|it| it.name == cost.name) {
                known.together.push((count, cost.total));
            }
        }
    }
    Ok(found)
}

/// What the agents of a role pay of each cost.
fn of_members(program: &Program, costs: &Costs, role: &str) -> Costs {
    let of_role = program.cast().filter(|&it| program.role_name(program.agent(it).role) == role);
    let members: Vec<_> = of_role.collect();
    let mut tables = costs.tables.clone();
    let list = costs.list.iter().map(|declared| {
        let charges = costs.tables.costs[declared.total].charges.iter();
        let borne = charges.map(|it| Charge { bearer: it.bearer.among(&members), ..it.clone() });
        tables.costs.push(Cost { charges: borne.filter(|it| !it.bearer.named().is_empty()).collect() });
        DeclaredCost { name: declared.name.clone(), total: tables.costs.len() - 1, by_role: Vec::new() }
    });
    let list = list.collect();
    Costs { list, tables }
}

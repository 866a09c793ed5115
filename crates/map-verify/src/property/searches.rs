//! The searches run for properties: one for each group, and further ones with fewer reductions for properties left
//! undecided. What costs come to is read from the graph of a group, if one has all that they need.

use std::collections::BTreeSet;

use map_ir::{Costs, Program, Properties};
use map_semantics::{BoundHit, Bounds};

use super::costs::{CostPlan, CostReport, Observed, read_beside};
use super::instance::violated_in_the_end;
use super::judge::{JudgedProperty, all_decided_by_letters};
use super::judgement::Judgement;
use super::plan::groups::{Group, groups, looks_back};
use super::search::explored::Explored;
use super::verdict::{PropertyJudgement, PropertyOptions, PropertyReport, PropertySearch, PropertyVerdict};
use crate::budget::{Limit, Progress, Snapshot};
use crate::report::InternalError;
use crate::together::Link;

/// The results of the searches so far.
struct Searches<'a, 'p, 'l> {
    program: &'a Program,
    properties: &'a Properties,
    bounds: &'a Bounds,
    options: &'a PropertyOptions,
    /// The link to the other processes, if several search together.
    link: Option<&'p mut Link<'l>>,
    progress: &'p mut dyn Progress,
    costs: Option<BesideProperties<'a>>,
    judged: Vec<Option<PropertyJudgement>>,
    /// Properties that turned out to need a search without symmetry, and those that need one without any reductions.
    unfit_for_symmetry: Vec<usize>,
    unfit_for_slicing: Vec<usize>,
    searches: Vec<PropertySearch>,
    searched: bool,
    limit: Option<Limit>,
    cut_by: BTreeSet<BoundHit>,
    open: bool,
}

/// Costs that are looked for beside properties.
struct BesideProperties<'a> {
    costs: &'a Costs,
    plan: CostPlan<'a>,
    /// What they come to, once that is known.
    report: Option<CostReport>,
}

/// Judges all properties, and says what costs come to, if that is wanted and a search for properties tells. If a
/// process is lost, the link knows why, and the report is of no use.
pub(super) fn judge_all(
    program: &Program,
    (properties, costs): (&Properties, Option<&Costs>),
    bounds: &Bounds,
    options: &PropertyOptions,
    link: Option<&mut Link<'_>>,
    progress: &mut dyn Progress,
) -> Result<(PropertyReport, Option<CostReport>), InternalError> {
    let costs = costs.map(|costs| {
        let plan = CostPlan::new(program, costs, bounds, options.reductions);
        BesideProperties { costs, plan, report: None }
    });
    let mut searches = Searches {
        program,
        properties,
        bounds,
        options,
        link,
        progress,
        costs,
        judged: properties.list.iter().map(|_| None).collect(),
        unfit_for_symmetry: Vec::new(),
        unfit_for_slicing: Vec::new(),
        searches: Vec::new(),
        searched: true,
        limit: None,
        cut_by: BTreeSet::new(),
        open: false,
    };
    for mut group in groups(program, properties, bounds, options.fairness, options.reductions) {
        // Groups without symmetry come last, and take in the properties that the others left undecided.
        if group.symmetry.classes().is_empty() && !group.has_monitors() {
            let unfit = std::mem::take(&mut searches.unfit_for_symmetry);
            let (looking_back, others) = unfit.into_iter().partition(|&it| looks_back(properties, it));
            searches.unfit_for_symmetry = looking_back;
            group.members.extend(others);
            group = Group::of_all_agents((program, bounds), properties, group.members, group.slicing);
        }
        searches.search(group)?;
    }
    // First without symmetry, then also without slicing.
    let unfit = std::mem::take(&mut searches.unfit_for_symmetry);
    for group in Group::all_of_all_agents((program, bounds), properties, unfit, options.reductions.slicing) {
        searches.search(group)?;
    }
    let unfit = std::mem::take(&mut searches.unfit_for_slicing);
    for group in Group::all_of_all_agents((program, bounds), properties, unfit, false) {
        searches.search(group)?;
    }
    let costs = searches.costs.take().and_then(|it| it.report);
    Ok((searches.report(), costs))
}

impl Searches<'_, '_, '_> {
    /// Runs the search for a group.
    fn search(&mut self, mut group: Group) -> Result<(), InternalError> {
        let observed = self.observe(&mut group);
        let group = &group;
        let PropertyOptions { limits, fairness, .. } = self.options;
        let scene = (self.program, self.bounds);
        let explored = match &mut self.link {
            None => Ok(group.explore(scene, all_decided_by_letters, limits, self.progress)),
            Some(link) => {
                group.explore_together(scene, all_decided_by_letters, (limits, link), self.progress)
            }
        };
        let Ok(mut explored) = explored else { return Ok(()) };
        let judgement = match &mut self.link {
            None => Judgement::alone(group, &mut explored, limits, *fairness, self.progress)?,
            Some(link) => {
                let judged =
                    Judgement::together(group, &mut explored, (limits, link), *fairness, self.progress);
                let Ok(judged) = judged else { return Ok(()) };
                judged?
            }
        };
        if let Some(observed) = &observed {
            self.add_up((group, observed), &mut explored)?;
        }
        self.searches
            .push(PropertySearch { reductions: group.reductions(), statistics: explored.statistics });
        self.searched &= explored.searched;
        self.limit = Limit::reported(self.limit, judgement.limit);
        self.open |= judgement.open;
        self.cut_by.extend(explored.cut_by);
        for (&index, JudgedProperty { judged, again }) in group.members.iter().zip(judgement.properties) {
            if again {
                let symmetry = group.reductions().symmetry;
                let unfit = if symmetry { &mut self.unfit_for_symmetry } else { &mut self.unfit_for_slicing };
                unfit.push(index);
            }
            let known = &mut self.judged[index];
            let Some(mut judged) = judged else { continue };
            if let (PropertyVerdict::Violated, None, Some(run)) =
                (judged.verdict, &judged.instance, &judged.shown)
            {
                let whole = (self.program, self.bounds);
                let property = &self.properties.list[index];
                judged.instance = violated_in_the_end(whole, self.properties, property, run)?;
            }
            match known.as_ref().map(|known| known.verdict) {
                Some(PropertyVerdict::Violated) if judged.verdict == PropertyVerdict::Holds => {
                    let what = "a search with fewer reductions misses what one with more has found";
                    return Err(InternalError(format!("{what} about `{}`", judged.name)));
                }
                Some(_) if judged.verdict == PropertyVerdict::Inconclusive => {}
                _ => *known = Some(judged),
            }
        }
        Ok(())
    }

    /// Has the letters of a group tell what costs come to, if that is not known yet and the group suits.
    fn observe(&self, group: &mut Group) -> Option<Observed> {
        let BesideProperties { plan, report, .. } = self.costs.as_ref()?;
        (report.is_none() && plan.suits(group)).then(|| plan.observe(group))
    }

    /// What the costs come to, if the graph of a group that tells it is whole.
    fn add_up(
        &mut self,
        observed: (&Group, &Observed),
        explored: &mut Explored<'_>,
    ) -> Result<(), InternalError> {
        if let Some(BesideProperties { costs, report, .. }) = &mut self.costs {
            *report = read_beside(costs, observed, explored, &self.options.limits, self.progress)?;
        }
        Ok(())
    }

    fn report(self) -> PropertyReport {
        let mut statistics = Snapshot::default();
        for PropertySearch { statistics: it, .. } in &self.searches {
            statistics.states += it.states;
            statistics.transitions += it.transitions;
            statistics.depth = statistics.depth.max(it.depth);
            statistics.frontier += it.frontier;
            statistics.memory = statistics.memory.max(it.memory);
            statistics.states_memory = statistics.states_memory.max(it.states_memory);
        }
        PropertyReport {
            properties: self.judged.into_iter().flatten().collect(),
            searches: self.searches,
            statistics,
            searched: self.searched,
            cut_by: self.cut_by.into_iter().collect(),
            limit: self.limit,
            fairness: self.options.fairness,
            open: self.open,
            bounds: self.bounds.clone(),
        }
    }
}

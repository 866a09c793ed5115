//! Judges properties on the labelled graph.
//!
//! Each property is reduced to questions about the graph (`question`), which are answered in parallel (`answers`),
//! each by a single search (`reach`; `ceilings` for costs) or by an automaton (`temporal`, `product`; `drawn` for fair
//! runs, else `lasso`). `finding` combines the answers into a verdict. Some properties are decided by single letters
//! (`by_letters`). Runs to be shown are replayed (`shown`).

use std::collections::BTreeSet;

use map_ir::Property;

mod answers;
mod by_letters;
mod ceilings;
pub(super) mod dearest;
mod drawn;
mod finding;
mod graphs;
mod lasso;
pub(crate) mod prefix;
mod product;
mod question;
mod reach;
pub(super) mod run;
pub(super) mod shown;
pub(crate) mod temporal;
pub(super) mod weights;

pub(crate) use by_letters::all_decided_by_letters;

use super::movers::Movers;
use super::plan::groups::Group;
use super::search::explored::Explored;
use super::verdict::{Fairness, PropertyJudgement, PropertyVerdict, WAITING_IS_OPEN};
use crate::budget::{Limit, Limits, Progress};
use crate::reductions::Reductions;
use crate::report::InternalError;
use crate::witness::replay::NoReport;
use answers::{Caller, answer_all};
use finding::{Answers, Finding, Inquiry};
use graphs::Graphs;
use question::Subject;
use shown::Runs;

/// The result for a property after a search.
pub(crate) struct JudgedProperty {
    pub(crate) judged: Option<PropertyJudgement>,
    /// Whether it has to be judged again with fewer reductions. `judged` is kept in case that is inconclusive.
    pub(crate) again: bool,
}

/// Judges the properties of a group, in order, on the graph explored for it. Limits reached while judging are
/// recorded in `explored.limit`.
///
/// # Errors
/// If a run does not replay, or does not show what it should.
pub(crate) fn judge(
    group: &Group,
    explored: &mut Explored<'_>,
    limits: &Limits,
    fairness: Fairness,
    progress: &mut dyn Progress,
) -> Result<Vec<JudgedProperty>, InternalError> {
    let found = find(group, explored, limits, fairness, progress)?;
    conclude(group, explored, found)
}

/// What was found of the properties of a group, before runs are replayed.
pub(crate) struct Found(Vec<Finding>);

impl Found {
    /// The states of the graph on the runs that are to be shown.
    pub(crate) fn states(&self, explored: &Explored<'_>) -> Vec<u32> {
        let paths = self.0.iter().filter_map(|it| it.run.as_ref()).flat_map(|run| &run.path);
        let both = paths.flat_map(|(source, transition)| [*source, transition.target]);
        let states: BTreeSet<u32> = both.filter(|&state| !explored.graph().is_halt(state)).collect();
        states.into_iter().collect()
    }
}

/// The first half of [`judge`]: what follows from the graph alone.
///
/// # Errors
/// If the findings contradict each other.
pub(crate) fn find(
    group: &Group,
    explored: &mut Explored<'_>,
    limits: &Limits,
    fairness: Fairness,
    progress: &mut dyn Progress,
) -> Result<Found, InternalError> {
    let findings = findings(group, explored, limits, fairness, progress);
    for finding in &findings {
        if let Some(contradiction) = &finding.hindrances.contradiction {
            return Err(contradiction.clone());
        }
        explored.limit = Limit::reported(explored.limit, finding.hindrances.limit);
    }
    Ok(Found(findings))
}

/// The second half of [`judge`]: replays the runs that are to be shown.
///
/// # Errors
/// As for [`judge`].
pub(crate) fn conclude(
    group: &Group,
    explored: &mut Explored<'_>,
    Found(findings): Found,
) -> Result<Vec<JudgedProperty>, InternalError> {
    let mut judged_properties = Vec::new();
    for (property, finding) in group.properties.list.iter().zip(findings) {
        // One violated conjunct is enough, whatever the others are.
        let unfit = finding.hindrances.unfit;
        if unfit && (finding.verdict != PropertyVerdict::Violated || finding.open) {
            judged_properties.push(JudgedProperty { judged: None, again: true });
            continue;
        }
        judged_properties.push(match report(group, explored, property, finding) {
            Ok(judged) => JudgedProperty { judged: Some(judged), again: unfit },
            Err(NoReport::Unlifted) => JudgedProperty { judged: None, again: true },
            Err(NoReport::Broken(error)) => return Err(error),
        });
    }
    Ok(judged_properties)
}

/// The findings on each property. All pending questions are answered together, until no property has one.
fn findings(
    group: &Group,
    explored: &Explored<'_>,
    limits: &Limits,
    fairness: Fairness,
    progress: &mut dyn Progress,
) -> Vec<Finding> {
    let (graph, space, statistics) = (explored.graph(), explored.space(), explored.statistics);
    let subject = Subject {
        graphs: Graphs::new(graph),
        movers: Movers::new(space.program.agents.len(), space.bounds).count(),
        fairness,
        is_symmetric: group.reductions().symmetry,
        ceilings: &group.ceilings,
    };
    let left = Limits { memory: limits.memory.saturating_sub(explored.memory), ..*limits };
    let mut caller = Caller::new(progress, statistics, explored.limit);
    let mut known = Answers::new();
    loop {
        let mut asked = Vec::new();
        let found: Vec<_> = group
            .properties
            .list
            .iter()
            .map(|property| Inquiry::new(graph, explored.searched, &known, &mut asked).evaluate(property))
            .collect();
        if asked.is_empty() {
            return found.into_iter().flatten().collect();
        }
        let replies = answer_all(&asked, &subject, &left, &mut caller);
        known.extend(asked.into_iter().zip(replies));
    }
}

/// Whether the property asks if an agent waits that, in some state, waits only if unknown values compare in a certain
/// way. Such an agent counts as waiting; for some values it does not.
fn asks_for_doubtful_waiting(group: &Group, explored: &Explored<'_>, property: &Property) -> bool {
    group
        .asks_whether_waiting(property)
        .into_iter()
        .any(|agent| explored.space().agents.waits_in_doubt(agent))
}

fn report(
    group: &Group,
    explored: &mut Explored<'_>,
    property: &Property,
    finding: Finding,
) -> Result<PropertyJudgement, NoReport> {
    let Finding { mut verdict, mut open, run, instance, only_goal_missing, vacuous, hindrances } = finding;
    let mut reason = hindrances.reason;
    if property.constant.is_none() && asks_for_doubtful_waiting(group, explored, property) {
        open = run.is_some();
        if run.is_none() {
            (verdict, reason) = (PropertyVerdict::Inconclusive, Some(WAITING_IS_OPEN));
        }
    }
    let is_inconclusive = verdict == PropertyVerdict::Inconclusive;
    let reason = match explored.runaway {
        true => Some("there is no first state: the way there is a runaway recursion or a run error"),
        false => reason.filter(|_| is_inconclusive),
    };
    let limit = explored.limit.filter(|_| is_inconclusive);
    let reduced = group.reductions() != Reductions::NONE;
    let mut runs = Runs::new(explored, &group.properties, reduced);
    let shown = run.map(|run| runs.show(&property.name, &run)).transpose()?;
    Ok(PropertyJudgement {
        name: property.name.clone(),
        verdict,
        possible: open,
        shown,
        instance,
        only_goal_missing,
        vacuous,
        constant: property.constant.is_some(),
        reason,
        limit,
    })
}

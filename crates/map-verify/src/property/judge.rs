//! The verdict on each property, from the labelled graph.
//!
//! What a property says comes down to questions about the graph (`question`), each answered by a search of its own (`reach`)
//! or by an automaton (`temporal`, `product`, `lasso`). Threads answer them side by side (`asking`). What the answers come to
//! is worked out in `finding`; what single letters decide needs none (`by_letters`). A run that is shown is made again
//! (`shown`).

use map_ir::Property;

mod asking;
mod by_letters;
mod finding;
mod graphs;
mod lasso;
mod product;
mod question;
mod reach;
mod run;
mod shown;
pub(crate) mod temporal;

pub(crate) use by_letters::all_decided_by_letters;

use super::plan::groups::Group;
use super::search::explored::Explored;
use super::verdict::{Fairness, Judged, PropertyVerdict};
use crate::budget::{Limit, Limits, Progress};
use crate::reductions::Reductions;
use crate::report::InternalError;
use crate::witness::replay::NoReport;
use asking::{Caller, answer_all};
use finding::{Finding, Inquiry, Known};
use graphs::Graphs;
use question::Subject;
use shown::Runs;

/// What is said of a property after a search.
pub(crate) struct Said {
    pub(crate) judged: Option<Judged>,
    /// Whether it has to be judged with fewer reductions; what is said of it then counts if that comes to no end.
    pub(crate) again: bool,
}

/// The verdicts on the properties of a group, in order, from what was explored for it. The limit is that of the search, or one
/// that ended the judging of a formula.
///
/// # Errors
/// If a run does not replay, or does not show what it is said to show.
pub(crate) fn judge(
    group: &Group,
    explored: &mut Explored<'_>,
    limits: &Limits,
    fairness: Fairness,
    progress: &mut dyn Progress,
) -> Result<Vec<Said>, InternalError> {
    let findings = findings(group, explored, limits, fairness, progress);
    for finding in &findings {
        if let Some(contradiction) = &finding.hindrances.contradiction {
            return Err(contradiction.clone());
        }
        explored.limit = Limit::told(explored.limit, finding.hindrances.limit);
    }
    let mut said = Vec::new();
    for (property, finding) in group.properties.list.iter().zip(findings) {
        // One part that is violated is enough, whatever the others come to.
        let unfit = finding.hindrances.unfit;
        if unfit && (finding.verdict != PropertyVerdict::Violated || finding.open) {
            said.push(Said { judged: None, again: true });
            continue;
        }
        said.push(match report(group, explored, property, finding) {
            Ok(judged) => Said { judged: Some(judged), again: unfit },
            Err(NoReport::Unlifted) => Said { judged: None, again: true },
            Err(NoReport::Broken(error)) => return Err(error),
        });
    }
    Ok(said)
}

/// What is found out about each property: all that they ask is answered together, until nothing more is asked.
fn findings(
    group: &Group,
    explored: &Explored<'_>,
    limits: &Limits,
    fairness: Fairness,
    progress: &mut dyn Progress,
) -> Vec<Finding> {
    let (graph, statistics) = (explored.graph(), explored.statistics);
    let subject = Subject {
        graphs: Graphs::new(graph),
        agents: explored.space().program.agents.len(),
        fairness,
        is_symmetric: group.reductions().symmetry,
    };
    let left = Limits { memory: limits.memory.saturating_sub(statistics.memory), ..*limits };
    let mut caller = Caller::new(progress, statistics, explored.limit);
    let mut known = Known::new();
    loop {
        let mut asked = Vec::new();
        let found: Vec<_> = group
            .properties
            .list
            .iter()
            .map(|property| Inquiry::new(graph, explored.searched, &known, &mut asked).find_out(property))
            .collect();
        if asked.is_empty() {
            return found.into_iter().flatten().collect();
        }
        let replies = answer_all(&asked, &subject, &left, &mut caller);
        known.extend(asked.into_iter().zip(replies));
    }
}

fn report(
    group: &Group,
    explored: &mut Explored<'_>,
    property: &Property,
    finding: Finding,
) -> Result<Judged, NoReport> {
    let Finding { verdict, open, run, vacuous, hindrances } = finding;
    let is_inconclusive = verdict == PropertyVerdict::Inconclusive;
    let reason = match explored.runaway {
        true => Some("there is no first state: the way there is a runaway recursion"),
        false => hindrances.reason.filter(|_| is_inconclusive),
    };
    let limit = explored.limit.filter(|_| is_inconclusive);
    let reduced = group.reductions() != Reductions::NONE;
    let mut runs = Runs::new(explored, &group.properties, reduced);
    let shown = run.map(|run| runs.made_again(&property.name, &run)).transpose()?;
    Ok(Judged { name: property.name.clone(), verdict, possible: open, shown, vacuous, reason, limit })
}

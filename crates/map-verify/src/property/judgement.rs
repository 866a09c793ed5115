//! The judgement on a group of properties, by this process alone or by the first of several.

use super::judge::{JudgedProperty, conclude, find, judge};
use super::plan::groups::Group;
use super::search::explored::Explored;
use super::verdict::{Fairness, PropertyJudgement, PropertyVerdict};
use crate::budget::{Limit, Limits, Progress};
use crate::report::InternalError;
use crate::together::told::{put_limit, read_limit};
use crate::together::wire::{Reader, put, put_bytes};
use crate::together::{ClusterLost, Link};

/// What a search says about the properties of a group.
pub(super) struct Judgement {
    /// In order.
    pub(super) properties: Vec<JudgedProperty>,
    /// The limit that was reached while exploring or judging.
    pub(super) limit: Option<Limit>,
    /// Whether any behaviour depends on an open comparison.
    pub(super) open: bool,
}

const VERDICTS: [PropertyVerdict; 3] =
    [PropertyVerdict::Holds, PropertyVerdict::Violated, PropertyVerdict::Inconclusive];

impl Judgement {
    /// Judges the properties on a graph that this process has explored alone.
    ///
    /// # Errors
    /// As for [`judge`].
    pub(super) fn alone(
        group: &Group,
        explored: &mut Explored<'_>,
        limits: &Limits,
        fairness: Fairness,
        progress: &mut dyn Progress,
    ) -> Result<Self, InternalError> {
        let properties = judge(group, explored, limits, fairness, progress)?;
        Ok(Self::new(properties, explored))
    }

    /// Judges the properties on a graph that several processes have explored. The first one judges, and tells the
    /// others the verdicts; the runs that it shows it keeps to itself.
    ///
    /// # Errors
    /// If a process is lost; within, as for [`judge`].
    pub(super) fn together(
        group: &Group,
        explored: &mut Explored<'_>,
        (limits, link): (&Limits, &mut Link<'_>),
        fairness: Fairness,
        progress: &mut dyn Progress,
    ) -> Result<Result<Self, InternalError>, ClusterLost> {
        if link.own() > 0 {
            explored.bring(&[], link)?;
            let told = link.tell(&[])?.swap_remove(0);
            return Ok(Self::read(group, &mut Reader(&told)));
        }
        let found = find(group, explored, limits, fairness, progress);
        let states = found.as_ref().map(|found| found.states(explored)).unwrap_or_default();
        explored.bring(&states, link)?;
        let judgement = found.and_then(|found| {
            let properties = conclude(group, explored, found)?;
            Ok(Self::new(properties, explored))
        });
        let mut told = Vec::new();
        write(&judgement, &mut told);
        link.tell(&told)?;
        Ok(judgement)
    }

    fn new(properties: Vec<JudgedProperty>, explored: &Explored<'_>) -> Self {
        Self { properties, limit: explored.limit, open: explored.graph().has_doubts() }
    }

    fn read(group: &Group, from: &mut Reader<'_>) -> Result<Self, InternalError> {
        if from.number() != 0 {
            return Err(InternalError(String::from_utf8_lossy(from.bytes()).into_owned()));
        }
        let (limit, open) = (read_limit(from), from.number() != 0);
        let properties = group.properties.list.iter().map(|property| {
            let again = from.number() != 0;
            let verdict = (from.number() as usize).checked_sub(1).map(|place| VERDICTS[place]);
            let judged = verdict.map(|verdict| PropertyJudgement {
                name: property.name.clone(),
                verdict,
                possible: from.number() != 0,
                shown: None,
                instance: None,
                only_goal_missing: false,
                vacuous: Vec::new(),
                constant: property.constant.is_some(),
                reason: None,
                limit: read_limit(from),
            });
            JudgedProperty { judged, again }
        });
        Ok(Self { properties: properties.collect(), limit, open })
    }
}

fn write(judgement: &Result<Judgement, InternalError>, out: &mut Vec<u8>) {
    let Judgement { properties, limit, open } = match judgement {
        Ok(judgement) => judgement,
        Err(InternalError(what)) => {
            put(out, 1);
            put_bytes(out, what.as_bytes());
            return;
        }
    };
    put(out, 0);
    put_limit(out, *limit);
    put(out, u64::from(*open));
    for JudgedProperty { judged, again } in properties {
        put(out, u64::from(*again));
        let Some(judged) = judged else {
            put(out, 0);
            continue;
        };
        let verdict = VERDICTS.iter().position(|&it| it == judged.verdict);
        put(out, 1 + verdict.expect("all verdicts are there") as u64);
        put(out, u64::from(judged.possible));
        put_limit(out, judged.limit);
    }
}

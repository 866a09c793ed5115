//! The answers for the properties of a scene.

use map_semantics::BoundHit;
use map_verify::{
    Fairness, InternalError, Limit, PropertyJudgement, PropertyReport, PropertyVerdict, ReplayedRun,
};

use crate::evidence::Evidence;
use crate::limits::SearchLimits;
use crate::properties::{PropertyEntry, PropertyState};
use crate::scene::Scene;

/// The answers for the properties of a scene.
pub struct PropertyAnswers {
    /// The scene.
    pub scene: Scene,
    /// The limits of the searches.
    pub limits: SearchLimits,
    /// The runs in which properties have to hold.
    pub fairness: Fairness,
    /// The verdicts, if there are properties that can be judged.
    pub report: Option<PropertyReport>,
    /// The counterexample or witness of each property of the report, replayed, if it has one.
    runs: Vec<Option<ReplayedRun>>,
}

/// The answer for one property.
#[derive(Clone, Copy)]
pub enum PropertyAnswer<'a> {
    /// Its verdict, and the run that shows it.
    Judged(&'a PropertyJudgement, Option<&'a ReplayedRun>),
    /// It cannot be judged; [`PropertyEntry::state`] says why.
    Refused,
    /// It speaks of what only another scene of the text has.
    OfOtherScene,
}

/// A property that a run violates.
pub struct PropertyViolation<'a> {
    /// Its place among the properties.
    pub index: usize,
    /// The property.
    pub entry: &'a PropertyEntry,
    /// The run.
    pub evidence: Evidence<'a>,
}

impl PropertyAnswers {
    /// Replays the runs of a report.
    pub(crate) fn new(
        scene: Scene,
        limits: SearchLimits,
        fairness: Fairness,
        mut report: Option<PropertyReport>,
    ) -> Result<Self, InternalError> {
        let mut runs = Vec::new();
        for judged in report.iter_mut().flat_map(|report| &mut report.properties) {
            judged.shown = judged.shown.take().map(|shown| scene.whole_shown(shown));
            let shown = judged.shown.as_ref();
            runs.push(shown.map(|shown| scene.replay_whole(&shown.trace)).transpose()?);
        }
        Ok(Self { scene, limits, fairness, report, runs })
    }

    /// Each property with its answer.
    pub fn iter(&self) -> impl Iterator<Item = (&PropertyEntry, PropertyAnswer<'_>)> {
        let report = self.report.as_ref();
        self.scene.properties.entries.iter().map(move |entry| {
            let answer = match (&entry.state, report) {
                (&PropertyState::Compiled(index), Some(report)) => {
                    PropertyAnswer::Judged(&report.properties[index], self.runs[index].as_ref())
                }
                (PropertyState::Refused(..), _) => PropertyAnswer::Refused,
                (PropertyState::Compiled(_) | PropertyState::OfOtherScene, _) => PropertyAnswer::OfOtherScene,
            };
            (entry, answer)
        })
    }

    /// The properties that a run violates.
    pub fn violated(&self) -> impl Iterator<Item = PropertyViolation<'_>> {
        self.iter().enumerate().filter_map(|(index, (entry, answer))| match answer {
            PropertyAnswer::Judged(judged, Some(replayed)) if judged.verdict == PropertyVerdict::Violated => {
                let evidence = Evidence { replayed, repeated_from: judged.repeated_from(replayed) };
                Some(PropertyViolation { index, entry, evidence })
            }
            _ => None,
        })
    }

    /// The bounds that cut steps in the searches.
    #[must_use]
    pub fn cut_by(&self) -> &[BoundHit] {
        self.report.as_ref().map_or(&[], |report| &report.cut_by)
    }

    /// The limit that ended a search.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.report.as_ref()?.limit
    }
}

//! From where a good end of a scene can be reached, for whoever watches its conversations.

use map_semantics::SceneState;
use map_verify::{
    GoodEnds, InternalError, Limit, Limits, Options, Reductions, Verdict, good_ends, verify_reduced,
};

use crate::scene::Scene;
use crate::watch::Watch;

/// Asks from which states of a scene a good end can be reached.
#[derive(Clone, Copy, Debug)]
pub struct LookAhead {
    /// The limits of each search.
    pub limits: Limits,
}

/// What is known of that.
pub enum Prospect<'a> {
    /// From all of them.
    Everywhere {
        /// How many states the search found.
        states: usize,
    },
    /// From some.
    Somewhere(Box<Outlook<'a>>),
    /// A limit was reached first.
    Unknown(Limit),
}

/// Answers for single states.
pub struct Outlook<'a>(GoodEnds<'a>);

impl LookAhead {
    /// Searches the scene.
    ///
    /// # Errors
    /// None but defects of the engine.
    pub fn ask<'a>(&self, scene: &'a Scene, watch: &mut dyn Watch) -> Result<Prospect<'a>, InternalError> {
        let options = Options {
            limits: self.limits,
            keep_going: false,
            reductions: Reductions::ALL,
            self_check: false,
        };
        let report = verify_reduced(&scene.program, &scene.bounds, &options, watch)?.report;
        let is_proved = report.complete && report.violations.is_empty();
        if is_proved && matches!(report.verdict, Verdict::Terminates | Verdict::TerminatesIfFair) {
            return Ok(Prospect::Everywhere { states: report.statistics.states });
        }
        if let Some(limit) = report.limit {
            return Ok(Prospect::Unknown(limit));
        }
        let found = good_ends(&scene.program, &scene.bounds, &self.limits, watch)?;
        Ok(match found {
            Err(limit) => Prospect::Unknown(limit),
            Ok(ends) if ends.doomed() == 0 => Prospect::Everywhere { states: ends.states() },
            Ok(ends) => Prospect::Somewhere(Box::new(Outlook(ends))),
        })
    }
}

impl Outlook<'_> {
    /// The number of states, up to what makes no difference.
    #[must_use]
    pub fn states(&self) -> usize {
        self.0.states()
    }

    /// The number of those from which no good end can be reached.
    #[must_use]
    pub fn doomed(&self) -> usize {
        self.0.doomed()
    }

    /// By state: whether a good end can be reached from it; `None` if that is not known of all.
    pub fn of(&mut self, states: &[SceneState]) -> Option<Vec<bool>> {
        states.iter().map(|state| self.0.can_be_reached_from(state)).collect()
    }
}

//! Whether every dialogue of a scene ends, and whether its properties hold.

use std::num::NonZeroUsize;

use map_verify::{
    CostReport, Endless, Fairness, Growth, InternalError, Limit, Limits, Options, Progress, PropertyOptions,
    PropertyReport, Reductions, ReplayedRun, Report, SearchResult, Tuning, Verdict, Violation, ViolationKind,
    endless_run, go_on_for_ever, growing_run, verify_costs, verify_properties, verify_properties_and_costs,
    verify_reduced,
};

use crate::answered::PropertyAnswers;
use crate::costs::CostAnswers;
use crate::evidence::Evidence;
use crate::figures::Figures;
use crate::limits::{FixedLimits, SearchLimits};
use crate::scene::Scene;
use crate::watch::Watch;

/// Asks whether every dialogue of a scene ends well, and judges the properties of the scene.
#[derive(Clone, Debug)]
pub struct Verify {
    /// The limits of the search, and of the judging of properties.
    pub limits: SearchLimits,
    /// Whether to search on after a violation.
    pub keep_going: bool,
    /// The reductions that may be used.
    pub reductions: Reductions,
    /// Whether they are checked on every state; slow.
    pub self_check: bool,
    /// The runs in which properties have to hold.
    pub fairness: Fairness,
}

impl Default for Verify {
    /// Everything about a scene that fits into 1 GiB, with one thread, whatever time it takes.
    fn default() -> Self {
        let limits = Limits {
            states: usize::MAX,
            memory: 1 << 30,
            threads: NonZeroUsize::MIN,
            tuning: Tuning::SHIPPED,
        };
        Self {
            limits: SearchLimits { limits, time: None, fixed: FixedLimits::default() },
            keep_going: false,
            reductions: Reductions::ALL,
            self_check: false,
            fairness: Fairness::Fair,
        }
    }
}

/// Who searches.
pub trait Engine {
    /// Why it cannot.
    type Error: From<InternalError>;

    /// Searches for termination.
    ///
    /// # Errors
    /// If the engine contradicts itself, or is lost.
    fn search(
        &mut self,
        scene: &Scene,
        options: &Options,
        progress: &mut dyn Progress,
    ) -> Result<SearchResult, Self::Error>;

    /// Judges the properties of the scene, of which there is at least one.
    ///
    /// # Errors
    /// If the engine contradicts itself, or is lost.
    fn judge(
        &mut self,
        scene: &Scene,
        options: &PropertyOptions,
        progress: &mut dyn Progress,
    ) -> Result<PropertyReport, Self::Error>;

    /// Adds up the costs of the scene, of which there is at least one. Unless said otherwise, this process does it
    /// alone.
    ///
    /// # Errors
    /// If the engine contradicts itself, or is lost.
    fn add_up(
        &mut self,
        scene: &Scene,
        options: &PropertyOptions,
        progress: &mut dyn Progress,
    ) -> Result<CostReport, Self::Error> {
        let costs = &scene.properties.costs.compiled;
        Ok(verify_costs(&scene.program, costs, &scene.bounds, options, progress)?)
    }

    /// Judges the properties of the scene and adds up its costs; there is at least one of each. Unless said otherwise,
    /// one after the other.
    ///
    /// # Errors
    /// If the engine contradicts itself, or is lost.
    fn judge_and_add_up(
        &mut self,
        scene: &Scene,
        options: &PropertyOptions,
        progress: &mut dyn Progress,
    ) -> Result<(PropertyReport, CostReport), Self::Error> {
        Ok((self.judge(scene, options, progress)?, self.add_up(scene, options, progress)?))
    }
}

/// The threads of this process search.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThisProcess;

impl Engine for ThisProcess {
    type Error = InternalError;

    fn search(
        &mut self,
        scene: &Scene,
        options: &Options,
        progress: &mut dyn Progress,
    ) -> Result<SearchResult, InternalError> {
        verify_reduced(&scene.program, &scene.bounds, options, progress)
    }

    fn judge(
        &mut self,
        scene: &Scene,
        options: &PropertyOptions,
        progress: &mut dyn Progress,
    ) -> Result<PropertyReport, InternalError> {
        verify_properties(&scene.program, &scene.properties.compiled, &scene.bounds, options, progress)
    }

    fn judge_and_add_up(
        &mut self,
        scene: &Scene,
        options: &PropertyOptions,
        progress: &mut dyn Progress,
    ) -> Result<(PropertyReport, CostReport), InternalError> {
        let both = (&scene.properties.compiled, &scene.properties.costs.compiled);
        verify_properties_and_costs(&scene.program, both, &scene.bounds, options, progress)
    }
}

/// What is known of a scene after a search.
pub struct Verification {
    /// The scene.
    pub scene: Scene,
    /// The verdict on termination, with all it depends on.
    pub report: Report,
    /// The reductions behind the verdict.
    pub reductions: Reductions,
    /// Whether the trace is known to be a shortest one.
    pub shortest: bool,
    /// The size of mailboxes, in messages, with which partial-order reduction would have been more effective.
    pub crowded: Option<u32>,
    /// The trace of the first violation, replayed.
    pub trace: Option<ReplayedRun>,
    /// The endless continuation of a livelock.
    pub endless: Option<Endless>,
    /// A run that goes on for ever, if the scene terminates if fair.
    pub unfair: Option<Endless>,
    /// A run on which integers grow, if a limit came before the verdict.
    pub growth: Option<Growth>,
    /// The answers for the properties.
    pub properties: PropertyAnswers,
    /// What the costs come to, if the text declares any that can be added up.
    pub costs: Option<CostAnswers>,
    /// The limits.
    pub limits: SearchLimits,
    /// What it cost.
    pub figures: Figures,
}

impl Verify {
    /// Searches, and judges the properties.
    ///
    /// # Errors
    /// If the engine contradicts itself.
    pub fn ask(&self, scene: &Scene, watch: &mut dyn Watch) -> Result<Verification, InternalError> {
        self.ask_of(&mut ThisProcess, scene, watch)
    }

    /// Like [`Verify::ask`], whoever searches.
    ///
    /// # Errors
    /// If the engine contradicts itself, or is lost.
    pub fn ask_of<E: Engine>(
        &self,
        engine: &mut E,
        scene: &Scene,
        watch: &mut dyn Watch,
    ) -> Result<Verification, E::Error> {
        let options = Options {
            limits: self.limits.limits,
            keep_going: self.keep_going,
            reductions: self.reductions,
            self_check: self.self_check,
        };
        let result = engine.search(scene, &options, watch)?;
        let (searching, resumed) = (watch.elapsed(), watch.resumed());
        let judged = self.judge_and_add_up(engine, scene, watch)?;
        let took = watch.elapsed();
        let figures = Figures { searching, took, resumed, peak_memory: 0 };
        Ok(self.conclude(scene, result, judged, figures, watch)?)
    }

    /// Judges the properties only.
    ///
    /// # Errors
    /// If the engine contradicts itself.
    pub fn ask_properties(
        &self,
        scene: &Scene,
        watch: &mut dyn Watch,
    ) -> Result<PropertyAnswers, InternalError> {
        self.ask_properties_of(&mut ThisProcess, scene, watch)
    }

    /// Like [`Verify::ask_properties`], whoever searches.
    ///
    /// # Errors
    /// If the engine contradicts itself, or is lost.
    pub fn ask_properties_of<E: Engine>(
        &self,
        engine: &mut E,
        scene: &Scene,
        watch: &mut dyn Watch,
    ) -> Result<PropertyAnswers, E::Error> {
        let report = self.judge(engine, scene, watch)?;
        Ok(self.answers(scene, report)?)
    }

    fn judge<E: Engine>(
        &self,
        engine: &mut E,
        scene: &Scene,
        watch: &mut dyn Watch,
    ) -> Result<Option<PropertyReport>, E::Error> {
        if scene.properties.compiled.list.is_empty() {
            return Ok(None);
        }
        engine.judge(scene, &self.property_options(), watch).map(Some)
    }

    fn judge_and_add_up<E: Engine>(
        &self,
        engine: &mut E,
        scene: &Scene,
        watch: &mut dyn Watch,
    ) -> Result<(Option<PropertyReport>, Option<CostReport>), E::Error> {
        let (options, costs) = (self.property_options(), &scene.properties.costs.compiled);
        match (scene.properties.compiled.list.is_empty(), costs.list.is_empty()) {
            (_, true) => Ok((self.judge(engine, scene, watch)?, None)),
            (true, false) => Ok((None, Some(engine.add_up(scene, &options, watch)?))),
            (false, false) => {
                let (judged, costs) = engine.judge_and_add_up(scene, &options, watch)?;
                Ok((Some(judged), Some(costs)))
            }
        }
    }

    fn property_options(&self) -> PropertyOptions {
        PropertyOptions { limits: self.limits.limits, fairness: self.fairness, reductions: self.reductions }
    }

    fn answers(
        &self,
        scene: &Scene,
        report: Option<PropertyReport>,
    ) -> Result<PropertyAnswers, InternalError> {
        PropertyAnswers::new(scene.clone(), self.limits, self.fairness, report)
    }

    /// Replays what is shown.
    fn conclude(
        &self,
        scene: &Scene,
        mut result: SearchResult,
        (judged, costs): (Option<PropertyReport>, Option<CostReport>),
        figures: Figures,
        watch: &dyn Watch,
    ) -> Result<Verification, InternalError> {
        let (program, bounds) = (&*scene.program, &scene.bounds);
        result.shorten(program, bounds);
        let SearchResult { mut report, reductions, shortest, crowded } = result;
        let before = scene.steps_before();
        for violation in &mut report.violations {
            violation.trace = scene.whole(std::mem::take(&mut violation.trace));
            violation.steps += before;
        }
        let first = report.violations.first();
        let trace = first.map(|first| scene.replay_whole(&first.trace)).transpose()?;
        let endless = match first.filter(|first| first.kind == ViolationKind::Livelock) {
            Some(livelock) => go_on_for_ever(program, &bounds.without_prefix(), &livelock.trace)?,
            None => None,
        };
        let unfair = match report.verdict {
            Verdict::TerminatesIfFair => endless_run(program, bounds)?,
            _ => None,
        };
        let unfair = unfair.map(|endless| scene.whole_endless(endless)).transpose()?;
        let growth = match report.limit.filter(|_| report.verdict == Verdict::Inconclusive) {
            Some(Limit::States | Limit::Memory | Limit::NoRoom | Limit::Time) => {
                growing_run(program, bounds)?
            }
            _ => None,
        };
        let growth = growth.map(|growth| scene.whole_growth(growth)).transpose()?;
        let properties = self.answers(scene, judged)?;
        let costs = costs.map(|report| CostAnswers::new(scene, report)).transpose()?;
        let peak_memory = watch.peak_memory().unwrap_or(report.statistics.memory as u64);
        Ok(Verification {
            scene: scene.clone(),
            report,
            reductions,
            shortest,
            crowded,
            trace,
            endless,
            unfair,
            growth,
            properties,
            costs,
            limits: self.limits,
            figures: Figures { peak_memory, ..figures },
        })
    }
}

impl Verification {
    /// The violation that is the verdict.
    #[must_use]
    pub fn violation(&self) -> Option<&Violation> {
        self.report.violations.first()
    }

    /// The run of the verdict; that of a livelock includes its endless continuation.
    #[must_use]
    pub fn evidence(&self) -> Option<Evidence<'_>> {
        match &self.endless {
            Some(endless) => Some(going_on(endless)),
            None => Some(Evidence { replayed: self.trace.as_ref()?, repeated_from: None }),
        }
    }

    /// A run that goes on for ever of a scene that terminates if fair.
    #[must_use]
    pub fn unfair_run(&self) -> Option<Evidence<'_>> {
        self.unfair.as_ref().map(going_on)
    }

    /// The number of states, those of the searches for properties and costs included.
    #[must_use]
    pub fn states(&self) -> usize {
        let of_properties = self.properties.report.as_ref().map_or(0, |report| report.statistics.states);
        let of_costs = self.costs.as_ref().map_or(0, |costs| costs.report.statistics.states);
        self.report.statistics.states + of_properties + of_costs
    }

    /// States that the search for termination found in a second.
    #[must_use]
    pub fn states_per_second(&self) -> f64 {
        let found = self.report.statistics.states.saturating_sub(self.figures.resumed);
        found as f64 / self.figures.searching.as_secs_f64().max(1e-6)
    }
}

fn going_on(Endless { replayed, repeated_from }: &Endless) -> Evidence<'_> {
    Evidence { replayed, repeated_from: Some(*repeated_from) }
}

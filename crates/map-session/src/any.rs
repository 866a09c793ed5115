//! Whether every dialogue ends with any number of agents of a role.

pub(crate) mod costs;
pub(crate) mod properties;
pub(crate) mod words;

use std::sync::Arc;
use std::time::Duration;

use map_check::{CastOverride, CheckOptions};
use map_diagnostics::SourceFile;
use map_verify::{Fairness, InternalError, Limits, Verdict};
use map_views::{Answer, AnyVerdict, Attempt, Obstacle, ProofOptions, Theorem, prove};

use self::costs::{AnyCost, add_up};
use self::properties::{AnyProperty, AnyPropertyVerdict, Effort, judge};
use self::words::AnyVerdictWord;
use crate::compilation::{Compilation, PropertySelection, compile};
use crate::limits::SearchLimits;
use crate::scene::Scene;
use crate::watch::Watch;

/// Asks for the verdict with any number of agents of a role.
#[derive(Clone)]
pub struct AnyNumber {
    /// The text.
    pub source: Arc<SourceFile>,
    /// The scene, and the numbers of agents of all other roles.
    pub others: CheckOptions,
    /// The role.
    pub role: String,
    /// The least number of its agents, at least 1.
    pub from: u32,
    /// The limits of all this together.
    pub limits: SearchLimits,
    /// The properties that are judged, too; none if it is termination alone.
    pub properties: Option<JudgedProperties>,
    /// The runs in which they have to hold.
    pub fairness: Fairness,
}

/// Which properties are judged for any number of agents.
#[derive(Clone, Debug, Default)]
pub struct JudgedProperties {
    /// The names of those of the text; empty for all.
    pub only: Vec<String>,
    /// Formulas that do not stand in the text.
    pub given: Vec<String>,
}

/// What is known of a scene with any number of agents of a role.
pub struct AnyAnswer {
    /// The question.
    pub question: AnyNumber,
    /// The scene with two agents of the role or more.
    pub scene: Scene,
    /// The verdict, what it rests on, and what was tried.
    pub answer: Answer,
    /// What was found about the properties, if they were judged.
    pub properties: Option<Vec<AnyProperty>>,
    /// What was found about the costs that the text declares.
    pub costs: Vec<AnyCost>,
    /// The most views, and the most states of a verification with some number of agents.
    pub most: usize,
    /// What it took.
    pub took: Duration,
}

/// The most agents of the role with which the scene is verified as it is.
const CONCRETE: u32 = 3;

/// The most if there is no proof.
const EVIDENCE: u32 = 9;

/// The most states of such a verification, and the most views, if nothing else is said.
const STATES: usize = 200_000;

impl AnyNumber {
    /// The text with this number of agents of the role.
    #[must_use]
    pub fn compile(&self, count: u32, wanted: PropertySelection<'_>) -> Compilation {
        let others = self.others.agents.iter().filter(|cast| cast.name != self.role).cloned();
        let this = CastOverride { name: self.role.clone(), count: count.into() };
        let options = CheckOptions { agents: others.chain([this]).collect(), ..self.others.clone() };
        compile(&self.source, &options, wanted)
    }

    /// Tries to prove the verdict. `scene` is the scene with two agents of the role, or as many as are asked for if
    /// that is more ([`AnyNumber::compile`]); its bounds are in force.
    ///
    /// # Errors
    /// If the engine contradicts itself.
    pub fn ask(&self, scene: &Scene, watch: &mut dyn Watch) -> Result<AnyAnswer, InternalError> {
        let limits = self.limits.limits;
        let most = self.limits.states().map_or(STATES, |_| limits.states);
        let options = ProofOptions {
            from: self.from,
            concrete: CONCRETE,
            evidence: EVIDENCE,
            limits: Limits { states: most, ..limits },
            views: most,
        };
        let with = |count| {
            let program = self.compile(count, PropertySelection::Nothing).program?;
            Some(Arc::unwrap_or_clone(program))
        };
        let answer = prove(&with, &self.role, &scene.bounds, &options, watch)?;
        let is_answered = matches!(answer.verdict, AnyVerdict::Violated(_) | AnyVerdict::NotVerified(_));
        // What is too much for the proof is too much for properties.
        let too_many = AnyVerdict::NoProof(Obstacle::TooMany);
        let views = if answer.verdict == too_many { 0 } else { most };
        let effort = Effort { views, limits: options.limits, concrete: CONCRETE };
        let properties = match is_answered {
            true => None,
            false => judge(self, &scene.bounds, effort, watch)?,
        };
        let costs = match is_answered {
            true => Vec::new(),
            false => add_up(self, &scene.bounds, effort, watch)?,
        };
        Ok(AnyAnswer {
            question: self.clone(),
            scene: scene.clone(),
            answer,
            properties,
            costs,
            most,
            took: watch.elapsed(),
        })
    }
}

impl AnyAnswer {
    /// The number of agents with which a mailbox may overflow, of those that were not verified
    /// ([`Answer::may_overflow`]).
    #[must_use]
    pub fn may_overflow(&self) -> Option<u32> {
        self.answer.may_overflow(CONCRETE)
    }

    /// The attempt that proved the verdict.
    #[must_use]
    pub fn proof(&self) -> Option<&Attempt> {
        let AnyVerdict::Proved(proved) = &self.answer.verdict else { return None };
        let proofs = || self.answer.attempts.iter().filter(|attempt| attempt.result.is_ok());
        // The verdict for one agent may be weaker than what is proved for more.
        proofs().find(|attempt| attempt.result.as_ref() == Ok(proved)).or_else(|| proofs().next_back())
    }

    /// The verdict, whatever it rests on.
    #[must_use]
    pub fn verdict(&self) -> AnyVerdictWord {
        match &self.answer.verdict {
            AnyVerdict::Proved(Theorem::Terminates) => AnyVerdictWord::Of(Verdict::Terminates),
            AnyVerdict::Proved(Theorem::TerminatesIfFair(_)) => AnyVerdictWord::Of(Verdict::TerminatesIfFair),
            AnyVerdict::Proved(Theorem::NothingGoesWrong) => AnyVerdictWord::NothingGoesWrong,
            AnyVerdict::Violated(_) => {
                let last = self.answer.concrete.last();
                last.map_or(AnyVerdictWord::NoProof, |(_, report)| AnyVerdictWord::Of(report.verdict))
            }
            AnyVerdict::NoProof(_) | AnyVerdict::NotVerified(_) => AnyVerdictWord::NoProof,
        }
    }

    /// The least number of agents with which something is violated, and whether that is a property.
    #[must_use]
    pub fn violated(&self) -> Option<(u32, bool)> {
        if let AnyVerdict::Violated(count) = self.answer.verdict {
            return Some((count, false));
        }
        let of_property = |property: &AnyProperty| match property.verdict {
            AnyPropertyVerdict::Violated(count) => Some((count, true)),
            _ => None,
        };
        self.properties.iter().flatten().filter_map(of_property).min()
    }

    /// Whether a limit came before a property was judged.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        let is_stopped = |property: &AnyProperty| matches!(property.verdict, AnyPropertyVerdict::Stopped(_));
        self.properties.iter().flatten().any(is_stopped)
    }
}

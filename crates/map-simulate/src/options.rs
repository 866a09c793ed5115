//! The options of a run, and how it can end.

use map_ir::{AgentId, PointId, ProcedureId, Value};
use map_semantics::{BoundHit, RunError, StepError};

/// What determines a run, besides program and bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationOptions {
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// The probability, from 0 to 1, that a decision answers where it might say "no", if it has none in the text.
    pub yes: f64,
    /// Decisions with another probability, whatever the text says; the first entry for a procedure counts.
    pub yes_of: Vec<(ProcedureId, f64)>,
    /// Whether agents are honest: what a truth of the text says is answered, and not left to chance.
    pub truthful: bool,
    /// The maximum number of steps.
    pub max_steps: u64,
    /// The probability that a copy of a message is lost, as long as the bounds allow it.
    pub loss: f64,
    /// The probability that the next step is a crash, as long as the bounds allow it and something else could happen.
    pub crash: f64,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// All agents have ended or crashed.
    Ended,
    /// Some agents have not ended, and there is no step.
    NothingMoves,
    /// The last step went wrong.
    Wrong(AgentId, StepError),
    /// The only steps left are cut by a bound.
    Cut(BoundHit),
    /// Only polls could happen, and [`crate::MAX_VAIN_DRAWS`] of them in a row came to nothing.
    AskedInVain,
    /// [`SimulationOptions::max_steps`] were taken, and more are possible.
    MaxSteps,
    /// An act made too many calls, or has too many possible outcomes ([`map_semantics::Ending::TooLong`]).
    TooLong(AgentId, PointId),
    /// The respondent for this agent left before answering this ask.
    Unanswered(AgentId, PointId),
    /// An honest agent has no answer to this ask that the procedure allows.
    NoHonestAnswer(AgentId, PointId, NoHonestAnswer),
    /// The observer or the respondent ended the run.
    Stopped,
}

/// Why a truth is no answer of its procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoHonestAnswer {
    /// It says "no", and the procedure may not.
    No,
    /// This value is not in the domain.
    Outside(Value),
    /// It depends on a value that nobody knows.
    Unknown,
    /// It cannot be computed.
    Error(RunError),
}

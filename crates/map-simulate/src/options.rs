//! What determines a run, and how it can end.

use map_ir::{AgentId, PointId, ProcedureId};
use map_semantics::{BoundHit, StepError};

/// What determines a run beside program and bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationOptions {
    /// Determines everything that is drawn.
    pub seed: u64,
    /// The probability, from 0 to 1, that a decision answers when it might say "no".
    pub yes: f64,
    /// Decisions for which that probability is another; the first entry of a procedure counts.
    pub yes_of: Vec<(ProcedureId, f64)>,
    /// The run ends after so many steps.
    pub max_steps: u64,
    /// The probability that a copy of a message is lost, while that may be.
    pub loss: f64,
    /// The probability that the next step is a crash, while that may be and something else could happen.
    pub crash: f64,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// All agents have ended, or crashed.
    Ended,
    /// Some agents have not ended, and there is no step.
    NothingMoves,
    /// The last step goes wrong.
    Wrong(AgentId, StepError),
    /// The only steps left are cut by a bound.
    Cut(BoundHit),
    /// Nothing but polls could happen, and they came to nothing again and again.
    AskedInVain,
    /// [`SimulationOptions::max_steps`] were made and there are more.
    MaxSteps,
    /// An act made more calls than any sensible one ([`map_semantics::MAX_CALLS`]).
    TooLong(AgentId, PointId),
    /// Whoever decides for this agent has left before answering this ask.
    Unanswered(AgentId, PointId),
    /// The observer ended the run, or whoever was asked.
    Stopped,
}

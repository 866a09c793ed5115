//! The meaning of MAP: agent states, mailboxes, and the step relation. Nowhere else is it written.
//!
//! An agent's next steps depend only on its own control, variables and mailbox. So the relation has two layers.
//! [`agent_steps`] computes all that one agent can do by itself; it is a pure function of one [`AgentState`], so
//! that an engine may remember its result. [`SceneState`] puts agents together: it delivers what is sent and decides
//! when time may run out.
//!
//! Whatever is left open — a decision's answer, a comparison with an abstract value, whom an abstract address means
//! — is asked of a [`Choices`], so the same code enumerates all outcomes for the verifier, draws one at random for the
//! simulator, and replays a trace.

mod agent;
mod bags;
mod bounds;
mod choices;
mod crash;
mod delivery;
mod enumerate;
mod expression;
mod machine;
mod mailbox;
mod names;
mod outcome;
mod property;
mod recorded;
mod scene;
mod send;

pub use agent::{AgentState, Control, Next, Node, NodeKind, Side, Status};
pub use bags::order_bags;
pub use bounds::{Bounds, Network, Timeouts};
pub use choices::{Choice, Choices, Look, Path, Question, Reply};
pub use delivery::{Delivery, deliver};
pub use enumerate::{AgentSteps, Resolved, ThreadSteps, agent_steps, start};
pub use expression::{calculate, integers_compare};
pub use machine::{MAX_CALLS, act, time_out};
pub use mailbox::{Mailbox, Message};
pub use names::Names;
pub use outcome::{Action, Assumption, BoundHit, Ending, Event, Outcome, RunError, RunErrorKind, StepKind};
pub use property::{
    Letter, Moment, PlainView, View, event_happens, events_of, letter_of, quantity_in, state_holds, state_of,
};
pub use recorded::Recorded;
pub use scene::{
    Observed, SceneState, SceneStep, Step, StepError, Turn, is_waitfor, lost_copies, may_time_out,
};

#[cfg(test)]
mod tests;

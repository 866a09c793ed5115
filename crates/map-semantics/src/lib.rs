//! The meaning of MAP: agent states, mailboxes, and the step relation. Nowhere else is it written.
//!
//! An agent's next steps depend only on its own control, variables and mailbox. So the relation has two layers.
//!
//! - [`agent_steps`] computes all that one agent can do by itself; it is a pure function of one [`AgentState`], so that
//!   an engine may remember its result.
//! - [`scene_steps`] puts the agents of a [`SceneState`] together: every step of the scene with its deliveries and what
//!   comes of it, and the [`Judgement`] of the state, such as the good end or a deadlock, with what of it rests on open
//!   comparisons. [`propose`] looks at a single step that somebody claims there is.
//!
//! What one can do has a say in what others can do in one way only, that time may run out when all of them wait. That
//! rule, and how a state is judged, is a small accumulator, [`Census`] and then [`Judging`]: an engine that has other
//! states than these feeds it with what it knows of its agents and threads.
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
mod judgement;
mod machine;
mod mailbox;
mod names;
mod outcome;
mod property;
mod proposed;
mod recorded;
mod scene;
mod send;
mod steps;

pub use agent::{AgentState, Control, Next, Node, NodeKind, Side, Status};
pub use bags::order_bags;
pub use bounds::{Bounds, Network, Timeouts};
pub use choices::{Choice, Choices, Look, Path, Question, Reply};
pub use delivery::{Delivery, deliver};
pub use enumerate::{AgentSteps, Resolved, ThreadSteps, agent_steps, every_way, is_waitfor, start, waits};
pub use expression::{calculate, integers_compare};
pub use judgement::{Census, Judgement, Judging};
pub use machine::{MAX_CALLS, act, time_out};
pub use mailbox::{Mailbox, Message};
pub use names::Names;
pub use outcome::{Action, Assumption, BoundHit, Ending, Event, Outcome, RunError, RunErrorKind, StepKind};
pub use property::{
    Letter, Moment, PlainView, View, event_happens, events_of, letter_of, quantity_in, state_holds, state_of,
};
pub use proposed::{NoStep, Proposed, propose};
pub use recorded::Recorded;
pub use scene::{Observed, SceneState, SceneStep, Step, StepError, Turn, lost_copies, may_time_out};
pub use steps::{EnabledStep, SceneSteps, scene_steps, time_may_run_out};

#[cfg(test)]
mod tests;

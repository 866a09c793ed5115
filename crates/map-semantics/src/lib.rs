//! The operational semantics of MAP: agent states, mailboxes, and the step relation. Every engine uses this
//! implementation; only the test oracle has its own.
//!
//! An agent's next steps depend only on its own state, so the relation has two layers:
//!
//! - [`agent_steps`] computes everything that one agent can do by itself. It is a pure function of one [`AgentState`],
//!   so an engine may memoise it.
//! - [`scene_steps`] combines the agents of a [`SceneState`]: every step of the scene with its deliveries and its
//!   outcome, and the [`Judgement`] of the state (good end, deadlock, ...), including which parts of it rest on open
//!   comparisons. [`propose`] checks a single step that a caller claims exists.
//!
//! Agents constrain each other in one way only: time may run out once all of them wait. That rule, and the judgement of
//! a state, are implemented as a small accumulator, [`Census`] followed by [`Judging`], so that an engine with another
//! representation of states can feed it what it knows of its agents and threads.
//!
//! Whatever is left open — a decision's answer, a comparison with an abstract value, the recipients behind an abstract
//! address — is resolved by a [`Choices`], so the same code enumerates all outcomes for the verifier, draws one at
//! random for the simulator, and replays a trace.

mod agent;
mod arrival;
mod bags;
mod begun;
mod bounds;
mod choices;
mod crash;
mod dead_variables;
mod delivery;
mod digits;
mod enumerate;
mod expression;
mod following;
mod initial;
mod judgement;
mod machine;
mod mailbox;
mod names;
mod network;
mod outcome;
mod prefix;
mod property;
mod proposed;
mod recorded;
mod scene;
mod send;
mod step;
mod step_text;
mod steps;
mod truth;
mod under_way;

pub use agent::{AgentState, Control, Next, Node, NodeKind, Side, Status};
pub use bags::order_bags;
pub use begun::NoPrefix;
pub use bounds::{Bounds, Timeouts};
pub use choices::{Choice, Choices, ComputedValue, Look, Operation, Path, Question, Reply};
pub use delivery::{Delivery, deliver};
pub use enumerate::{
    AgentSteps, ResolvedOutcome, ThreadSteps, agent_steps, every_way, is_waitfor, start, waits,
};
pub use expression::{calculate, integers_compare};
pub use initial::{InitialChoices, OpenCell, are_initial, open_cells};
pub use judgement::{Census, Judgement, Judging};
pub use machine::{MAX_CALLS, act, time_out};
pub use mailbox::{Mailbox, Message};
pub use names::Names;
pub use network::Network;
pub use outcome::{Action, Assumption, BoundHit, Ending, Event, Outcome, RunError, RunErrorKind, StepKind};
pub use prefix::Prefix;
pub use property::{
    Happening, Letter, Measuring, Moment, Moments, MonitorState, PlainView, View, Watch, ceilings,
    charged_for_sending, decreased, event_happens, fits, quantity_in, state_holds, state_of, values_compare,
};
pub use proposed::{NoStep, ProposedStep, propose};
pub use recorded::RecordedOptions;
pub use scene::{ObservedStep, SceneState, SceneStep, StepError, lost_copies, may_time_out};
pub use step::{Step, Turn};
pub use steps::{EnabledStep, SceneSteps, scene_steps, time_may_run_out};
pub use truth::honest_answer;
pub use under_way::{UnderWay, Way};

#[cfg(test)]
mod tests;

//! The model checker of MAP: explores every interleaving and every answer of one scene under one cast, within stated
//! bounds, and judges whether every dialogue ends.
//!
//! What is promised: a verdict that holds was reached by a complete search of the step relation of `map-semantics`
//! under the bounds in the [`Report`]; where a bound cut a step the report says so; where a limit came first the
//! verdict is inconclusive. Every trace has been replayed on plain states before it is handed out.
//!
//! Agent states are interned (`agents`), so the step relation runs once for each distinct state of one agent. A global
//! state (`state`) is a short vector of numbers in an exact store; interchangeable agents are a bag of local states. One
//! breadth-first loop (`explore`) finds shortest traces by several threads and reports to its observers: `termination` and
//! `property`. What the finished graph says of infinite runs is in `graph`.
//!
//! `system` puts reductions over the scene's own states: `abstraction` maps states to representatives, `partial_order`
//! leaves out orders of steps that make no difference. `witness` repeats traces on plain states and makes them shorter.

mod abstraction;
mod agents;
mod budget;
mod coverage;
mod explore;
#[cfg(test)]
mod fixture;
mod footprint;
mod graph;
mod partial_order;
mod property;
mod reductions;
mod report;
mod state;
mod system;
mod termination;
mod tuning;
mod witness;

pub use budget::{Limit, Limits, Progress, Snapshot, Stop};
pub use coverage::Unused;
pub use property::{
    Fairness, Judged, PropertyOptions, PropertyReport, PropertySearch, PropertyVerdict, RunEnding, ShownRun,
    run_violates, verify_properties,
};
pub use reductions::Reductions;
pub use report::{InternalError, Report, Trace, Verdict, Violation, ViolationKind};
pub use termination::{Options, Reduced, verify, verify_reduced};
pub use tuning::Tuning;
pub use witness::endless::{Endless, go_on_for_ever, leads_back};
pub use witness::replay::{Replayed, ReplayedStep, replay, replay_with};
pub use witness::shorten::{fewest_agents, without_idle_steps};

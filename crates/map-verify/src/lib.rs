//! The model checker of MAP: explores every interleaving and every answer of one scene under one cast, within stated
//! bounds, and judges whether every dialogue ends.
//!
//! What is promised: a verdict that holds was reached by a complete search of the step relation of `map-semantics`
//! under the bounds in the [`Report`]; where a bound cut a step the report says so; where a limit came first the
//! verdict is inconclusive. Every trace has been replayed on plain states before it is handed out.
//!
//! Agent states are interned (`agents`), so the step relation runs once for each distinct state of one agent. A
//! global state is a short vector of numbers (`space`) in an exact store (`store`); one breadth-first loop
//! (`search`) finds shortest traces, expanding batches of states by several threads (`batch`); what the finished graph
//! (`edges`) says of infinite runs is in `analysis`. Without reductions scenes in which nothing goes wrong are explored by sets of
//! states instead (`bundles`), of which no graph is kept.
//!
//! `shorten` makes traces easier to read and `endless` finds what a livelock does for ever; both are small searches of plain
//! states (`plain`).
//!
//! `reduced` explores fewer states for the same verdict: `system` puts layers over the scene's own states.

mod agents;
mod analysis;
mod batch;
mod bundles;
mod coverage;
mod edges;
mod endless;
mod frontier;
mod plain;
mod property;
mod reduced;
mod report;
mod search;
mod shorten;
mod space;
mod store;
mod system;
mod trace;

pub use coverage::Unused;
pub use endless::{Endless, go_on_for_ever, leads_back};
pub use property::{
    Fairness, Judged, PropertyOptions, PropertyReport, PropertySearch, PropertyVerdict, RunEnding, ShownRun,
    run_violates, verify_properties,
};
pub use reduced::{Options, Reduced, Reductions, verify_reduced};
pub use report::{
    InternalError, Limit, Limits, Progress, Report, Snapshot, StoreKind, Verdict, Violation, ViolationKind,
};
pub use search::verify;
pub use shorten::{fewest_agents, without_idle_steps};
pub use trace::{Replayed, ReplayedStep, Trace, replay, replay_with};

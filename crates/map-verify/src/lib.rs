//! The model checker of MAP: explores every interleaving and every answer of one scene under one cast, within stated
//! bounds, and decides whether every dialogue terminates.
//!
//! Guarantees: a positive verdict follows from a complete search of the step relation of `map-semantics` under the
//! bounds in the [`Report`]. If a bound cut off a step, the report says so; if a limit was reached first, the verdict
//! is inconclusive. Every trace has been replayed on unreduced states before it is returned.
//!
//! Agent states are interned (`agents`), so the step relation is evaluated once per distinct state of a single agent.
//! A global state (`state`) is a short vector of numbers in an exact store; interchangeable agents are a bag of local
//! states. One multi-threaded breadth-first loop (`explore`) finds shortest traces and feeds its observers,
//! `termination` and `property`. Questions about infinite runs are answered on the finished graph (`graph`). Several
//! processes explore with a loop of their own (`together`), each a part of the states.
//!
//! `system` layers the reductions on top: `abstraction` maps states to representatives, `partial_order` prunes
//! interleavings that make no difference. `witness` replays traces on unreduced states and shortens them.

mod abstraction;
mod agents;
mod budget;
mod coverage;
mod explore;
#[cfg(test)]
mod fixture;
mod footprint;
mod graph;
mod keep;
mod mark;
mod partial_order;
mod peers;
mod property;
mod reductions;
mod report;
mod saved;
mod state;
mod system;
mod termination;
mod together;
mod tuning;
mod witness;

pub use abstraction::symmetry::named_agents;
pub use budget::{Limit, Limits, Progress, Snapshot, Stop};
pub use coverage::UnusedParts;
pub use keep::{Cut, Keep, KeptPart, Part};
pub use peers::{PeerLost, Peers, TogetherError};
pub use property::{
    CostBounds, CostCeiling, CostRange, CostReport, Fairness, MostCost, NamedRange, PropertyJudgement,
    PropertyOptions, PropertyReport, PropertySearch, PropertyVerdict, RunEnding, ShownRun, WAITING_IS_OPEN,
    cost_ceilings, prefix_violates, run_violates, verify_costs, verify_properties,
    verify_properties_and_costs, verify_properties_together,
};
pub use reductions::Reductions;
pub use report::{InternalError, Report, Trace, Verdict, Violation, ViolationKind};
pub use saved::check_kept;
pub use termination::{
    GoodEnds, Options, SearchResult, good_ends, verify, verify_reduced, verify_together, visit_states,
};
pub use tuning::Tuning;
pub use witness::endless::{Endless, endless_run, go_on_for_ever, leads_back};
pub use witness::growth::{Grown, Growth, Holder, growing_run};
pub use witness::replay::{ReplayedRun, ReplayedStep, replay, replay_with};
pub use witness::shorten::{fewest_agents, without_idle_steps};

//! Exports a scene as a model for another tool; so far in Promela, the language of SPIN.
//!
//! The translation works on the [`Program`](map_ir::Program). It executes the step relation symbolically, on terms
//! instead of values, to find for every place at which a thread can rest all the steps it may take there, with
//! their conditions (`walk`). These alternatives become a tree of Promela constructs, which is finally printed.

mod body;
mod claims;
mod control;
mod counterexample;
mod declarations;
mod explore;
mod explored;
mod halt;
mod header;
mod initial;
mod integers;
mod kinds;
mod layout;
mod losses;
mod marks;
mod model;
mod moments;
mod names;
mod naming;
mod pick;
mod process;
mod promela;
mod quiescence;
mod refusal;
mod source;
mod term;
mod terms;
mod trail;
mod walk;
mod walton;

pub use claims::{Claim, OmissionReason};
pub use counterexample::{Counterexample, ShownRun, retrace_claim};
pub use marks::StepMark;
pub use model::{Model, export};
pub use refusal::{Plain, Reason, Refusal};
pub use source::Source;
pub use trail::{Destination, Trail, TrailStep, retrace};
pub use walk::Wrong;
pub use walton::export_plain;

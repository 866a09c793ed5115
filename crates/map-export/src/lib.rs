//! Models of a scene for other tools: so far Promela, the language of SPIN.
//!
//! The translation works on the [`Program`](map_ir::Program). It runs the step relation on terms instead of values and
//! so finds, for every place at which a thread can rest, all that it may do there and under which conditions
//! (`walk`). These alternatives are written as a tree of Promela constructs, which is printed at last.

mod body;
mod claims;
mod control;
mod counterexample;
mod declarations;
mod explore;
mod explored;
mod halt;
mod header;
mod integers;
mod kinds;
mod layout;
mod losses;
mod model;
mod moments;
mod names;
mod naming;
mod pick;
mod process;
mod promela;
mod quiet;
mod refusal;
mod source;
mod term;
mod trail;
mod walk;
mod walton;

pub use claims::{Claim, Unstated};
pub use counterexample::{Counterexample, ShownRun, retrace_claim};
pub use model::{Model, StepMark, export};
pub use refusal::{Plain, Reason, Refusal};
pub use source::Source;
pub use trail::{Destination, Sighting, retrace};
pub use walk::Wrong;
pub use walton::export_plain;

//! SPIN's opinion on a scene: what its output on the exported model means, and whether it is ours.
//!
//! [`model`] and [`model_with_claims`] export a scene. Whoever runs SPIN reads what it printed with [`PanOutput`],
//! makes an [`Opinion`] of it, and has it compared: trails become runs of the dialogue, which are replayed. Nothing
//! here starts a program.

mod claims;
mod opinion;
mod output;
mod refusals;

pub use claims::{ClaimOutcome, ClaimedProperty, compare_claims};
pub use opinion::Opinion;
pub use output::PanOutput;
pub use refusals::{model, model_with_claims, refused, unstated};

//! Runs SPIN on exported models, if it is installed.

mod session;
mod tool;

pub use session::{Hindrance, SpinStop};
pub use tool::{Spin, SpinEffort};

//! Programs and people that answer procedures without a body: what they are asked, and what their lines mean.
//!
//! An [`Exchange`] is the protocol with a program, one JSON object on each line; [`person`] is what a person reads and
//! types. Nothing is started, read or waited for here: lines come from the caller, and go there.

mod exchange;
pub mod person;

pub use exchange::{Exchange, MAX_LINE, PROTOCOL, Service};

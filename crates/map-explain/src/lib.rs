//! Dialogues in words: the one place where steps, endings and explanations get their wording.
//!
//! A [`Teller`] knows a program and the source it was made from, and names everything in their terms. With it [`tell`]
//! puts a step into words, [`Ended`] says how a simulated run ended and why, [`violation::explain`] why the trace of a
//! violation ends as it does, and [`unused`] what never happened in a search. Who waits for what in a deadlock is to be
//! had without words too, from [`explain_deadlock`].
//!
//! Longer answers are [`Text`], whose pieces say what they are; what colours they have, if any, is for others to decide.
//! Nothing here knows of files or terminals. The words speak of flags of the command line where one has to be raised.

pub mod bounds;
pub mod comparisons;
mod deadlock;
pub mod failure;
pub mod livelock;
mod numbers;
pub mod property;
mod run_end;
mod seen;
mod standing;
pub mod step;
pub mod stuck;
mod teller;
mod text;
pub mod transcript;
pub mod unused;
mod values;
pub mod violation;
pub mod wrong;

pub use deadlock::{Awaited, SenderState, StuckAgent, StuckThread, explain_deadlock};
pub use numbers::{counted, grouped};
pub use run_end::{Ended, Memory, tone_of};
pub use seen::Seen;
pub use standing::{Standing, judge};
pub use step::{Told, tell};
pub use teller::Teller;
pub use text::{Piece, Role, Text, Tone};

//! Dialogues in words: all wording of steps, endings and explanations is in this crate.
//!
//! A [`Namer`] knows a program and its source, and names everything in their terms. With it, [`tell`] describes a
//! step, [`EndedRun`] explains how a simulated run ended, [`violation::explain`] why the trace of a violation ends as
//! it does, and [`unused`] what never happened in a search. [`verification`] and [`any`] present whole answers: a
//! line, in short, or everything. [`dump`] shows what the phases of this tool make of a text, [`stepping`] is a run
//! that a person makes step by step, and [`words`] what the words of all these mean.
//!
//! Longer answers are [`Text`], whose pieces are marked with their role; colours are up to the caller. Nothing here
//! deals with files or terminals. The wording mentions command-line flags where one has to be raised.

pub mod any;
pub mod bounds;
mod check;
pub mod comparisons;
pub mod conformance;
pub mod dump;
pub mod endless;
pub mod failure;
pub mod growth;
mod initial;
pub mod livelock;
pub mod many_runs;
mod namer;
mod numbers;
pub mod property;
mod role_graphs;
mod run_end;
mod standing;
mod state_graph;
pub mod step;
pub mod stepping;
pub mod stuck;
pub mod swept_runs;
mod text;
pub mod transcript;
pub mod unused;
mod values;
pub mod verdict;
pub mod verification;
pub mod violation;
pub mod words;
pub mod wrong;

pub use check::check_summary;
pub use initial::{initial_lines, initial_value, initial_values};
pub use namer::Namer;
pub use numbers::{bytes, counted, grouped, in_words, seconds};
pub use role_graphs::role_graphs;
pub use run_end::{EndedRun, end_of_played, no_honest_answer, tone_of};
pub use standing::Standing;
pub use state_graph::state_graph;
pub use step::{StepText, tell};
pub use text::{Piece, Role, Text, Tone};

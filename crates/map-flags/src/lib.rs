//! The flags that say what is verified and how far, and the question that they ask.
//!
//! The command line, the language server and the server for models read the same flags, from arguments, from requests
//! or from a line `//@ verify` of a file. Nothing here deals with files, terminals or clocks: those are the [`Host`]'s.
//!
//! - [`SearchArgs`] are all flags of a verification, and make the questions of `map-session`.
//! - [`Expectation`] is a line `//@ verify` with those that belong to it; it compares what is expected with what is
//!   found.
//! - [`CommandLine`] is the other way round: the words of a command that repeats something.
//! - [`SweepArg`] makes flags with one value after the other: [`points`].
//! - [`SearchArgs::tried`] says which other flags would help, if that was tried.

mod advice;
mod any;
mod command_line;
mod expect;
mod host;
mod line;
mod odds;
mod only;
mod probability;
mod scene;
mod scenes;
mod search;
mod sweep;
mod unused;
mod values;

pub use any::{example_beside_any, refuse_beside_any};
pub use command_line::{CommandLine, alone, quoted_name};
pub use expect::{Expectation, ExpectedProperty, Findings, Outcome, VerdictLine};
pub use host::Host;
pub use line::{Directive, TestLine, first_line, in_words, said, test_lines, unsaid};
pub use odds::{CRASH, LOSS, OddsArgs};
pub use only::{check_collected, check_only};
pub use probability::Yes;
pub use scene::{Any, BoundArgs, Cast, SceneArgs, TimeoutsArg};
pub use scenes::{CastOfSeveral, SceneOfText, Unsearchable};
pub use search::{FairnessArg, JudgeArgs, LimitArgs, ReductionArgs, SearchArgs, Which};
pub use sweep::{MAX_POINTS, Sweep, SweepArg, SweepPoint, parse_sweep, points};
pub use unused::UnusedLines;
pub use values::{CastArg, parse_bytes, parse_duration, parse_positive};

//! The flags that say what is verified and how far, and the question that they ask.
//!
//! The command line and the language server read the same flags, from arguments or from a line `//@ verify` of a file.
//! Nothing here deals with files, terminals or clocks.

mod any;
mod line;
mod odds;
mod only;
mod probability;
mod scene;
mod scenes;
mod search;
mod unused;
mod values;

pub use any::{example_beside_any, refuse_beside_any};
pub use line::{Said, TestLine, first_line, in_words, said, test_lines, unsaid};
pub use odds::{CRASH, LOSS, OddsArgs};
pub use only::check_only;
pub use probability::Yes;
pub use scene::{Any, BoundArgs, Cast, SceneArgs, TimeoutsArg};
pub use scenes::{CastOfSeveral, SceneFlags, SceneOfText};
pub use search::{FairnessArg, JudgeArgs, LimitArgs, ReductionArgs, SearchArgs, Which};
pub use unused::UnusedLines;
pub use values::{CastArg, parse_bytes, parse_duration};

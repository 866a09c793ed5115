//! The flags that say what is verified and how far, and what a text becomes under them: a program with its bounds and
//! its properties.
//!
//! The command line and the language server read the same flags, from arguments or from a line `//@ verify` of a file.
//! Nothing here deals with files, terminals or clocks.

pub mod bounds;
mod compiled;
mod line;
mod properties;
mod scene;
mod search;
mod unused;
mod values;

pub use compiled::{Compiled, compile, compile_with_properties};
pub use line::{Said, TestLine, first_line, in_words, said, test_lines, unsaid};
pub use properties::{PropertyEntry, PropertySet, PropertyState};
pub use scene::{Any, BoundArgs, Cast, SceneArgs, TimeoutsArg};
pub use search::{FairnessArg, JudgeArgs, LimitArgs, ReductionArgs, SearchArgs, Which};
pub use unused::UnusedLines;
pub use values::{CastArg, Rounds, parse_bytes, parse_duration};

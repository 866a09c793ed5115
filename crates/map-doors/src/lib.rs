//! What comes from outside, and goes there: agents in front of a guard, programs that are started, logs that are read.
//!
//! Files, clocks, sockets and processes are here, arguments and terminals are not: where something is to be said, it is
//! returned. Whatever may take for long looks at a flag that tells when the user wants to stop.

#[cfg(feature = "mcp")]
mod bridge;
mod checkpoints;
pub mod files;
mod filtering;
mod guard;
mod logs;
pub mod memory;
mod names;
mod play;
mod process;
mod programs;
mod spin;
mod temporary;

#[cfg(feature = "mcp")]
pub use bridge::{BridgeSettings, serve_bridge};
pub use checkpoints::Checkpoints;
pub use filtering::{FILTER_VERB, filtering_elsewhere, serve_filter};
pub use guard::{
    Company, Doors, Journal, JournalError, JournalSettings, Lookout, Opening, PlayedAgents, Say, Service,
    ServiceEnd, Tokens, TokensError, lookout,
};
#[cfg(feature = "http")]
pub use guard::{HttpSettings, ProxySettings, Upstream};
#[cfg(feature = "mcp")]
pub use guard::{SeatEnd, SeatSettings, token_of};
pub use logs::{
    Follow, FoundCheckpoint, KeptLogs, KeptReading, LogCheckpoint, LogEntry, LogFault, NextLine, OpenLog,
    WallClock, WholeLogs,
};
pub use names::{from_bytes, named, shown};
pub use play::{
    BranchRow, FailedDialogue, PlayError, PlayReport, PlaySettings, Tally, coverage_text, play, share,
};
pub use process::{End, Group, Process, Silence, kill_all};
pub use programs::{DecidingPrograms, IdlePrograms, Programs, RunOfMany, Trouble};
pub use spin::{Hindrance, Spin, SpinEffort, SpinStop};
pub use temporary::remove_temporary_folders;

//! Several processes of `map` that search together: how they meet, and how blocks of bytes pass between them.
//!
//! [`Cluster`] is the [`map_verify::Peers`] of processes that are connected by TCP, on one machine or on many. Blocks
//! are carried, and ends of supersteps found, by timely dataflow (D. G. Murray et al., *Naiad: A Timely Dataflow
//! System*, 2013); nothing outside of this crate knows of it. What the processes are to search is not known here.
//!
//! - [`Hosts`] says where the processes listen, and [`Key`] is the secret they share.
//! - `meeting` brings them together, and `seat` watches those that have come; `greeting` decides whether two belong
//!   together.
//! - `link` is a connection that notices when the other process has ended or does not answer; `frames` is what passes
//!   over it, sealed with the key.
//! - `cluster` and `blocks` are the dataflow; `apart` shares out work over it that needs no other processes.
//! - [`Member`] is a process as one of several, and [`Place`] says where one runs and how it is started there.

mod apart;
mod blocks;
mod cluster;
mod frames;
mod greeting;
mod hosts;
mod key;
mod link;
mod meeting;
mod member;
mod places;
mod seat;

use std::fmt;
use std::time::Duration;

pub use cluster::Cluster;
pub use hosts::{Hosts, HostsError};
pub use key::{Key, KeyError};
pub use member::Member;
pub use places::{Place, Remote, line_of_process};

/// How long processes wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// For all to come.
    pub wait: Duration,
    /// For a sign of life of one that has come.
    pub patience: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self { wait: Duration::from_secs(60), patience: Duration::from_secs(10) }
    }
}

/// Why a process could not join the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JoinError {
    /// It was told to stop.
    Stopped,
    /// Something was wrong: a line for the user.
    Failed(String),
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("stopped"),
            Self::Failed(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for JoinError {}

//! Processes that search together, as one of them sees the others.

use std::fmt;

use crate::report::InternalError;

/// The processes that share a search, numbered from 0, and what passes between them.
///
/// They work in *supersteps* (L. G. Valiant, *A bridging model for parallel computation*, 1990): in each, a process
/// sends blocks of bytes to others, and then meets them. What a process sends in a superstep arrives in that same
/// superstep, in the order in which it was sent; nothing arrives of a later one.
pub trait Peers {
    /// Number of processes, at least one.
    fn count(&self) -> usize;

    /// The number of this process.
    fn own(&self) -> usize;

    /// Bytes that this process has sent so far.
    fn sent(&self) -> usize;

    /// Sends a block to another process. Waits as long as too much of what this process has sent is still under way.
    /// Meanwhile calls `receive` with blocks of this superstep that have arrived, and the processes that sent them.
    ///
    /// # Errors
    /// If some process cannot be reached any more. The search is over then.
    fn send(
        &mut self,
        to: usize,
        block: Vec<u8>,
        receive: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<(), PeerLost>;

    /// Ends the superstep. Returns once every process has ended it, and everything that was sent to this one in it has
    /// been passed to `receive`.
    ///
    /// # Errors
    /// As for [`Peers::send`].
    fn meet(&mut self, receive: &mut dyn FnMut(usize, &[u8])) -> Result<(), PeerLost>;
}

/// Why the processes can no longer search together: a line for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerLost(pub String);

impl fmt::Display for PeerLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PeerLost {}

/// Why several processes have no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TogetherError {
    /// A process is lost.
    Lost(PeerLost),
    /// There is nothing to go on from: a line for the user, the same in all processes.
    NotKept(String),
    /// The engine contradicts itself.
    Internal(InternalError),
}

impl fmt::Display for TogetherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(lost) => lost.fmt(f),
            Self::NotKept(what) => f.write_str(what),
            Self::Internal(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TogetherError {}

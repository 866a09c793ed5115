//! Several processes that search together, as their users start them: on this machine, with real sockets and signals.
//!
//! Nothing here depends on how fast anything is, but for limits after which a test fails that would hang otherwise.

mod group;
mod kept;
mod lost;
mod network;
mod refused;
mod runs;
mod same;
mod supervised;

//! Clusters with real sockets on this machine. No test depends on how fast it is.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod common;
mod exchange;
mod files;
mod losing;
mod meeting;

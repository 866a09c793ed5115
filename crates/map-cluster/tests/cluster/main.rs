//! Clusters with real sockets on this machine. No test depends on how fast it is.

mod common;
mod exchange;
mod files;
mod losing;
mod meeting;

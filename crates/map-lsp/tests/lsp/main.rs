//! The server from outside: recorded sessions, and clients that do what they should not.

#![allow(clippy::disallowed_methods, reason = "sessions are files")]
#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

mod client;
mod hostile;
mod sessions;
mod shown;
mod steps;

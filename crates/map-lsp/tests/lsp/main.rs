//! The server from outside: recorded sessions, and clients that do what they should not.

mod client;
mod hostile;
mod sessions;
mod shown;
mod steps;

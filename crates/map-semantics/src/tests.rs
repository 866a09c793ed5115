//! Unit tests of the parts of the step relation. The relation as a whole is compared with the naive oracle and pinned
//! by the cases on disk; the steps of a scene are compared with a direct reading of the reference.

mod agent;
mod bags;
mod bounds;
mod choices;
mod mailbox;
mod recipients;
mod scenes;
mod steps;

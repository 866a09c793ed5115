//! The parts of the step relation that are functions of their own. The relation as a whole is compared with the
//! naive oracle, and pinned by the cases on disk; what a scene can do is compared with a direct reading.

mod agent;
mod bags;
mod bounds;
mod choices;
mod mailbox;
mod recipients;
mod scenes;
mod steps;

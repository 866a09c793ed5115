//! Functions from states of agents to states of agents that keep what matters: slicing, the order of mailboxes, symmetry and
//! the canonical form of global states. They know no engine.

pub(crate) mod canonical;
pub(crate) mod receives;
pub(crate) mod slicing;
pub(crate) mod symmetry;

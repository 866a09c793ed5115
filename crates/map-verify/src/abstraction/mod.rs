//! Abstractions of agent states that preserve their relevant behaviour: words, slicing, mailbox order, symmetry,
//! and the canonical form of global states. Independent of the engine.

pub(crate) mod canonical;
pub(crate) mod receives;
pub(crate) mod slicing;
pub(crate) mod symmetry;
pub(crate) mod words;

//! The verbs, one module each.

pub(crate) mod check;
#[cfg(feature = "cluster")]
pub(crate) mod cluster;
pub(crate) mod completions;
pub(crate) mod conform;
pub(crate) mod dump;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod guard;
pub(crate) mod lsp;
pub(crate) mod man;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod new;
pub(crate) mod render;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod step;
pub(crate) mod test;
pub(crate) mod verify;

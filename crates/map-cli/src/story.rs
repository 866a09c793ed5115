//! Dialogues in words: the one place where steps, endings and explanations get their wording.

pub(crate) mod bounds;
mod constant;
pub(crate) mod failure;
pub(crate) mod livelock;
pub(crate) mod possible;
pub(crate) mod run_end;
pub(crate) mod standing;
pub(crate) mod step;
pub(crate) mod stuck;
pub(crate) mod style;
mod teller;
pub(crate) mod transcript;
pub(crate) mod unused;
pub(crate) mod values;
pub(crate) mod wrong;

pub(crate) use step::{Seen, Told, tell};
pub(crate) use teller::Teller;

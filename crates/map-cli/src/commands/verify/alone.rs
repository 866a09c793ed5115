//! In place of `together` in a build without clusters: every search is alone.

use map_verify::{Options, Reduced};

use super::args::Args;
use super::task::Task;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Watch;

/// There is none.
pub(super) enum Member {}

impl Member {
    pub(super) const fn from_flags(_: &Args) -> Result<Option<Self>, String> {
        Ok(None)
    }

    pub(super) fn search(self, _: &Task<'_>, _: &Options, _: &mut Watch) -> Result<Reduced, Failure> {
        match self {}
    }
}

pub(super) const fn is_asked_for(_: &Args) -> bool {
    false
}

pub(super) const fn prints(_: &Args) -> bool {
    true
}

pub(super) const fn exit_of(_: &Reduced) -> Exit {
    Exit::Fine
}

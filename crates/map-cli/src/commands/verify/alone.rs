//! In place of `together` in a build without clusters: every search is alone.

use map_verify::{Limits, Options, PropertyOptions, PropertyReport, Reduced};

use super::args::Args;
use super::task::Task;
use crate::failure::Failure;
use crate::progress::Watch;

/// There is none.
pub(super) enum Member {}

/// There is none.
pub(super) enum Joined {}

impl Member {
    pub(super) const fn from_flags(_: &Args) -> Result<Option<Self>, String> {
        Ok(None)
    }

    pub(super) fn join(self, _: &Task<'_>, _: &Limits) -> Result<Joined, Failure> {
        match self {}
    }
}

impl Joined {
    pub(super) fn search(&mut self, _: &Task<'_>, _: &Options, _: &mut Watch) -> Result<Reduced, Failure> {
        match *self {}
    }

    pub(super) fn judge(
        &mut self,
        _: &Task<'_>,
        _: &PropertyOptions,
        _: &mut Watch,
    ) -> Result<PropertyReport, Failure> {
        match *self {}
    }

    pub(super) fn leave(self) {
        match self {}
    }
}

pub(super) const fn is_asked_for(_: &Args) -> bool {
    false
}

pub(super) const fn prints(_: &Args) -> bool {
    true
}

//! In place of `together` in a build without clusters: every search is alone.

use map_session::{Engine, Scene};
use map_verify::{Limits, Options, Progress, PropertyOptions, PropertyReport, SearchResult};

use super::args::Args;
use super::task::Task;
use crate::failure::Failure;

/// This process as one of several: uninhabited, as this build has no cluster support.
pub(super) enum Member {}

/// This process, connected with the others: uninhabited, too.
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
    pub(super) fn leave(self) {
        match self {}
    }
}

impl Engine for Joined {
    type Error = Failure;

    fn search(&mut self, _: &Scene, _: &Options, _: &mut dyn Progress) -> Result<SearchResult, Failure> {
        match *self {}
    }

    fn judge(
        &mut self,
        _: &Scene,
        _: &PropertyOptions,
        _: &mut dyn Progress,
    ) -> Result<PropertyReport, Failure> {
        match *self {}
    }
}

pub(super) const fn is_asked_for(_: &Args) -> bool {
    false
}

pub(super) const fn prints(_: &Args) -> bool {
    true
}

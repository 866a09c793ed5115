//! In place of `together` in a build without clusters: every process makes all of its runs.

use map_session::Scene;
use map_simulate::{SimulationOptions, Statistics};

use super::Args;
use crate::failure::Failure;

/// No flags.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct TogetherArgs {}

/// One of several processes: uninhabited, as this build has no cluster support.
#[derive(Clone, Copy)]
pub(super) enum Member {}

pub(super) const fn member(_: &Args, _: u64) -> Result<Option<Member>, String> {
    Ok(None)
}

pub(super) const fn prints(member: &Member) -> bool {
    match *member {}
}

pub(super) fn share<I, D, W>(
    member: Member,
    _: (&Args, &Scene, &SimulationOptions),
    _: (I, D),
    _: W,
) -> Result<Statistics, Failure> {
    match member {}
}

//! In place of `together` in a build without clusters: every process makes all of its runs.

use map_ir::Program;
use map_semantics::Bounds;
use map_session::Compilation;
use map_simulate::{SimulationOptions, Statistics};

use super::Args;
use crate::failure::Failure;

/// No flags.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct TogetherArgs {}

/// There is none.
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
    _: (&Args, &Compilation, &Program, &Bounds, &SimulationOptions),
    _: (I, D),
    _: W,
) -> Result<Statistics, Failure> {
    match member {}
}

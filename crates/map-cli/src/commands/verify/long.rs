//! Flags of long searches: checkpoints, and going on from them.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use map_flags::parse_duration;
use map_semantics::Bounds;

use super::args::Args;
use crate::checkpoint::{Checkpoints, SharedCheckpoints, identity};
use crate::input::Loaded;

/// Flags about searches that take hours.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct LongArgs {
    /// Keep what the search needs to go on later in this folder
    ///
    /// Written at the end of a level of the search, and when the search ends, whatever ends it. The folder is made if
    /// it is missing. `--resume` goes on from it. For the search for termination of one file: properties are judged
    /// anew.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["resume", "weather", "properties_only", "self_check"], help_heading = "Long searches")]
    checkpoint: Option<PathBuf>,

    /// Go on from the checkpoint in this folder, and write further ones there
    ///
    /// The text and the flags have to be the same, but for limits, properties and output. The report is that of a
    /// search that was never interrupted.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["weather", "properties_only", "self_check"], help_heading = "Long searches")]
    resume: Option<PathBuf>,

    /// The least time between two checkpoints; 0s writes one for each level
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "10m", help_heading = "Long searches")]
    every: Duration,
}

/// The checkpoints that the flags ask for.
///
/// # Errors
/// What is wrong with the flags, or with a checkpoint.
pub(super) fn checkpoints(
    args: &Args,
    files: &[Loaded],
    bounds: &[Option<Bounds>],
) -> Result<Option<SharedCheckpoints>, String> {
    let LongArgs { checkpoint, resume, every } = &args.long;
    let Some(flag) = checkpoint.as_ref().map(|_| "--checkpoint").or(resume.as_ref().map(|_| "--resume"))
    else {
        return Ok(None);
    };
    let ([loaded], [bounds]) = (files, bounds) else {
        return Err(format!("{flag} is for one file"));
    };
    // A file with errors is not searched.
    let Some(bounds) = bounds else { return Ok(None) };
    let identity = identity(&[
        loaded.source.text(),
        &format!("{:?}", args.scene),
        &format!("{bounds:?}"),
        &format!("{:?}", args.reductions.chosen()),
        &format!("{:?}", args.search.keep_going),
    ]);
    let checkpoints = match (checkpoint, resume) {
        (Some(folder), _) => Checkpoints::begin(folder, identity, *every)?,
        (None, Some(folder)) => Checkpoints::resume(folder, identity, *every)?,
        (None, None) => return Ok(None),
    };
    Ok(Some(Rc::new(RefCell::new(checkpoints))))
}

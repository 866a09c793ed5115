//! Long searches: the checkpoints that the flags ask for.

use std::cell::RefCell;
use std::rc::Rc;

use map_doors::Checkpoints;
use map_semantics::Bounds;

use super::args::{Args, LongArgs};
use super::scenes::SceneOfFile;
use super::together;
use crate::identity::identity;
use crate::progress::SharedCheckpoints;

/// The checkpoints that the flags ask for.
///
/// # Errors
/// What is wrong with the flags, or with a checkpoint.
pub(super) fn checkpoints(
    args: &Args,
    scenes: &[SceneOfFile],
    bounds: &[Option<Bounds>],
) -> Result<Option<SharedCheckpoints>, String> {
    let LongArgs { checkpoint, resume, every } = &args.long;
    let Some(flag) = checkpoint.as_ref().map(|_| "--checkpoint").or(resume.as_ref().map(|_| "--resume"))
    else {
        return Ok(None);
    };
    let ([SceneOfFile { loaded, .. }], [bounds]) = (scenes, bounds) else {
        return Err(format!("{flag} is for one file"));
    };
    // A file with errors is not searched.
    let Some(bounds) = bounds else { return Ok(None) };
    let identity = identity(&[
        loaded.source.text(),
        &format!("{:?}", args.search.scene),
        &format!("{bounds:?}"),
        &format!("{:?}", args.search.reductions.chosen()),
        &format!("{:?}", args.search.limits.keep_going),
    ]);
    let together = together::is_asked_for(args);
    let checkpoints = match (checkpoint, resume) {
        (Some(folder), _) => Checkpoints::begin(folder, identity, *every, together)?,
        (None, Some(folder)) => Checkpoints::resume(folder, identity, *every, together)?,
        (None, None) => return Ok(None),
    };
    Ok(Some(Rc::new(RefCell::new(checkpoints))))
}

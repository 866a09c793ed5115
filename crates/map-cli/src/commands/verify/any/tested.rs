//! What a test compares.

use std::path::Path;
use std::time::Duration;

use map_views::{AnyVerdict, Obstacle};

use super::super::args::Args;
use super::super::limits::SharedTime;
use super::super::task::Task;
use super::{Question, check};
use crate::failure::Failure;
use crate::input::Loaded;
use crate::interrupt::Interrupt;
use map_flags::bounds;

/// What was found for any number of agents.
pub(in crate::commands::verify) struct Found {
    pub(in crate::commands::verify) verdict: String,
    /// Of a violation, the cast that has it, such as `bidder=2`.
    pub(in crate::commands::verify) with: Option<String>,
    /// Whether a limit came before an answer.
    pub(in crate::commands::verify) is_open: bool,
    pub(in crate::commands::verify) took: Duration,
}

/// Asks about a file that has no errors with two agents of the role, or the least number asked for. The inner error
/// says what is wrong with the flags.
pub(in crate::commands::verify) fn find(
    args: &Args,
    (role, from): (&str, u32),
    (file, loaded): (&Path, &Loaded),
    interrupt: &Interrupt,
    time: &SharedTime,
) -> Result<Result<Found, String>, Failure> {
    if let Err(why) = check(args) {
        return Ok(Err(why));
    }
    let Some(program) = &loaded.program else { return Ok(Err("the scene has errors".to_owned())) };
    let bounds = match bounds::resolve(&args.bounds, program) {
        Ok(bounds) => bounds,
        Err(why) => return Ok(Err(why)),
    };
    let task = Task { args, file, loaded, program, bounds, interrupt, time, checkpoints: None };
    let question = Question { args, role, from };
    let asked = question.prove(&task)?;
    let (with, is_open) = match &asked.answer.verdict {
        AnyVerdict::Violated(count) => (Some(format!("{role}={count}")), false),
        AnyVerdict::NoProof(Obstacle::TooMany | Obstacle::Stopped) | AnyVerdict::NotVerified(_) => {
            (None, true)
        }
        AnyVerdict::Proved(_) | AnyVerdict::NoProof(_) => (None, false),
    };
    Ok(Ok(Found { verdict: asked.verdict().to_owned(), with, is_open, took: asked.took }))
}

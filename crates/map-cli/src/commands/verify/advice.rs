//! Advice that was tried: what comes out with other flags where a limit came before the verdict, or a mailbox
//! overflowed.

use map_session::{SearchLimits, TimeLimit, Verification};

use super::any;
use super::args::Detail;
use super::searched::{search, search_within};
use super::task::Task;
use crate::failure::Failure;

/// Searches alone; what is advised about the verdict has been tried. With `--quiet` nothing is advised.
pub(super) fn search_and_advise(task: &Task<'_>) -> Result<(Verification, Option<String>), Failure> {
    if !task.args.tells() || task.args.detail() == Detail::Line {
        return Ok((search(task, None)?, None));
    }
    let found = search_within(leaving_a_tenth(task.next_limits()), task, None)?;
    let advice = task.args.search.tried(&found, any::goes_with(task.args), task)?;
    Ok((found, advice))
}

/// The same limits with nine tenths of the time: the rest is left for something else.
fn leaving_a_tenth(limits: SearchLimits) -> SearchLimits {
    let time = limits.time.map(|time| TimeLimit { search: time.search * 9 / 10, ..time });
    SearchLimits { time, ..limits }
}

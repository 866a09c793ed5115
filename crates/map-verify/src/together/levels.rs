//! The loop over the levels and their supersteps.

use super::level::{Explorer, FEW, MANY};
use super::link::{ClusterLost, Link};
use super::records::Records;
use super::told::{NO_ROOM, SuperstepSummary, reported};
use crate::budget::{Limit, Limits, Progress, Stop};

/// When a search ends, and what is done between two levels.
pub(crate) trait Levels: Records {
    /// Called when a level is done and has found states. Whether the search ends with it: the same in all processes.
    fn level_done(
        explorer: &mut Explorer<'_, Self>,
        link: &mut Link<'_>,
        told: &[SuperstepSummary],
    ) -> Result<bool, ClusterLost>;

    /// Called when the next level has begun.
    fn level_begun(
        _explorer: &mut Explorer<'_, Self>,
        _link: &mut Link<'_>,
        _told: &[SuperstepSummary],
        _progress: &mut dyn Progress,
    ) -> Result<(), ClusterLost> {
        Ok(())
    }
}

/// Explores until no state is left, a limit is reached, or a level is done with which the search ends, or with
/// something doubtful.
pub(crate) fn run<R: Levels>(
    explorer: &mut Explorer<'_, R>,
    link: &mut Link<'_>,
    limits: &Limits,
    progress: &mut dyn Progress,
) -> Result<(), ClusterLost> {
    explorer.system.space.stop = progress.stop();
    let mut window = FEW;
    loop {
        if explorer.limit.is_none() {
            explorer.expand_some(link, window)?;
        }
        explorer.before.iter_mut().for_each(Vec::clear);
        let Explorer { shard, system, .. } = explorer;
        link.meet(&mut |from, block| shard.arrive(&system.space, from, block))?;
        let told = explorer.tell(link, limits, progress)?;
        explorer.limit = reported(&told).or(explorer.limit);
        let is_told = |flag: u64| told.iter().any(|it| it.flags & flag != 0);
        if is_told(NO_ROOM) {
            // Something is missing.
            explorer.fills = None;
        }
        if explorer.limit.is_some() {
            break;
        }
        explorer.fill(told.iter().flat_map(|it| &it.lacking));
        if told.iter().all(|it| it.left == 0) {
            if told.iter().all(|it| it.found == 0) {
                explorer.is_complete = true;
                break;
            }
            if R::level_done(explorer, link, &told)? || explorer.system.space.agents.is_doubtful() {
                break;
            }
            explorer.shard.begin_level();
            explorer.statistics.depth += 1;
            R::level_begun(explorer, link, &told, progress)?;
        }
        let left = limits.states.saturating_sub(explorer.statistics.states);
        if explorer.statistics.states > limits.states {
            explorer.limit = Some(Limit::States);
            break;
        }
        window = (window * 2).min(MANY).min(left / 64).max(1);
    }
    explorer.system.space.stop = Stop::default();
    Ok(())
}

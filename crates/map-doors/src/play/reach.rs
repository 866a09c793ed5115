//! Which clauses and branches some run of a scene takes.

use std::num::NonZeroUsize;

use map_conform::Scene;
use map_guard::Branch;
use map_ir::{ClauseId, PointId, Program};
use map_semantics::{Bounds, Timeouts};
use map_session::NoWatch;
use map_verify::{Limits, Options, Reductions, Tuning, verify_reduced};

/// The largest search that is made for it, in states and bytes.
const MAX_STATES: usize = 200_000;
const MAX_MEMORY: usize = 256 << 20;

/// What the runs of a scene do.
pub(super) struct Reach {
    ran: Vec<PointId>,
    entered: Vec<ClauseId>,
}

impl Reach {
    /// Searches a scene in which time runs out at these moments; `None` if it is too large.
    pub(super) fn of(scene: &Scene, timeouts: Timeouts) -> Option<Self> {
        let (program, bounds) = (scene.program(), Bounds { timeouts, ..scene.bounds().clone() });
        let limits = Limits {
            states: MAX_STATES,
            memory: MAX_MEMORY,
            threads: NonZeroUsize::MIN,
            tuning: Tuning::SHIPPED,
        };
        let options = Options { limits, keep_going: true, reductions: Reductions::ALL, self_check: false };
        let report = verify_reduced(program, &bounds, &options, &mut NoWatch).ok()?.report;
        let unused = report.is_exhaustive().then_some(report.unused)?;
        Some(Self { ran: unused.ran, entered: unused.entered })
    }

    /// Whether some run takes a branch.
    pub(super) fn has(&self, program: &Program, branch: Branch) -> bool {
        match branch {
            Branch::Clause(clause) => self.entered.contains(&clause),
            Branch::Region(region) => {
                let points = &program.regions[region].points;
                self.ran.iter().any(|point| points.contains(&point.index()))
            }
        }
    }
}

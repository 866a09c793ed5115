//! What is known of the costs of a scene.

use map_semantics::BoundHit;

use crate::budget::{Limit, Snapshot};
use crate::property::judge::dearest::MostCost;
use crate::property::verdict::ShownRun;
use crate::reductions::Reductions;

/// What the declared costs come to.
#[derive(Clone, Debug)]
pub struct CostReport {
    /// In order. Missing are those for which a limit left no room.
    pub costs: Vec<CostBounds>,
    /// The reductions in force.
    pub reductions: Reductions,
    /// The extent of the search; of none if what properties needed was enough.
    pub statistics: Snapshot,
    /// Whether every reachable state was explored. If not, dialogues may cost more, or less, than is said.
    pub searched: bool,
    /// A limit that ended the search.
    pub limit: Option<Limit>,
    /// The bounds that cut off some step: what is said holds only within these bounds.
    pub cut_by: Vec<BoundHit>,
}

/// What a cost comes to.
#[derive(Clone, Debug)]
pub struct CostBounds {
    /// Its name, which is its unit.
    pub name: String,
    /// What all agents pay together.
    pub total: CostRange,
    /// What the agents of a role pay together, of each role that pays, if several do.
    pub by_role: Vec<NamedRange>,
    /// A shortest run that costs most; without bound, one with a loop that costs something each time.
    pub shown: Option<ShownRun>,
    /// Whether that run depends on an open comparison.
    pub possible: bool,
}

/// What the agents of a role pay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRange {
    /// The role, without its sigil.
    pub role: String,
    /// What they pay together.
    pub range: CostRange,
}

/// The least and the most that something costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostRange {
    /// The least that a run costs that comes to the good end; `None` if there is none.
    pub least: Option<i64>,
    /// The most that a run costs, whatever becomes of it.
    pub most: MostCost,
}

//! A scene in every weather.

use crate::evidence::Evidence;
use crate::scene::Scene;
use crate::verify::Verification;
use crate::weather::{WEATHERS, Weather};

/// A scene verified in every weather, or in the first ones if that was interrupted.
pub struct FaultSweep {
    /// The scene; each weather replaces its network.
    pub scene: Scene,
    /// What was found, in the order of [`WEATHERS`].
    pub rows: Vec<(&'static Weather, Verification)>,
}

/// A run that violates the scene or a property, in one weather or in several.
pub struct Fall<'s> {
    /// The indices of the rows in which it does; at least one.
    pub rows: Vec<usize>,
    /// The index of the property that is violated; `None` for termination.
    pub property: Option<usize>,
    /// The run.
    pub run: Evidence<'s>,
}

impl FaultSweep {
    /// The weathers that were not reached.
    pub fn not_reached(&self) -> impl Iterator<Item = &'static Weather> {
        WEATHERS[self.rows.len()..].iter()
    }

    /// All that falls, each run once.
    #[must_use]
    pub fn falls(&self) -> Vec<Fall<'_>> {
        let mut falls: Vec<Fall<'_>> = Vec::new();
        for (row, (_, found)) in self.rows.iter().enumerate() {
            let termination = found.violation().and_then(|_| found.evidence()).map(|run| (None, run));
            let properties =
                found.properties.violated().map(|violation| (Some(violation.index), violation.evidence));
            for (property, run) in termination.into_iter().chain(properties) {
                match falls.iter_mut().find(|known| known.property == property && known.run.is_same(run)) {
                    Some(known) => known.rows.push(row),
                    None => falls.push(Fall { rows: vec![row], property, run }),
                }
            }
        }
        falls
    }
}

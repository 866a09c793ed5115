//! Scenes that can be asked about.

use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_ir::Program;
use map_semantics::Bounds;

use crate::properties::PropertySet;
use crate::weather::Weather;

/// A scene of a text under one cast, with its properties and bounds. Cheap to clone.
#[derive(Clone)]
pub struct Scene {
    /// The text.
    pub source: Arc<SourceFile>,
    /// The compiled scene.
    pub program: Arc<Program>,
    /// The properties to be judged.
    pub properties: Arc<PropertySet>,
    /// The bounds within which it is explored, and the network.
    pub bounds: Bounds,
}

impl Scene {
    /// The scene in other weather, under the same bounds otherwise.
    #[must_use]
    pub fn under(&self, weather: &Weather) -> Self {
        let bounds = Bounds { network: weather.network, timeouts: weather.timeouts, ..self.bounds.clone() };
        Self { bounds, ..self.clone() }
    }
}

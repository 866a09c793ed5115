//! How the flags have an answer presented.

use map_explain::verification::{DeniedFinding, Offers, Presentation};
use map_session::{Scene, warnings};

use super::args::Args;
use crate::style;
use crate::terminal;

impl Args {
    /// Presents an answer about a scene as the flags want it. `advice` is what to do about it, if that was tried.
    pub(super) fn present<T>(
        &self,
        scene: &Scene,
        advice: Option<&str>,
        present: impl FnOnce(&Presentation<'_>) -> T,
    ) -> T {
        let width = terminal::width();
        present(&Presentation {
            drawing: self.chart.drawing(self.full_trace),
            width,
            lines: &|text| {
                terminal::wrapped(&style::text(text), width.unwrap_or(usize::MAX), 2).lines().count()
            },
            denied: &self.denied(),
            advice,
            offers: &Offers::COMMAND_LINE,
            warnings: &|| {
                let options = self.search.scene.to_options();
                options.map_or_else(|_| Vec::new(), |options| warnings(&scene.source, &options))
            },
        })
    }

    /// The findings that are errors although they are no violations.
    pub(super) fn denied(&self) -> Vec<DeniedFinding> {
        self.deny.iter().map(|denied| denied.finding()).collect()
    }
}

//! How verifications are presented: in the terms of this server.

use map_explain::verification::{Offers, Presentation};
use map_flags::SceneArgs;
use map_render::chart::shown::{Drawing, When};
use map_session::{Scene, warnings};

/// The columns of charts.
const WIDTH: usize = 80;

/// The ways to learn more that this server has.
const OFFERS: Offers = Offers {
    run: "the tool `render` with \"what\": \"counterexample\" draws it, \"detail\": \"full\" says everything",
    run_of_property: "\"detail\": \"full\" says everything",
    everything: "\"detail\": \"full\"",
    never: "\"structured\": true",
    every_step: "\"detail\": \"full\"",
    warnings: "the tool `check`",
    fairness: None,
};

/// Presents an answer about a scene; in full, runs are told step by step.
pub(crate) fn present<T>(
    scene: &Scene,
    args: &SceneArgs,
    full: bool,
    present: impl FnOnce(&Presentation<'_>) -> T,
) -> T {
    present(&Presentation {
        drawing: Drawing { when: When::Auto, full, width: WIDTH },
        width: None,
        lines: &|text| text.to_string().lines().count(),
        denied: &[],
        advice: None,
        offers: &OFFERS,
        warnings: &|| {
            let options = args.to_options();
            options.map_or_else(|_| Vec::new(), |options| warnings(&scene.source, &options))
        },
    })
}

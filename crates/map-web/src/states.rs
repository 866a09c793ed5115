//! The states of a scene as a picture, whose nodes say who waits for what and lead to their states.

use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_explain::{Namer, state_graph};
use map_render::graph::svg;
use map_semantics::{SceneState, Step};
use map_session::{NoGraph, Scene, StateGraph};
use serde::Serialize;

use crate::failure::{Answered, Failure, json};
use crate::flags::PlayFlags;
use crate::step::{Place, later};

/// The most states that are drawn.
const MAX_STATES: usize = 500;

#[derive(Serialize)]
struct StatesAnswer {
    /// Whether these are all states of the scene.
    whole: bool,
    /// The state to which the steps lead, as an index.
    #[serde(skip_serializing_if = "Option::is_none")]
    here: Option<usize>,
    /// How each state is reached.
    ways: Vec<WayOutput>,
    /// The picture. The node of a state has its index as `data-state`.
    svg: String,
}

#[derive(Serialize)]
struct WayOutput {
    initial: Vec<u32>,
    steps: Vec<String>,
}

/// All states of a scene if there are at most so many, else those nearest to where the steps lead.
///
/// # Errors
/// If the text has errors, or flags or steps do not fit it.
pub(crate) fn states(source: &Arc<SourceFile>, flags: &str, place: &Place, most: usize) -> Answered {
    let scene = PlayFlags::read(flags)?.scene_of(source)?;
    let most = most.clamp(1, MAX_STATES);
    let later = later(&scene, place)?;
    let prefix = later.bounds.after.as_ref().expect("it begins with the steps");
    let answer = match StateGraph::explore(&scene, most) {
        Ok(graph) => {
            let here = graph.find(&SceneState::after(prefix));
            drawn(&scene, &graph, here, |state| graph.way_to(state))
        }
        Err(NoGraph::NoFirstState) => {
            return Err(Failure::text("the scene has no first state; the verdict says why"));
        }
        Err(NoGraph::TooLarge) => {
            let graph =
                StateGraph::nearest(&later, most).map_err(|_| Failure::text("there is no state here"))?;
            drawn(&later, &graph, Some(0), |state| {
                let on = graph.way_to(state).1;
                (prefix.initial.clone(), prefix.steps.iter().cloned().chain(on).collect())
            })
        }
    };
    Ok(json(&answer))
}

fn drawn(
    scene: &Scene,
    graph: &StateGraph,
    here: Option<usize>,
    way: impl Fn(usize) -> (Vec<u32>, Vec<Step>),
) -> StatesAnswer {
    let ways = (0..graph.states.len()).map(|state| {
        let (initial, steps) = way(state);
        WayOutput { initial, steps: steps.iter().map(Step::to_string).collect() }
    });
    let picture = state_graph(graph, &Namer::new(&scene.source, &scene.program));
    let svg = svg::draw(std::slice::from_ref(&picture)).to_string();
    StatesAnswer { whole: graph.is_whole, here, ways: ways.collect(), svg }
}

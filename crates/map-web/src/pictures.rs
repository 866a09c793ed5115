//! Pictures: of runs, and of what each role does.

use std::borrow::Cow;
use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_explain::verification::{mark_property, mark_verdict, verdict_in_words};
use map_ir::PartId;
use map_render::chart::evidence::of_evidence;
use map_render::chart::{Chart, Next, fold, svg as charts};
use map_render::graph::{roles as role_graphs, svg};
use map_session::{
    Evidence, PropertyAnswer, PropertyAnswers, PropertyEntry, Scene, Verification, stuck_agents,
};
use map_verify::{PropertyVerdict, ViolationKind};
use serde::Serialize;
use serde_json::json;

use crate::failure::Answered;
use crate::flags::PlayFlags;

/// The most rows of a chart; the middle of a longer one is folded.
const MAX_ROWS: usize = 400;

/// A run that shows something.
#[derive(Serialize)]
pub(crate) struct RunOutput {
    title: String,
    /// The property that it is about; absent for termination.
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<String>,
    initial: Vec<u32>,
    /// The steps, as traces have them.
    steps: Vec<String>,
    /// The steps from this one on, counted from 0, are repeated for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    repeated_from: Option<usize>,
    /// The chart, an SVG picture.
    chart: String,
}

/// The runs behind a verdict, and those that violate properties.
pub(crate) fn runs_of(found: &Verification) -> Vec<RunOutput> {
    let is_deadlock = found.violation().is_some_and(|it| it.kind == ViolationKind::Deadlock);
    let of_verdict = found.evidence().or_else(|| found.unfair_run());
    let of_verdict = of_verdict.map(|run| {
        let stuck = if is_deadlock { stuck_agents(&found.scene.program, run.replayed) } else { Vec::new() };
        let mut chart = of_evidence(&found.scene.program, run, &stuck);
        mark_verdict(found, &mut chart);
        output(verdict_in_words(found), None, run, &chart)
    });
    let violated =
        found.properties.violated().map(|it| of_violated(&found.scene, &it.entry.name, it.evidence));
    of_verdict.into_iter().chain(violated).collect()
}

/// The run of a property that it violates.
fn of_violated(scene: &Scene, name: &str, run: Evidence<'_>) -> RunOutput {
    let mut chart = of_evidence(&scene.program, run, &[]);
    mark_property(name, run, &mut chart);
    output(format!("{name} is violated"), Some(name.to_owned()), run, &chart)
}

/// The runs that show of properties that they do not hold, or that something is possible.
pub(crate) fn runs_of_properties(found: &PropertyAnswers) -> Vec<RunOutput> {
    let run = |(entry, answer): (&PropertyEntry, PropertyAnswer<'_>)| {
        let PropertyAnswer::Judged(judged, Some(replayed)) = answer else { return None };
        let run = Evidence { replayed, repeated_from: judged.repeated_from(replayed) };
        Some(match judged.verdict {
            PropertyVerdict::Violated => of_violated(&found.scene, &entry.name, run),
            _ => {
                let chart = of_evidence(&found.scene.program, run, &[]);
                output(format!("{}: a run shows it", entry.name), Some(entry.name.clone()), run, &chart)
            }
        })
    };
    found.iter().filter_map(run).collect()
}

fn output(title: String, property: Option<String>, run: Evidence<'_>, chart: &Chart) -> RunOutput {
    RunOutput {
        title,
        property,
        initial: run.replayed.initial.clone(),
        steps: run.replayed.steps.iter().map(|it| it.step.to_string()).collect(),
        repeated_from: run.repeated_from,
        chart: drawn(chart),
    }
}

/// A chart as SVG; if it is very long, without its middle.
pub(crate) fn drawn(chart: &Chart) -> String {
    charts::draw(&short(chart)).to_string()
}

/// The same with what can happen next.
pub(crate) fn drawn_with_next(chart: &Chart, next: &Next) -> String {
    charts::draw_with_next(&short(chart), next).to_string()
}

fn short(chart: &Chart) -> Cow<'_, Chart> {
    match chart.rows.len() {
        0..=MAX_ROWS => Cow::Borrowed(chart),
        _ => Cow::Owned(fold::usual(chart, MAX_ROWS)),
    }
}

/// What each role does. Roles that are too large to be drawn are named.
///
/// # Errors
/// If the text has errors, or the flags are wrong.
pub(crate) fn roles(source: &Arc<SourceFile>, flags: &str) -> Answered {
    let scene = PlayFlags::read(flags)?.scene_of(source)?;
    let program = &*scene.program;
    let (mut pictures, mut too_large) = (Vec::new(), Vec::new());
    for (index, part) in program.parts.iter().enumerate() {
        let name = program.role_name(part.role);
        match role_graphs::role_graph(program, PartId::new(index), None) {
            Ok(graph) => {
                let picture = svg::draw(std::slice::from_ref(&graph)).to_string();
                pictures.push(json!({ "title": graph.title, "svg": picture }));
            }
            Err(role_graphs::TooLarge) => too_large.push(format!("%{name}")),
        }
    }
    Ok(json!({ "pictures": pictures, "too_large": too_large }))
}

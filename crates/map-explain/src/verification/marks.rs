//! Marks in charts: the step at which something goes wrong that the step itself does not show.

use map_render::chart::Chart;
use map_session::{Evidence, Shows, Verification};
use map_verify::ViolationKind;

/// Marks in the chart of the verdict's run where a livelock begins, and each step with which a property is violated.
pub fn mark_verdict(found: &Verification, chart: &mut Chart) {
    let Some(whole) = found.evidence() else { return };
    let livelock = found.violation().filter(|violation| violation.kind == ViolationKind::Livelock);
    if let Some(livelock) = livelock {
        chart.mark(livelock.steps as u64, "from here the good end is out of reach".to_owned());
    }
    for violated in found.properties.violated() {
        let step = match violated.evidence.shown_by(whole) {
            Some(Shows::Beginning(steps)) => steps,
            Some(Shows::Whole) => whole.replayed.steps.len(),
            None => continue,
        };
        if whole.repeated_from.is_none() {
            chart.mark(step as u64, format!("violates {}", violated.entry.name));
        }
    }
}

/// Marks in the chart of its run the step with which a property is violated; nothing if only the endless repetition
/// violates it.
pub fn mark_property(name: &str, run: Evidence<'_>, chart: &mut Chart) {
    if run.repeated_from.is_none() {
        chart.mark(run.replayed.steps.len() as u64, format!("violates {name}"));
    }
}

//! What the verdicts of several searches of one scene depend on: with several casts, or in every weather.

use map_session::{FaultSweep, Scene, Verification, WEATHERS};

use super::{DeniedFinding, assumptions, is_well, limits};
use crate::{Namer, Role, Text, bounds};

/// Below a table of casts: what the verdicts depend on, and a line that sums up. `not_reached` casts were not searched.
#[must_use]
pub fn casts_in_short(rows: &[&Verification], not_reached: usize, denied: &[DeniedFinding]) -> Text {
    let Some(first) = rows.first() else { return Text::default() };
    let Scene { source, program, .. } = &first.scene;
    let namer = Namer::new(source, program);
    let mut text = Text::plain("\n");
    aside(
        &mut text,
        format!(
            "within: {}; with each cast up to {}",
            bounds::sizes_in_short(&namer, &first.report.bounds),
            limits::words(&first.limits)
        ),
    );
    let mut assumptions = assumptions(first);
    assumptions.push(bounds::timeouts_in_words(first.report.bounds.timeouts).to_owned());
    aside(&mut text, format!("assuming: {}", assumptions.join("; ")));
    let fine = rows.iter().filter(|found| is_well(found, denied)).count();
    let all = rows.len() + not_reached;
    text.push_str(&format!(
        "{}: all is well with {fine} of {all} casts (-v shows all runs)\n",
        program.scene
    ));
    text
}

/// Below a table of weathers: what the verdicts depend on, and a line that sums up, with what shows all runs.
#[must_use]
pub fn weathers_in_short(sweep: &FaultSweep, all_runs: &str) -> Text {
    let Some((_, fair)) = sweep.rows.first() else { return Text::default() };
    let Scene { source, program, .. } = &sweep.scene;
    let namer = Namer::new(source, program);
    let mut text = Text::plain("\n");
    aside(
        &mut text,
        format!(
            "within: {}; {}; in each weather up to {}",
            bounds::cast_in_short(program),
            bounds::sizes_in_short(&namer, &fair.report.bounds),
            limits::words(&fair.limits)
        ),
    );
    let assumptions = bounds::procedures(program);
    if !assumptions.is_empty() {
        aside(&mut text, format!("assuming: {}", assumptions.join("; ")));
    }
    let fine = sweep.rows.iter().filter(|(_, found)| is_well(found, &[])).count();
    let (scene, all) = (&program.scene, WEATHERS.len());
    text.push_str(&format!("{scene}: all is well in {fine} of {all} weathers ({all_runs})\n"));
    text
}

/// Everything that the verdicts in several weathers depend on, and what the weathers mean.
#[must_use]
pub fn weathers_in_full(sweep: &FaultSweep) -> Text {
    let mut text = Text::plain("\n");
    let Some((_, fair)) = sweep.rows.first() else { return text };
    let Scene { source, program, .. } = &sweep.scene;
    let namer = Namer::new(source, program);
    for (weather, _) in &sweep.rows {
        aside(&mut text, format!("{}: {}", weather.name, weather.meaning));
    }
    aside(
        &mut text,
        "crashed agents count as ended; the good end has to be within reach without further losses and crashes"
            .to_owned(),
    );
    aside(&mut text, format!("cast: {}", bounds::cast(program)));
    aside(&mut text, format!("bounds: {}", bounds::sizes(&namer, &fair.report.bounds)));
    aside(&mut text, format!("limits of each weather: {}", limits::words(&fair.limits)));
    for assumption in bounds::procedures(program) {
        aside(&mut text, format!("assumed: {assumption}"));
    }
    text
}

fn aside(text: &mut Text, line: String) {
    text.push(Role::Aside, line);
    text.push_str("\n");
}

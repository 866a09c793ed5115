//! `map verify --with spin`: compares SPIN's verdict on the exported model with ours.

mod claims;
mod opinion;
mod session;
mod tool;

use std::time::Instant;

use map_export::{Destination, Model, Source, Wrong, export, retrace};
use map_session::Scene;
use map_verify::{Trace, Verdict, ViolationKind, replay};

use super::searched::Searched;
use super::task::Task;
use crate::commands::export::refusals;
use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
pub(super) use opinion::Opinion;
use session::Stopped;
pub(super) use tool::Spin;

/// Runs SPIN on a scene that was searched. Returns `None` if the scene cannot be exported, which has been reported, or
/// if SPIN was interrupted.
pub(super) fn ask(
    spin: &Spin,
    task: &Task<'_>,
    searched: &Searched<'_>,
    console: &mut Console,
) -> Result<Option<Opinion>, Failure> {
    let Task { interrupt, scene: Scene { source: text, program, bounds, .. }, .. } = task;
    let source = Source { name: text.name(), text: text.text(), properties: &[] };
    let model = match export(program, bounds, &source, &map_ir::Properties::default()) {
        Ok(model) => model,
        Err(found) => {
            console.set_exit(Exit::Source);
            let found: Vec<_> = found.iter().map(refusals::diagnostic).collect();
            show_diagnostics(console, text, &found)?;
            return Ok(None);
        }
    };
    // SPIN may take long, or fail: our own result is on the screen by then.
    console.flush()?;
    let started = Instant::now();
    let mut opinion = match spin.verify(&model.text, task.args.search.limits.time_limit, interrupt) {
        Ok(opinion) => opinion,
        Err(Stopped::Interrupted) => {
            console.set_exit(Exit::Interrupted);
            return Ok(None);
        }
        Err(Stopped::TimedOut) => Opinion::limited("its time was over", started.elapsed()),
        Err(Stopped::Hindered(hindrance)) => {
            hindrance.report(console)?;
            // The properties would fail in the same way.
            return Ok(Some(Opinion::limited(&hindrance.what, started.elapsed())));
        }
        Err(Stopped::Refused(what)) => {
            return Err(Failure::Internal(format!("SPIN does not accept the exported model: {what}")));
        }
    };
    opinion.retraced = retraced(&task.scene, &model, &opinion)?;
    opinion.agrees = agrees(searched, &opinion);
    opinion.properties = claims::ask(task, console)?;
    if opinion.agrees == Some(false) {
        // One of the two tools is wrong. The results are printed all the same.
        console.set_exit(Exit::Internal);
    }
    Ok(Some(opinion))
}

/// Translates SPIN's trail into steps of the dialogue and replays them; returns how many there are.
fn retraced(
    Scene { program, bounds, .. }: &Scene,
    model: &Model,
    opinion: &Opinion,
) -> Result<Option<usize>, Failure> {
    let (Some(trail), Some(&first)) = (&opinion.trail, opinion.violations.first()) else { return Ok(None) };
    let destination = match first {
        ViolationKind::Failure => Destination::Wrong(Wrong::Failure),
        ViolationKind::MailboxOverflow => Destination::Wrong(Wrong::Overflow),
        ViolationKind::RunawayRecursion => Destination::Wrong(Wrong::Runaway),
        ViolationKind::RunError => Destination::Wrong(Wrong::RunError),
        ViolationKind::Deadlock | ViolationKind::Livelock => Destination::Deadlock,
    };
    let internal = |what: &str| Failure::Internal(format!("SPIN's trail to a {}: {what}", first.words()));
    let trail_steps = model.trail_steps(trail);
    let steps = retrace(program, bounds, &trail_steps, destination)
        .ok_or_else(|| internal("it is no run of the dialogue"))?;
    let trace = Trace { steps, ..Trace::default() };
    let replayed = replay(program, bounds, &trace).map_err(|error| internal(&error.to_string()))?;
    Ok(Some(replayed.steps.len()))
}

/// Whether the two verdicts are of the same class; `None` if they cannot be compared.
fn agrees(searched: &Searched<'_>, opinion: &Opinion) -> Option<bool> {
    if opinion.limited.is_some() {
        return None;
    }
    let has = |kind: ViolationKind| opinion.violations.contains(&kind);
    match (searched.found.report.verdict, searched.found.violation()) {
        (Verdict::Inconclusive, _) => None,
        (Verdict::Terminates, _) => Some(opinion.violations.is_empty() && !opinion.infinite),
        (Verdict::TerminatesIfFair, _) => Some(opinion.violations.is_empty() && opinion.infinite),
        (Verdict::Violated(ViolationKind::Livelock), _) => Some(opinion.infinite),
        // In the model an open comparison is a step of its own, so the state is no deadlock there.
        (Verdict::Violated(ViolationKind::Deadlock), Some(violation)) if violation.possible => None,
        (Verdict::Violated(kind), _) => Some(has(kind)),
    }
}

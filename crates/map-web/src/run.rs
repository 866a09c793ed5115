//! A run at random.

use std::ops::ControlFlow;
use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_explain::transcript::Columns;
use map_explain::{Namer, Text, end_of_played, initial_lines, tell};
use map_json::choice;
use map_render::chart::Recorder;
use map_render::chart::evidence::of_run;
use map_session::Simulate;
use map_simulate::Response;
use serde_json::json;

use crate::failure::Answered;
use crate::flags::PlayFlags;
use crate::pictures::drawn;
use crate::pieces::Pieces;

/// The most steps of a run.
const MAX_STEPS: u64 = 1_000;

/// Plays a run.
///
/// # Errors
/// If the text has errors, or the flags are wrong.
pub(crate) fn run(source: &Arc<SourceFile>, flags: &str, seed: u64) -> Answered {
    let flags = PlayFlags::read(flags)?;
    let scene = flags.scene_of(source)?;
    let program = &*scene.program;
    let options = flags.odds.resolve(program, seed, MAX_STEPS);
    let options = options.map_err(crate::failure::Failure::flags)?;
    let question = Simulate::new(&scene, options);
    let mut namer = Namer::new(source, program);
    let mut said = Text::plain(initial_lines(&namer, &question.initial));
    let columns = Columns::new(&namer, 0);
    let start = map_simulate::first(program, &scene.bounds, question.initial.clone()).start;
    let mut recorder = Recorder::new(program, &start);
    let mut steps = Vec::new();
    let played = question.ask(&scene, &mut |_| Response::Chance, &mut |seen| {
        recorder.record(&seen.into());
        let told = tell(&mut namer, &seen.into());
        said.append(columns.line(&namer, seen.number, &told));
        steps.push(choice(&seen.step));
        ControlFlow::Continue(())
    });
    said.append(end_of_played(&played, &namer));
    let chart = of_run(program, &scene.bounds, recorder, &played.run, None, true);
    Ok(json!({
        "said": Pieces::from(said),
        "initial": question.initial,
        "steps": steps,
        "chart": drawn(&chart),
        "seed": seed,
    }))
}

//! `run`: plays a dialogue once.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_explain::transcript::Columns;
use map_explain::{Namer, bounds, end_of_played, initial_lines, tell};
use map_json::{RunRest, StepOutput, choice};
use map_session::{PropertySelection, Simulate, compile};
use map_simulate::Response;
use serde::Serialize;

use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::dialogue::diagnostics;
use crate::flags::{in_flags, of_run};
use crate::watch::Task;

/// # Errors
/// Why nothing is played.
pub(crate) fn run(
    source: &Arc<SourceFile>,
    given: &Arguments,
    any_seed: fn() -> u64,
    task: &Task,
) -> Result<Answer, String> {
    let flags = of_run(&given.flags)?;
    let options = flags.scene.to_options().map_err(in_flags)?;
    let compilation = compile(source, &options, PropertySelection::ALL);
    let Some(program) = &compilation.program else {
        return Err(diagnostics(source, &compilation.diagnostics));
    };
    let limits = flags.bounds.resolve(program).map_err(in_flags)?;
    let scene = compilation.scene(limits).expect("it has a program");
    let seed = flags.seed.unwrap_or_else(any_seed);
    let options = flags.odds.resolve(program, seed, flags.max_steps).map_err(in_flags)?;
    let mut namer = Namer::new(source, program);
    let mut text = diagnostics(source, &compilation.diagnostics);
    let _ = writeln!(text, "{}  {}  seed {seed}\n{}\n", source.name(), program.scene, bounds::cast(program));
    let question = Simulate::new(&scene, options);
    text.push_str(&initial_lines(&namer, &question.initial));
    let columns = Columns::new(&namer, flags.max_steps.min(9_999));
    let (mut trace, mut choices) = (Vec::new(), Vec::new());
    let played = question.ask(&scene, &mut |_| Response::Chance, &mut |seen| {
        let told = tell(&mut namer, &seen.into());
        text.push_str(&columns.line(&namer, seen.number, &told).to_string());
        if given.structured {
            choices.push(choice(&seen.step));
            trace.push(StepOutput::new(&namer, &seen.into()));
        }
        match task.ends.reason() {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    });
    text.push_str(&end_of_played(&played, &namer).to_string());
    let _ = writeln!(text, "\nbounds: {}", bounds::bounds(&namer, &scene.bounds));
    let others = given.flags.split_whitespace().collect::<Vec<_>>().join(" ");
    let again = match flags.seed {
        Some(_) => others,
        None => format!("{others} --seed {seed}").trim().to_owned(),
    };
    let _ = writeln!(text, "again: \"flags\": {}", serde_json::Value::String(again.clone()));
    let answer = Answer::told(&text);
    if !given.structured {
        return Ok(answer);
    }
    let rest = RunRest::new(&played, &namer, &flags.scene.agents, (choices, Vec::new()), again);
    Ok(answer.with(&Played { trace, rest }))
}

/// A run for programs, as `map run` prints it.
#[derive(Serialize)]
struct Played {
    trace: Vec<StepOutput>,
    #[serde(flatten)]
    rest: RunRest,
}

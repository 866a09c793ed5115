//! `run`: plays a dialogue once.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_explain::transcript::Columns;
use map_explain::{Ended, Memory, Teller, bounds, initial_lines, initial_values, tell};
use map_json::{
    BoundsOutput, Header, Origin, RunRest, StepOutput, agents_at_the_end, choice, unread_messages, yes_of,
};
use map_session::{RunJudge, Wanted, compile};
use map_simulate::{EndWord, RunEnd, drawn_initial, simulate};
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
    let compilation = compile(source, &options, Wanted::ALL);
    let Some(program) = &compilation.program else {
        return Err(diagnostics(source, &compilation.diagnostics));
    };
    let limits = flags.bounds.resolve(program).map_err(in_flags)?;
    let seed = flags.seed.unwrap_or_else(any_seed);
    let options = flags.odds.resolve(program, seed, flags.max_steps).map_err(in_flags)?;
    let mut teller = Teller::new(source, program);
    let mut text = diagnostics(source, &compilation.diagnostics);
    let _ = writeln!(text, "{}  {}  seed {seed}\n{}\n", source.name(), program.scene, bounds::cast(program));
    let initial = initial_lines(&teller, &drawn_initial(program, seed));
    if !initial.is_empty() {
        let _ = writeln!(text, "{initial}");
    }
    let columns = Columns::new(&teller, flags.max_steps.min(9_999));
    let (mut memory, mut judge) =
        (Memory::default(), RunJudge::new(program, &limits, &compilation.properties.compiled));
    let (mut trace, mut choices) = (Vec::new(), Vec::new());
    let played = simulate(program, &limits, &options, &mut |seen| {
        memory.keep(seen);
        judge.see(seen);
        let told = tell(&mut teller, &seen.into());
        text.push_str(&columns.line(&teller, seen.number, &told).to_string());
        if given.structured {
            choices.push(choice(&seen.step));
            trace.push(StepOutput::new(&teller, &seen.into()));
        }
        match task.ends.reason() {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    });
    let violated = judge.violated(&played);
    let violated: Vec<String> =
        violated.into_iter().map(|index| compilation.properties.compiled.list[index].name.clone()).collect();
    if played.steps > 0 {
        text.push('\n');
    }
    text.push_str(&Ended { bounds: &limits, run: &played, memory: &memory }.text(&teller).to_string());
    for name in &violated {
        let _ = writeln!(text, "property {name}  violated by this run");
    }
    let _ = writeln!(text, "\nbounds: {}", bounds::bounds(&teller, &limits));
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
    let cut_by = match played.end {
        RunEnd::Cut(bound) => Some(bound.into()),
        _ => None,
    };
    let rest = RunRest {
        header: Header::new("run"),
        origin: Origin::new(source, program, &flags.scene.agents),
        seed: seed.into(),
        yes: options.yes,
        yes_of: yes_of(program, &options),
        verdict: EndWord::of(&played).into(),
        cut_by,
        violated,
        steps: played.steps,
        max_steps: flags.max_steps,
        initial: initial_values(&teller, &played.initial),
        choices,
        values: Vec::new(),
        unanswered: None,
        agents: agents_at_the_end(&teller, &played),
        unread: unread_messages(program, &played),
        bounds: BoundsOutput::new(program, &limits),
        repeat: again,
    };
    Ok(answer.with(&Played { trace, rest }))
}

/// A run for programs, as `map run` prints it.
#[derive(Serialize)]
struct Played {
    trace: Vec<StepOutput>,
    #[serde(flatten)]
    rest: RunRest,
}

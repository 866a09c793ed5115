//! `map run`: one dialogue, told step by step.

mod ending;
mod output;
mod repeat;

use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::ops::ControlFlow;

use map_ir::{AgentId, PointId, Program};
use map_semantics::{AgentState, Bounds, Ending, Event, Observed, SceneStep, Status, Step, StepError};
use map_simulate::{Run, RunEnd, SimulatedStep, SimulationOptions, simulate};

use super::{Failure, show_diagnostics};
use crate::args::{BoundArgs, Format, SceneArgs, parse_yes};
use crate::bounds;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Loaded, load};
use crate::interrupt::Interrupt;
use crate::json::{self, Header, Rejected, StepOutput};
use crate::story::transcript::Columns;
use crate::story::{Seen, Teller, style, tell};

/// Default of `--max-steps`.
const MAX_STEPS: u64 = 10_000;

/// Default of `--yes`.
const YES: f64 = 0.5;

/// Plays the dialogue once, choosing at random
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  map run auction.map
  map run auction.map --seed 7                     the same run again
  map run auction.map --agents bidder=5 --yes 0.9  five bidders who seldom decline

What procedures answer is written procedure#1, procedure#2 and so on.
Exit code: 0 when all agents have ended well, 1 when the run ended in a violation, 3 with errors in the file,
4 when a bound or --max-steps ended it.")]
pub(crate) struct Args {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    file: String,

    #[command(flatten)]
    scene: SceneArgs,

    #[command(flatten)]
    bounds: BoundArgs,

    /// Determines the run; without it one is chosen and printed
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// The probability that a decision does not say no
    #[arg(long, value_name = "P", default_value_t = YES, value_parser = parse_yes)]
    yes: f64,

    /// The run ends after so many steps
    #[arg(long, value_name = "N", default_value_t = MAX_STEPS)]
    max_steps: u64,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The last step of an agent, kept to explain how it ended.
struct Kept {
    step: Step,
    place: PointId,
    before: AgentState,
    observed: Observed,
}

/// What is kept of the steps.
struct Memory {
    /// The last step of all.
    last: Option<Kept>,
    /// The steps in which agents failed.
    failures: Vec<(AgentId, Vec<Event>)>,
}

/// Everything there is to say about a run, once it has ended.
struct Report<'a> {
    args: &'a Args,
    loaded: &'a Loaded,
    program: &'a Program,
    bounds: &'a Bounds,
    seed: u64,
    run: Run,
    memory: Memory,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let options = args.scene.to_options().map_err(|what| Failure::Usage("run", what))?;
    let loaded = load(&args.file, &options);
    let Some(program) = &loaded.program else {
        console.set_exit(Exit::Source);
        match args.format {
            Format::Text => show_diagnostics(console, &loaded.source, &loaded.diagnostics)?,
            Format::Json => console.print(&json::to_text(&Rejected::new("run", &loaded))?)?,
        }
        return Ok(());
    };
    if args.format == Format::Text {
        show_diagnostics(console, &loaded.source, &loaded.diagnostics)?;
    }
    let bounds = bounds::resolve(&args.bounds, program).map_err(|what| Failure::Usage("run", what))?;
    let seed = args.seed.unwrap_or_else(any_seed);
    let interrupt = Interrupt::install();
    let mut teller = Teller::new(&loaded.source, program);
    match args.format {
        Format::Text => {
            console.print(&header(&teller, program, seed))?;
            let columns = Columns::new(&teller, args.max_steps.min(9_999));
            let mut print = |seen: &SimulatedStep<'_>| {
                let told = tell(&mut teller, &as_seen(seen));
                console.print(&columns.line(&teller, seen.number, &told))
            };
            let report = play(args, &loaded, program, &bounds, seed, &interrupt, &mut print)?;
            console.set_exit(report.verdict().1);
            console.print(&report.text(&teller))?;
        }
        Format::Json => {
            let mut trace = Vec::new();
            let mut choices = Vec::new();
            let mut keep = |seen: &SimulatedStep<'_>| {
                teller.learn(&seen.observed.outcome);
                trace.push(StepOutput::new(&teller, &as_seen(seen)));
                choices.push(json::choice(&seen.step));
                Ok(())
            };
            let report = play(args, &loaded, program, &bounds, seed, &interrupt, &mut keep)?;
            console.set_exit(report.verdict().1);
            let output = report.output(&teller, Header::new("run"), trace, choices);
            console.print(&json::to_text(&output)?)?;
        }
    }
    Ok(())
}

fn play<'a>(
    args: &'a Args,
    loaded: &'a Loaded,
    program: &'a Program,
    bounds: &'a Bounds,
    seed: u64,
    interrupt: &Interrupt,
    each: &mut dyn FnMut(&SimulatedStep<'_>) -> io::Result<()>,
) -> Result<Report<'a>, Failure> {
    let options = SimulationOptions { seed, yes: args.yes, yes_of: Vec::new(), max_steps: args.max_steps };
    let mut memory = Memory { last: None, failures: Vec::new() };
    let mut broken = None;
    let run = simulate(program, bounds, &options, &mut |seen| {
        memory.keep(seen);
        if let Err(error) = each(seen) {
            broken = Some(error);
            return ControlFlow::Break(());
        }
        if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match broken {
        Some(error) => Err(Failure::Output(error)),
        None => Ok(Report { args, loaded, program, bounds, seed, run, memory }),
    }
}

impl Memory {
    fn keep(&mut self, seen: &SimulatedStep<'_>) {
        let outcome = &seen.observed.outcome;
        if let Ending::State(next) = &outcome.ending
            && next.status == Status::Failed
        {
            self.failures.push((seen.step.agent, outcome.events.clone()));
        }
        // Only a step that goes wrong is explained as a whole, and it is the last.
        if matches!(seen.observed.result, SceneStep::Wrong(_)) {
            self.last = Some(Kept {
                step: seen.step.clone(),
                place: seen.place,
                before: seen.before.clone(),
                observed: seen.observed.clone(),
            });
        }
    }
}

impl Kept {
    fn seen(&self) -> Seen<'_> {
        Seen { step: &self.step, place: self.place, before: &self.before, observed: &self.observed }
    }
}

impl Report<'_> {
    /// The word for how the run ended, and the exit code.
    fn verdict(&self) -> (&'static str, Exit) {
        match self.run.end {
            RunEnd::Stopped => ("interrupted", Exit::Interrupted),
            // An agent that has failed is what counts, whatever the others came to afterwards.
            _ if self.run.some_failed() => ("failure", Exit::Violation),
            RunEnd::Ended => ("done", Exit::Fine),
            RunEnd::NothingMoves => ("deadlock", Exit::Violation),
            RunEnd::Wrong(_, StepError::Overflow(_)) => ("mailbox overflow", Exit::Violation),
            RunEnd::Wrong(_, StepError::Runaway(_)) => ("runaway recursion", Exit::Violation),
            RunEnd::Wrong(_, StepError::RunError(_)) => ("run error", Exit::Violation),
            RunEnd::Cut(_) => ("cut", Exit::Inconclusive),
            RunEnd::AskedInVain => ("asked in vain", Exit::Inconclusive),
            RunEnd::MaxSteps => ("too many steps", Exit::Inconclusive),
            RunEnd::TooLong(..) => ("too many calls", Exit::Inconclusive),
        }
    }
}

fn as_seen<'s>(seen: &'s SimulatedStep<'_>) -> Seen<'s> {
    Seen { step: &seen.step, place: seen.place, before: seen.before, observed: seen.observed }
}

fn header(teller: &Teller<'_>, program: &Program, seed: u64) -> String {
    let scene = style::head(&program.scene);
    let cast = crate::story::bounds::cast(program);
    format!("{}  {scene}  seed {seed}\n{}\n\n", teller.source.name(), style::aside(cast))
}

/// A seed that nobody chose: short enough to be typed.
fn any_seed() -> u64 {
    let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
    random & 0xffff_ffff
}

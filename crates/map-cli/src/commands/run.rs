//! `map run`: simulates one run and narrates it step by step, or gathers the statistics of many.

mod answers;
mod many;
mod repeat;
mod rows;
mod sweep;
#[cfg(feature = "cluster")]
mod together;
#[cfg(not(feature = "cluster"))]
#[path = "run/alone.rs"]
mod together;

use std::cell::RefCell;
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use map_doors::{IdlePrograms, RunOfMany};
use map_explain::transcript::Columns;
use map_explain::{Namer, end_of_played, initial_lines, tell};
use map_ir::Program;
use map_render::chart::Recorder;
use map_render::chart::evidence::of_run;
use map_semantics::Question;
use map_session::{PlayedRun, PropertySelection, Scene, Simulate};
use map_simulate::{EndWord, Response, SimulatedStep, SimulationOptions, first};

use crate::args::Format;
use crate::chart::{self, ChartArg};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, is_closed_pipe};
use crate::files::{check_targets, write_besides};
use crate::input::{Loader, program_of};
use crate::interrupt::Interrupt;
use crate::json::{self, RejectedOutput, RunLog, RunRest, StepOutput};
use crate::outside::{Deciders, Outside};
use crate::style;
use crate::trace::{FLAG, NewTrace, SaveArgs, save, to_text};
use map_flags::{BoundArgs, OddsArgs, SceneArgs};

/// Default of `--max-steps`.
const MAX_STEPS: u64 = 10_000;

/// Plays the dialogue once, choosing at random; with --runs many times
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
What procedures answer is written procedure#1, procedure#2 and so on.

Properties of the file that a run violates are named; of many runs they are counted.

Exit code: 0 when all agents have ended well, 1 when the run ended in a violation, or violates a
property under --deny violated, 3 with errors in the file, 4 when a bound or --max-steps ended it,
75 when a process of several was lost. Of many runs 1 counts before 4, and 4 before 0.

Examples:
  map run auction.map
  map run auction.map --seed 7                     the same run again
  map run auction.map --seed 7 --chart             who says what to whom
  map run auction.map --agents bidder=5 --yes 0.9  five bidders who seldom decline
  map run auction.map --yes 0.9,keepBidding=0.2    all but one decision
  map run auction.map --runs 10000 --seed 1        how often it ends in which way
  map run auction.map --runs 10000 --deny violated  exits with 1 if a run violates a property
  map run auction.map --runs 10000 --collect '!Auctioneer sends bid($price) to _'   the last price
  map run auction.map --runs 10000 --processes 2   the same by two processes
  map run auction.map --runs 200 --sweep bidder=2..5     with each of these numbers of bidders
  map run auction.map --procedures 'python3 traders.py'   a program decides
  map run auction.map --ask '!Bidder'              you decide for one of the agents")]
pub(crate) struct Args {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten, next_help_heading = "Scene")]
    scene: SceneArgs,

    #[command(flatten, next_help_heading = "Bounds")]
    bounds: BoundArgs,

    /// Determines the run; without it one is chosen and printed
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    #[command(flatten)]
    odds: OddsArgs,

    #[command(flatten)]
    answers: answers::AnswerArgs,

    /// End the run after that many steps
    #[arg(long, value_name = "N", default_value_t = MAX_STEPS)]
    max_steps: u64,

    #[command(flatten)]
    many: many::ManyArgs,

    #[command(flatten)]
    save: SaveArgs,

    /// Exit with 1 for this, too
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Denied>,

    /// Write the messages into a log that map conform reads; procedures without a body answer numbers
    #[arg(long, value_name = "FILE", conflicts_with = "runs")]
    log: Option<PathBuf>,

    /// Draw the run as a chart below its story; auto draws those that are not too long
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true, conflicts_with = "runs")]
    #[arg(default_value_t = ChartArg::Never, default_missing_value = "always")]
    chart: ChartArg,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// `--deny`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Denied {
    /// A run that violates a property of the file
    Violated,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let written = [
        (FLAG, &args.save.save_trace),
        ("--log", &args.log),
        ("--csv", &args.many.csv),
        ("--svg", &args.many.svg),
    ];
    check_targets(&written, &inputs(args)).map_err(|what| Failure::Usage("run", what))?;
    if !args.many.sweep.is_empty() {
        return sweep::run(args, console);
    }
    let seed = args.seed.unwrap_or_else(any_seed);
    let Prepared { scene, options, deciders } =
        prepare(args, &Loader::new(&args.file), seed, Says::Warnings, console)?;
    if args.many.runs.is_some() {
        return many::run(args, &scene, options, &deciders, console);
    }
    let program = &scene.program;
    let interrupt = Interrupt::install();
    let namer = RefCell::new(Namer::new(&scene.source, program));
    let (idle, run) = (IdlePrograms::default(), RunOfMany { number: 0, seed, runs: 1 });
    let mut outside = Outside::new(&namer, &interrupt, &deciders, run, true, &idle);
    let network = scene.bounds.network;
    let log = RefCell::new(args.log.is_some().then(|| RunLog::new(&program.scene, network, &options)));
    if args.format == Format::Text {
        console.print_wrapped(&header(&namer.borrow(), program, seed))?;
    }
    let mut question = Simulate::new(&scene, options.clone());
    question.initial = outside.first_values(question.initial);
    let play = Play { question, scene: &scene, log: &log };
    let mut choices = Vec::new();
    match args.format {
        Format::Text => {
            let initial = &play.question.initial;
            console.print_wrapped(&initial_lines(&namer.borrow(), initial))?;
            let columns = Columns::new(&namer.borrow(), args.max_steps.min(9_999));
            let start = first(program, &scene.bounds, initial.clone()).start;
            let mut recorder = Recorder::new(program, &start);
            let played = play.ask(outside, &mut |seen| {
                let told = tell(&mut namer.borrow_mut(), &seen.into());
                log.borrow_mut().iter_mut().for_each(|log| log.add(&namer.borrow(), seen));
                if args.chart != ChartArg::Never {
                    recorder.know(&namer.borrow().names.foreign);
                    recorder.record(&seen.into());
                }
                if args.save.save_trace.is_some() {
                    choices.push(json::choice(&seen.step));
                }
                console.print_wrapped(&style::text(&columns.line(&namer.borrow(), seen.number, &told)))
            })?;
            console.set_exit(args.exit_of(&played));
            console.print_wrapped(&args.text(&played, &namer.borrow(), recorder))?;
            args.save(&played, &namer.borrow(), choices, console)?;
        }
        Format::Json => {
            let mut stream = json::Stream::default();
            console.print(&json::Stream::open("trace"))?;
            let played = play.ask(outside, &mut |seen| {
                namer.borrow_mut().learn(&seen.observed.outcome);
                log.borrow_mut().iter_mut().for_each(|log| log.add(&namer.borrow(), seen));
                choices.push(json::choice(&seen.step));
                let step = StepOutput::new(&namer.borrow(), &seen.into());
                console.print(&stream.element(&step)?)
            })?;
            console.set_exit(args.exit_of(&played));
            let (namer, again) = (&*namer.borrow(), repeat::one(args, seed));
            let steps = (choices.clone(), values(&played, namer));
            let rest = RunRest::new(&played, namer, &args.scene.agents, steps, again);
            console.print(&stream.close(&rest)?)?;
            args.save(&played, namer, choices, console)?;
        }
    }
    if let (Some(path), Some(log)) = (&args.log, log.into_inner()) {
        write_besides("the log", path, &log.finish(), console)?;
    }
    Ok(())
}

/// What the flags ask to be played.
struct Prepared {
    scene: Scene,
    options: SimulationOptions,
    deciders: Deciders,
}

/// What is told of a text that can be played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    Warnings,
    Nothing,
}

/// Compiles the text.
fn prepare(
    args: &Args,
    file: &Loader,
    seed: u64,
    says: Says,
    console: &mut Console,
) -> Result<Prepared, Failure> {
    let checked = args.scene.to_options().map_err(|what| Failure::Usage("run", what))?;
    let wanted = PropertySelection::Properties { only: &[], given: &[], collect: args.many.collected() };
    let loaded = file.load(&checked, wanted);
    let program = match &loaded.program {
        Some(program) if args.format == Format::Json || says == Says::Nothing => Arc::clone(program),
        None if args.format == Format::Json => {
            let rejected = RejectedOutput::new("run", &loaded.source, &loaded.diagnostics);
            console.print(&json::to_text(&rejected)?)?;
            return Err(Failure::Told(Exit::Source));
        }
        _ => program_of(&loaded, console)?,
    };
    if !loaded.properties.measures.refused.is_empty() {
        return Err(Failure::Refused(loaded.properties.measures.refused.clone()));
    }
    let usage = |what| Failure::Usage("run", what);
    let bounds = args.bounds.resolve(&program).map_err(usage)?;
    let options = args.odds.resolve(&program, seed, args.max_steps).map_err(usage)?;
    let deciders = args.answers.resolve(&program, &args.file, args.many.runs.is_some()).map_err(usage)?;
    let scene = loaded.scene(bounds).expect("it has a program");
    Ok(Prepared { scene, options, deciders })
}

/// The files that are read: the dialogue, and what of the command that answers is one.
fn inputs(args: &Args) -> Vec<PathBuf> {
    let words = args.answers.procedures.as_deref().and_then(shlex::split).unwrap_or_default();
    words.into_iter().map(PathBuf::from).chain([args.file.clone()]).collect()
}

/// A run that is to be played, and its log.
struct Play<'a, 'l> {
    question: Simulate,
    scene: &'a Scene,
    log: &'a RefCell<Option<RunLog<'l>>>,
}

impl Play<'_, '_> {
    /// Whether a truth answers the question.
    fn knows(&self, question: &Question<'_>) -> bool {
        self.question.options.truthful && self.scene.program.truth(question.procedure).is_some()
    }

    /// Plays the run until it ends, is interrupted, or `each` step cannot be printed.
    fn ask(
        &self,
        mut outside: Outside<'_, '_>,
        each: &mut dyn FnMut(&SimulatedStep<'_>) -> io::Result<()>,
    ) -> Result<PlayedRun, Failure> {
        let mut broken = None;
        let interrupt = outside.interrupt;
        let mut respond =
            |question: &Question<'_>| match (outside.respond(question), &mut *self.log.borrow_mut()) {
                (Response::Chance, Some(log)) if question.domain.is_none() && !self.knows(question) => {
                    log.answer(question)
                }
                (response, _) => response,
            };
        let mut played = self.question.ask(self.scene, &mut respond, &mut |seen| {
            match each(seen) {
                // How the run ends is known all the same, if it ends soon.
                Err(error) if is_closed_pipe(&error) && seen.number < MAX_STEPS => {}
                Err(error) => {
                    broken = Some(error);
                    return ControlFlow::Break(());
                }
                Ok(()) => {}
            }
            if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        played.memory.unanswered = outside.end();
        broken.map_or(Ok(played), |error| Err(Failure::Output(error)))
    }
}

/// The values that programs and people answered, as in traces.
fn values(played: &PlayedRun, namer: &Namer<'_>) -> Vec<String> {
    played.run.values.iter().map(|&value| to_text(namer, value)).collect()
}

impl Args {
    /// The exit code for so many violated properties.
    fn exit_of_violations(&self, violated: usize) -> Exit {
        match self.deny {
            Some(Denied::Violated) if violated > 0 => Exit::Violation,
            _ => Exit::Fine,
        }
    }

    fn exit_of(&self, played: &PlayedRun) -> Exit {
        Exit::of_run(EndWord::of(&played.run)).and(self.exit_of_violations(played.violated.len()))
    }

    /// Saves the trace if `--save-trace` is given.
    fn save(
        &self,
        played: &PlayedRun,
        namer: &Namer<'_>,
        choices: Vec<String>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let Some(target) = &self.save.save_trace else { return Ok(()) };
        let Scene { source, program, bounds, .. } = &played.scene;
        let saved = NewTrace {
            command: "run",
            source,
            program,
            bounds,
            cast: self.scene.agents.as_slice(),
            verdict: EndWord::of(&played.run).word(),
            initial: &played.run.initial,
            choices,
            repeated_from: None,
            values: values(played, namer),
        };
        save(saved, target, console).map(|_| ())
    }

    /// The text after the last step: how the run ended, its chart, its bounds, and how to repeat it.
    fn text(&self, played: &PlayedRun, namer: &Namer<'_>, recorder: Recorder<'_>) -> String {
        let PlayedRun { scene: Scene { program, bounds, .. }, options, run, .. } = played;
        let mut text = style::text(&end_of_played(played, namer));
        if self.chart != ChartArg::Never {
            let chart = of_run(program, bounds, recorder, run, None, false);
            text.push_str(&chart::paragraph(&self.chart.drawing(false).below(&chart)));
        }
        let bounds = map_explain::bounds::bounds(namer, bounds);
        let _ = writeln!(text, "\n{}", style::aside(format!("bounds: {bounds}")));
        let again = repeat::one(self, options.seed);
        let _ = writeln!(text, "{} {again}", style::aside("again:"));
        text
    }
}

fn header(namer: &Namer<'_>, program: &Program, seed: u64) -> String {
    let scene = style::head(&program.scene);
    let cast = map_explain::bounds::cast(program);
    format!("{}  {scene}  seed {seed}\n{}\n\n", namer.source.name(), style::aside(cast))
}

/// A random seed of 32 bits, short enough to type.
pub(in crate::commands) fn any_seed() -> u64 {
    let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
    random & 0xffff_ffff
}

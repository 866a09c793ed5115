//! `map run --runs N`: the statistics of many runs.

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, PoisonError};

use clap::ValueEnum;
use map_doors::{IdlePrograms, RunOfMany};
use map_explain::Namer;
use map_explain::many_runs::{Again, in_words};
use map_flags::SweepArg;
use map_ir::Value;
use map_render::plot::{self, Pairs, Plot};
use map_semantics::Question;
use map_session::{Collect, ManyRuns, Scene, Simulate};
use map_simulate::{
    CollectedValue, JudgedRun, Play, RunSource, Runs, SimulationOptions, Statistics, statistics,
    statistics_of,
};

use super::repeat;
use super::rows::Rows;
use super::together::{self, Member, TogetherArgs};
use crate::args::Format;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::write_besides;
use crate::interrupt::Interrupt;
use crate::json::{self, StatisticsOutput};
use crate::outside::{Deciders, Outside};
use crate::progress::while_counting;
use crate::style;
use crate::threads;

/// Flags for many runs.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct ManyArgs {
    /// Play it that many times, and count how the runs end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "save_trace")]
    pub(super) runs: Option<u64>,

    /// How many threads share the runs, at most 256; all cores if not given. The result does not depend on it
    #[arg(long, value_name = "N", requires = "runs")]
    threads: Option<NonZeroUsize>,

    /// Collect a value of each run: a cell !Name@cell, count(..), an expression, or the variables of an event
    ///
    /// '!Auctioneer@price' and 'count(_ sends bid(_) to _)' are read when a run ends, and so is any expression as
    /// behind 'measure NAME ='. '!Auctioneer sends sold($winner, $price) to _' gives the values that the variables had
    /// when that happened last. The costs and measures of the file are collected anyway. May be repeated.
    #[arg(long, value_name = "WHAT", requires = "runs", allow_hyphen_values = true)]
    pub(super) collect: Vec<String>,

    /// Collect nothing but what --collect says: not the costs and measures of the file
    #[arg(long, requires = "runs")]
    pub(super) no_collect: bool,

    /// Write a line for each run: its number, seed and end, and what was collected of it
    #[arg(long, value_name = "FILE", requires = "runs")]
    pub(super) csv: Option<PathBuf>,

    /// Make the runs with each of several values of another flag, such as bidder=2..10; may be given twice
    ///
    /// Takes what --agents, --set and --yes take, as in bidder=2,4,8, '%auctioneer@reserve=0..5' or
    /// 'keepBidding=0..1 by 0.25'; and yes, loss and crash, as in loss=0,0.1. Each point is what the command without
    /// --sweep gives: run i has the same seed at each. At most 1,000 points.
    #[arg(long, value_name = "WHAT=VALUES", requires = "runs", value_parser = map_flags::parse_sweep)]
    pub(super) sweep: Vec<SweepArg>,

    /// Draw what was collected: the distribution of each measure or, with --sweep, its mean along the sweep
    #[arg(long, value_name = "FILE", requires = "runs")]
    pub(super) svg: Option<PathBuf>,

    /// What --svg draws of each measure; scatter draws the first two measures of each run
    #[arg(long, value_enum, value_name = "KIND", requires = "svg", conflicts_with = "sweep")]
    plot: Option<PlotArg>,

    #[command(flatten, next_help_heading = "Several processes")]
    pub(super) together: TogetherArgs,
}

impl ManyArgs {
    /// What is collected of each run.
    pub(super) fn collected(&self) -> Collect<'_> {
        Collect { given: &self.collect, declared: self.runs.is_some() && !self.no_collect }
    }
}

/// `--plot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlotArg {
    /// Bars: how many runs have each value
    Histogram,
    /// The distribution function: the share of the runs with at most each value
    Ecdf,
    /// Dots: the second measure by the first
    Scatter,
}

pub(super) fn run(
    args: &super::Args,
    scene: &Scene,
    options: SimulationOptions,
    deciders: &Deciders,
    console: &mut Console,
) -> Result<(), Failure> {
    let runs = args.many.runs.unwrap_or(1);
    let member = together::member(args, options.seed).map_err(|what| Failure::Usage("run", what))?;
    let prints = member.as_ref().is_none_or(together::prints);
    let making = Making::new(args, console)?;
    let columns = measure_names(scene);
    let rows = args.many.csv.is_some().then(|| Rows::new(scene, &columns, &columns));
    let pairs = match args.many.plot {
        Some(PlotArg::Scatter) if member.is_some() => {
            let what = "--plot scatter is drawn by a single process: leave out --processes and --hosts";
            return Err(Failure::Usage("run", what.to_owned()));
        }
        Some(PlotArg::Scatter) => Some(Mutex::new(pairs_of(scene)?)),
        _ => None,
    };
    let batch =
        Batch { args, scene, options: &options, deciders, rows: rows.as_ref(), pairs: pairs.as_ref() };
    let visible = prints && args.format == Format::Text && Console::err_is_terminal();
    let name = scene.source.name();
    let found = while_counting(name, runs, &making.done, visible, || making.make(&batch, member))?;
    set_exit(args, &found, console);
    if !prints {
        return Ok(());
    }
    let (one, all) = (|seed| repeat::one(args, seed), repeat::many(args, runs, options.seed));
    let played = ManyRuns { scene: scene.clone(), options, wanted: runs, statistics: found };
    let text = match args.format {
        Format::Text => style::text(&in_words(&played, &Again { one: &one, all: &all })),
        Format::Json => json::to_text(&StatisticsOutput::new(&played, &one, all))?,
    };
    console.print_wrapped(&text)?;
    if let (Some(rows), Some(target)) = (rows, &args.many.csv) {
        write_besides("the table of runs", target, &rows.text(), console)?;
    }
    if let Some(target) = &args.many.svg {
        let pairs = pairs.map(|pairs| pairs.into_inner().unwrap_or_else(PoisonError::into_inner));
        let drawn = match (args.many.plot, &pairs) {
            (Some(PlotArg::Scatter), Some(pairs)) => plot::of_pairs(&played, pairs),
            (Some(PlotArg::Histogram), _) => plot::of_runs(&played, Plot::Histogram),
            (Some(PlotArg::Ecdf), _) => plot::of_runs(&played, Plot::Ecdf),
            _ => plot::of_runs(&played, Plot::Usual),
        };
        write_besides("the plot", target, &format!("{drawn}\n"), console)?;
    }
    Ok(())
}

/// The names of what is collected of the runs of a scene.
pub(super) fn measure_names(scene: &Scene) -> Vec<String> {
    scene.properties.measures.compiled.list.iter().map(|measure| measure.name.clone()).collect()
}

/// No pairs yet, of the first two measures.
fn pairs_of(scene: &Scene) -> Result<Pairs, Failure> {
    match scene.properties.measures.compiled.list.as_slice() {
        [across, up, ..] => Ok(Pairs { names: (across.name.clone(), up.name.clone()), ..Pairs::default() }),
        _ => {
            let what = "--plot scatter needs two measures: give two with --collect";
            Err(Failure::Usage("run", what.to_owned()))
        }
    }
}

/// Sets the exit code to what came of the runs.
pub(super) fn set_exit(args: &super::Args, found: &Statistics, console: &mut Console) {
    if found.runs < args.many.runs.unwrap_or(1) {
        console.set_exit(Exit::Interrupted);
    }
    for &end in found.ends.keys() {
        console.set_exit(Exit::of_run(end));
    }
    console.set_exit(args.exit_of_violations(found.violations.len()));
}

/// Runs of one scene.
pub(super) struct Batch<'a> {
    pub(super) args: &'a super::Args,
    pub(super) scene: &'a Scene,
    pub(super) options: &'a SimulationOptions,
    pub(super) deciders: &'a Deciders,
    /// Where each run leaves a line.
    pub(super) rows: Option<&'a Rows>,
    /// Where each run leaves its first two measures.
    pub(super) pairs: Option<&'a Mutex<Pairs>>,
}

/// The means to make runs.
pub(super) struct Making {
    threads: usize,
    pub(super) interrupt: Interrupt,
    /// How many runs were made.
    pub(super) done: AtomicU64,
}

impl Making {
    pub(super) fn new(args: &super::Args, console: &mut Console) -> Result<Self, Failure> {
        threads::warn(args.many.threads, console)?;
        let threads = threads::number(args.many.threads).get();
        Ok(Self { threads, interrupt: Interrupt::install(), done: AtomicU64::new(0) })
    }

    /// Makes the runs, alone or with other processes; fewer if it is interrupted.
    pub(super) fn make(&self, batch: &Batch<'_>, member: Option<Member>) -> Result<Statistics, Failure> {
        let Batch { args, scene, options, deciders, rows, pairs } = *batch;
        let Self { threads, interrupt, done } = self;
        let Scene { source, program, properties, bounds } = scene;
        let idle = IdlePrograms::default();
        let play: &Play<'_> = &|number, own, observer| {
            let namer = RefCell::new(Namer::new(source, program));
            // The standard error of many programs at once would be useless; a single run shows it.
            let run = RunOfMany { number, seed: own.seed, runs: args.many.runs.unwrap_or(1) };
            let mut outside = Outside::new(&namer, interrupt, deciders, run, false, &idle);
            let mut respond = |question: &Question<'_>| outside.respond(question);
            let question = Simulate::new(scene, own.clone());
            let played = question.ask(scene, &mut respond, &mut |seen| {
                namer.borrow_mut().learn(&seen.observed.outcome);
                observer(seen)
            });
            let collected = played.collected.iter().map(|&value| Some(collected(&namer.borrow(), value?)));
            let judged =
                JudgedRun { collected: collected.collect(), violated: played.violated, run: played.run };
            if let Some(rows) = rows {
                rows.add((number, own.seed), &judged);
            }
            if let (
                Some(pairs),
                [Some(CollectedValue::Integer(across)), Some(CollectedValue::Integer(up)), ..],
            ) = (pairs, judged.collected.as_slice())
            {
                let mut pairs = pairs.lock().unwrap_or_else(PoisonError::into_inner);
                *pairs.runs.entry((*across, *up)).or_default() += 1;
            }
            judged
        };
        let measures = properties.measures.compiled.list.len();
        let is_plain =
            deciders.is_chance() && properties.compiled.list.is_empty() && measures == 0 && rows.is_none();
        let play = RunSource { measures, play };
        let work = |runs: Runs, stop: &AtomicBool, done: &AtomicU64| match is_plain {
            true => statistics(program, bounds, options, runs, *threads, stop, done),
            false => statistics_of(program, options, runs, *threads, stop, done, &play),
        };
        match member {
            None => Ok(work(Runs::all(args.many.runs.unwrap_or(1)), interrupt.flag(), done)),
            Some(member) => together::share(member, (args, scene, options), (interrupt, done), &work),
        }
    }
}

/// A collected value, as it is written.
fn collected(namer: &Namer<'_>, value: Value) -> CollectedValue {
    match value {
        Value::Integer(number) => CollectedValue::Integer(number),
        Value::Abstract(_) | Value::Fresh(_) => CollectedValue::Unknown,
        _ => CollectedValue::Word(namer.value(value)),
    }
}

//! `map run --runs N`: the statistics of many runs.

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64};

use map_explain::Namer;
use map_explain::many_runs::{Again, in_words};
use map_ir::Value;
use map_semantics::Question;
use map_session::{ManyRuns, Scene, Simulate};
use map_simulate::{
    CollectedValue, JudgedRun, Play, RunSource, Runs, SimulationOptions, statistics, statistics_of,
};

use super::repeat;
use super::rows::Rows;
use super::together::{self, TogetherArgs};
use crate::args::Format;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{check_target, write_besides};
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

    /// Collect a value of each run: a cell !Name@cell, count(..), total(..), or the variables of an event
    ///
    /// '!Auctioneer@price' and 'count(_ sends bid(_) to _)' are read when a run ends. '!Auctioneer sends sold($winner,
    /// $price) to _' gives the values that the variables had when that happened last. May be repeated.
    #[arg(long, value_name = "WHAT", requires = "runs", allow_hyphen_values = true)]
    pub(super) collect: Vec<String>,

    /// Write a line for each run: its number, seed and end, and what was collected of it
    #[arg(long, value_name = "FILE", requires = "runs")]
    pub(super) csv: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Several processes")]
    pub(super) together: TogetherArgs,
}

pub(super) fn run(
    args: &super::Args,
    scene: &Scene,
    options: SimulationOptions,
    deciders: &Deciders,
    console: &mut Console,
) -> Result<(), Failure> {
    let Scene { source, program, properties, bounds } = scene;
    if let Some(target) = &args.many.csv {
        check_target("--csv", target, super::inputs(args)).map_err(|what| Failure::Usage("run", what))?;
    }
    let runs = args.many.runs.unwrap_or(1);
    threads::warn(args.many.threads, console)?;
    let threads = threads::number(args.many.threads).get();
    let member = together::member(args, options.seed).map_err(|what| Failure::Usage("run", what))?;
    let interrupt = Interrupt::install();
    let rows = args.many.csv.is_some().then(|| Rows::new(scene));
    let play: &Play<'_> = &|number, own, observer| {
        let namer = RefCell::new(Namer::new(source, program));
        // The standard error of many programs at once would be useless; a single run shows it.
        let mut outside = Outside::new(&namer, &interrupt, deciders, own.seed, false);
        let mut respond = |question: &Question<'_>| outside.respond(question);
        let question = Simulate::new(scene, own.clone());
        let played = question.ask(scene, &mut respond, &mut |seen| {
            namer.borrow_mut().learn(&seen.observed.outcome);
            observer(seen)
        });
        let collected = played.collected.iter().map(|&value| Some(collected(&namer.borrow(), value?)));
        let judged = JudgedRun { collected: collected.collect(), violated: played.violated, run: played.run };
        if let Some(rows) = &rows {
            rows.add((number, own.seed), &judged);
        }
        judged
    };
    let measures = properties.measures.compiled.list.len();
    let is_plain =
        deciders.is_chance() && properties.compiled.list.is_empty() && measures == 0 && rows.is_none();
    let play = RunSource { measures, play };
    let work = |runs: Runs, stop: &AtomicBool, done: &AtomicU64| match is_plain {
        true => statistics(program, bounds, &options, runs, threads, stop, done),
        false => statistics_of(program, &options, runs, threads, stop, done, &play),
    };
    let prints = member.as_ref().is_none_or(together::prints);
    let done = AtomicU64::new(0);
    let visible = prints && args.format == Format::Text && Console::err_is_terminal();
    let found = while_counting(source.name(), runs, &done, visible, || match member {
        None => Ok::<_, Failure>(work(Runs::all(runs), interrupt.flag(), &done)),
        Some(member) => together::share(member, (args, scene, &options), (&interrupt, &done), &work),
    })?;
    if found.runs < runs {
        console.set_exit(Exit::Interrupted);
    }
    for &end in found.ends.keys() {
        console.set_exit(Exit::of_run(end));
    }
    console.set_exit(args.exit_of_violations(found.violations.len()));
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
    Ok(())
}

/// A collected value, as it is written.
fn collected(namer: &Namer<'_>, value: Value) -> CollectedValue {
    match value {
        Value::Integer(number) => CollectedValue::Integer(number),
        Value::Abstract(_) | Value::Fresh(_) => CollectedValue::Unknown,
        _ => CollectedValue::Word(namer.value(value)),
    }
}

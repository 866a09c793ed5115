//! `map run --runs N`: the statistics of many runs.

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64};

use map_explain::Namer;
use map_explain::many_runs::{Again, in_words};
use map_semantics::Question;
use map_session::{ManyRuns, Scene, Simulate};
use map_simulate::{JudgedRun, Play, Runs, SimulationOptions, statistics, statistics_of};

use super::repeat;
use super::together::{self, TogetherArgs};
use crate::args::Format;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
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
    let runs = args.many.runs.unwrap_or(1);
    threads::warn(args.many.threads, console)?;
    let threads = threads::number(args.many.threads).get();
    let member = together::member(args, options.seed).map_err(|what| Failure::Usage("run", what))?;
    let interrupt = Interrupt::install();
    let play: &Play<'_> = &|own, observer| {
        let namer = RefCell::new(Namer::new(source, program));
        // The standard error of many programs at once would be useless; a single run shows it.
        let mut outside = Outside::new(&namer, &interrupt, deciders, own.seed, false);
        let mut respond = |question: &Question<'_>| outside.respond(question);
        let question = Simulate::new(scene, own.clone());
        let played = question.ask(scene, &mut respond, &mut |seen| {
            namer.borrow_mut().learn(&seen.observed.outcome);
            observer(seen)
        });
        JudgedRun { run: played.run, violated: played.violated }
    };
    let is_plain = deciders.is_chance() && properties.compiled.list.is_empty();
    let work = |runs: Runs, stop: &AtomicBool, done: &AtomicU64| match is_plain {
        true => statistics(program, bounds, &options, runs, threads, stop, done),
        false => statistics_of(program, &options, runs, threads, stop, done, play),
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
    Ok(console.print_wrapped(&text)?)
}

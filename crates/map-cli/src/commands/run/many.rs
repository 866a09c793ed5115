//! `map run --runs N`: the statistics of many runs.

mod output;
mod text;

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64};

use map_explain::Teller;
use map_ir::Program;
use map_semantics::{Bounds, Question};
use map_session::Compilation;
use map_session::RunJudge;
use map_simulate::{
    Play, Played, Runs, SimulationOptions, Statistics, drawn_initial, simulate_with, statistics,
    statistics_of, wilson,
};

use super::together::{self, TogetherArgs};
use crate::args::Format;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::json;
use crate::outside::{Deciders, Outside};
use crate::progress::while_counting;
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

/// Many runs that have ended, with everything needed to report them.
struct Counted<'a> {
    args: &'a super::Args,
    loaded: &'a Compilation,
    program: &'a Program,
    bounds: &'a Bounds,
    options: &'a SimulationOptions,
    /// How many runs were asked for.
    wanted: u64,
    found: Statistics,
}

/// The runs that violate a property of the file.
struct Violated<'s> {
    name: &'s str,
    runs: u64,
    /// Their share of all runs, with the limits of its confidence interval.
    share: (f64, f64, f64),
    /// The number and the seed of the first one.
    first: Option<(u64, u64)>,
}

impl Counted<'_> {
    /// For each property about single runs, the runs that violate it.
    fn properties(&self) -> impl Iterator<Item = Violated<'_>> {
        let list = self.loaded.properties.compiled.list.iter().enumerate();
        let about_runs = list.filter(|(_, property)| !property.formula.is_about_all_runs());
        about_runs.map(|(index, property)| {
            let found = self.found.violations.get(&index);
            let runs = found.map_or(0, |found| found.runs);
            let (low, high) = wilson(runs, self.found.runs);
            let share = if self.found.runs == 0 { 0.0 } else { runs as f64 / self.found.runs as f64 };
            Violated {
                name: &property.name,
                runs,
                share: (share, low, high),
                first: found.map(|found| found.first),
            }
        })
    }
}

pub(super) fn run(
    args: &super::Args,
    loaded: &Compilation,
    program: &Program,
    bounds: &Bounds,
    options: &SimulationOptions,
    deciders: &Deciders,
    console: &mut Console,
) -> Result<(), Failure> {
    let runs = args.many.runs.unwrap_or(1);
    threads::warn(args.many.threads, console)?;
    let threads = threads::number(args.many.threads).get();
    let member = together::member(args, options.seed).map_err(|what| Failure::Usage("run", what))?;
    let interrupt = Interrupt::install();
    let properties = &loaded.properties.compiled;
    let play: &Play<'_> = &|own, observer| {
        let mut judging = RunJudge::new(program, bounds, properties);
        let teller = RefCell::new(Teller::new(&loaded.source, program));
        // The standard error of many programs at once would be useless; a single run shows it.
        let mut outside = Outside::new(&teller, &interrupt, deciders, own.seed, false);
        let mut respond = |question: &Question<'_>| outside.respond(question);
        let initial = drawn_initial(program, own.seed);
        let run = simulate_with(program, bounds, own, initial, &mut respond, &mut |seen| {
            teller.borrow_mut().learn(&seen.observed.outcome);
            judging.see(seen);
            observer(seen)
        });
        let violated = judging.violated(&run);
        Played { run, violated }
    };
    let is_plain = deciders.is_chance() && properties.list.is_empty();
    let work = |runs: Runs, stop: &AtomicBool, done: &AtomicU64| match is_plain {
        true => statistics(program, bounds, options, runs, threads, stop, done),
        false => statistics_of(program, options, runs, threads, stop, done, play),
    };
    let prints = member.as_ref().is_none_or(together::prints);
    let done = AtomicU64::new(0);
    let visible = prints && args.format == Format::Text && Console::err_is_terminal();
    let found = while_counting(loaded.source.name(), runs, &done, visible, || match member {
        None => Ok::<_, Failure>(work(Runs::all(runs), interrupt.flag(), &done)),
        Some(member) => {
            let scene = (args, loaded, program, bounds, options);
            together::share(member, scene, (&interrupt, &done), &work)
        }
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
    let counted = Counted { args, loaded, program, bounds, options, wanted: runs, found };
    let text = match args.format {
        Format::Text => counted.text(),
        Format::Json => json::to_text(&counted.output())?,
    };
    Ok(console.print_wrapped(&text)?)
}

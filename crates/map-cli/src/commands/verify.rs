//! `map verify`: every run of a scene, and what to make of the answer.

mod chart;
mod chosen;
mod explain;
mod findings;
mod judged;
mod junit;
mod output;
mod properties;
mod report;
mod save;
mod spin;
mod text;
mod trace;
mod weather;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use map_ir::Program;
use map_semantics::Bounds;
use map_verify::{
    Endless, Fairness, Limit, Limits, Options, Reduced, Reductions, Replayed, Report, StoreKind, Verdict,
    Violation, ViolationKind, go_on_for_ever, replay, verify_properties, verify_reduced,
};

use self::judged::judge;
use self::properties::{Answers, show_refused};
use self::save::Shown;
use super::{Failure, refuse_double_stdin, show_diagnostics};
use crate::args::{BoundArgs, Format, SceneArgs};
use crate::bounds;
use crate::chart::ChartArg;
use crate::console::Console;
use crate::exit::Exit;
use crate::files::{check_target, write_besides};
use crate::input::{Loaded, load_with_properties};
use crate::interrupt::Interrupt;
use crate::json::{self, Header, Rejected, Several, Verified, VerifyOutput, VerifyResult};
use crate::memory;
use crate::numbers::{parse_bytes, parse_duration};
use crate::progress::Watch;
use crate::story::bounds::assumptions;
use crate::trace::SaveArgs;
use spin::Spin;
use weather::forecast;

pub(in crate::commands) use chosen::check_only;
pub(in crate::commands) use findings::{Expected, Findings, find};

/// Explores every run of the dialogue and judges whether it always ends well
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
What procedures answer is written procedure#1, procedure#2 and so on: nothing else is known of it.
Exit code: 0 when it terminates and all properties hold, 1 when a violation was found, 3 with errors in a file or a
property that cannot be judged, 4 when a limit came first.

Examples:
  map verify auction.map
  map verify auction.map --agents bidder=3 --rounds bidloop=2
  map verify auction.map --rounds bidloop=2 --report auction.html
  map verify auction.map --time-limit 30s --max-memory 2GiB
  map verify auction.map --property 'never failed(!Auctioneer)'
  map verify auction.map --properties-only --property 'eventually ended'
  map verify protocols/*.map --format json
  map verify auction.map --rounds bidloop=2 --weather
  map verify auction.map --agents bidder=2 --rounds bidloop=2 --mailbox 5 --with spin")]
pub(crate) struct Args {
    /// The files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    #[command(flatten)]
    scene: SceneArgs,

    #[command(flatten)]
    bounds: BoundArgs,

    /// Search in every weather, one after the other: what survives when messages are read in any order, one is lost, an
    /// agent crashes, or time runs out early?
    #[arg(long, conflicts_with_all = ["network", "timeouts"])]
    weather: bool,

    /// Of the properties of the file judge only this one; may be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,

    /// Judge properties, and not termination
    #[arg(long, conflicts_with_all = ["weather", "with", "keep_going", "self_check"])]
    properties_only: bool,

    /// Judge this formula, too, such as 'always mailbox(!Clerk) <= 3'; may be given several times
    #[arg(long = "property", value_name = "FORMULA")]
    properties: Vec<String>,

    /// Which runs properties have to hold in: fair ones, or all of them
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = FairnessArg::Fair)]
    fairness: FairnessArg,

    /// Write the verdicts into a file in JUnit's format, too
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    /// Write everything into one page, too: verdicts, runs to step through, the roles, what never happened
    #[arg(long, value_name = "FILE", conflicts_with_all = ["weather", "properties_only"])]
    report: Option<PathBuf>,

    /// Search on after a violation: finds a shortest trace of every kind, and livelocks
    #[arg(long)]
    keep_going: bool,

    /// Show every step of a long trace
    #[arg(long)]
    full_trace: bool,

    /// When to draw the chart of a counterexample: auto draws those that are not too long
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ChartArg::Auto)]
    chart: ChartArg,

    #[command(flatten)]
    save: SaveArgs,

    /// Save a test that expects what is found, for `map test`; its name ends in .maptest
    #[arg(long, value_name = "FILE", conflicts_with_all = ["weather", "properties_only"])]
    save_test: Option<String>,

    /// Give up after so many states
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,

    /// Give up when the search needs more memory than that; the default is three quarters of the machine's
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    max_memory: Option<u64>,

    /// Give up after that time, such as 30s, 5m or 2h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time_limit: Option<Duration>,

    /// How many threads search; the default is as many as there are cores. The result does not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// How states are kept: exact, or fingerprint, which takes less memory where states have little in common, and may
    /// miss states with a probability that is printed
    #[arg(long, value_enum, default_value_t = StoreArg::Exact, value_name = "HOW", hide_possible_values = true)]
    store: StoreArg,

    #[command(flatten)]
    reductions: ReductionArgs,

    /// Ask another tool too, and compare: the scene is exported for it. A time limit holds for it alone, too
    #[arg(long, value_enum, value_name = "TOOL", conflicts_with = "weather")]
    with: Option<SecondTool>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// `--fairness`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FairnessArg {
    /// Runs that do not for ever avoid what they could do
    Fair,
    /// All infinite runs
    None,
}

impl FairnessArg {
    const fn fairness(self) -> Fairness {
        match self {
            Self::Fair => Fairness::Fair,
            Self::None => Fairness::None,
        }
    }
}

/// `--store`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StoreArg {
    /// Whole
    Exact,
    /// As fingerprints of 128 bits
    Fingerprint,
}

/// Which reductions to use.
#[derive(clap::Args, Clone, Copy, Debug)]
struct ReductionArgs {
    /// Which reductions to use; with none, states and transitions are those of the plain semantics
    #[arg(long, value_enum, default_value_t = Which::All, value_name = "WHICH")]
    reductions: Which,

    /// Keep values that cannot matter
    #[arg(long)]
    no_slicing: bool,

    /// Tell interchangeable agents apart
    #[arg(long)]
    no_symmetry: bool,

    /// Explore every order of steps that commute
    #[arg(long)]
    no_partial_order: bool,

    /// Keep every state between steps that need no other order
    #[arg(long)]
    no_merging: bool,

    /// Check the reductions on every state visited; slow
    #[arg(long)]
    self_check: bool,
}

/// `--with`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SecondTool {
    /// SPIN, which has to be installed, with a C compiler
    Spin,
}

/// `--reductions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// All that are proven for the bounds
    All,
    /// None of them
    None,
}

impl ReductionArgs {
    fn chosen(self) -> Reductions {
        let all = self.reductions == Which::All;
        Reductions {
            slicing: all && !self.no_slicing,
            symmetry: all && !self.no_symmetry,
            partial_order: all && !self.no_partial_order,
            merging: all && !self.no_merging,
        }
    }
}

/// Everything there is to say about one file, once it has been searched.
struct Searched<'a> {
    /// What there is to say about its properties.
    answers: Answers<'a>,
    report: Report,
    /// The reductions behind the verdict.
    reductions: Reductions,
    /// Whether the trace is known to be a shortest one.
    shortest: bool,
    /// The first violation's trace, or an empty one.
    replayed: Option<Replayed>,
    /// How a livelock goes on for ever.
    endless: Option<Endless>,
    limits: Limits,
    took: Duration,
    peak_memory: u64,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    refuse_double_stdin("verify", &args.files)?;
    args.save.check(&args.files[0]).map_err(|what| Failure::Usage("verify", what))?;
    if args.save.save_trace.is_some() && args.files.len() > 1 {
        let what = "--save-trace is for one file: there is one trace in a file".to_owned();
        return Err(Failure::Usage("verify", what));
    }
    if let Some(target) = &args.junit {
        check_target("--junit", target, &args.files).map_err(|what| Failure::Usage("verify", what))?;
    }
    report::check(args).map_err(|what| Failure::Usage("verify", what))?;
    if let Some(target) = &args.save_test {
        if args.files.len() > 1 {
            return Err(Failure::Usage("verify", "--save-test is for one file".to_owned()));
        }
        findings::check_target(target, &args.files[0]).map_err(|what| Failure::Usage("verify", what))?;
    }
    let spin = args.with.map(|SecondTool::Spin| Spin::find()).transpose();
    let spin = spin.map_err(|what| Failure::Usage("verify", what))?;
    let options = args.scene.to_options().map_err(|what| Failure::Usage("verify", what))?;
    let load = |file: &String| load_with_properties(file, &options, &args.only, &args.properties);
    let files: Vec<Loaded> = args.files.iter().map(load).collect();
    // Wrong flags are told before any search begins.
    chosen::check(args, &files).map_err(|what| Failure::Usage("verify", what))?;
    let bounds = files
        .iter()
        .map(|loaded| {
            loaded.program.as_ref().map(|program| bounds::resolve(&args.bounds, program)).transpose()
        })
        .collect::<Result<Vec<_>, String>>()
        .map_err(|what| Failure::Usage("verify", what))?;
    let mut collected = Collected::default();
    let ended = each_file(args, &files, &bounds, spin.as_ref(), &mut collected, console);
    let Collected { begun, results, mut suites } = collected;
    // First: nobody may be reading what is printed.
    if let Some(path) = &args.junit {
        suites.not_run(&files[begun..]);
        write_besides("the JUnit file", path, &suites.text()?, console)?;
    }
    ended?;
    if args.format == Format::Json {
        let output = match <[VerifyResult; 1]>::try_from(results) {
            Ok([result]) if args.files.len() == 1 => VerifyOutput::One(Box::new(result)),
            Ok(results) => {
                VerifyOutput::Several(Several { header: Header::new("verify"), results: results.into() })
            }
            Err(results) => VerifyOutput::Several(Several { header: Header::new("verify"), results }),
        };
        console.print(&json::to_text(&output)?)?;
    }
    Ok(())
}

/// What was found so far, for machines.
#[derive(Default)]
struct Collected {
    /// How many files there is something of.
    begun: usize,
    results: Vec<VerifyResult>,
    suites: junit::Suites,
}

/// Searches the files until that is interrupted, and prints what is found.
fn each_file(
    args: &Args,
    files: &[Loaded],
    bounds: &[Option<Bounds>],
    spin: Option<&Spin>,
    collected: &mut Collected,
    console: &mut Console,
) -> Result<(), Failure> {
    let limits = limits_of(args);
    let interrupt = Interrupt::install();
    let Collected { begun, results, suites } = collected;
    for (index, (loaded, bounds)) in files.iter().zip(bounds).enumerate() {
        if interrupt.is_set() {
            console.set_exit(Exit::Interrupted);
            break;
        }
        let (Some(program), Some(bounds)) = (&loaded.program, bounds) else {
            console.set_exit(Exit::Source);
            *begun = index + 1;
            suites.rejected(loaded);
            match args.format {
                Format::Text => show_diagnostics(console, &loaded.source, &loaded.diagnostics)?,
                Format::Json => results.push(VerifyResult::Rejected(Rejected::new("verify", loaded))),
            }
            continue;
        };
        if args.format == Format::Text {
            show_diagnostics(console, &loaded.source, &loaded.diagnostics)?;
        }
        let separator = if index > 0 { "\n" } else { "" };
        if args.weather {
            let mut forecast =
                forecast(args, (&args.files[index], loaded), program, bounds, limits, &interrupt)?;
            forecast.exits().for_each(|exit| console.set_exit(exit));
            *begun = index + 1;
            forecast.rows().for_each(|(weather, searched)| suites.searched(searched, Some(weather)));
            if args.format == Format::Text {
                show_refused(loaded, console)?;
            }
            forecast.save(console)?;
            match args.format {
                Format::Text => console.print(&format!("{separator}{}", forecast.text()))?,
                Format::Json => results.push(VerifyResult::Weather(Box::new(forecast.output()))),
            }
            continue;
        }
        if args.properties_only {
            let judged = judge(args, loaded, program, bounds, limits, &interrupt)?;
            console.set_exit(judged.answers.exit());
            *begun = index + 1;
            suites.judged(&judged.answers);
            if args.format == Format::Text {
                show_refused(loaded, console)?;
            }
            judged.save(console)?;
            match args.format {
                Format::Text => console.print(&format!("{separator}{}", judged.text()))?,
                Format::Json => results.push(VerifyResult::Judged(Box::new(judged.output()))),
            }
            continue;
        }
        let searched = search(args, loaded, program, bounds, limits, &interrupt)?;
        console.set_exit(searched.exit());
        console.set_exit(searched.answers.exit());
        *begun = index + 1;
        suites.searched(&searched, None);
        if args.format == Format::Text {
            show_refused(loaded, console)?;
        }
        // First: nobody may be reading what is printed.
        searched.save(console)?;
        if let Some(target) = &args.report {
            report::write(&searched, target, console)?;
        }
        searched.save_test(console)?;
        if args.format == Format::Text {
            console.print(&format!("{separator}{}", searched.text()))?;
        }
        let opinion = match spin {
            Some(spin) => spin::ask(spin, &searched, bounds, &interrupt, console)?,
            None => None,
        };
        match args.format {
            Format::Text => {
                let text = opinion.as_ref().map(|it| it.text(&searched));
                console.print(&text.unwrap_or_default())?;
            }
            Format::Json => {
                let spin = opinion.as_ref().map(spin::Opinion::output);
                let verified = Verified { spin, ..searched.output() };
                results.push(VerifyResult::Verified(Box::new(verified)));
            }
        }
    }
    Ok(())
}

fn limits_of(args: &Args) -> Limits {
    Limits {
        states: args.max_states.map_or(usize::MAX, |states| usize::try_from(states).unwrap_or(usize::MAX)),
        memory: usize::try_from(args.max_memory.unwrap_or_else(memory::default_limit)).unwrap_or(usize::MAX),
        threads: args.threads.unwrap_or_else(default_threads),
        store: match args.store {
            StoreArg::Exact => StoreKind::Exact,
            StoreArg::Fingerprint => StoreKind::Fingerprint,
        },
    }
}

fn default_threads() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Watches a search, with a line of progress where a person looks at it.
fn watch(args: &Args, loaded: &Loaded, limits: &Limits, interrupt: &Interrupt) -> Watch {
    let visible = args.format == Format::Text && Console::err_is_terminal();
    Watch::new(loaded.source.name(), args.time_limit, limits.memory, interrupt, visible)
}

fn search<'a>(
    args: &'a Args,
    loaded: &'a Loaded,
    program: &'a Program,
    bounds: &Bounds,
    limits: Limits,
    interrupt: &Interrupt,
) -> Result<Searched<'a>, Failure> {
    let mut watch = watch(args, loaded, &limits, interrupt);
    let options = Options {
        limits,
        keep_going: args.keep_going,
        reductions: args.reductions.chosen(),
        self_check: args.reductions.self_check,
    };
    let result = verify_reduced(program, bounds, &options, &mut watch);
    let compiled = &loaded.properties.compiled;
    let fairness = args.fairness.fairness();
    let judged = (!compiled.list.is_empty())
        .then(|| verify_properties(program, compiled, bounds, &limits, fairness, &mut watch));
    let took = watch.finish();
    let internal = |error: map_verify::InternalError| Failure::Internal(error.to_string());
    let mut result = result.map_err(internal)?;
    result.shorten(program, bounds);
    let Reduced { report, reductions, shortest } = result;
    let first = report.violations.first();
    let replayed = first.map(|first| replay(program, bounds, &first.trace)).transpose().map_err(internal)?;
    let endless = match first.filter(|first| first.kind == ViolationKind::Livelock) {
        Some(livelock) => go_on_for_ever(program, bounds, &livelock.trace).map_err(internal)?,
        None => None,
    };
    let properties = judged.transpose().map_err(internal)?;
    let answers = Answers::new(args, loaded, program, bounds, properties).map_err(internal)?;
    let peak_memory = memory::peak().unwrap_or(report.statistics.memory as u64);
    Ok(Searched { answers, report, reductions, shortest, replayed, endless, limits, took, peak_memory })
}

impl Searched<'_> {
    fn exit(&self) -> Exit {
        match self.report.verdict {
            _ if self.report.limit == Some(Limit::Interrupted) => Exit::Interrupted,
            Verdict::Terminates | Verdict::TerminatesIfFair => Exit::Fine,
            Verdict::Violated(_) => Exit::Violation,
            Verdict::Inconclusive => Exit::Inconclusive,
        }
    }

    /// Saves the trace of the verdict if that is wanted; if it has none, that of the first property that is violated.
    fn save(&self, console: &mut Console) -> Result<(), Failure> {
        let shown = self.run_of_verdict().or_else(|| self.answers.first_violated());
        self.answers.save_the_one(&self.report.bounds, shown, console)
    }

    /// The run of the verdict; that of a livelock goes on to where it repeats itself.
    fn run_of_verdict(&self) -> Option<Shown<'_>> {
        let (replayed, repeated_from) = match &self.endless {
            Some(endless) => (&endless.replayed, Some(endless.repeated_from)),
            None => (self.replayed.as_ref()?, None),
        };
        Some(Shown { verdict: self.report.verdict.words().to_owned(), replayed, repeated_from })
    }

    /// The violation that is the verdict.
    fn violation(&self) -> Option<&Violation> {
        self.report.violations.first()
    }

    /// What the verdict takes for granted.
    fn assumptions(&self) -> Vec<String> {
        let mut assumptions = assumptions(self.answers.program, self.report.bounds.network);
        if !self.shortest && self.violation().is_some() {
            assumptions.push(
                "the trace is a shortest one of those searched; a search of all orders was too large"
                    .to_owned(),
            );
        }
        assumptions
    }

    fn states_per_second(&self) -> f64 {
        self.report.statistics.states as f64 / self.took.as_secs_f64().max(1e-6)
    }
}

//! The flags of `map verify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use map_doors::memory;
use map_explain::verification::DeniedFinding;
use map_flags::{LimitArgs, SearchArgs, parse_duration};
use map_verify::{Limits, Tuning};

use crate::args::Format;
use crate::chart::ChartArg;
use crate::threads;
#[cfg(feature = "cluster")]
use crate::together::PeerArgs;
use crate::trace::SaveArgs;

/// How many states a search for `--weather` stores at most if nothing else is said: some rows of the table can be far
/// larger than others, and should be told as such before they fill the memory.
const WEATHER_STATES: u64 = 2_000_000;

/// Explores every run of the dialogue and judges whether it always ends well
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Answers of procedures are written procedure#1, procedure#2 and so on: nothing else is known
of them.

Exit code: 0 when it terminates and all properties hold, 1 when a violation was found, or what
--deny names, 3 with errors in a file or a property that cannot be judged, 4 when a limit came
first, 75 when a process of several was lost.

Examples:
  map verify auction.map
  map verify auction.map --agents bidder=3 --rounds bidloop=2
  map verify auction.map --rounds bidloop=2 --report auction.html
  map verify auction.map --agents bidder=1..3 --rounds bidloop=1
  map verify auction.map --time-limit 30s --max-memory 2GiB
  map verify auction.map --property 'never failed(!Auctioneer)'
  map verify auction.map --properties-only --property 'eventually ended'
  map verify auction.map --agents bidder=3 --rounds bidloop=2 --no-properties
  map verify protocols/*.map --format json
  map verify auction.map --rounds bidloop=2 --weather
  map verify auction.map --deny unread
  map verify auction.map --agents bidder=3 --rounds bidloop=2 --processes 2
  map verify auction.map --agents bidder=2 --rounds bidloop=2 --mailbox 5 --with spin")]
pub(crate) struct Args {
    /// The files, or folders with such, with all their scenes; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) search: SearchArgs,

    /// Search once under each kind of fault, and print a table
    ///
    /// Searches in good weather, and then with messages read in any order, with one message lost, with one agent
    /// crashed, and with early timeouts; prints what survives.
    #[arg(long, conflicts_with_all = ["network", "timeouts"], help_heading = "Network")]
    pub(super) weather: bool,

    /// Judge properties only
    #[arg(long, conflicts_with_all = ["weather", "with", "keep_going", "self_check", "no_properties"], help_heading = "Properties")]
    pub(super) properties_only: bool,

    /// Exit with 1 for this, too, although it is no violation
    ///
    /// Several are separated by commas, or the flag is repeated.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', conflicts_with_all = ["weather", "properties_only"], help_heading = "Output")]
    pub(super) deny: Vec<DeniedArg>,

    /// Write the verdicts in JUnit's format, too
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) junit: Option<PathBuf>,

    /// Write an HTML page with everything, too
    ///
    /// The page has the verdicts, runs to step through, pictures of the roles, and what never happened.
    #[arg(long, value_name = "FILE", conflicts_with = "properties_only", help_heading = "Output")]
    pub(super) report: Option<PathBuf>,

    /// Put this playground into the report, so that one can go on from any step
    ///
    /// `cargo xtask web` builds such a page; it makes the report larger by what it has.
    #[arg(long, value_name = "PAGE", requires = "report", help_heading = "Output")]
    pub(super) live: Option<PathBuf>,

    #[command(flatten)]
    pub(super) long: LongArgs,

    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub(super) together: TogetherArgs,

    /// Print everything
    ///
    /// Prints every run as steps and as a chart, all that never happened, and every bound, limit, reduction and search.
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Output")]
    pub(super) verbose: bool,

    /// Print the verdicts only, a line for each scene
    #[arg(short, long, help_heading = "Output")]
    pub(super) quiet: bool,

    /// Show every step of a long trace
    #[arg(long, help_heading = "Output")]
    pub(super) full_trace: bool,

    /// When to show a run as a chart instead of as steps
    ///
    /// A chart that is too long or too wide is not drawn by auto. With --verbose it stands below the steps.
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true, help_heading = "Output")]
    #[arg(default_value_t = ChartArg::Auto, default_missing_value = "always")]
    pub(super) chart: ChartArg,

    #[command(flatten, next_help_heading = "Output")]
    pub(super) save: SaveArgs,

    /// Save a test for `map test` that expects what is found
    ///
    /// Its name ends in .maptest.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["weather", "properties_only"], help_heading = "Output")]
    pub(super) save_test: Option<PathBuf>,

    /// Removed: states are always kept exactly
    #[arg(long, value_name = "HOW", hide = true, value_parser = parse_removed_store)]
    pub(super) store: Option<()>,

    /// Ask another tool, too, and compare
    ///
    /// The scene is exported for it. A time limit holds for it alone, too.
    #[arg(long, value_enum, value_name = "TOOL", conflicts_with = "weather", help_heading = "Output")]
    pub(super) with: Option<SecondTool>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub(super) format: Format,
}

/// Flags about searches that take hours.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct LongArgs {
    /// Keep what the search needs to go on later in this folder
    ///
    /// Written at the end of a level of the search, and when the search ends, whatever ends it. The folder is made if
    /// it is missing. `--resume` goes on from it. For the search for termination of one file: properties are judged
    /// anew. Of several processes each writes its part; they may have folders of their own, or one.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["resume", "weather", "properties_only", "self_check"], help_heading = "Long searches")]
    pub(super) checkpoint: Option<PathBuf>,

    /// Go on from the checkpoint in this folder, and write further ones there
    ///
    /// The text and the flags have to be the same, but for limits, properties and output. The report is that of a
    /// search that was never interrupted. Several processes may go on as another number of them: all parts have to be
    /// in the folder of some process.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["weather", "properties_only", "self_check"], help_heading = "Long searches")]
    pub(super) resume: Option<PathBuf>,

    /// The least time between two checkpoints; 0s writes one for each level
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "10m", help_heading = "Long searches")]
    pub(super) every: Duration,
}

/// Flags about several processes that search together.
#[cfg(feature = "cluster")]
#[derive(clap::Args, Clone, Debug)]
pub(super) struct TogetherArgs {
    /// Search with this many processes on this machine, 1 to 64
    ///
    /// Each keeps a part of the states and expands them with one thread. This is for trying out --hosts: on one
    /// machine, one process with --threads is faster. For one file. To judge properties, the first process gathers the
    /// transitions, without the states.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64), conflicts_with_all = ["hosts", "weather", "self_check"], help_heading = "Several processes")]
    pub(super) processes: Option<u8>,

    /// Search with other processes, which are started with the same text and flags
    ///
    /// The file has the address and port of each process, one a line; process 0 prints what is found. See --processes.
    #[arg(long, value_name = "FILE", requires = "process", conflicts_with_all = ["weather", "self_check"], help_heading = "Several processes")]
    pub(super) hosts: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Several processes")]
    pub(super) peers: PeerArgs,
}

/// How much to say: `--quiet`, nothing or `--verbose`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// The verdicts.
    Line,
    /// What people need to know.
    Short,
    /// Everything.
    Full,
}

/// `--store` has been removed; only the value that describes the current behaviour is still accepted.
fn parse_removed_store(how: &str) -> Result<(), String> {
    match how {
        "exact" => Ok(()),
        _ => Err("this flag was removed: states are always kept exactly, which takes less time and less memory than fingerprints did".to_owned()),
    }
}

/// `--deny`: findings that are no violation, and are errors nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DeniedArg {
    /// That a run may go on for ever (terminates if fair)
    IfFair,
    /// That a message is left unread in some run
    Unread,
    /// That an agent, clause, alternative, timeout or operation is never used
    Never,
}

impl DeniedArg {
    /// The finding.
    pub(super) const fn finding(self) -> DeniedFinding {
        match self {
            Self::IfFair => DeniedFinding::IfFair,
            Self::Unread => DeniedFinding::Unread,
            Self::Never => DeniedFinding::Never,
        }
    }
}

/// `--with`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SecondTool {
    /// SPIN, which has to be installed, with a C compiler
    Spin,
}

impl Args {
    /// The limits of a search.
    pub(super) fn limits(&self) -> Limits {
        limits(&self.search, if self.weather { WEATHER_STATES } else { u64::MAX })
    }

    /// Whether text is printed.
    pub(super) fn tells(&self) -> bool {
        self.format == Format::Text
    }

    /// How much to say.
    pub(super) const fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Line,
            (false, true) => Detail::Full,
            (false, false) => Detail::Short,
        }
    }
}

/// The limits of a search under these flags, with `usual_states` if they do not say how many.
pub(in crate::commands) fn limits(args: &SearchArgs, usual_states: u64) -> Limits {
    let LimitArgs { max_states, max_memory, threads, .. } = args.limits;
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    Limits {
        states: size(max_states.unwrap_or(usual_states)),
        memory: size(max_memory.unwrap_or_else(memory::default_limit)),
        threads: threads::number(threads),
        tuning: Tuning::SHIPPED,
    }
}

//! The flags of `map conform`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use map_conform::{MAX_HYPOTHESES, MAX_WORK, TimeUnit};
use map_flags::{SceneArgs, parse_bytes, parse_duration, parse_positive};

use crate::trace::SaveArgs;

/// Judges the messages of a real system
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
A log has one message per line, as JSON, with its sender, its recipients, its performative and its
arguments: {\"from\": \"alice\", \"to\": [\"desk\"], \"performative\": \"bid\", \"args\": [40]}. Lines may also
have a conversation, a time, an id, and an event: send, or receive for what got into a mailbox.

Exit code: 0 when every conversation conforms, so far or to its end; 1 when some agent certainly broke
the protocol; 3 with errors in a file, or lines that cannot be used; 4 when it is not certain, a limit
came first, or nothing was judged; 130 after Ctrl-C instead of 0.

Examples:
  map conform auction.map lots.jsonl
  map conform auction.map lots.jsonl --complete      whoever still owes something is to blame
  map conform auction.map - --follow < lots.jsonl
  map conform auction.map lots.jsonl --format ndjson --junit lots.xml")]
pub(crate) struct Args {
    /// The dialogue
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,

    /// The logs, which are merged by time; - is standard input. Each is read once: it may be a pipe
    #[arg(value_name = "LOG", required = true)]
    pub(super) logs: Vec<PathBuf>,

    /// Wait for more lines, and report as they come; Ctrl-C ends with what is known of all conversations
    #[arg(long)]
    pub(super) follow: bool,

    /// Go on from what this file says, if it is there, and write it now and then: after a restart nothing is reported
    /// twice, and nothing is missed
    #[arg(long, value_name = "FILE", requires = "follow", conflicts_with_all = ["junit", "report", "chart"])]
    pub(super) checkpoint: Option<PathBuf>,

    /// The least time between two checkpoints
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration, requires = "checkpoint")]
    pub(super) checkpoint_every: Duration,

    /// What wrote the logs, if they are no records
    #[arg(long, value_enum, value_name = "SYSTEM")]
    pub(super) from: Option<FromArg>,

    /// How the lines of the logs are records, and who in them is who in the file, as TOML
    #[arg(long, value_name = "FILE")]
    pub(super) mapping: Option<PathBuf>,

    /// In what unit the times are that are numbers; else their size tells
    #[arg(long, value_enum, value_name = "UNIT")]
    pub(super) time_unit: Option<TimeUnitArg>,

    #[command(flatten, next_help_heading = "Scene")]
    pub(super) scene: SceneArgs,

    /// Who takes part: those whom the file, --agents or the logs tell beforehand, or whoever joins
    #[arg(long, value_enum, value_name = "CAST", default_value_t = WhoArg::Closed)]
    pub(super) cast: WhoArg,

    /// When messages arrive; the default is logged if the log shows arrivals, and else late
    #[arg(long, value_enum, value_name = "WHEN")]
    pub(super) arrivals: Option<ArrivalsArg>,

    /// By how much the clocks of different agents may differ, such as 50ms; lines need a time then
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(super) skew: Option<Duration>,

    /// By how much the times in one log may run back, such as 5s; then both orders are tried
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    pub(super) reorder: Duration,

    /// What is in the right order if the times in a log run back; by default either may be, and nothing is certain that
    /// only one of them shows
    #[arg(long, value_enum, value_name = "ORDER")]
    pub(super) order: Option<OrderArg>,

    /// The log is whole: whoever owes something at its end is to blame
    #[arg(long)]
    pub(super) complete: bool,

    /// Conversations may have begun before the log
    #[arg(long, conflicts_with = "complete")]
    pub(super) joined: bool,

    /// How long an agent may owe something by the times of the logs, such as 30s or 500ms; also %ROLE=TIME
    #[arg(long, value_name = "TIME", value_parser = parse_deadline)]
    pub(super) deadline: Vec<Deadline>,

    /// How many messages may be lost, by the arrivals in the log
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) lossy: u32,

    /// What a message is that nobody in the file sends
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = UnknownArg::Deny)]
    pub(super) unknown: UnknownArg,

    /// What a second message with the same sender, recipients, id and content is
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = UnknownArg::Ignore)]
    pub(super) duplicates: UnknownArg,

    /// How many lines may be unusable without being an error
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) skip_bad: u64,

    /// What a line is that cannot be used
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = BadArg::Gap)]
    pub(super) bad: BadArg,

    /// That no message is judged is no error
    #[arg(long)]
    pub(super) allow_empty: bool,

    /// Judge nothing after the first violation; --fail-fast is the same
    #[arg(long, alias = "fail-fast")]
    pub(super) stop_at_first: bool,

    /// The longest line
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "16MiB")]
    pub(super) max_line: u64,

    /// The most that is copied of a log that is no file, such as a pipe
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "4GiB")]
    pub(super) spool: u64,

    /// The most states of an agent that are kept at a line
    #[arg(long, value_name = "N", default_value_t = MAX_HYPOTHESES, value_parser = parse_positive)]
    pub(super) max_hypotheses: usize,

    /// How much may be done for a line, in units of about a value that is copied
    #[arg(long, value_name = "N", default_value_t = MAX_WORK, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_work: u64,

    /// The most conversations that are followed at once; beyond it, the one that has been idle longest is given up
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = parse_positive)]
    pub(super) max_conversations: usize,

    /// Judge this conversation only
    #[arg(long, value_name = "NAME")]
    pub(super) conversation: Option<String>,

    #[command(flatten)]
    pub(super) save: SaveArgs,

    /// Draw the first violated conversation, else the first one, up to the violation: FILE ends in .html, .svg, .txt,
    /// .mmd or .puml
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    /// Draw that conversation below what is said of all
    #[arg(long)]
    pub(super) chart: bool,

    /// Print only what does not conform
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// Also say who in each conversation is who in the file
    #[arg(short, long, conflicts_with = "quiet")]
    pub(super) verbose: bool,

    /// How to print the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = FormatArg::Text)]
    pub(super) format: FormatArg,

    /// Write the verdicts in JUnit's format, too, a case for each conversation
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
}

impl Args {
    /// Whether a conversation is drawn.
    pub(super) fn draws(&self) -> bool {
        self.chart || self.report.is_some()
    }
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatArg {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// One JSON object a line: violations as they are found, conversations as they end
    Ndjson,
}

/// `--from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FromArg {
    /// A proxy between agents that speak A2A: requests and answers, each with its client and server
    A2a,
    /// A proxy before servers of tools that speak MCP, with sessions
    Mcp,
    /// AutoGen's structured log
    Autogen,
    /// Messages in the text form of FIPA ACL, as JADE writes them
    FipaAcl,
    /// OpenTelemetry's spans of A2A clients, in JSON
    Otel,
    /// The journal of map guard
    Guard,
}

/// `--order`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OrderArg {
    /// The lines
    Lines,
    /// The times
    Time,
}

/// `--time-unit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TimeUnitArg {
    /// Seconds
    S,
    /// Milliseconds
    Ms,
    /// Microseconds
    Us,
    /// Nanoseconds
    Ns,
}

impl From<TimeUnitArg> for TimeUnit {
    fn from(unit: TimeUnitArg) -> Self {
        match unit {
            TimeUnitArg::S => Self::Seconds,
            TimeUnitArg::Ms => Self::Milliseconds,
            TimeUnitArg::Us => Self::Microseconds,
            TimeUnitArg::Ns => Self::Nanoseconds,
        }
    }
}

/// `--arrivals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ArrivalsArg {
    /// At the lines that say so
    Logged,
    /// At any time after they were sent, those of one sender in order
    Late,
    /// When they are sent
    Sent,
    /// At any time after they were sent, in any order
    Unordered,
}

/// `--cast`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum WhoArg {
    /// The agents of a conversation are there from its beginning
    Closed,
    /// Agents join with the first line that names them; --agents fixes the number of a role
    Open,
}

/// `--bad`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum BadArg {
    /// A gap: nothing is certain any more of the agents that it may concern
    Gap,
    /// The end of the judging
    Stop,
}

/// `--deadline`: for a role, or for all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Deadline {
    /// The name of the role, without `%`.
    pub(super) role: Option<String>,
    pub(super) time: Duration,
}

/// `--unknown` and `--duplicates`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum UnknownArg {
    /// A violation
    Deny,
    /// Nothing
    Ignore,
}

fn parse_deadline(text: &str) -> Result<Deadline, String> {
    let (role, time) = match text.split_once('=') {
        Some((role, time)) => (Some(role.strip_prefix('%').unwrap_or(role).to_owned()), time),
        None => (None, text),
    };
    Ok(Deadline { role, time: parse_duration(time)? })
}

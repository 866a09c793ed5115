//! `map conform`: whether the messages of a real system keep to the protocol.

mod logs;
mod plan;
mod report;
mod session;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use map_conform::{Arrivals, MAX_HYPOTHESES, Roles, Scene, Settings, Verdict};
use map_diagnostics::{Code, Diagnostic, SourceFile};
use map_flags::SceneArgs;
use map_ir::Program;

use crate::args::Format;
use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{is_stdin, load, refuse_double_stdin};
use crate::interrupt::Interrupt;
use crate::json;
use logs::Logs;
use plan::Plan;
use session::Session;

/// Judges the messages of a real system
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
A log has one message per line, as JSON, with its sender, its recipients, its performative and its
arguments: {\"from\": \"alice\", \"to\": [\"desk\"], \"performative\": \"bid\", \"args\": [40]}. Lines may also
have a conversation, a time, an id, and an event: send, or receive for what got into a mailbox.

Exit code: 0 when every conversation conforms, so far or to its end; 1 when some agent broke the
protocol; 3 with errors in a file; 4 when a limit came first.

Examples:
  map conform auction.map lots.jsonl
  map conform auction.map lots.jsonl --complete      whoever still owes something is to blame
  map conform auction.map - < lots.jsonl")]
pub(crate) struct Args {
    /// The dialogue
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The logs, which are merged by time; - is standard input
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,

    #[command(flatten, next_help_heading = "Scene")]
    scene: SceneArgs,

    /// When messages arrive; the default is logged if the log shows arrivals, and else late
    #[arg(long, value_enum, value_name = "WHEN")]
    arrivals: Option<ArrivalsArg>,

    /// The log is whole: whoever owes something at its end is to blame
    #[arg(long)]
    complete: bool,

    /// How long an agent may owe something by the times in the log, such as 30s or 500ms
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    deadline: Option<Duration>,

    /// How many messages may be lost, by the arrivals in the log
    #[arg(long, value_name = "N", default_value_t = 0)]
    lossy: u32,

    /// What a message is that nobody in the file sends
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = UnknownArg::Deny)]
    unknown: UnknownArg,

    /// What a second message with the same sender, recipients and id is
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = UnknownArg::Ignore)]
    duplicates: UnknownArg,

    /// How many lines may be unusable
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip_bad: u64,

    /// The most states of an agent that are kept at a line
    #[arg(long, value_name = "N", default_value_t = MAX_HYPOTHESES, value_parser = positive)]
    max_hypotheses: usize,

    /// The most conversations that are followed at once; beyond it, the one that has been idle longest is given up
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = positive)]
    max_conversations: usize,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// `--arrivals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ArrivalsArg {
    /// At the lines that say so
    Logged,
    /// At any time after they were sent, those of one sender in order
    Late,
    /// When they are sent
    Sent,
    /// At any time after they were sent, in any order
    Unordered,
}

/// `--unknown` and `--duplicates`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UnknownArg {
    /// A violation
    Deny,
    /// Nothing
    Ignore,
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 =
        number.parse().map_err(|_| "a number and a unit was expected, such as 30s".to_owned())?;
    match unit {
        "ms" => Ok(Duration::from_millis(number)),
        "s" | "" => Ok(Duration::from_secs(number)),
        "m" | "min" => number.checked_mul(60).map(Duration::from_secs).ok_or_else(|| "too long".to_owned()),
        "h" => number.checked_mul(3600).map(Duration::from_secs).ok_or_else(|| "too long".to_owned()),
        _ => Err(format!("{unit:?} is no unit: there are ms, s, m and h")),
    }
}

fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("a number from 1 on was expected".to_owned()),
        Ok(number) => Ok(number),
    }
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let usage = |what: String| Failure::Usage("conform", what);
    let inputs: Vec<PathBuf> = args.logs.iter().chain([&args.file]).cloned().collect();
    refuse_double_stdin("conform", &inputs)?;
    let options = args.scene.to_options().map_err(usage)?;
    let loaded = load(&args.file, &options);
    show_diagnostics(console, &loaded.source, &loaded.diagnostics)?;
    let Some(program) = &loaded.program else {
        console.set_exit(Exit::Source);
        return Ok(());
    };
    let is_stream = args.logs.iter().any(|it| is_stdin(it));
    let roles = Roles::new(program);
    // A stream is read once only: its cast is that of the file, or of --agents.
    let plan = if is_stream {
        Plan::of_stream()
    } else {
        match Plan::read(&args.logs, program, &roles, !args.scene.agents.is_empty()) {
            Ok(plan) => plan,
            Err(fault) => return refuse(console, &fault),
        }
    };
    let arrivals = match args.arrivals {
        Some(ArrivalsArg::Logged) => Arrivals::Logged,
        Some(ArrivalsArg::Late) => Arrivals::Late,
        Some(ArrivalsArg::Sent) => Arrivals::Sent,
        Some(ArrivalsArg::Unordered) => Arrivals::Unordered,
        None if plan.some_arrive => Arrivals::Logged,
        None => Arrivals::Late,
    };
    let settings = Settings {
        arrivals,
        limit: args.max_hypotheses,
        losses: args.lossy,
        complete: args.complete,
        deadline: args.deadline.map(|it| u64::try_from(it.as_nanos()).unwrap_or(u64::MAX)),
    };
    let programs: Vec<Program> = plan.programs(&args.file, &options, program);
    let scenes: Vec<Scene<'_>> = programs.iter().map(|it| Scene::new(it, settings.clone())).collect();
    let logs = match Logs::open(&args.logs) {
        Ok(logs) => logs,
        Err(fault) => return refuse(console, &fault),
    };
    let mut session = Session::new(args, &scenes, &plan, &roles);
    let interrupt = Interrupt::install();
    if let Err(fault) = session.judge(logs, &interrupt) {
        refuse(console, &fault)?;
    }
    let judged = session.finish();
    for conversation in &judged {
        console.set_exit(match conversation.report.verdict {
            Verdict::Violated => Exit::Violation,
            Verdict::Inconclusive => Exit::Inconclusive,
            Verdict::Conforms | Verdict::SoFar | Verdict::Stuck => Exit::Fine,
        });
    }
    match args.format {
        Format::Text => {
            console.print(&report::text(&loaded.source, arrivals, &judged))?;
        }
        Format::Json => {
            let output = report::output(&loaded.source, arrivals, &judged);
            console.print(&json::to_text(&output)?)?;
        }
    }
    if interrupt.is_set() {
        console.set_exit(Exit::Interrupted);
    }
    Ok(())
}

/// A line that cannot be used, or a log that cannot be read.
pub(crate) struct Bad {
    /// The name of the log.
    pub(crate) log: String,
    /// The line, from 1; 0 if it is about the whole log.
    pub(crate) line: u64,
    pub(crate) code: Code,
    pub(crate) text: String,
    pub(crate) help: Option<String>,
}

fn refuse(console: &mut Console, bad: &Bad) -> Result<(), Failure> {
    let place = if bad.line == 0 { bad.log.clone() } else { format!("{}:{}", bad.log, bad.line) };
    let mut diagnostic = Diagnostic::unplaced(bad.code, format!("{place}: {}", bad.text));
    if let Some(help) = &bad.help {
        diagnostic = diagnostic.with_help(help.clone());
    }
    show_diagnostics(console, &SourceFile::new(bad.log.clone(), ""), &[diagnostic])?;
    console.set_exit(Exit::Source);
    Ok(())
}

/// The name of a log as it is shown.
fn shown_log(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { crate::names::shown(path) }
}

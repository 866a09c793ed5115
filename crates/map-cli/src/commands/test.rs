//! `map test`: compares what `map verify` finds with what files say it should find.

mod case;
mod collect;
mod junit;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use map_diagnostics::escaped_line;

use crate::args::Format;
use crate::commands::verify::SharedTime;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{check_target, write_besides};
use crate::interrupt::Interrupt;
use crate::json::{self, Header, TestNotRun, TestOutput, TestResult};
use crate::numbers::{counted, seconds};
use crate::style;
use case::{Case, Searches, exit, word};
use collect::{Discovered, UnreadableTest, collect};
use map_flags::{Outcome, parse_duration};

/// Checks that `map verify` still finds what the files expect
#[derive(clap::Args, Clone, Debug)]
#[command(
    after_help = "\
A test is a line that begins with //@ in a file:
  //@ verify --agents bidder=2 => deadlock, 7 steps",
    after_long_help = "\
A test is a line that begins with //@ in a .map file, or in a .maptest file as `map verify --save-test` writes it:
  //@ verify --agents bidder=2 => deadlock, 7 steps
  //@ property single_winner => holds
  //@ cost tokens => 2200..4200
Exit code: 0 when all is as expected, 1 when something is not, 3 when a test cannot be read or its dialogue has errors,
4 when a limit came first.

Examples:
  map test auction.map
  map test protocols                               every .map and .maptest file in it
  map test protocols --junit results.xml"
)]
pub(crate) struct Args {
    /// Files with tests, or folders in which they are sought
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Give up after that time for all tests together, such as 30s, 5m or 2h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time_limit: Option<Duration>,

    /// Write the results into a file in JUnit's format, too
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// A test that was run, with its outcome.
struct Tried<'c> {
    case: &'c Case,
    outcome: Outcome,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    if let Some(path) = &args.junit {
        check_target("--junit", path, &args.paths).map_err(|what| Failure::Usage("test", what))?;
    }
    let Discovered { cases, unreadable } = collect(&args.paths);
    let mut tried = Vec::new();
    let ended = try_all(args, &cases, &unreadable, &mut tried, console);
    let not_run = &cases[tried.len()..];
    // Before anything is printed, since printing ends the command if the pipe is closed.
    if let Some(path) = &args.junit {
        let text = junit::text(&tried, not_run, &unreadable)?;
        write_besides("the JUnit file", path, &text, console)?;
    }
    ended?;
    match args.format {
        Format::Text => console.print_wrapped(&summary(&tried, cases.len()))?,
        Format::Json => {
            let output = TestOutput {
                header: Header::new("test"),
                tests: tried.iter().map(|it| result(it.case, &it.outcome)).collect(),
                not_run: not_run.iter().map(not_run_output).collect(),
                unreadable: unreadable.iter().map(ToString::to_string).collect(),
            };
            console.print(&json::to_text(&output)?)?;
        }
    }
    Ok(())
}

/// Runs the tests until one is interrupted, and prints each outcome as it becomes known.
fn try_all<'c>(
    args: &Args,
    cases: &'c [Case],
    unreadable: &[UnreadableTest],
    tried: &mut Vec<Tried<'c>>,
    console: &mut Console,
) -> Result<(), Failure> {
    let interrupt = Interrupt::install();
    for why in unreadable {
        console.set_exit(Exit::Source);
        console.complain(&format!("error: {}\n", escaped_line(&why.to_string())))?;
    }
    let time = SharedTime::new(args.time_limit, cases.len());
    for case in cases {
        let outcome = case.run(&Searches { interrupt: &interrupt, time: &time })?;
        console.set_exit(exit(&outcome));
        if interrupt.is_set() {
            console.set_exit(Exit::Interrupted);
            break;
        }
        let text = case_text(case, &outcome);
        tried.push(Tried { case, outcome });
        if args.format == Format::Text {
            console.print_wrapped(&text)?;
        }
    }
    Ok(())
}

/// A test on one line, with remarks about a failure below it.
fn case_text(case: &Case, outcome: &Outcome) -> String {
    let place = format!("{}:{}", case.file, case.line);
    let word = match outcome {
        Outcome::AsExpected(_) => style::good("ok  "),
        Outcome::Differs { .. } => style::bad("FAIL"),
        Outcome::Inconclusive { .. } => style::doubtful("??  "),
        Outcome::Unusable(_) => style::bad("ERR "),
    };
    let mut text = format!("{word}  {place}  {}\n", escaped_line(case.text()));
    for line in outcome.remarks() {
        let _ = writeln!(text, "      {}", escaped_line(&line));
    }
    if matches!(outcome, Outcome::Differs { .. } | Outcome::Inconclusive { .. }) {
        let _ = writeln!(text, "      {} {}", style::aside("see:"), escaped_line(&case.command()));
    }
    text
}

fn summary(tried: &[Tried<'_>], all: usize) -> String {
    let count = |code: Exit| tried.iter().filter(|it| exit(&it.outcome) == code).count();
    let mut parts = vec![format!("{} as expected", count(Exit::Fine))];
    for (code, word) in
        [(Exit::Violation, "not"), (Exit::Inconclusive, "inconclusive"), (Exit::Source, "with errors")]
    {
        if count(code) > 0 {
            parts.push(format!("{} {word}", count(code)));
        }
    }
    if tried.len() < all {
        parts.push(format!("{} not run", all - tried.len()));
    }
    let took = tried.iter().map(|it| it.outcome.took()).sum();
    let space = if tried.is_empty() { "" } else { "\n" };
    format!("{space}{}: {}; {}\n", counted(all as u64, "test"), parts.join(", "), seconds(took))
}

fn not_run_output(case: &Case) -> TestNotRun {
    TestNotRun { file: case.file.clone(), line: case.line, test: case.text().to_owned() }
}

fn result(case: &Case, outcome: &Outcome) -> TestResult {
    TestResult {
        file: case.file.clone(),
        line: case.line,
        test: case.text().to_owned(),
        result: word(outcome).into(),
        remarks: outcome.remarks(),
        command: case.command(),
        seconds: outcome.took().as_secs_f64(),
    }
}

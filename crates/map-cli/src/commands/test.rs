//! `map test`: compares what `map verify` finds with what files say it should find.

mod case;
mod collect;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use map_diagnostics::escaped_line;
use map_explain::{counted, seconds};

use crate::args::Format;
use crate::commands::verify::SharedTime;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{check_target, write_besides};
use crate::interrupt::Interrupt;
use crate::json::{self, Header, TestOutput, TestResult, TestVerdict, UnreadableTest};
use crate::style;
use case::{Case, Searches};
use collect::{Discovered, collect};
use map_flags::parse_duration;

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

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    if let Some(path) = &args.junit {
        check_target("--junit", path, &args.paths).map_err(|what| Failure::Usage("test", what))?;
    }
    let Discovered { cases, unreadable } = collect(&args.paths);
    let mut tests = Vec::new();
    let ended = try_all(args, &cases, &unreadable, &mut tests, console);
    let not_run = cases[tests.len()..].iter().map(Case::not_run).collect();
    let output = TestOutput { header: Header::new("test"), tests, not_run, unreadable };
    // Before anything is printed, since printing ends the command if the pipe is closed.
    if let Some(path) = &args.junit {
        write_besides("the JUnit file", path, &output.to_junit()?, console)?;
    }
    ended?;
    match args.format {
        Format::Text => console.print_wrapped(&summary(&output))?,
        Format::Json => console.print(&json::to_text(&output)?)?,
    }
    Ok(())
}

/// Runs the tests until one is interrupted, and prints each outcome as it becomes known.
fn try_all(
    args: &Args,
    cases: &[Case],
    unreadable: &[UnreadableTest],
    tried: &mut Vec<TestResult>,
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
        let result = case.result(&outcome);
        console.set_exit(match result.result.0 {
            TestVerdict::AsExpected => Exit::Fine,
            TestVerdict::Differs => Exit::Violation,
            TestVerdict::Inconclusive => Exit::Inconclusive,
            TestVerdict::Error => Exit::Source,
        });
        if interrupt.is_set() {
            console.set_exit(Exit::Interrupted);
            break;
        }
        let text = case_text(&result);
        tried.push(result);
        if args.format == Format::Text {
            console.print_wrapped(&text)?;
        }
    }
    Ok(())
}

/// A test on one line, with remarks about a failure below it.
fn case_text(TestResult { file, line, test, result, remarks, command, .. }: &TestResult) -> String {
    let word = match result.0 {
        TestVerdict::AsExpected => style::good("ok  "),
        TestVerdict::Differs => style::bad("FAIL"),
        TestVerdict::Inconclusive => style::doubtful("??  "),
        TestVerdict::Error => style::bad("ERR "),
    };
    let mut text = format!("{word}  {file}:{line}  {}\n", escaped_line(test));
    for line in remarks {
        let _ = writeln!(text, "      {}", escaped_line(line));
    }
    if matches!(result.0, TestVerdict::Differs | TestVerdict::Inconclusive) {
        let _ = writeln!(text, "      {} {}", style::aside("see:"), escaped_line(command));
    }
    text
}

fn summary(TestOutput { tests, not_run, .. }: &TestOutput) -> String {
    let count = |verdict| tests.iter().filter(|it| it.result.0 == verdict).count();
    let mut parts = vec![format!("{} as expected", count(TestVerdict::AsExpected))];
    let others = [
        (count(TestVerdict::Differs), "not"),
        (count(TestVerdict::Inconclusive), "inconclusive"),
        (count(TestVerdict::Error), "with errors"),
        (not_run.len(), "not run"),
    ];
    let others = others.iter().filter(|(count, _)| *count > 0);
    parts.extend(others.map(|(count, word)| format!("{count} {word}")));
    let took = Duration::from_secs_f64(tests.iter().map(|it| it.seconds).sum());
    let space = if tests.is_empty() { "" } else { "\n" };
    let all = counted((tests.len() + not_run.len()) as u64, "test");
    format!("{space}{all}: {}; {}\n", parts.join(", "), seconds(took))
}

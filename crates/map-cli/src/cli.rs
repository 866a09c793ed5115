//! The command line: parses the arguments, dispatches to a verb, and turns its result into an exit code.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use anstream::ColorChoice;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use map_diagnostics::escaped;
use map_flags::in_words;

use crate::absent;
use crate::chart::ChartArg;
#[cfg(feature = "cluster")]
use crate::commands::cluster;
#[cfg(feature = "mcp")]
use crate::commands::mcp;
use crate::commands::{
    check, completions, conform, dump, explain, export, fmt, guard, lsp, man, new, render, replay, run, step,
    test, verify,
};
use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::{Failure, is_closed_pipe};
use crate::interrupt;

/// Checks, runs and verifies agent dialogues written in MAP.
#[derive(Parser)]
#[command(name = "map", version, disable_help_subcommand = true)]
#[command(after_help = "\
Exit code: 0 when all is well, 1 for a violation, 2 for wrong usage, 3 for errors in a file or
when the output cannot be written, 4 when there is no verdict, 70 for a defect of map itself,
75 when a process of several was lost, 130 when interrupted.

Examples:
  map new auction --from english-auction      starts a file from the library
  map run auction.map                         plays it once
  map verify auction.map --agents bidder=2    explores every run of it")]
pub(crate) struct Cli {
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    pub(crate) color: Colour,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The verbs.
#[derive(Subcommand)]
pub(crate) enum Command {
    Check(check::Args),
    Run(run::Args),
    Step(step::Args),
    Verify(verify::Args),
    Test(test::Args),
    Replay(replay::Args),
    Conform(conform::Args),
    Guard(guard::Args),
    Render(render::Args),
    Fmt(fmt::Args),
    New(new::Args),
    Explain(explain::Args),
    Export(export::Args),
    #[cfg(feature = "cluster")]
    Cluster(cluster::Args),
    Dump(dump::Args),
    Lsp(lsp::Args),
    #[cfg(feature = "mcp")]
    Mcp(mcp::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// `--color`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set, or always if CLICOLOR_FORCE is set and not 0
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Parses the command line and runs its verb.
pub(crate) fn dispatch() -> Exit {
    if std::env::args_os().skip(1).eq([map_doors::FILTER_VERB]) {
        return map_doors::serve_filter().map_or(Exit::Internal, |()| Exit::Fine);
    }
    let arguments = with_chart_joined(std::env::args_os());
    let colour = colour_of(&arguments);
    // `--mailbox -1` is a bad number, not an unknown flag.
    let numbers = |it: Arg| {
        let takes_a_value = it.get_long().is_some() && it.get_action().takes_values();
        it.allow_negative_numbers(takes_a_value)
    };
    let command = Cli::command().mut_subcommands(|verb| verb.mut_args(numbers));
    // Only this verb has an answer about several scenes.
    let command = command
        .mut_subcommand("verify", |verb| verb.mut_arg("scene", |scene| scene.action(ArgAction::Append)));
    let mut command = command.color(match colour {
        ColorChoice::Always | ColorChoice::AlwaysAnsi => clap::ColorChoice::Always,
        ColorChoice::Never => clap::ColorChoice::Never,
        ColorChoice::Auto => clap::ColorChoice::Auto,
    });
    let mut parse = |arguments: &[OsString]| {
        command.try_get_matches_from_mut(arguments).and_then(|it| Cli::from_arg_matches(&it))
    };
    // What is said of a word repeats it, so it is read again as it is shown.
    let parsed = parse(&arguments).map_err(|error| {
        let shown = |it: &OsString| OsString::from(map_doors::shown(Path::new(it)));
        parse(&arguments.iter().map(shown).collect::<Vec<_>>()).err().unwrap_or(error)
    });
    let mut console = Console::new(colour);
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return refuse(&error, &mut console),
        Err(help) => {
            let printed = console.print(&help.render().ansi().to_string()).and_then(|()| console.flush());
            return printed.map_or_else(|error| unwritten(&error, &mut console), |()| Exit::Fine);
        }
    };
    // For prompts, which bypass the console.
    colour.write_global();
    interrupt::listen();
    let result = match &cli.command {
        None => console.print(GREETING).map_err(Failure::from),
        Some(Command::Check(args)) => check::run(args, &mut console),
        Some(Command::Run(args)) => run::run(args, &mut console),
        Some(Command::Step(args)) => step::run(args, &mut console),
        Some(Command::Verify(args)) => verify::run(args, &mut console),
        Some(Command::Test(args)) => test::run(args, &mut console),
        Some(Command::Replay(args)) => replay::run(args, &mut console),
        Some(Command::Conform(args)) => conform::run(args, &mut console),
        Some(Command::Guard(args)) => guard::run(args, &mut console),
        Some(Command::Render(args)) => render::run(args, &mut console),
        Some(Command::Fmt(args)) => fmt::run(args, &mut console),
        Some(Command::New(args)) => new::run(args, &mut console),
        Some(Command::Explain(args)) => explain::run(args, &mut console),
        Some(Command::Export(args)) => export::run(args, &mut console),
        #[cfg(feature = "cluster")]
        Some(Command::Cluster(args)) => cluster::run(args, Cli::command(), &mut console),
        Some(Command::Dump(args)) => dump::run(args, &mut console),
        Some(Command::Lsp(args)) => lsp::run(args),
        #[cfg(feature = "mcp")]
        Some(Command::Mcp(args)) => mcp::run(args),
        Some(Command::Completions(args)) => completions::run(args, Cli::command(), &mut console),
        Some(Command::Man(args)) => man::run(args, Cli::command(), &mut console),
    };
    match result.and_then(|()| Ok(console.flush()?)) {
        Ok(()) => console.exit,
        Err(Failure::Output(error)) => unwritten(&error, &mut console),
        Err(Failure::Input(error)) => {
            let _ = console.complain(&format!("error: standard input cannot be read: {error}\n"));
            console.exit.and(Exit::Source)
        }
        Err(Failure::Usage(verb, what)) => {
            let verb = command.find_subcommand_mut(verb).expect("the verb was parsed");
            refuse(&verb.error(ErrorKind::ValueValidation, escaped(&what)), &mut console)
        }
        Err(Failure::Refused(texts)) => {
            console.set_exit(Exit::Source);
            let mut texts = texts.iter();
            let shown = texts.try_for_each(|(source, wrong)| show_diagnostics(&mut console, source, wrong));
            ended(shown, &mut console)
        }
        Err(Failure::Ended(exit, why)) => {
            let _ = console.complain(&format!("error: {}\n", escaped(&why)));
            console.exit.and(exit)
        }
        Err(Failure::Told(exit)) => {
            console.set_exit(exit);
            ended(console.flush(), &mut console)
        }
        Err(Failure::Internal(what)) => {
            let _ = console.complain(&format!(
                "internal error: {what}\nThis is a defect of map, not of your file. Please report it.\n"
            ));
            Exit::Internal
        }
    }
}

/// The command line is wrong.
fn refuse(error: &clap::Error, console: &mut Console) -> Exit {
    let _ = console.flush();
    let said = absent::explanation(error).unwrap_or_else(|| in_words(&error.render().ansi().to_string()));
    console.last_words(&said);
    Exit::Usage
}

/// The command has ended, unless its last output could not be written.
fn ended(written: io::Result<()>, console: &mut Console) -> Exit {
    match written {
        Ok(()) => console.exit,
        Err(error) => unwritten(&error, console),
    }
}

/// The output cannot be written. Whoever closed a pipe knows.
fn unwritten(error: &io::Error, console: &mut Console) -> Exit {
    if !is_closed_pipe(error) {
        console.set_exit(Exit::Source);
        console.last_words(&format!("error: the output cannot be written: {error}\n"));
    }
    console.exit
}

/// `--color`, found before the rest is parsed: errors in the rest want it too.
fn colour_of(arguments: &[OsString]) -> ColorChoice {
    let words = arguments.iter().map(|it| it.to_str().unwrap_or_default());
    let words: Vec<&str> = words.take_while(|it| *it != "--").collect();
    let split = words.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1]);
    let joined = words.iter().filter_map(|word| word.strip_prefix("--color="));
    let chosen =
        split.chain(joined).next().and_then(|word| <Colour as ValueEnum>::from_str(word, false).ok());
    match chosen {
        Some(Colour::Always) => ColorChoice::Always,
        Some(Colour::Never) => ColorChoice::Never,
        Some(Colour::Auto) | None => ColorChoice::Auto,
    }
}

/// The words with `--chart WHEN` as `--chart=WHEN`. So `--chart` alone may be followed by the name of a file, unless
/// that is called `always`.
fn with_chart_joined(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let mut flags = true;
    for word in words {
        let when = flags && joined.last().is_some_and(|it| it == "--chart");
        match word.to_str().filter(|it| when && ChartArg::from_str(it, false).is_ok()) {
            Some(value) => *joined.last_mut().expect("it is --chart") = format!("--chart={value}").into(),
            None => {
                flags &= word != "--";
                joined.push(word);
            }
        }
    }
    joined
}

const GREETING: &str = "\
map plays and verifies dialogues between agents: does every run end, and end well?

Three commands to try, in an empty folder:
  map new auction --from english-auction    starts a file from the library
  map run auction.map                       plays it once
  map verify auction.map                    explores every run of it

map --help lists all commands, map verify --help the flags and examples of one.
";

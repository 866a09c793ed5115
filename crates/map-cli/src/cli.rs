//! The command line: parses the arguments, dispatches to a verb, and turns its result into an exit code.

use std::ffi::OsString;
use std::io;

use anstream::ColorChoice;
use clap::error::ErrorKind;
use clap::{Arg, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};

use crate::commands::{
    check, completions, dump, explain, export, fmt, man, new, render, replay, run, step, test, verify,
};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// Checks, runs and verifies agent dialogues written in MAP.
#[derive(Parser)]
#[command(name = "map", version, disable_help_subcommand = true)]
#[command(after_help = "\
Exit code: 0 when all is well, 1 for a violation, 2 for wrong usage, 3 for errors in a file, 4 when there is no
verdict, 70 for a defect of map itself, 130 when interrupted.

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
    Render(render::Args),
    Fmt(fmt::Args),
    New(new::Args),
    Explain(explain::Args),
    Export(export::Args),
    Dump(dump::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// `--color`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Parses the command line and runs its verb.
pub(crate) fn dispatch() -> Exit {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let colour = colour_of(&arguments);
    // `--mailbox -1` is a bad number, not an unknown flag.
    let numbers = |it: Arg| {
        let takes_a_value = it.get_long().is_some() && it.get_action().takes_values();
        it.allow_negative_numbers(takes_a_value)
    };
    let command = Cli::command().mut_subcommands(|verb| verb.mut_args(numbers));
    let mut command = command.color(match colour {
        ColorChoice::Always | ColorChoice::AlwaysAnsi => clap::ColorChoice::Always,
        ColorChoice::Never => clap::ColorChoice::Never,
        ColorChoice::Auto => clap::ColorChoice::Auto,
    });
    let parsed = command.try_get_matches_from_mut(arguments).and_then(|it| Cli::from_arg_matches(&it));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe is not an error, here as below.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Fine };
        }
    };
    // For prompts, which bypass the console.
    colour.write_global();
    let mut console = Console::new(colour);
    let result = match &cli.command {
        None => console.print(GREETING).map_err(Failure::from),
        Some(Command::Check(args)) => check::run(args, &mut console),
        Some(Command::Run(args)) => run::run(args, &mut console),
        Some(Command::Step(args)) => step::run(args, &mut console),
        Some(Command::Verify(args)) => verify::run(args, &mut console),
        Some(Command::Test(args)) => test::run(args, &mut console),
        Some(Command::Replay(args)) => replay::run(args, &mut console),
        Some(Command::Render(args)) => render::run(args, &mut console),
        Some(Command::Fmt(args)) => fmt::run(args, &mut console),
        Some(Command::New(args)) => new::run(args, &mut console),
        Some(Command::Explain(args)) => explain::run(args, &mut console),
        Some(Command::Export(args)) => export::run(args, &mut console),
        Some(Command::Dump(args)) => dump::run(args, &mut console),
        Some(Command::Completions(args)) => completions::run(args, Cli::command(), &mut console),
        Some(Command::Man(args)) => man::run(args, Cli::command(), &mut console),
    };
    match result.and_then(|()| Ok(console.flush()?)) {
        Ok(()) => console.exit,
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => console.exit,
        Err(Failure::Output(error)) => {
            let _ = console.complain(&format!("the output cannot be written: {error}\n"));
            Exit::Internal
        }
        Err(Failure::Usage(verb, what)) => {
            let _ = console.flush();
            let verb = command.find_subcommand_mut(verb).expect("the verb was parsed");
            let _ = verb.error(ErrorKind::ValueValidation, what).print();
            Exit::Usage
        }
        Err(Failure::Internal(what)) => {
            let _ = console.complain(&format!(
                "internal error: {what}\nThis is a defect of map, not of your file. Please report it.\n"
            ));
            Exit::Internal
        }
    }
}

/// `--color`, found before clap parses the arguments: it also applies to clap's own errors.
fn colour_of(arguments: &[OsString]) -> ColorChoice {
    let words: Vec<&str> =
        arguments.iter().map_while(|it| it.to_str()).take_while(|it| *it != "--").collect();
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

const GREETING: &str = "\
map plays and verifies dialogues between agents: does every run end, and end well?

Three commands to try, in an empty folder:
  map new auction --from english-auction    starts a file from the library
  map run auction.map                       plays it once
  map verify auction.map                    explores every run of it

map --help lists all commands, map verify --help the flags and examples of one.
";
